"""Measurements in a table: a CSV file of which each row is an experiment."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from airloom.errors import RunError
from airloom.scenario import source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from airloom.scenario.complaints import Complaints

OF_TABLES = ("file", "set", "measured")
"""The keys of a `[[table]]`."""

Row = tuple[str, dict[str, object], list[dict[str, Any]]]
"""The name of an experiment, what it sets, and what was measured in it."""


def rows_of(folder: Path, content: Mapping[str, Any], complaints: Complaints) -> Iterator[Row]:
    """The experiments of a `[[table]]`.

    `set.COLUMN = { key, unit }` says which key of the scenario a column has, `measured.COLUMN` which metric. A cell
    that is empty was not measured.
    """
    name, sets, columns = content.get("file"), content.get("set", {}), content.get("measured", {})
    if not isinstance(name, str) or not isinstance(sets, dict) or not isinstance(columns, dict) or not columns:
        complaints.add(
            "table", "a table needs its file and its columns", 'file = "by-distance.csv", measured.mbps = { ... }'
        )
        return
    try:
        rows = list(csv.DictReader(io.StringIO(source.read(folder / name, "table")[0]), skipinitialspace=True))
    except (RunError, csv.Error) as error:
        complaints.add(name, str(error))
        return
    there = list(rows[0]) if rows else []
    for column in [*sets, *columns]:
        if column not in there:
            complaints.add(column, f"{name} has no column `{column}`", f"there are {', '.join(map(str, there))}")
            return
    seen: set[str] = set()
    for line, row in enumerate(rows, 2):
        settings = {column: setting(row[column], said) for column, said in sets.items()}
        label = ", ".join(f"{column} {row[column]}" for column in sets) or f"line {line}"
        label = label if label not in seen else f"{label} (line {line})"
        seen.add(label)
        measured = []
        for column, said in columns.items():
            cell = (row[column] or "").strip()
            if not cell:
                continue
            try:
                value = float(cell)
            except ValueError:
                complaints.add(name, f"{name}:{line}: {column} is {cell!r}, not a number")
                continue
            measured.append({**said, "name": f"{column} at {label}", "value": value})
        if measured:
            yield label, {key: value for pairs in settings.values() for key, value in pairs.items()}, measured


def setting(cell: str | None, said: object) -> dict[str, object]:
    """What a cell sets."""
    match said:
        case str(key):
            unit = ""
        case {"key": str(key), **rest}:
            unit = str(rest.get("unit", ""))
        case _:
            return {}
    text = f"{(cell or '').strip()} {unit}".strip()
    try:
        return {key: text if unit else float(text) if "." in text else int(text)}
    except ValueError:
        return {key: text}
