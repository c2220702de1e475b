"""Tables and charts of runs by their names: of one, or of several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    import polars as pl

    from airloom.report.picture import Chart
    from airloom.results import bundle
    from airloom.results.table import Table


class NamedRuns:
    """One run or several, as tables for other libraries and as charts."""

    _TABLE: ClassVar[str]
    """The table that is meant where none is named."""

    def _by_name(self) -> Mapping[str, bundle.Run]:
        """The runs, by their names."""
        raise NotImplementedError

    def to_table(self, name: str | None = None) -> Table:
        """A table, as the libraries take it that know Arrow; of several runs its first column is the run's name.

        Args:
            name: `"series"`, `"flows"`, `"nodes"`; of runs with captures also `"sockets"`, `"segments"`,
                `"transmissions"`. Without it, the series of one run, and the flows of several.

        Raises:
            UnknownNameError: There is no such table.
            BundleError: A run was made without captures.
        """
        from airloom.analysis.run_tables import table_of

        return table_of(self._by_name(), self._TABLE if name is None else name)

    def to_polars(self, name: str | None = None) -> pl.DataFrame:
        """A table (see `to_table`) as a data frame of polars.

        Raises:
            AirloomError: polars is not installed, or there is no such table.
        """
        return self.to_table(name).to_polars()

    def to_pandas(self, name: str | None = None) -> pd.DataFrame:
        """A table (see `to_table`) as a data frame of pandas.

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
            title: What stands above it, in place of the runs' title.

        Raises:
            AirloomError: There is no such panel, or no such span of time.
        """
        from airloom.report.run_chart import run_chart
        from airloom.report.standalone import WIDTH

        runs = list(self._by_name().values())
        return run_chart(runs, panels, start=start, end=end, width=width or WIDTH, height=height, title=title)
