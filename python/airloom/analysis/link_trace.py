"""A link as other emulators take it: opportunities to deliver packets for mahimahi, commands for netem and tbf."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airloom.results.bundle import Run
    from airloom.results.summary import FlowSummary

PACKET = 1500
"""Bytes of the packets by which a link is measured: full ones, as mahimahi counts its opportunities."""

PAYLOAD = 1472
"""Bytes of a datagram in such a packet."""

SETTLED_S = 1.0
"""What comes before is left out: the rate control has yet to find its rate."""

ON_WIRE = PACKET + 38
"""Bytes that such a packet takes of an Ethernet line, with preamble and gap."""

BURST_BYTES = 65_536
"""What tbf lets through at once: an A-MPDU of 802.11n, in which packets arrive."""


@dataclass(frozen=True)
class LinkDirection:
    """A link in one direction, as netem and tbf can say it.

    Attributes:
        rate_mbps: What it carries of IP packets while the sender always has more.
        delay_ms: From end to end while nothing waits.
        jitter_ms: By how much more the slowest twentieth of the packets take.
        loss: The share of packets that are lost then.
        packets: What the sender's queue holds; none if that is no number of packets.
    """

    rate_mbps: float
    delay_ms: float
    jitter_ms: float
    loss: float
    packets: int | None


def opportunities(run: Run, sender: str, receiver: str, line_mbps: float = math.inf) -> str:
    """When each packet reached its radio, in whole milliseconds: a trace of mahimahi, which begins anew at its end.

    The run is one with captures, in which the sender always has something to send. Packets of an A-MPDU have one time,
    but for a line behind the radio, which lets them go one after the other.

    Args:
        run: The run.
        sender: Whose radio sends.
        receiver: Whose radio they reach.
        line_mbps: The rate of the line behind it.
    """
    sent = run.transmissions
    rows = zip(sent["from"], sent["to"], sent["end"], sent["good"], strict=True)
    ends = [(end, int(good)) for source, target, end, good in rows if (source, target) == (sender, receiver)]
    reached = sorted(end for end, packets in arrived(run, ends) if end >= SETTLED_S for _ in range(packets))
    gap_s, left, times = ON_WIRE * 8 / (line_mbps * 1e6), 0.0, []
    for at in reached:
        left = max(at, left + gap_s)
        if left > reached[-1]:
            break
        times.append(int(1000 * (left - SETTLED_S)))
    # An instant of zero alone would be a trace without length.
    return "".join(f"{max(time, 1)}\n" for time in times)


def arrived(run: Run, ends: Sequence[tuple[float, int]]) -> Iterator[tuple[float, int]]:
    """When PPDUs ended, and how many packets came with each: its part of all that arrived, by its MPDUs."""
    share = max(run.summary["flows"][0]["bytes_delivered"] / PAYLOAD / max(sum(good for _, good in ends), 1), 1.0)
    before = 0
    for end, good in ends:
        yield end, round((before + good) * share) - round(before * share)
        before += good


def way(saturated: FlowSummary, ping: FlowSummary, packets: int | None) -> LinkDirection:
    """A direction, from a flow that always has more to send, and from pings when there was nothing else.

    Raises:
        ValueError: Nothing arrived.
    """
    rate = saturated["goodput_mbps"] * PACKET / PAYLOAD
    median, late, sent = ping["rtt_median_ms"], ping["rtt_p95_ms"], ping["sent"]
    if not rate or median is None or late is None:
        raise ValueError("nothing arrives")
    # Half of it happens on either way.
    return LinkDirection(rate, median / 2, (late - median) / 2, 1 - math.sqrt(ping["answered"] / sent), packets)


def netem(title: str, up: LinkDirection, down: LinkDirection) -> str:
    """A script that makes a device such a link, in one direction: `sh netem.sh DEVICE up`."""
    return f"""#!/bin/sh
# {title}
# What this device sends goes as from the station ("up"), or as to it ("down"): sh netem.sh DEVICE up|down
# A mean alone: no aggregation, no scan, no air that both directions share. A trace for mahimahi has more of it.
set -e
case "$2" in
up) {shaped(up)} ;;
down) {shaped(down)} ;;
*) echo "usage: sh netem.sh DEVICE up|down" >&2; exit 2 ;;
esac
tc qdisc replace dev "$1" root handle 1: netem $delay
tc qdisc replace dev "$1" parent 1:1 handle 2: tbf $rate
"""


def shaped(way: LinkDirection) -> str:
    """A direction as variables of a shell."""
    # What may wait in all: the sender's queue, or as long as a second takes where that has no length of its own.
    packets = way.packets or max(round(way.rate_mbps * 1e6 / 8 / PACKET), 1)
    jitter = f" {way.jitter_ms:.3f}ms" if way.jitter_ms > 0 else ""
    # What is on its way counts too (sch_netem.c: `netem_enqueue`).
    under_way = math.ceil(way.rate_mbps * 1e3 / 8 / PACKET * (way.delay_ms + way.jitter_ms))
    delay = f"delay {way.delay_ms:.3f}ms{jitter} loss {100 * way.loss:.4f}% limit {packets + under_way}"
    rate = f"rate {way.rate_mbps * 1000:.0f}kbit burst {BURST_BYTES} limit {packets * PACKET}"
    return f"delay='{delay}'; rate='{rate}'"
