"""The tables of a bundle, read into the columns that they are declared to have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from airloom import _engine
from airloom.results.table import Column, Table

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["text", "number", "number or none"]
"""What a column holds: a number is finite; where there may be none, it is NaN then."""

SERIES = "series.parquet"
SOCKETS = "sockets.parquet"
SEGMENTS = "segments.parquet"
TRANSMISSIONS = "transmissions.parquet"
DETAIL = "detail.parquet"

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
        "phase": "text",
        "delivered": "number or none",
        "path_mbps": "number or none",
        "path_rtt_ms": "number or none",
        "pacing_gain": "number or none",
        "window_gain": "number or none",
        "excess": "number or none",
        "short_term": "number or none",
        "long_term": "number or none",
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
    DETAIL: {
        "window": "number",
        "time": "number",
        "end": "number or none",
        "event": "text",
        "entity": "text",
        "to": "text",
        "kind": "text",
        "seq": "number or none",
        "bytes": "number or none",
        "packets": "number or none",
        "good": "number or none",
        "retries": "number or none",
        "rate_mbps": "number or none",
        "fate": "text",
        "acked": "text",
    },
}
"""The columns of each table; all of them are there in every row."""

MOST = 1 << 26
"""Rows of the longest table that is read, since all of it is in memory then; a run may leave more."""

SHORTER = "make `duration` shorter, stations fewer or the capture window narrower"
"""How a run leaves a shorter one."""


def read(file: Path) -> Table:
    """A table of a bundle.

    Raises:
        BundleError: It is not what a run leaves, or longer than `MOST`.
    """
    columns = COLUMNS[file.name]
    read = _engine.read_table(file, list(columns.items()), MOST, SHORTER)
    return Table([column(name, values) for name, values in zip(columns, read, strict=True)])


def column(name: str, values: bytes | list[str]) -> Column:
    """A column as the engine read it: numbers stay packed."""
    if isinstance(values, bytes):
        return Column(name, "number", memoryview(values).cast("d"))
    return Column(name, "text", values)
