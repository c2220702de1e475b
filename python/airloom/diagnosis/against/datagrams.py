"""The streams of UDP that are compared, and what was sent of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts import STREAM

if TYPE_CHECKING:
    from airloom.diagnosis.told import Diagnosis, StreamSeen

SMALL = 0.05
"""A flow or a stream with a smaller part of all octets is none of the load."""


def octets(found: Diagnosis) -> int:
    """Octets of all flows and streams, each once."""
    return sum(one["bytes"] for one in (*found["connections"], *found["streams"]) if one["tells_most"])


def compared(found: Diagnosis) -> list[StreamSeen]:
    """The streams that are compared: those with a part of all octets, and those at an even pace, such as calls."""
    whole = octets(found)
    return [
        one
        for one in found["streams"]
        if one["tells_most"] and one["packets"] >= STREAM and (one["steady"] or one["bytes"] >= SMALL * whole)
    ]


def sent(streams: list[StreamSeen]) -> float | None:
    """Mbit/s that were sent, what is missing included; none if it does not show of all of them."""
    parts = [
        one["mbps"] * one["rtp"]["sent"] / (one["rtp"]["sent"] - one["rtp"]["missing"])
        for one in streams
        if one["rtp"] and one["rtp"]["sent"] > one["rtp"]["missing"]
    ]
    return sum(parts) if streams and len(parts) == len(streams) else None
