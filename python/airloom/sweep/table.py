"""The results of a sweep as one table: a row for each cell and each entity in it.

The columns are the cell's number, its axes, every other key that an axis sets, its seed, the entity's kind, group and
name, and every metric that a summary has of any entity, all of them 64-bit floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.summary_table import entities
from airloom.errors import GO_ON, SweepError
from airloom.results.table import Column, Table
from airloom.scenario.grid import written
from airloom.scenario.quantities import measured
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from airloom.results.table import Kind
    from airloom.scenario.grid import Choice, Grid
    from airloom.sweep.journal import Journal


def write(grid: Grid, journal: Journal, target: Path) -> None:
    """Writes the table of the cells that are done as a Parquet file (see `Table.write`), whole or not at all."""
    table = build(grid, journal)
    try:
        with whole(target) as partial:
            table.write(partial)
    except OSError as error:
        raise SweepError(f"{target}: cannot be written: {error.strerror or error}; {GO_ON}") from None


def build(grid: Grid, journal: Journal) -> Table:
    """The table of the cells that are done."""
    keys = keys_of(grid)
    cells: list[int] = []
    seeds: list[int] = []
    kinds: list[str] = []
    groups: list[str | None] = []
    names: list[str] = []
    chosen: list[list[object]] = [[] for _ in keys]
    metrics: dict[str, list[float | None]] = {}
    for number, summary in journal.summaries():
        there = settings(grid[number].choices)
        for entity in entities(summary):
            for metric, value in entity.numbers.items():
                values = metrics.setdefault(metric, [])
                values.extend([None] * (len(cells) - len(values)))
                values.append(None if value is None else float(value))
            cells.append(number)
            seeds.append(summary["seed"])
            kinds.append(entity.kind)
            groups.append(entity.group)
            names.append(entity.name)
            for key, values_of in zip(keys, chosen, strict=True):
                values_of.append(key.of(there.get(key.name)))
    columns = [
        Column("cell", "integer", cells),
        *(Column(key.name, key.kind, values, key.unit) for key, values in zip(keys, chosen, strict=True)),
        Column("seed", "natural", seeds),
        Column("kind", "text", kinds),
        Column("group", "text", groups),
        Column("entity", "text", names),
    ]
    taken = {column.name for column in columns}
    for metric, values in metrics.items():
        values.extend([None] * (len(cells) - len(values)))
        name = metric
        while name in taken:
            name += "_"
        taken.add(name)
        columns.append(Column(name, "number", values))
    return Table(columns)


def settings(choices: Mapping[str, Choice]) -> dict[str, object]:
    """What is chosen on some axes, and what that sets, by column.

    An axis that is named after the key that it sets has its values, others have their names.
    """
    chosen = {axis: choice.sets.get(axis, choice.name) for axis, choice in choices.items()}
    return chosen | {k: v for choice in choices.values() for k, v in choice.sets.items() if k not in chosen}


class Key:
    """What the cells of a grid have under one name, as one type.

    The type follows from all that the grid can have there, not from the cells that are done: numbers if all values are
    numbers of one unit, truth values if all are, text otherwise.
    """

    def __init__(self, name: str, values: Sequence[object]) -> None:
        """Finds the type of these values."""
        self.name = name
        self.kind: Kind = "text"
        self.meaning: dict[str, object] = {str(value): written(value) for value in values}
        self.unit = ""
        if all(isinstance(value, bool) for value in values):
            self.kind = "truth"
            self.meaning = {str(value): value for value in values}
        elif found := measured(values):
            numbers, self.unit = found
            whole_ones = all(isinstance(number, int) for number in numbers)
            self.kind = "integer" if whole_ones else "number"
            typed = numbers if whole_ones else map(float, numbers)
            self.meaning = dict(zip(map(str, values), typed, strict=True))

    def of(self, value: object) -> object:
        """A value of it, None where nothing was set."""
        return None if value is None else self.meaning[str(value)]


def keys_of(grid: Grid) -> list[Key]:
    """The axes, and what they set beside."""
    values: dict[str, list[object]] = {axis.name: [] for axis in grid.axes}
    for axis in grid.axes:
        for choice in axis.choices:
            for name, value in settings({axis.name: choice}).items():
                values.setdefault(name, []).append(value)
    return [Key(name, those) for name, those in values.items()]
