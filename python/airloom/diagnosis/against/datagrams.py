"""The streams of UDP that are compared, and what was sent of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.streams import STREAM_PACKETS, goes_on

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, StreamSeen

SMALL = 0.05
"""A flow or a stream with a smaller part of all octets is none of the load."""


def octets(found: Diagnosis) -> int:
    """Octets of all flows and streams, each once."""
    return sum(one["bytes"] for one in (*found["connections"], *found["streams"]) if one["tells_most"])


def compared(found: Diagnosis) -> list[StreamSeen]:
    """The streams that are compared: those with a part of all octets, and those at the pace of calls.

    How well one fared does not count: what waits in a queue comes at no even pace.
    """
    whole = octets(found)
    return [
        one
        for one in found["streams"]
        if one["tells_most"] and one["packets"] >= STREAM_PACKETS and (goes_on(one) or one["bytes"] >= SMALL * whole)
    ]


def sent(streams: list[StreamSeen]) -> float | None:
    """Mbit/s that were sent, what is missing included; none if it does not show of all of them."""
    parts = [one["mbps"] * of for one in streams if (of := sent_for_each(one)) is not None]
    return sum(parts) if streams and len(parts) == len(streams) else None


def sent_for_each(stream: StreamSeen) -> float | None:
    """Packets that were sent for each one that came, as RTP's numbers tell, or else a capture of the other host."""
    numbers, lost = stream["rtp"], stream["lost"]
    if numbers:
        all_of_it, missing = numbers["sent"], numbers["missing"]
    elif lost:
        # Where the first of both captures tells most of it, nothing is missing there.
        all_of_it, missing = lost["sought"], lost["missing"] if lost["captures"][1] == stream["capture"] else 0
    else:
        return None
    return all_of_it / (all_of_it - missing) if all_of_it > missing else None
