"""The tables of a bundle, read into the columns that they are declared to have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from airloom.errors import BundleError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pyarrow as pa

Kind = Literal["text", "number", "number or none"]
"""What a column holds: a number is finite; where there may be none, it is NaN then."""

SERIES = "series.parquet"
SOCKETS = "sockets.parquet"
SEGMENTS = "segments.parquet"
TRANSMISSIONS = "transmissions.parquet"

COLUMNS: dict[str, dict[str, Kind]] = {
    SERIES: {"time": "number", "entity": "text", "metric": "text", "value": "number or none", "unit": "text"},
    SOCKETS: {
        "time": "number",
        "flow": "text",
        "cwnd": "number or none",
        "ssthresh": "number or none",
        "in_flight": "number or none",
        "srtt_ms": "number or none",
        "rto_ms": "number or none",
        "state": "text",
    },
    SEGMENTS: {
        "time": "number",
        "flow": "text",
        "host": "text",
        "place": "text",
        "seq": "number",
        "ack": "number",
        "payload": "number",
    },
    TRANSMISSIONS: {
        "time": "number",
        "end": "number",
        "from": "text",
        "to": "text",
        "rate_mbps": "number",
        "mpdus": "number",
        "good": "number",
        "retries": "number",
        "fate": "text",
    },
}
"""The columns of each table; all of them are there in every row."""

MOST = 1 << 26
"""Rows of the longest table that is read, since all of it is in memory then; a run may leave more."""


LARGEST = 1e15
"""No number of ours is larger, so that sums and axes of charts stay finite."""


def read(file: Path) -> pa.Table:
    """A table of a bundle.

    Raises:
        BundleError: It is not what a run leaves, or longer than `MOST`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as content:
            rows = content.metadata.num_rows
            if rows > MOST:
                raise BundleError(
                    f"{file}: too long to be read at once: {rows:,} rows, at most {MOST:,}; "
                    "make `duration` shorter, stations fewer or the capture window narrower"
                )
            table = content.read()
        table.validate(full=True)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise BundleError(f"{file}: not readable as Parquet: {error}") from None
    check(file, table, COLUMNS[file.name])
    return table


def check(file: Path, table: pa.Table, columns: Mapping[str, Kind]) -> None:
    """Refuses a table that has not these columns, once each, with what they are to hold."""
    for name, kind in columns.items():
        many = table.column_names.count(name)
        if many != 1:
            raise BundleError(f"{file}: has no column {name}" if not many else f"{file}: has several columns {name}")
        if not holds(table.column(name), kind):
            raise BundleError(f"{file}: not every row has a {kind.removesuffix(' or none')} as its {name}")


def holds(column: pa.ChunkedArray, kind: Kind) -> bool:
    """Whether all values of a column are of a kind."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.null_count:
        return False
    if kind == "text":
        return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))
    if not pa.types.is_float64(column.type):
        return False
    good = pc.less_equal(pc.abs(column), LARGEST)
    if kind != "number":
        good = pc.or_(good, pc.is_nan(column))
    return bool(pc.all(good, min_count=0).as_py())
