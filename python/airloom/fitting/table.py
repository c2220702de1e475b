"""Measurements in a table: a CSV file of which each row is an experiment."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any

from airloom.errors import RunError
from airloom.scenario import source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from airloom.scenario.complaints import Complaints

OF_TABLES = ("file", "set", "measured")
"""The keys of a `[[table]]`."""

COLUMNS = 'file = "by-distance.csv", measured.mbps = { metric = "goodput_mbps", of = "download", error = "5 %" }'
SETS = 'set.metres = { key = "station.0.distance", unit = "m" }'
"""What to write."""

Row = tuple[str, dict[str, object], list[dict[str, Any]]]
"""The name of an experiment, what it sets, and what was measured in it."""


def rows_of(folder: Path, content: Mapping[str, Any], complaints: Complaints) -> Iterator[Row]:
    """The experiments of a `[[table]]`.

    `set.COLUMN = { key, unit }` says which key of the scenario a column has, `measured.COLUMN` which metric. A cell
    that is empty was not measured.
    """
    name, sets, columns = content.get("file"), content.get("set", {}), content.get("measured", {})
    if (
        not isinstance(name, str)
        or not isinstance(columns, dict)
        or not columns
        or not all(map(is_table, columns.values()))
    ):
        complaints.add("table", "a table needs its file, and what its columns measure", COLUMNS)
        return
    if not isinstance(sets, dict) or not all(map(names_key, sets.values())):
        complaints.add("table", "`set` needs a key of the scenario for each column", SETS)
        return
    try:
        text = source.read(folder / name, "table")[0].removeprefix("\ufeff")
        reader = csv.DictReader(io.StringIO(text), skipinitialspace=True, strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except (RunError, csv.Error) as error:
        complaints.add(name, str(error))
        return
    there = list(reader.fieldnames or [])
    for column in [*sets, *columns]:
        if there.count(column) != 1:
            many = "has no column" if column not in there else "has more than one column"
            complaints.add(column, f"{name} {many} `{column}`", f"there are {', '.join(map(str, there))}")
            return
    seen: set[str] = set()
    for line, row in rows:
        settings = dict(setting(row[column], said) for column, said in sets.items())
        label = ", ".join(f"{column} {row[column]}" for column in sets) or f"line {line}"
        label = label if label not in seen else f"{label} (line {line})"
        seen.add(label)
        measured = [
            {**said, "name": f"{column} at {label}", "value": value}
            for column, said in columns.items()
            if (value := number(row[column], f"{name}:{line}: {column}", name, complaints)) is not None
        ]
        if measured:
            yield label, settings, measured


def is_table(said: object) -> bool:
    """Whether this is a table of keys."""
    return isinstance(said, dict)


def names_key(said: object) -> bool:
    """Whether this says which key a column has: by itself, or as a table with its unit."""
    return isinstance(said, str) or (
        isinstance(said, dict) and isinstance(said.get("key"), str) and said.keys() <= {"key", "unit"}
    )


def number(cell: str | None, where: str, name: str, complaints: Complaints) -> float | None:
    """The number in a cell; none where it is empty, or no number."""
    text = (cell or "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isfinite(value):
        return value
    complaints.add(name, f"{where} is {text!r}, not a number")
    return None


def setting(cell: str | None, said: str | dict[str, str]) -> tuple[str, object]:
    """What a cell sets: a key, and its value."""
    key, unit = (said, "") if isinstance(said, str) else (said["key"], said.get("unit", ""))
    text = (cell or "").strip()
    if unit:
        return key, f"{text} {unit}"
    try:
        return key, float(text) if "." in text else int(text)
    except ValueError:
        return key, text
