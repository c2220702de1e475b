"""What scenarios of a grid say and probably do not mean: each warning once, with the cells that it is of."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import Mistake, ScenarioError, TooLargeError
from airloom.scenario.complaints import place
from airloom.scenario.grid import SEED
from airloom.support.formatting import count, some
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

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
    """In how many cells of all something is, and by which values they are told from the others."""
    of = count(len(numbers), "cell") + (f" that were looked at of {plan.size:,}" if len(numbers) < plan.size else "")
    if len(cells) == len(numbers):
        return f"in all of {of}" if len(numbers) > 1 else f"in {of}"
    held = []
    for axis in [*(axis.name for axis in plan.grid.axes), SEED]:
        values, all_values = (
            dict.fromkeys(plan.grid[number].place.get(axis, "") for number in among) for among in (cells, numbers)
        )
        if len(values) < len(all_values):
            held.append(f"{axis} {some(list(values))}")
    return f"in {len(cells):,} of {of}" + (f" ({', '.join(held)})" if held else "")
