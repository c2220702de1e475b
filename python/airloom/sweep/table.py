"""The results of a sweep as one table: a row for each cell and each entity in it.

The columns are the cell's number, its axes, every other key that an axis sets, its seed, the entity's kind and name,
and every metric that a summary has of any entity, all of them 64-bit floats.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from airloom.analysis.summary_table import entities
from airloom.errors import GO_ON, SweepError
from airloom.scenario.grid import written
from airloom.scenario.quantities import measured
from airloom.support.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from airloom.analysis.summary_table import Entity
    from airloom.results.summary import Summary
    from airloom.scenario.grid import Choice, Grid
    from airloom.sweep.journal import Journal

CHUNK = 500
"""Cells that are gathered before they become columns."""


def write(grid: Grid, journal: Journal, target: Path) -> None:
    """Writes the table of the cells that are done as a Parquet file, whole or not at all."""
    import pyarrow.parquet as pq

    try:
        with whole(target) as partial:
            pq.write_table(build(grid, journal), partial)
    except OSError as error:
        raise SweepError(f"{target}: cannot be written: {error.strerror or error}; {GO_ON}") from None


def build(grid: Grid, journal: Journal) -> pa.Table:
    """The table of the cells that are done."""
    import pyarrow as pa

    columns = columns_of(grid)
    summaries = journal.summaries()
    chunks = [pa.table({})]
    while chunk := list(islice(summaries, CHUNK)):
        chunks.append(gather(grid, columns, chunk))
    return pa.concat_tables(chunks, promote_options="default").combine_chunks()


def settings(choices: Mapping[str, Choice]) -> dict[str, object]:
    """What is chosen on some axes, and what that sets, by column.

    An axis that is named after the key that it sets has its values, others have their names.
    """
    chosen = {axis: choice.sets.get(axis, choice.name) for axis, choice in choices.items()}
    return chosen | {k: v for choice in choices.values() for k, v in choice.sets.items() if k not in chosen}


class Column:
    """What the cells of a grid have under one name, as one type.

    The type follows from all that the grid can have there, not from the cells that are done: numbers if all values are
    numbers of one unit, truth values if all are, text otherwise.
    """

    def __init__(self, name: str, values: Sequence[object]) -> None:
        """Finds the type of these values."""
        import pyarrow as pa

        self.name = name
        self.kind = pa.string()
        self.meaning: dict[str, object] = {str(value): written(value) for value in values}
        self.unit = ""
        if all(isinstance(value, bool) for value in values):
            self.kind = pa.bool_()
            self.meaning = {str(value): value for value in values}
        elif found := measured(values):
            numbers, self.unit = found
            self.kind = pa.int64() if all(isinstance(number, int) for number in numbers) else pa.float64()
            self.meaning = dict(zip(map(str, values), numbers, strict=True))

    @property
    def field(self) -> pa.Field:
        """Name, type and unit, as Arrow has them."""
        import pyarrow as pa

        return pa.field(self.name, self.kind, metadata={"unit": self.unit} if self.unit else None)

    def array(self, values: Iterable[object]) -> pa.Array:
        """Values of it, null where nothing was set."""
        import pyarrow as pa

        return pa.array([None if value is None else self.meaning[str(value)] for value in values], self.kind)


def columns_of(grid: Grid) -> list[Column]:
    """The axes, and what they set beside."""
    values: dict[str, list[object]] = {axis.name: [] for axis in grid.axes}
    for axis in grid.axes:
        for choice in axis.choices:
            for name, value in settings({axis.name: choice}).items():
                values.setdefault(name, []).append(value)
    return [Column(name, those) for name, those in values.items()]


def number(entity: Entity, metric: str) -> float | None:
    """A number of an entity, rounded to what a 64-bit float holds."""
    found = entity.numbers.get(metric)
    return None if found is None else float(found)


def gather(grid: Grid, columns: Sequence[Column], chunk: Sequence[tuple[int, Summary]]) -> pa.Table:
    """Some cells as a table."""
    import pyarrow as pa

    rows = [
        (number, summary["seed"], settings(grid[number].choices), entity)
        for number, summary in chunk
        for entity in entities(summary)
    ]
    metrics = dict.fromkeys(metric for *_, entity in rows for metric in entity.numbers)
    arrays = [
        (pa.field("cell", pa.int64()), pa.array([number for number, *_ in rows], pa.int64())),
        *((column.field, column.array([set_.get(column.name) for _, _, set_, _ in rows])) for column in columns),
        (pa.field("seed", pa.uint64()), pa.array([seed for _, seed, _, _ in rows], pa.uint64())),
        (pa.field("kind", pa.string()), pa.array([entity.kind for *_, entity in rows])),
        (pa.field("entity", pa.string()), pa.array([entity.name for *_, entity in rows])),
    ]
    taken = {field.name for field, _ in arrays}
    for metric in metrics:
        name = metric
        while name in taken:
            name += "_"
        taken.add(name)
        arrays.append(
            (pa.field(name, pa.float64()), pa.array([number(entity, metric) for *_, entity in rows], pa.float64()))
        )
    return pa.Table.from_arrays([array for _, array in arrays], schema=pa.schema([field for field, _ in arrays]))
