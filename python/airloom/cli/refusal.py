"""How a command refuses what cannot be done: the mistakes on standard error, or as JSON for scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cyclopts import CycloptsError

from airloom.cli import misuse
from airloom.cli.terminal import complain, flush, of_command_line, print_json
from airloom.errors import Mistake, MistakesError
from airloom.scenario.text_file import STDIN, STDIN_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

WRONG = 2
"""Exit code of a request that cannot be met."""


def refuse(error: Exception, *, as_json: bool) -> int:
    """Says what is wrong, and gives the exit code."""
    mistakes = [*map(of_command_line, error.mistakes)] if isinstance(error, MistakesError) else []
    mistakes = [mistake._replace(file=of_streams(mistake.file)) for mistake in mistakes]
    content = {"ok": False, "message": message(error), "mistakes": as_dicts(mistakes), "warnings": []}
    if as_json and answered(content):
        return WRONG
    if mistakes:
        several = f"{len(mistakes)} mistakes\n" if len(mistakes) > 1 else ""
        complain(several + str(MistakesError(mistakes)))
    else:
        complain(message(error))
    return WRONG


def answered(content: Mapping[str, object]) -> bool:
    """Prints JSON; whether that could be, which it cannot where standard output itself is what failed."""
    try:
        print_json("check", content)
        flush()
    except OSError:
        return False
    return True


def as_dicts(mistakes: list[Mistake]) -> list[dict[str, object]]:
    """Mistakes or warnings, as JSON has them."""
    return [mistake._asdict() for mistake in mistakes]


def message(error: Exception) -> str:
    """An error in words."""
    if isinstance(error, MistakesError):
        return error.message
    return of_streams(plain(error))


def of_streams(text: str) -> str:
    """A text that calls standard input what `-` stands for, with its name."""
    return re.sub(rf"(?<![\w/]){re.escape(STDIN)}(?!\w)", STDIN_NAME, text)


def plain(error: Exception) -> str:
    """Any other error in words."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, CycloptsError):
        return misuse.message(error)
    return str(error)
