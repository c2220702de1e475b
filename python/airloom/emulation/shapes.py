"""The state of a world in real time, in the words of its JSON; written by `make shapes` from the engine's schema."""

from __future__ import annotations

from typing import Literal, TypedDict


class FlowState(TypedDict):
    """A connection of real hosts as it is now, one way of it."""

    # Its name.
    name: str
    # Bytes that have arrived.
    delivered: int
    # Its congestion window in segments.
    cwnd: int
    # Its smoothed round trip.
    srtt_ms: float
    # Segments sent again.
    retransmissions: int
    # Whether it has ended.
    closed: bool


class HostState(TypedDict):
    """A node: what it has carried, and what can be changed about it."""

    # Its name.
    name: str
    # What it is, such as "station".
    kind: str
    # The access point at which it is now, if it is a station.
    ap: str | None
    # Bytes that real programs sent from it.
    sent: int
    # Bytes that real programs received at it.
    received: int
    # Packets above its driver.
    queued: int | None
    # Whether its radio is on another channel.
    away: bool
    # Of an access point: whether it has no power.
    off: bool
    # Of a station: its distance to its access point, if the scenario gives one.
    distance_m: float | None
    # Of a station: the mean signal-to-noise ratio to its access point, in dB; of one with a place, as it is now.
    snr_db: float | None
    # Where it is now on the plan, in metres, the height last, if the scenario gives places.
    position_m: tuple[float, float, float] | None
    # The queue discipline above its driver.
    discipline: str | None
    # Of a station that scans: its remedy.
    remedy: str | None


TimingVerdict = Literal["valid", "valid_below", "invalid"]
"""Whether what a run in real time measured may be believed."""


class State(TypedDict):
    """A world in real time, as it is now."""

    # The scenario's title.
    title: str
    # The time of the world in seconds.
    time_s: float
    # Whether to believe it so far.
    verdict: TimingVerdict
    # If that is so below a rate only: which.
    valid_below_mbps: float | None
    # How late packets were: the median, the quantiles 0.99 and 0.999, and the latest.
    late_us: tuple[int, int, int, int]
    # The nodes: access points, stations, servers.
    hosts: list[HostState]
    # The connections.
    flows: list[FlowState]
