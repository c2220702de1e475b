"""What is wrong with the words of a command, in words of ours."""

from __future__ import annotations

import difflib
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import (
    CoercionError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from airloom.errors import AirloomError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import CycloptsError

UNIT = re.compile(r"[nuµm]?s|min|h|[kMG]?bit/s|[kM]?B|[KMG]iB|packets|dBm?|m|m/s|[MG]Hz")
"""A unit of a scenario's values, as `config` has them (quantity.rs)."""

ELSEWHERE: dict[tuple[str, ...], str] = {
    ("sweep", "--set"): '`set` is a key of the grid file, with values for all cells: set = { duration = "5 s" }',
    ("sweep", "--seeds"): "`seeds` is a key of the grid file: seeds = 10, or a list of them",
    ("sweep", "--seed"): "`seeds` is a key of the grid file: seeds = 10, or a list of them",
    ("sweep", "--jobs"): "a sweep takes all cores that it may use: `taskset -c 0-3 airloom sweep ...` gives it four",
    (
        "run",
        "--seeds",
    ): "a run has one --seed; several are a grid, with seeds = 10 in its file: `airloom new sweep` writes one",
    ("run", "--jobs"): "a run takes one core; several runs are a grid: `airloom new sweep` writes one",
}
"""What serves in place of options that users look for, by the command and the option."""

PROGRAMS = {
    "rate": "`airloom-rate` is a program of its own, a Debian package that `sh packaging/build.sh` builds in a clone: "
    "docs/airloom-rate.md; how long a rate takes for a frame says `airloom airtime`"
}
"""What to say of a command that is the name of another program's."""

SHOW = "show"
"""What `airloom sweep` has beside a grid to run."""

NUMBER = re.compile(r"[^=]+=[0-9.]+")
"""A setting whose value is a number without a unit."""


def message(error: CycloptsError) -> str:
    """What is wrong, and on a line below it where there is help."""
    words = tuple(error.command_chain or ())
    command = " ".join(("airloom", *words))
    match error:
        case UnknownCommandError():
            unknown = str((error.unused_tokens or ["?"])[0])
            if not words and unknown in PROGRAMS:
                return f"no command `airloom {unknown}`\n  {PROGRAMS[unknown]}"
            if not words and unknown == "-v":
                return "no option `-v`\n  `airloom -V` says the version"
            kind = "option" if unknown.startswith("-") else "command"
            every = list(error.app or ())
            names = [name for name in every if not name.startswith("-")]
            alike = [name for name in every if name.startswith("--")] if kind == "option" else names
            near = difflib.get_close_matches(unknown, alike, 1)
            there = f"{command} --help says what there is" if kind == "option" else f"there are {', '.join(names)}"
            hint = f"did you mean `{near[0]}`?" if near else there
            return f"no {kind} `{' '.join((*words, unknown))}`\n  {hint}"
        case UnusedCliTokensError():
            extra = " ".join(map(str, error.unused_tokens or []))
            said = f"`{command}` does not take `{extra}`"
        case MissingArgumentError() if error.argument is not None:
            name = error.keyword or error.argument.name
            said = f"`{command}` needs {'a value for ' if name.startswith('-') else ''}{name}"
        case UnknownOptionError() if (*words, option(error)) in ELSEWHERE:
            return f"unknown option {option(error)}\n  {ELSEWHERE[*words, option(error)]}"
        case UnknownOptionError():
            said = f"unknown option {option(error)}{near_option(error)}"
        case RepeatArgumentError():
            said = f"`{command}` takes {str(error).split()[1]} only once"
        case CoercionError() if error.target_type is bool and error.argument is not None:
            said = f"{error.argument.name} takes no value"
        case _:
            said = str(error).rstrip(".").replace("Invalid value for", "wrong value for").replace("Parameter ", "")
    return f"{said[:1].lower()}{said[1:]}\n  {command} --help says what there is"


def option(error: UnknownOptionError) -> str:
    """An option that there is not."""
    return str(error.token.keyword or error.token.value).partition("=")[0]


def near_option(error: UnknownOptionError) -> str:
    """The option that may be meant, as a question; nothing where what there is has hardly a letter of it."""
    found = re.search(r"[Dd]id you mean \"?(--[\w-]+)", str(error))
    if found is None:
        return ""
    ours, theirs = option(error).strip("-"), found[1].strip("-")
    near = bool(difflib.get_close_matches(ours, [theirs])) or ours.startswith(theirs) or theirs.startswith(ours)
    return f"; did you mean {found[1]}?" if near else ""


def check_quoted(words: Sequence[str]) -> None:
    """Looks for a setting that a shell has cut into a number and its unit, as in `duration=2 s`.

    A command that takes several files would take the unit for one of them.

    Raises:
        AirloomError: There is one.
    """
    for setting, unit in pairwise(words):
        if NUMBER.fullmatch(setting) and UNIT.fullmatch(unit):
            raise AirloomError(f"`{unit}` stands apart from its number", f"write '{setting} {unit}', with the quotes")


def check_show(words: Sequence[str]) -> None:
    """Looks for a misspelled `sweep show`, whose first word would be taken for a grid file.

    Raises:
        AirloomError: It is one, and no such file is there.
    """
    match words:
        case ["sweep", word, *_] if (
            word != SHOW and difflib.get_close_matches(word, [SHOW]) and not Path(word).exists()
        ):
            raise AirloomError(f"no command `airloom sweep {word}`, nor such a grid file", f"did you mean `{SHOW}`?")
