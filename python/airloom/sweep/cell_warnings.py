"""What scenarios of a grid say and probably do not mean: each warning once, with the cells that it is of."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import Mistake, ScenarioError, TooLargeError
from airloom.scenario.complaints import place
from airloom.support.formatting import count, some
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from airloom.scenario.grid import Grid
    from airloom.sweep.plan import Plan

LOOKED_AT = 400
"""Cells that are looked at, beside those with every value of every axis: a second's work."""


def of_cells(plan: Plan) -> list[Mistake]:
    """The warnings of the cells, each with its place in the grid file or the scenario's.

    Of a grid of very many cells some are drawn, always the same, beside one for every value of every axis. A cell that
    the engine refuses fails as it is run.
    """
    numbers = looked_at(plan)
    found: dict[Mistake, list[int]] = {}
    for number in numbers:
        for warning in set(of_cell(plan, number)):
            found.setdefault(warning, []).append(number)
    return [one._replace(message=f"{where(plan, cells, numbers)}: {one.message}") for one, cells in found.items()]


def of_cell(plan: Plan, number: int) -> Iterator[Mistake]:
    """The warnings of a cell; one of a value that the grid sets has its place there."""
    cell = plan.grid[number]
    overrides = plan.overrides(cell)
    try:
        warnings = _engine.warnings(plan.base, visible(str(plan.scenario)), overrides, cell.seed)
    except (ScenarioError, TooLargeError):
        return
    for warning in warnings:
        one = Mistake(**warning)
        if one.setting is not None:
            key, value = overrides[one.line - 1]
            one = Mistake(visible(str(plan.file)), *place(plan.text, key, value), one.message, one.hint)
        yield one


def looked_at(plan: Plan) -> list[int]:
    """The cells that are looked at, by their numbers."""
    if plan.size <= LOOKED_AT:
        return list(plan.numbers)
    draw = random.Random(0)  # noqa: S311 - the same cells each time
    edges = (number for number in of_edges(plan.grid) if number in plan.cells)
    return sorted({*edges, *draw.sample(plan.numbers, LOOKED_AT)})


def of_edges(grid: Grid) -> Iterator[int]:
    """The numbers of the cells with every value of every axis, with the first of all others."""
    step = len(grid.seeds)
    for axis in reversed(grid.axes):
        yield from range(0, step * len(axis.choices), step)
        step *= len(axis.choices)


def where(plan: Plan, cells: Collection[int], numbers: Collection[int]) -> str:
    """The number of cells that have something, and the values that only these cells have."""
    of = count(len(numbers), "cell") + (f" that were looked at of {plan.size:,}" if len(numbers) < plan.size else "")
    if len(cells) == len(numbers):
        return f"in all of {of}" if len(numbers) > 1 else f"in {of}"
    held = held_values(
        {number: plan.grid[number].place for number in cells}, {number: plan.grid[number].place for number in numbers}
    )
    said = ", ".join(f"{axis} {some(values)}" for axis, values in held.items())
    return f"in {len(cells):,} of {of}" + (f" ({said})" if said else "")


def held_values(cells: Mapping[int, dict[str, str]], every: Mapping[int, dict[str, str]]) -> dict[str, list[str]]:
    """The values, by axis, that tell some cells from the others: of as few axes as it takes, what tells most first.

    Args:
        cells: The places of the cells.
        every: Those of all that were looked at.
    """
    values = {axis: list(dict.fromkeys(place[axis] for place in cells.values())) for axis in next(iter(cells.values()))}
    alike = {axis: {number for number, place in every.items() if place[axis] in of} for axis, of in values.items()}
    held, left = [], set(every)
    for axis in sorted(alike, key=lambda axis: len(alike[axis])):
        if len(left) > len(cells) and left - alike[axis]:
            held.append(axis)
            left &= alike[axis]
    return {axis: values[axis] for axis in values if axis in held}
