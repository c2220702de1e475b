"""A table as a file that other programs read: CSV, JSON or Parquet, as its suffix says."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from airloom.results.by_suffix import known_suffix
from airloom.support import csv_file
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from airloom.results.table import Column, Table


def write(table: Table, target: Path) -> None:
    """Writes a table as the file's suffix says, whole or not at all.

    Raises:
        AirloomError: There is no such format, or a folder is there.
    """
    FORMATS[suffix(target)](table, target)


def suffix(target: Path) -> str:
    """The suffix of a table's file; refuses what `known_suffix` does."""
    return known_suffix(
        target, FORMATS, "table", dict.fromkeys((".svg", ".png", ".pdf"), "`airloom plot` draws pictures")
    )


def to_csv(table: Table, target: Path) -> None:
    """As CSV: units in the header, an empty cell where there is no value."""
    header = [f"{column.name} ({column.unit})" if column.unit else column.name for column in table.columns]
    csv_file.write(header, zip(*map(written, table.columns), strict=True), target)


def to_json(table: Table, target: Path) -> None:
    """As JSON: a list of objects, null where there is no value."""
    rows = [dict(zip(table.column_names, row, strict=True)) for row in zip(*map(written, table.columns), strict=True)]
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as partial:
        partial.write_text(f"{json.dumps(rows, indent=1, allow_nan=False)}\n", encoding="utf-8")


def to_parquet(table: Table, target: Path) -> None:
    """As Parquet (see `Table.write`)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as partial:
        table.write(partial)


def written(column: Column) -> list[object]:
    """A column's values as text has them: a count, such as of bytes, without the fraction that its type has."""
    values = [known(value) for value in column.values]
    whole_ones = all(not isinstance(value, float) or (value.is_integer() and abs(value) < EXACT) for value in values)
    return [int(value) if isinstance(value, float) else value for value in values] if whole_ones else values


EXACT = 2**53
"""Whole numbers below it are exact as 64-bit floats."""


def known(value: object) -> object:
    """A value, or None for what is not a number."""
    return None if isinstance(value, float) and math.isnan(value) else value


FORMATS: dict[str, Callable[[Table, Path], None]] = {".csv": to_csv, ".json": to_json, ".parquet": to_parquet}
"""How a table is written, by suffix."""
