"""The runs of a grid, as the measures of a paper look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import PaperError
from airloom.support.statistics import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from airloom.analysis.run_view import RunView


class GridRuns:
    """Some runs of a grid: all of them, or those that lie at certain values of its axes.

    Going through it gives the views; `where` and `by` pick some of them out:

        two.where(discipline="fifo", position=7).mean(lambda view: view.flow["goodput_mbps"])
        {position: cells.mean(far) for position, cells in two.where(discipline="fifo").by("position").items()}
    """

    def __init__(self, views: list[tuple[Mapping[str, str], RunView]]) -> None:
        """Takes each run's place in the grid, by axis, and its view."""
        self.views = views

    def __iter__(self) -> Iterator[RunView]:
        """The runs, in the order of the grid."""
        return (view for _, view in self.views)

    def __len__(self) -> int:
        """How many they are."""
        return len(self.views)

    def where(self, **values: str | int) -> GridRuns:
        """Those that have these values, by axis; `seed` is an axis too.

        Raises:
            PaperError: None has.
        """
        found = self
        for axis, value in values.items():
            parts = found.by(axis)
            if str(value) not in parts:
                raise PaperError(f"no {axis} {value!r} among these runs; there are {', '.join(parts)}")
            found = parts[str(value)]
        return found

    def by(self, axis: str) -> dict[str, GridRuns]:
        """Those at each value of an axis, in its order."""
        parts: dict[str, list[tuple[Mapping[str, str], RunView]]] = {}
        for place, view in self.views:
            if axis not in place:
                raise PaperError(f"no axis {axis!r} in this grid; there are {', '.join(place)}")
            parts.setdefault(place[axis], []).append((place, view))
        return {value: GridRuns(views) for value, views in parts.items()}

    def spread(self, quantity: Callable[[RunView], float]) -> Spread:
        """A quantity over these runs."""
        return Spread.of([quantity(view) for view in self])

    def mean(self, quantity: Callable[[RunView], float]) -> float:
        """The mean of a quantity over these runs."""
        return self.spread(quantity).mean
