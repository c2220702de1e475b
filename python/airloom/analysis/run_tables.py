"""The tables of one run or of several: series, flows, nodes, and what captures leave."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airloom.analysis.summary_table import entities
from airloom.errors import AirloomError
from airloom.results.lookup import unknown
from airloom.results.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from airloom.results.bundle import Run
    from airloom.results.table import Kind

WORDS = ("kind", "group", "from", "to", "congestion", "adapter")
"""What a summary says in words of a flow or a node, which the table has beside its numbers."""

UNITS = {"time": "s", "end": "s", "cwnd": "packets", "ssthresh": "packets", "in_flight": "packets", "payload": "bytes"}
"""The units of columns whose names do not say them."""


def described(run: Run, key: str) -> Table:
    """A row for each flow or node of a run: its name, what the summary says of it in words, and its numbers."""
    tables: Sequence[Mapping[str, Any]] = run.summary["flows"] if key == "flows" else run.summary["nodes"]
    kinds = {"flow"} if key == "flows" else {"station", "ap", "server"}
    numbers = [entity for entity in entities(run.summary) if entity.kind in kinds]
    words = [word for word in WORDS if any(word in table for table in tables)]
    metrics = dict.fromkeys(metric for entity in numbers for metric in entity.numbers)
    return Table(
        [
            Column("name", "text", [entity.name for entity in numbers]),
            *(Column(word, "text", [table.get(word) for table in tables]) for word in words),
            *(Column(one, "number", [number(entity.numbers.get(one)) for entity in numbers]) for one in metrics),
        ]
    )


def number(value: float | None) -> float | None:
    """A number as a 64-bit float."""
    return None if value is None else float(value)


TABLES: dict[str, Callable[[Run], Table]] = {
    "series": lambda run: run.series,
    "flows": lambda run: described(run, "flows"),
    "nodes": lambda run: described(run, "nodes"),
    "sockets": lambda run: run.sockets,
    "segments": lambda run: run.segments,
    "transmissions": lambda run: run.transmissions,
}
"""The tables that a run has, by name; the last three only with captures."""


def table_of(runs: Mapping[str, Run], name: str) -> Table:
    """A table of runs by their names; of several, a first column has the run's name.

    Raises:
        AirloomError: There is no such table, or a run was made without captures.
    """
    if name not in TABLES:
        raise unknown("table", name, TABLES)
    tables = {run: with_units(TABLES[name](one)) for run, one in runs.items()}
    if len(tables) == 1:
        return next(iter(tables.values()))
    return below(tables)


def with_units(table: Table) -> Table:
    """The same with the units of columns."""
    return Table([replace(one, unit=one.unit or UNITS.get(one.name, "")) for one in table.columns])


def below(tables: Mapping[str, Table]) -> Table:
    """Tables below each other; a column that one does not have is empty there."""
    kinds: dict[str, tuple[Kind, str]] = {}
    for table in tables.values():
        for column in table.columns:
            if kinds.setdefault(column.name, (column.kind, column.unit))[0] != column.kind:
                raise AirloomError(f"the runs' tables do not fit each other: {column.name} is of another kind in one")
    rows: dict[str, list[Any]] = {name: [] for name in kinds}
    names: list[str] = []
    for run, table in tables.items():
        there = {column.name: column.values for column in table.columns}
        names += [run] * len(table)
        for name, values in rows.items():
            values.extend(there.get(name, [None] * len(table)))
    columns = [Column(name, kind, rows[name], unit) for name, (kind, unit) in kinds.items()]
    return Table([Column("run", "text", names), *columns])
