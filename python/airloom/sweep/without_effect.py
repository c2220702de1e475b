"""Axes of a sweep that changed nothing: runs that differ in them alone have the same numbers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from airloom.results.summary import Summary
    from airloom.scenario.grid import Grid

Place = tuple[tuple[str, ...], int | None]
"""The values of all other axes, and the seed."""


def without_effect(grid: Grid, runs: Iterable[tuple[int, Summary]]) -> list[str]:
    """The axes with several values that changed no number of any run, as far as cells are done.

    Args:
        grid: The grid.
        runs: The cells that are done, by number, with their summaries.
    """
    varied = [axis.name for axis in grid.axes if len(axis.choices) > 1]
    seen: dict[str, dict[Place, list[int]]] = {axis: defaultdict(list) for axis in varied}
    for number, summary in runs:
        cell, outcome = grid[number], hash(tuple(numbers(outcomes(summary))))
        for axis in varied:
            others = tuple(choice.name for name, choice in cell.choices.items() if name != axis)
            seen[axis][others, cell.seed].append(outcome)
    return [axis for axis in varied if same(seen[axis].values())]


def outcomes(summary: Summary) -> Mapping[str, object]:
    """What a run came to, without what its scenario says."""
    return {key: value for key, value in summary.items() if key in ("flows", "nodes", "drops", "scans")}


def same(places: Iterable[list[int]]) -> bool:
    """Whether runs of one place are the same, and there are several of some."""
    several = [runs for runs in places if len(runs) > 1]
    return bool(several) and all(len(set(runs)) == 1 for runs in several)


def numbers(content: object) -> Iterator[float]:
    """All numbers in something as JSON has it, in order."""
    if isinstance(content, (int, float)):
        yield content
    elif isinstance(content, dict):
        for value in content.values():
            yield from numbers(value)
    elif isinstance(content, list):
        for value in content:
            yield from numbers(value)
