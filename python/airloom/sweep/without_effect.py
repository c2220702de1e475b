"""What of a sweep's axes changed nothing: runs that differ in that alone have the same numbers."""

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

Came = dict[str, dict[Place, int]]
"""A hash of what the runs of each value of an axis came to, by their places."""


def outcomes(grid: Grid, runs: Iterable[tuple[int, Summary]], *, queues: bool = True) -> dict[str, Came]:
    """What the runs came to, for each axis with several values.

    Args:
        grid: The grid.
        runs: The cells that are done, by number, with their summaries.
        queues: Whether what waited in queues counts among the numbers.
    """
    found: dict[str, Came] = {axis.name: defaultdict(dict) for axis in grid.axes if len(axis.choices) > 1}
    for number, summary in runs:
        cell, came = grid[number], hash(outcome(summary, queues=queues))
        for axis, of in found.items():
            others = tuple(choice.name for name, choice in cell.choices.items() if name != axis)
            of[cell.choices[axis].name][others, cell.seed] = came
    return found


def without_effect(came: Came) -> bool:
    """Whether an axis changed no number of any run, as far as cells are done."""
    places: dict[Place, list[int]] = defaultdict(list)
    for runs in came.values():
        for place, one in runs.items():
            places[place].append(one)
    several = [runs for runs in places.values() if len(runs) > 1]
    return bool(several) and all(len(set(runs)) == 1 for runs in several)


def alike(came: Came) -> list[list[str]]:
    """The values of an axis whose runs have the same numbers, and are done at the same places."""
    same: dict[frozenset[tuple[Place, int]], list[str]] = defaultdict(list)
    for value, runs in came.items():
        same[frozenset(runs.items())].append(value)
    return [values for values in same.values() if len(values) > 1]
