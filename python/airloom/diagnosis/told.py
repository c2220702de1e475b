"""What a diagnosis tells, in the words of its JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict, cast

from airloom import _engine
from airloom.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class CaptureSeen(TypedDict):
    """A file; times in seconds since the first record of all files."""

    file: str
    place: str | None
    records: int
    unread: int
    cut: int
    span_s: list[float] | None
    stopped: str | None


class StationSeen(TypedDict):
    """A radio that was heard; `dozes` are its spells between PM=1 and PM=0, in seconds."""

    mac: str
    kind: str
    dozes: list[list[float]]
    dozes_total: int
    frames: int
    retries: int
    airtime_s: float


class LinkSeen(TypedDict):
    """Data from a radio to another, in MPDUs and PPDUs; air time without answers and gaps."""

    ppdus: int
    mpdus: int
    retried: int
    all_retried: int
    some_retried: int
    again: int
    pressed: int
    answered: int
    requested: int
    octets: int
    mbps: float | None
    airtime_s: float
    snr_db: float | None


FlowSeen = TypedDict(
    "FlowSeen",
    {
        "capture": int,
        "from": str,
        "to": str,
        "seen_from": str,
        "handshake": bool,
        "span_s": list[float] | None,
        "bytes": int,
        "packets": int,
        "missing": int,
        "retransmissions": dict[str, int],
        "rtt_ms": dict[str, float],
        "limits": dict[str, float],
        "stalls": dict[str, int],
    },
)
"""The data of a TCP connection in one direction, as a capture shows it."""


class Cost(TypedDict):
    """What something cost."""

    value: float
    unit: str


class Finding(TypedDict):
    """A cause that a rule found, with what is needed to check it."""

    code: str
    name: str
    subject: str
    spans: list[list[float]]
    value: float
    threshold: float
    unit: str
    confidence: float
    cost: Cost
    capture: int
    frames: list[int]
    filter: str
    says: str
    refuted_by: str
    remedy: str


class Abstained(TypedDict):
    """A rule that cannot tell, and why."""

    code: str
    because: str


class Diagnosis(TypedDict):
    """All that was found in captures of the same time."""

    captures: list[CaptureSeen]
    stations: list[StationSeen]
    links: list[LinkSeen]
    connections: list[FlowSeen]
    findings: list[Finding]
    abstained: list[Abstained]


def diagnose(files: Sequence[Path]) -> Diagnosis:
    """What the rules find in captures.

    Raises:
        CaptureError: There is no file, or one of them cannot be read as a capture.
    """
    if not files:
        raise CaptureError("no file to diagnose")
    return cast("Diagnosis", json.loads(_engine.diagnose(files)))
