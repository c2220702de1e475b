"""Axes of a sweep that changed nothing: runs that differ in them alone have the same numbers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from airloom.analysis.same_numbers import outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.results.summary import Summary
    from airloom.scenario.grid import Grid

Place = tuple[tuple[str, ...], int | None]
"""The values of all other axes, and the seed."""


def without_effect(grid: Grid, runs: Iterable[tuple[int, Summary]], *, queues: bool = True) -> list[str]:
    """The axes with several values that changed no number of any run, as far as cells are done.

    Args:
        grid: The grid.
        runs: The cells that are done, by number, with their summaries.
        queues: Whether what waited in queues counts among the numbers.
    """
    varied = [axis.name for axis in grid.axes if len(axis.choices) > 1]
    seen: dict[str, dict[Place, list[int]]] = {axis: defaultdict(list) for axis in varied}
    for number, summary in runs:
        cell, came = grid[number], hash(outcome(summary, queues=queues))
        for axis in varied:
            others = tuple(choice.name for name, choice in cell.choices.items() if name != axis)
            seen[axis][others, cell.seed].append(came)
    return [axis for axis in varied if same(seen[axis].values())]


def same(places: Iterable[list[int]]) -> bool:
    """Whether runs of one place are the same, and there are several of some."""
    several = [runs for runs in places if len(runs) > 1]
    return bool(several) and all(len(set(runs)) == 1 for runs in several)
