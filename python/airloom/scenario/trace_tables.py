"""Tables that traces are: files of CSV or of Parquet, with the place of each row for messages."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, NamedTuple

from airloom import _engine
from airloom.errors import BundleError, RunError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TIME = "time_s"
"""The column of times, in seconds."""

SUFFIX = ".parquet"
"""What the name of a file of Parquet ends in."""

MOST_ROWS = 1_000_000
"""Rows of the longest such file: several for each step of the longest script."""

SHORTER = "a trace is short: leave out rows that say nothing new"
"""What to do about a longer one."""


class TraceRow(NamedTuple):
    """A row.

    Attributes:
        place: The file and where in it, as messages begin.
        time: What it has as its time; empty if nothing.
        value: What it has in the column that is looked for.
    """

    place: str
    time: str
    value: str


class Column(NamedTuple):
    """A column that a table may have beside its times.

    Attributes:
        name: Its name.
        kind: What a file of Parquet holds there: `any number` or `any text`.
        example: Two cells of a row, as CSV.
    """

    name: str
    kind: str
    example: str


class Table(NamedTuple):
    """A table's rows, and which of the columns looked for it has."""

    column: Column
    rows: Iterator[TraceRow]


def of_text(text: str, shown: str, columns: Sequence[Column]) -> Table:
    """The table that a file of CSV is, which messages call `shown`.

    Raises:
        RunError: It is none, or has none of the columns; or, as it is read, a line is none of CSV.
    """
    table = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True, strict=True)
    there = names(table, shown)
    column = next((column for column in columns if {TIME, column.name} <= set(there)), None)
    if column is None:
        first = f"its first line is {','.join(there)[:80]}" if there else "it is empty"
        raise RunError(f"{shown}: {needs(columns)}", first, *like(columns))
    return Table(column, text_rows(table, shown, column.name))


def names(table: csv.DictReader[str], shown: str) -> list[str]:
    """The columns of a file of CSV."""
    try:
        return list(table.fieldnames or [])
    except csv.Error as error:
        raise RunError(f"{shown}:{table.line_num}: {error}") from None


def text_rows(table: csv.DictReader[str], shown: str, column: str) -> Iterator[TraceRow]:
    """Its rows, each with its line."""
    try:
        for row in table:
            yield TraceRow(f"{shown}:{table.line_num}", row[TIME] or "", (row[column] or "").strip())
    except csv.Error as error:
        raise RunError(f"{shown}:{table.line_num}: {error}") from None


def of_parquet(file: Path, shown: str, columns: Sequence[Column]) -> Table:
    """The table that a file of Parquet is.

    Raises:
        RunError: It is none, is too long, or has none of the columns.
    """
    faults = []
    for column in columns:
        wanted = [(TIME, "any number"), (column.name, column.kind)]
        try:
            times, values = _engine.read_table(file, wanted, MOST_ROWS, SHORTER)
        except BundleError as error:
            faults.append(str(error).removeprefix(f"{file}: "))
            continue
        rows = zip(cells(times), cells(values), strict=True)
        places = (TraceRow(f"{shown}: row {number}", time, value) for number, (time, value) in enumerate(rows, 1))
        return Table(column, places)
    if len(faults) == 1:
        raise RunError(f"{shown}: {faults[0]}", f"{needs(columns)}: numbers, or text for what is no number")
    raise RunError(f"{shown}: {needs(columns)}", *dict.fromkeys(faults))


def cells(column: bytes | list[str]) -> Iterator[str]:
    """The cells of a column as text; empty where there is nothing."""
    if isinstance(column, list):
        return iter(column)
    return ("" if math.isnan(number) else repr(number) for number in memoryview(column).cast("d"))


def needs(columns: Sequence[Column]) -> str:
    """Which columns a trace must have."""
    return f"a trace needs the columns {TIME} and {' or '.join(column.name for column in columns)}"


def like(columns: Sequence[Column]) -> tuple[str, str, str]:
    """What such a file looks like."""
    return "it is CSV, such as", f"{TIME},{columns[0].name}", columns[0].example
