"""What a scenario has itself where a cell of its grid sets nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.results.table import Column, Table
from airloom.scenario.grid import canonical
from airloom.scenario.quantities import measured
from airloom.support import reading
from airloom.support.visible import visible
from airloom.sweep.query import text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from airloom.sweep.plan import Plan


def filled(table: Table, plan: Plan, keys: Collection[str]) -> Table:
    """A sweep's table with the scenario's own values of some keys, where cells do not set them and it has any.

    A column is text where one of them is not of its type, such as in another unit.
    """
    lacking = [one for one in table.columns if one.name in keys and one.name in settable(plan) and None in one.values]
    if not lacking:
        return table
    settings = resolved(plan)
    cells = table["cell"]
    found = {}
    for column in lacking:
        (path,) = _engine.numbered(plan.base, [column.name])
        pairs = zip(cells, column.values, strict=True)
        own = [lookup(settings(cell), path) if value is None else None for cell, value in pairs]
        found[column.name] = joined(column, [None if isinstance(one, (dict, list)) else one for one in own])
    return Table([found.get(column.name, column) for column in table.columns])


def settable(plan: Plan) -> set[str]:
    """The keys of the scenario that cells set."""
    return {key for axis in plan.grid.axes for choice in axis.choices for key in choice.sets}


def resolved(plan: Plan) -> Callable[[int], dict[str, Any]]:
    """Gives what a cell's scenario resolves to, by its number; the seed changes nothing there."""

    @cache
    def of(overrides: tuple[tuple[str, str], ...]) -> dict[str, Any]:
        return reading.toml(_engine.check(plan.base, visible(str(plan.scenario)), list(overrides), None))

    return lambda number: of(tuple(plan.overrides(plan.grid[number])))


def lookup(settings: object, path: str) -> object:
    """The value of a dotted key, whose parts have numbers, in a resolved scenario; None where it has none."""
    for part in path.split("."):
        if isinstance(settings, list):
            settings = settings[int(part)] if part.isdecimal() and int(part) < len(settings) else None
        elif isinstance(settings, dict):
            settings = {canonical(key): value for key, value in settings.items()}.get(canonical(part))
        else:
            return None
    return settings


def joined(column: Column, own: Sequence[object]) -> Column:
    """A column with values where it has none: of its type if all of them are, else all as text."""
    made = [typed(column, value) for value in own]
    fits = all((one is None) == (value is None) for one, value in zip(made, own, strict=True))
    if fits:
        return replace(column, values=[a if a is not None else b for a, b in zip(column.values, made, strict=True)])
    given = [None if value is None else text(Table([column]), column.name, value) for value in column.values]
    said = [None if value is None else str(value).lower() if isinstance(value, bool) else str(value) for value in own]
    values = [a if a is not None else b for a, b in zip(given, said, strict=True)]
    return Column(column.name, "text", values)


def typed(column: Column, value: object) -> object:
    """A value as a column has its others; None where it cannot be one."""
    if value is None or isinstance(value, bool) != (column.kind == "truth"):
        return None
    if column.kind in ("truth", "text"):
        return value if column.kind == "truth" else str(value)
    found = measured([value])
    if found is None or found[1] != column.unit:
        return None
    number = found[0][0]
    return float(number) if column.kind == "number" else number if isinstance(number, int) else None
