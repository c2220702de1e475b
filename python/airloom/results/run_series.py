"""The time series of a run: a table for other libraries, and each series by its name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from airloom.results.lookup import unknown
from airloom.results.table import Table

if TYPE_CHECKING:
    from airloom.results.series import Series, SeriesTable


class RunSeries(Table):
    """The time series: time (s, start of the bin), entity, metric, value, unit."""

    def __init__(self, rows: Table, by_name: SeriesTable) -> None:
        """Shows a table, and its rows by their names."""
        super().__init__(rows.columns)
        self._by_name = by_name

    @cached_property
    def entities(self) -> list[str]:
        """What there are series of: flows, nodes."""
        return list(dict.fromkeys(entity for entity, _ in self._by_name.names()))

    def metrics(self, entity: str) -> list[str]:
        """The metrics of a flow or a node.

        Raises:
            UnknownNameError: There is no such entity.
        """
        found = [metric for one, metric in self._by_name.names() if one == entity]
        if not found:
            raise unknown("series of", entity, self.entities)
        return found

    def get(self, entity: str, metric: str) -> Series:
        """One metric of one flow or node.

        Raises:
            UnknownNameError: The run did not record it; the message has the likely name.
        """
        metrics = self.metrics(entity)
        if metric not in metrics:
            raise unknown(f"metric of {entity!r} named", metric, metrics)
        return self._by_name.get(entity, metric)

    def __repr__(self) -> str:
        """What there is of what."""
        return f"<airloom series: {len(self):,} rows of {', '.join(self.entities)}>"
