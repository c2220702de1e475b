"""Flows that the send buffer of their host bounds: neither their window nor the network does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.longest_wait import longest_wait
from airloom.analysis.trends import endless
from airloom.support.formatting import enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from airloom.results.summary import FlowSummary, Summary

IN_USE = 0.85
"""A window of which a greater share is in flight on average bounds its flow itself."""

SENT = 1.25
"""A sender that holds no more than so many times what is in flight has sent all that it was given."""

PACKET = 1500
"""Bytes of a packet at most."""

QUEUED = 0.25
"""A wait of this share of the round trip shows a queue that the buffer fills: what drains that bounds the flow."""

NAMED = 3
"""Flows that are named one by one."""


def bounded(summary: Summary, settings: Mapping[str, Any]) -> str | None:
    """That send buffers bound flows, in a sentence; none if they bound none.

    A program that always has more to send fills the buffer. If all of that is in flight, and the window has room for
    more, the buffer is what bounds the flow: small queues and the receiver's window leave data that is not sent. Where
    packets wait for long in a queue it bounds that queue alone.
    """
    waits = longest_wait(summary, settings)
    waited_ms = waits.place.ms if waits else 0.0
    found = [flow for flow in endless(summary["flows"], settings) if is_bounded(flow, waited_ms)]
    if not found:
        return None
    names = [flow["name"] for flow in found]
    whose = enumerated(names) if len(names) <= NAMED else f"{len(names):,} TCP flows"
    flow = found[0]
    flight, window = flow.get("in_flight_mean") or 0.0, flow.get("cwnd_mean") or 0.0
    of = "" if len(found) == 1 else f" of {names[0]}"
    return (
        f"the send buffer bounds {whose}, not the window: {flight:,.0f} packets{of} were in flight on average, with "
        f"room for {window:,.0f}; `send_buffer_max` of the host that sends (Linux: `tcp_wmem`) sets it"
    )


def is_bounded(flow: FlowSummary, waited_ms: float) -> bool:
    """Whether all that a flow's sender was given is in flight, and its window has room for more."""
    flight, window = flow.get("in_flight_mean"), flow.get("cwnd_mean")
    if flow["kind"] != "tcp" or not flight or not window or waited_ms >= QUEUED * (flow.get("rtt_mean_ms") or 0.0):
        return False
    return flight < IN_USE * window and flow.get("bytes_held", 0) <= SENT * PACKET * flight
