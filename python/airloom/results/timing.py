"""What a run of real programs leaves beside what every run does: how well time was kept, what was changed."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

TIMING = "timing.json"
CHANGES = "changes.json"


class Timing(TypedDict):
    """How late packets were handed out, and whether that is to be believed: `crates/engine/emulate/src/lateness.rs`."""

    verdict: Literal["valid", "valid_below", "invalid"]
    valid_below_mbps: float | None
    peak_mbps: float
    put: int
    refused: int
    delivered: int
    lost: int
    connections: int
    connections_beyond: int
    late_us: list[int]
    histogram: list[list[int]]
    worst: list[list[float]]
    stalls: int
    longest_stall_ms: float


class Change(TypedDict):
    """A change of the world while programs ran, and when it came."""

    time_s: Annotated[float, Meta(ge=0, le=86_400)]
    change: str


class Changes(TypedDict):
    """`changes.json`."""

    changes: list[Change]


WORDS = {
    "valid": "valid",
    "valid_below": "valid for rates below {below:,.0f} Mbit/s",
    "invalid": "invalid: do not believe what was measured",
}
"""The verdict in words."""


def verdict(timing: Timing) -> str:
    """Whether to believe what was measured."""
    return WORDS[timing["verdict"]].format(below=timing["valid_below_mbps"] or 0)
