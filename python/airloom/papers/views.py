"""The runs and grids of a paper as its measures and figures look at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.run_view import RunView
from airloom.papers.grid_runs import GridRuns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.papers.paper import Paper
    from airloom.results.bundle import Run


@dataclass(frozen=True)
class Views:
    """The runs of a paper that are there, and the grids whose runs all are, by name."""

    runs: Mapping[str, RunView]
    grids: Mapping[str, GridRuns]

    def __getitem__(self, name: str) -> RunView | GridRuns:
        """A run or a grid."""
        return self.grids[name] if name in self.grids else self.runs[name]

    def cells(self, name: str) -> GridRuns:
        """A grid; of a run, a grid that has no axes and this run alone."""
        return self.grids[name] if name in self.grids else GridRuns([({}, self.runs[name])])


def views_of(paper: Paper, runs: Mapping[str, Run]) -> Views:
    """These runs of a paper."""
    views = {name: RunView(run) for name, run in runs.items()}
    grids = {
        one.id: GridRuns([(cell.place, views[name]) for name, cell in one.cells.items()])
        for one in paper.grids.values()
        if one.cells.keys() <= views.keys()
    }
    return Views(views, grids)
