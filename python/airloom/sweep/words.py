"""What metrics and keys are called on a page: words and a unit, in place of their names in tables and files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.support.formatting import capital

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

METRICS = {
    "goodput_mbps": ("Goodput", "Mbit/s"),
    "rtt_mean_ms": ("Mean round-trip time", "ms"),
    "srtt_mean_ms": ("Mean smoothed round-trip time", "ms"),
    "rtt_median_ms": ("Median round-trip time", "ms"),
    "rtt_p95_ms": ("95th percentile of the round-trip time", "ms"),
    "rtt_p99_ms": ("99th percentile of the round-trip time", "ms"),
    "rpm": ("Responsiveness", "round trips per minute"),
    "delay_mean_ms": ("Mean one-way delay", "ms"),
    "delay_median_ms": ("Median one-way delay", "ms"),
    "delay_p95_ms": ("95th percentile of the one-way delay", "ms"),
    "delay_p99_ms": ("99th percentile of the one-way delay", "ms"),
    "cwnd_mean": ("Mean congestion window", "packets"),
    "cwnd_max": ("Largest congestion window", "packets"),
    "in_flight_mean": ("Mean data in flight", "packets"),
    "retransmissions": ("Retransmissions", "segments"),
    "timeouts": ("Timeouts", "count"),
    "jain": ("Fairness", "Jain's index"),
    "share": ("Share of the goodput", "ratio"),
    "airtime_share": ("Share of the air time", "ratio"),
    "exchange_share": ("Share of all exchanges' air time", "ratio"),
    "airtime_idle": ("Idle air time", "share of the run"),
    "airtime_interfered": ("Air time taken by interferers", "share of the run"),
    "airtime_collided": ("Air time lost to collisions", "share of the run"),
    "drops": ("Packets dropped", "packets"),
    "scans": ("Scans", "count"),
    "signal_min_db": ("Least signal over noise", "dB"),
    "signal_median_db": ("Median signal over noise", "dB"),
    "mac_rate_mbps": ("MAC data rate", "Mbit/s"),
    "received_rate_mbps": ("MAC data rate received", "Mbit/s"),
    "ampdu_rate_mbps": ("Data rate of A-MPDUs", "Mbit/s"),
    "ampdus": ("A-MPDUs sent", "count"),
    "mpdus_per_ampdu": ("MPDUs per A-MPDU", "frames"),
    "mpdu_retries": ("MPDU retries", "frames"),
    "discipline_mean_packets": ("Mean queue", "packets"),
    "discipline_max_packets": ("Longest queue", "packets"),
    "discipline_mean_sojourn_ms": ("Mean time in the queue", "ms"),
    "discipline_drops": ("Packets dropped by the queue", "packets"),
    "driver_drops": ("Packets dropped by the driver", "packets"),
    "link_drops": ("Packets dropped by the wired link", "packets"),
    "link_mean_packets": ("Mean queue before the link", "packets"),
    "link_max_packets": ("Longest queue before the link", "packets"),
    "link_mean_sojourn_ms": ("Mean time before the link", "ms"),
    "link_to_drops": ("Packets dropped by the wired link to it", "packets"),
    "link_to_mean_packets": ("Mean queue before the link to it", "packets"),
    "link_to_max_packets": ("Longest queue before the link to it", "packets"),
    "link_to_mean_sojourn_ms": ("Mean time before the link to it", "ms"),
}
"""The metrics of summaries that are asked for most; others are named by their parts."""

UNITS = {"mbps": "Mbit/s", "ms": "ms", "s": "s", "packets": "packets", "bytes": "bytes"}
"""The units that a metric's name may end in."""

CAPITALS = {"rtt": "RTT", "srtt": "smoothed RTT", "mac": "MAC", "ampdu": "A-MPDU", "mpdu": "MPDU", "mpdus": "MPDUs"}
"""Words of names that are written otherwise."""

KINDS = {"ap": "access point", "station": "station", "flow": "flow", "server": "server"}
"""What the tables of a scenario are called."""


@dataclass(frozen=True)
class Words:
    """What something is called, and its unit, if it has one."""

    title: str
    unit: str = ""

    @property
    def axis(self) -> str:
        """What an axis is titled."""
        return f"{self.title}, {self.unit}" if self.unit else self.title


def metric(name: str) -> Words:
    """What a metric is called."""
    if name in METRICS:
        return Words(*METRICS[name])
    parts = name.split("_")
    unit = UNITS.get(parts[-1], "") if len(parts) > 1 else ""
    return Words(capital(spoken(parts[:-1] if unit else parts)), unit)


def key(name: str, scenario: Mapping[str, object]) -> Words:
    """What a key of a scenario is called, or an axis that has a name of its own; a node is called by its name."""
    parts = re.fullmatch(r"(ap|station|flow|server)\.([^.]+)\.(.+)", name)
    if parts is None:
        return Words(capital(spoken(re.split(r"[._]", name))))
    kind, place, rest = parts.groups()
    steps = [part for part in re.split(r"[._]", rest) if part not in ("tcp", "discipline")] or re.split(r"[._]", rest)
    if rest.endswith("discipline"):
        steps = ["queue", "discipline"]
    return Words(f"{capital(spoken(steps))} of {whose(kind, place, scenario)}")


def whose(kind: str, place: str, scenario: Mapping[str, object]) -> str:
    """What a node or a flow is called: the only one of its kind by that, one of several by its name."""
    there = scenario.get(kind)
    tables = there if isinstance(there, list) else []
    if len(tables) == 1:
        return f"the {KINDS[kind]}"
    if place.isdecimal():
        named = tables[int(place)] if int(place) < len(tables) else {}
        return str(named["name"]) if isinstance(named, dict) and "name" in named else f"{KINDS[kind]} {place}"
    return place


def spoken(parts: Sequence[str]) -> str:
    """Parts of a name as words."""
    return " ".join(CAPITALS.get(part, part) for part in parts if part)
