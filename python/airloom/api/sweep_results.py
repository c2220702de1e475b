"""The results of a sweep, as `airloom.sweep` gives them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from airloom.api.arguments import path
from airloom.api.run import Run
from airloom.api.scratch_folder import InScratch
from airloom.batch.choice import executor_of
from airloom.errors import GO_ON, SweepError
from airloom.results.groups import at_stations
from airloom.results.lookup import unknown
from airloom.support.formatting import count
from airloom.support.scratch import Scratch
from airloom.sweep import own_values, query, results, table
from airloom.sweep.idle_lines import idle_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import pandas as pd
    import polars as pl

    from airloom.report.picture import Chart
    from airloom.results.summary import Summary
    from airloom.results.table import Table
    from airloom.sweep.journal import Journal
    from airloom.sweep.plan import Plan
    from airloom.sweep.query import Shown


def perform(
    asked: Plan,
    *,
    out: str | os.PathLike[str] | None,
    retry: bool,
    workers: int | None,
    dask: str | None,
    progress: Callable[[float, int], object] | None,
) -> Sweep:
    """Runs the cells that have not been run.

    Raises:
        SweepError: The folder holds something else, or cells could not be run.
    """
    executor = executor_of(workers, dask)
    scratch = Scratch() if out is None else None
    folder = path(out, "out", "grid.sweep") if scratch is None else scratch.path / "sweep"
    made = results.make(asked, folder)
    journal = made.run(executor, retry=retry, progress=progress or (lambda *_: None))
    swept = Sweep(made, scratch)
    for reasons, what in ((journal.hindered, "could not be run"), (journal.failed, "failed")):
        if reasons:
            number, reason = min(reasons.items())
            said = f"{count(len(reasons), 'cell')} of {asked.size:,} {what}; cell {number}: {reason}"
            if what != "failed":
                raise SweepError(said, *([GO_ON] if scratch is None else []))
            if not journal.done:
                raise SweepError(said)
            warnings.warn(f"{said} (all: sweep.failed)", RuntimeWarning, stacklevel=3)
    return swept


class Sweep(InScratch):
    """What came of a grid of runs.

    Sweeps that were made without `out` lie in a temporary folder of their own, which goes with them.
    """

    def __init__(self, made: results.Results, scratch: Scratch | None = None) -> None:
        """Shows a results folder, and keeps the temporary folder around it, if there is one."""
        self._made = made
        self._scratch = scratch

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Reads the results in a folder.

        Raises:
            SweepError: There are none, or they are damaged.
        """
        return cls(results.load(path(folder, "folder", "grid.sweep")))

    @property
    def path(self) -> Path:
        """The folder of the results."""
        return self._made.folder

    @property
    def axes(self) -> dict[str, list[str]]:
        """What was varied: the names of the values by axis."""
        return {axis.name: [choice.name for choice in axis.choices] for axis in self._made.plan.grid.axes}

    @cached_property
    def _journal(self) -> Journal:
        """What became of the cells."""
        return self._made.journal

    @property
    def failed(self) -> dict[int, str]:
        """What was wrong with the cells that failed, by their numbers."""
        return dict(sorted(self._journal.failed.items()))

    @cached_property
    def table(self) -> Table:
        """A row for each cell and each flow, node and the run itself in it.

        The columns are cell, the axes, every other key that an axis sets, seed, kind, entity, and all metrics.
        """
        return table.build(self._made.plan.grid, self._journal)

    @property
    def metrics(self) -> list[str]:
        """What was counted or averaged in the runs: the columns of the table behind `entity`."""
        columns = list(self.table.column_names)
        return columns[columns.index("entity") + 1 :]

    def __len__(self) -> int:
        """How many cells there are."""
        return self._made.plan.size

    def place(self, cell: int) -> dict[str, str]:
        """The values that were chosen in a cell, by axis, and its seed.

        Raises:
            UnknownNameError: There is no such cell.
        """
        if cell not in self._made.plan.numbers:
            raise unknown("cell", cell, map(str, self._made.plan.numbers[:20]))
        return self._made.plan.grid[cell].place

    def summary(self, cell: int) -> Summary:
        """The summary of a cell.

        Raises:
            UnknownNameError: There is no such cell.
            SweepError: It failed.
        """
        self.place(cell)
        if cell not in self._journal.done:
            raise SweepError(f"cell {cell}: {self._journal.failed.get(cell, 'was not run')}")
        return self._journal.summary(cell)

    def run(self, cell: int) -> Run:
        """The run of a cell, of a sweep that keeps them: `keep="bundle"`.

        Raises:
            UnknownNameError: There is no such cell.
            SweepError: It failed, or the sweep keeps summaries alone.
        """
        summary = self.summary(cell)
        if self._made.plan.keep != "bundle":
            raise SweepError(f"cell {cell}: of this sweep only summaries were kept; keep='bundle' keeps runs")
        return Run(self.path / results.BUNDLES / str(cell), summary, self._scratch)

    def show(
        self,
        metric: str,
        by: str | None = None,
        *,
        lines: str | Sequence[str] = (),
        panels: str | None = None,
        of: str | None = None,
        over: str | None = None,
        where: Mapping[str, str] | None = None,
    ) -> Shown:
        """One metric against one key: means over the seeds, with 95 % confidence intervals (Student's t).

        Axes that are not named are averaged first.

        Args:
            metric: The metric, such as `"goodput_mbps"`.
            by: The key along which it is shown: an axis, another key that the grid sets, or `"entity"`. Without it, the
                first axis.
            lines: A second key, whose values have a line each; or two, of which the first has colours and the second
                shapes where it is drawn.
            panels: A further key, whose values have a chart each.
            of: The flow, the node or the group whose metric it is, or `"run"` for the whole run. Without it, each group
                that has it, and each that is of none.
            over: What is shown of a group in a run, over its members: `"sum"`, `"median"`, `"mean"`, or `"worst"`,
                which is the lowest goodput or the highest delay. Without it, the sum, or the median of what does not
                add up.
            where: Only the cells with these values, by key: `{"place": "far"}`.

        Raises:
            SweepError: There is no such metric, key or value.
        """
        axes = list(self.axes)
        told = (lines,) if isinstance(lines, str) else tuple(lines)
        key = by if by is not None else (axes[0] if axes else "entity")
        question = query.Question(metric, key, told, panels, of, over, dict(where or {}))
        shown = own_values.filled(self.table, self._made.plan, self._shown_by(question))
        found = query.show(shown, axes, question, self._at_stations, self._doubted, self._sets)
        cells = query.chosen(shown, where) if where else None
        said = self._said if cells is None else self._said_of(cells)
        of_lines = idle_lines(self._made.among(cells), query.told_by(question))
        return replace(found, **{**said, "idle": (*said["idle"], *of_lines)})

    @cached_property
    def _said(self) -> dict[str, Any]:
        """What is said of all cells beside their figures."""
        return self._said_of(None)

    def _said_of(self, cells: frozenset[int] | None) -> dict[str, Any]:
        """What is said of some cells: how many are done of all, what is doubtful of them, what never acted."""
        made = self._made.among(cells)
        return {one: getattr(made, one) for one in ("unfinished", "unsettled", "silent", "idle")}

    @cached_property
    def _doubted(self) -> dict[str, frozenset[int]]:
        """The cells whose figures stand under a doubt, by what it is."""
        return self._made.doubted

    @cached_property
    def _sets(self) -> dict[str, list[str]]:
        """The keys that each axis sets."""
        axes = self._made.plan.grid.axes
        return {axis.name: list(dict.fromkeys(key for one in axis.choices for key in one.sets)) for axis in axes}

    def _shown_by(self, question: query.Question) -> set[str]:
        """The keys that a question names, and those that are set together with one of them."""
        named = set(query.named(question))
        return named.union(*(sets for sets in self._sets.values() if named.intersection(sets)))

    @cached_property
    def _at_stations(self) -> dict[str, list[str]]:
        """The groups of stations, each with the groups of its flows, as in every cell."""
        first = next((summary for _, summary in self._journal.summaries()), None)
        return {} if first is None else at_stations(first)

    def chart(
        self,
        metric: str,
        by: str | None = None,
        *,
        lines: str | Sequence[str] = (),
        panels: str | None = None,
        of: str | None = None,
        over: str | None = None,
        where: Mapping[str, str] | None = None,
        width: int | None = None,
        height: int | None = None,
        title: str | None = None,
    ) -> Chart:
        """What `show` says as a chart, which a notebook shows and `.save("file.svg")` writes.

        Args:
            metric: As for `show`, and so are those that follow.
            by: See there.
            lines: See there.
            panels: See there.
            of: See there.
            over: See there.
            where: See there.
            width: Pixels of a plot.
            height: Pixels of each plot likewise.
            title: What stands above it.
        """
        from airloom.report.standalone import WIDTH
        from airloom.sweep import chart, shown_file

        found = self.show(metric, by, lines=lines, panels=panels, of=of, over=over, where=where)
        named = shown_file.named(self._made)
        return chart.picture(found, named, width=width or WIDTH, height=height, title=title)

    def to_polars(self) -> pl.DataFrame:
        """The table as a data frame of polars.

        Raises:
            AirloomError: polars is not installed.
        """
        return self.table.to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """The table as a data frame of pandas.

        Raises:
            AirloomError: pandas is not installed.
        """
        return self.table.to_pandas()

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from airloom.api.notebook import sweep_html

        return sweep_html(len(self), len(self.failed), self.axes)

    def __repr__(self) -> str:
        """How many cells there are, and of what."""
        failed = f", {len(self.failed):,} failed" if self.failed else ""
        axes = " x ".join(f"{len(names)} {axis}" for axis, names in self.axes.items())
        return f"<airloom.Sweep of {count(len(self), 'cell')}{failed}: {axes} at {self.path}>"
