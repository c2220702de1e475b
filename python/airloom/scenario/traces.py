"""Recorded signals and rates: a scenario that names a file gets the script that the file holds."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.scenario import trace_tables
from airloom.scenario.text_file import file_of, text_of
from airloom.scenario.trace_tables import TIME, Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from airloom.scenario.trace_tables import Table

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
    """

    column: Column
    read: Callable[[str], str]


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
    "snr": Recording(Column("snr_db", "any number", "0,38.5"), level),
    "rate": Recording(Column("rate", "any text", "0,MCS 7"), rate),
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
        RunError: It cannot be read, or a row is none of a trace.
    """
    table = table_of(kind, name, folder)
    last = -1.0
    for place, time, cell in table.rows:
        at = instant(time, place)
        if at <= last:
            raise RunError(f"{place}: {TIME} is {time}, which is no later than the line before")
        try:
            value = kind.read(cell)
        except ValueError:
            raise RunError(f"{place}: {table.column.name} is {cell!r}", *trace_tables.like([kind.column])) from None
        yield (0.0 if last < 0 else at), value
        last = at
    if last < 0:
        raise RunError(f"{name}: has no line but its first", *trace_tables.like([kind.column]))


def table_of(kind: Recording, name: str, folder: Path) -> Table:
    """The table that a file holds."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise RunError(f"{name}: a trace lies beside its scenario, or in a folder below")
    if name.endswith(trace_tables.SUFFIX):
        return trace_tables.of_parquet(*file_of(folder / name, "trace"), [kind.column])
    text, shown = text_of(folder / name, "trace")
    return trace_tables.of_text(text, shown, [kind.column])


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


def decimal(number: float, places: int) -> str:
    """A number without an exponent and without zeros at its end."""
    text = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
