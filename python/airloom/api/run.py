"""One run as `airloom.run` and `airloom.load` give it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from airloom.errors import BundleError
from airloom.results import bundle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd
    import polars as pl

    from airloom.report.picture import Chart
    from airloom.results.summary import Summary
    from airloom.results.table import Table
    from airloom.support.scratch import Scratch


class Run(bundle.Run):
    """One run: its summary, its flows and nodes by name, its series and captures.

    A run that was made without `out` lies in a temporary folder of its own, which goes with it: when nothing refers to
    the run any more, at the end of a `with` block, and when the program ends.

    Attributes:
        path: The bundle's folder.
        summary: What `summary.json` holds, as a typed dict.
    """

    def __init__(self, path: Path, summary: Summary, scratch: Scratch | None = None, called: str = "") -> None:
        """Binds a summary to its folder, and to the temporary folder around it, if there is one."""
        super().__init__(path, summary, called)
        self._scratch = scratch

    def named(self, name: str) -> Self:
        """The same run under a name that tells it from others, in comparisons and charts."""
        return type(self)(self.path, self.summary, self._scratch, name)

    def to_table(self, name: str = "series") -> Table:
        """A table of it, as the libraries take it that know Arrow.

        Args:
            name: `"series"`, `"flows"`, `"nodes"`; of a run with captures also `"sockets"`, `"segments"`,
                `"transmissions"`.

        Raises:
            UnknownNameError: There is no such table.
            BundleError: The run was made without captures.
        """
        from airloom.analysis.run_tables import table_of

        return table_of({self.called: self}, name)

    def to_polars(self, name: str = "series") -> pl.DataFrame:
        """A table of it (see `to_table`) as a data frame of polars.

        Raises:
            AirloomError: polars is not installed, or there is no such table.
        """
        return self.to_table(name).to_polars()

    def to_pandas(self, name: str = "series") -> pd.DataFrame:
        """A table of it (see `to_table`) as a data frame of pandas.

        Raises:
            AirloomError: pandas is not installed, or there is no such table.
        """
        return self.to_table(name).to_pandas()

    def chart(
        self,
        *panels: str,
        start: float | None = None,
        end: float | None = None,
        width: int | None = None,
        height: int | None = None,
        title: str | None = None,
    ) -> Chart:
        """Panels of the report as a chart, which a notebook shows and `.save("file.svg")` writes.

        Args:
            panels: Names such as `"goodput"`, `"rtt"`, `"cwnd"`, `"queue"`; without any, all that the report has.
            start: From when on, in seconds.
            end: Until when.
            width: Pixels of a plot.
            height: Pixels of each plot likewise.
            title: What stands above it, in place of the run's title.

        Raises:
            AirloomError: There is no such panel, or no such span of time.
        """
        return chart_of([self], panels, start, end, width, height, title)

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from airloom.api.notebook import run_html

        return run_html(self)

    def close(self) -> None:
        """Removes the temporary folder, if the run lies in one; what was read from it stays."""
        if self._scratch is not None:
            self._scratch.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the temporary folder, if the run lies in one."""
        self.close()

    @cached_property
    def manifest(self) -> bundle.Manifest:
        """What the bundle says of itself: versions, seed, and the SHA-256 of engine and files."""
        self._there(bundle.MANIFEST)
        return super().manifest

    def file(self, name: str) -> Path:
        """A file of the bundle.

        Raises:
            BundleError: It is not as the run left it, or went with its temporary folder.
        """
        self._there(name)
        return super().file(name)

    def capture(self, name: str) -> Path:
        """A file that only a run with captures leaves."""
        self._there(name)
        return super().capture(name)

    def _there(self, name: str) -> None:
        """Refuses to look into a folder that was removed."""
        if self._scratch is not None and self._scratch.closed:
            raise BundleError(f"{name}: went with the run's temporary folder", "keep a run with out='folder'")


def chart_of(
    runs: Sequence[bundle.Run],
    panels: Sequence[str],
    start: float | None,
    end: float | None,
    width: int | None,
    height: int | None,
    title: str | None,
) -> Chart:
    """Panels of the report on some runs as a chart."""
    from airloom.report.run_chart import run_chart
    from airloom.report.standalone import WIDTH

    return run_chart(runs, panels, start=start, end=end, width=width or WIDTH, height=height, title=title)
