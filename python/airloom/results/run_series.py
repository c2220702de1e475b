"""The time series of a run: a table for other libraries, and each series by its name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from airloom.results.lookup import unknown

if TYPE_CHECKING:
    import pyarrow as pa

    from airloom.results.series import Series, SeriesTable


class RunSeries:
    """The time series: time (s, start of the bin), entity, metric, value, unit.

    It is an Arrow table to all that take one by its C stream interface: `polars.DataFrame(run.series)`,
    `duckdb.from_arrow(run.series)`, `pyarrow.table(run.series)`.

    Attributes:
        arrow: The same as an Arrow table.
    """

    def __init__(self, arrow: pa.Table, by_name: SeriesTable) -> None:
        """Shows a table, and its rows by their names."""
        self.arrow = arrow
        self._by_name = by_name

    @property
    def column_names(self) -> list[str]:
        """The names of the table's columns."""
        return list(self.arrow.column_names)

    @property
    def num_rows(self) -> int:
        """How many rows the table has."""
        return int(self.arrow.num_rows)

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows, as dicts."""
        return list(self.arrow.to_pylist())

    def __len__(self) -> int:
        """The same."""
        return self.num_rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table, for libraries that read Arrow."""
        return self.arrow.__arrow_c_stream__(requested_schema)

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
