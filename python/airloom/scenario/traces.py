"""Recorded signals and rates: a scenario that names a file gets the script that the file holds."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.scenario.text_file import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TIME = "time_s"
"""The column of times, in seconds of the run."""

LONGEST_S = 86_400.0
"""What a time is at most: a day, as everywhere in a scenario."""

NAMED = re.compile(r"""\{\s*trace\s*=\s*(?:"(?P<name>[^"\n]*)"|'(?P<plain>[^'\n]*)')\s*\}""")
"""A trace as it is written: an inline table with the name of its file."""

KEY = re.compile(r"""(?P<key>snr|rate)["']?\s*=\s*$""")
"""The end of what stands before the trace of a key."""


@dataclass(frozen=True)
class Recording:
    """A key whose value may be recorded.

    Attributes:
        column: The column that holds it.
        read: What the scenario says for a cell of that column; raises ValueError if it is none.
        example: Two lines of a file.
    """

    column: str
    read: Callable[[str], str]
    example: str


def level(cell: str) -> str:
    """A ratio in dB."""
    db = float(cell)
    if not math.isfinite(db):
        raise ValueError
    return f"{decimal(db, 6)} dB"


def rate(cell: str) -> str:
    """A rate as it is written elsewhere, such as MCS 7."""
    if not cell or set(cell) & set('"\\\n'):
        raise ValueError
    return cell


RECORDINGS = {
    "snr": Recording("snr_db", level, "0,38.5"),
    "rate": Recording("rate", rate, "0,MCS 7"),
}


def spelled_out(text: str, folder: Path) -> str:
    """A scenario, in which each trace is the script that its file beside it holds; lines stay where they are.

    Raises:
        RunError: A file cannot be read, or holds no trace.
    """
    if "trace" not in text:
        return text
    lines = (spelled_out_in(line, folder) for line in text.split("\n"))
    return "\n".join(lines)


def spelled_out_in(line: str, folder: Path) -> str:
    """The same of one line; what stands in a comment is left alone."""
    done = 0
    parts = []
    for found in NAMED.finditer(line):
        before = line[: found.start()]
        key = KEY.search(before)
        if key is None or is_comment(before):
            continue
        parts += [line[done : found.start()], script(key["key"], named(found), folder)]
        done = found.end()
    return "".join([*parts, line[done:]])


def spelled_out_value(key: str, value: str) -> str:
    """A value that is set over a scenario's, a trace as its script; its file is looked for in the current folder."""
    found = NAMED.fullmatch(value.strip())
    kind = key.rsplit(".", 1)[-1]
    return script(kind, named(found), Path()) if found and kind in RECORDINGS else value


def named(found: re.Match[str]) -> str:
    """The name of the file."""
    return found["plain"] if found["name"] is None else found["name"]


def is_comment(before: str) -> bool:
    """Whether what follows on the line is one: a hash stands before it that is in no text."""
    return "#" in re.sub(r'"[^"]*"|\'[^\']*\'', "", before)


def script(key: str, name: str, folder: Path) -> str:
    """The script that a file holds, as TOML on one line. A value that stays the same is one step."""
    kind = RECORDINGS[key]
    steps = [next(group) for _, group in itertools.groupby(rows(kind, name, folder), key=lambda step: step[1])]
    said = (f'{{ at = "{decimal(at, 9)} s", {key} = "{value}" }}' for at, value in steps)
    return f"[{', '.join(said)}]"


def rows(kind: Recording, name: str, folder: Path) -> Iterator[tuple[float, str]]:
    """The times and values of a file, the first one at zero: what comes first holds before too.

    Raises:
        RunError: It cannot be read, or a line is none of a trace.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise RunError(f"{name}: a trace lies beside its scenario, or in a folder below")
    text, shown = text_of(folder / name, "trace")
    table = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True, strict=True)
    last = -1.0
    try:
        there = list(table.fieldnames or [])
        if not {TIME, kind.column} <= set(there):
            needs = f"{shown}: a trace needs the columns {TIME} and {kind.column}"
            raise RunError(needs, f"its first line is {','.join(there)[:80]}" if there else "it is empty", *like(kind))
        for row in table:
            place = f"{shown}:{table.line_num}"
            at = instant(row[TIME] or "", place)
            if at <= last:
                raise RunError(f"{place}: {TIME} is {row[TIME]}, which is no later than the line before")
            try:
                value = kind.read((row[kind.column] or "").strip())
            except ValueError:
                raise RunError(f"{place}: {kind.column} is {row[kind.column]!r}", *like(kind)) from None
            yield (0.0 if last < 0 else at), value
            last = at
    except csv.Error as error:
        raise RunError(f"{shown}:{table.line_num}: {error}") from None
    if last < 0:
        raise RunError(f"{shown}: has no line but its first", *like(kind))


def instant(cell: str, place: str) -> float:
    """A time in seconds.

    Raises:
        RunError: It is none, or none of a run.
    """
    try:
        at = float(cell)
    except ValueError:
        at = math.nan
    if not 0 <= at <= LONGEST_S:
        raise RunError(
            f"{place}: {TIME} is {cell!r}; times are seconds of the run, from 0 to {LONGEST_S:.0f}",
            "what is stamped with the time of day begins at 0 once the first stamp is taken off",
        )
    return at


def like(kind: Recording) -> tuple[str, str, str]:
    """What such a file looks like."""
    return "it is CSV, such as", f"{TIME},{kind.column}", kind.example


def decimal(number: float, places: int) -> str:
    """A number without an exponent and without zeros at its end."""
    text = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
