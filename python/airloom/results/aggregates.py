"""What becomes of a metric over the members of a group: its sum, its median, its mean, or its worst."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal, get_args

from airloom.errors import UnknownNameError
from airloom.results.lookup import unknown
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Over = Literal["sum", "median", "worst", "mean"]
"""What a metric of a group can be over its members."""

OVERS: tuple[Over, ...] = get_args(Over)


@dataclass(frozen=True)
class Nature:
    """What a metric is like.

    Attributes:
        names: Its names in summaries and series, as patterns.
        adds: Whether the values of several flows or nodes add up.
        worst: Which of several values is the worst; none where neither end is.
    """

    names: tuple[str, ...]
    adds: bool = False
    worst: Literal["least", "most"] | None = None


NATURES = (
    Nature(("goodput", "goodput_mbps", "bytes_delivered", "delivered", "answered", "share"), adds=True, worst="least"),
    Nature(("rpm", "jain", "*_rate_mbps", "*_rate", "mpdus_per_ampdu", "signal", "signal_*"), worst="least"),
    Nature(("*_ms", "rtt", "srtt", "delay", "*_packets", "queue", "*_queue", "sojourn", "*_sojourn"), worst="most"),
    Nature(
        (
            *("retransmissions", "timeouts", "lost", "recoveries", "local_drops", "undone", "bytes_held"),
            *("mpdu_retries", "mpdu_losses", "drops", "*_drops", "*_marks", "roam_lost"),
        ),
        adds=True,
        worst="most",
    ),
    Nature(("airtime", "airtime_share", "exchange_share", "sent", "bytes_written", "ampdus", "frames_*"), adds=True),
    Nature(("bus_*", "roams"), adds=True),
)
"""The metrics of summaries and series, the first that fits; of others only median and mean make sense."""


HALF_BIN = 1 / 256
"""The part of a quantile that half of its bin may be: it is the middle of a bin of a histogram with two digits
(`quantiles.rs` of lab's metrics), of which 128 make a power of two."""

QUANTILES = ("rtt_median_ms", "rtt_p95_ms", "rtt_p99_ms", "delay_median_ms", "delay_p95_ms", "delay_p99_ms")
"""Quantiles that come from bins. Those of pings, which have some of these names, are exact: their interval is a little
wider than it need be."""


def half_bin(metric: str) -> float:
    """Within which part of its value a metric is known, either way."""
    return HALF_BIN if metric in QUANTILES else 0.0


def nature(metric: str) -> Nature:
    """What a metric is like."""
    return next((one for one in NATURES if any(fnmatchcase(metric, name) for name in one.names)), Nature(()))


def usual(metric: str) -> Over:
    """What is shown of a group where nothing else was asked for: the sum, or the median of what does not add up."""
    return "sum" if nature(metric).adds else "median"


OVER_OWN_TIME = ("goodput_mbps",)
"""Metrics that are per second of a flow's own time, which may be a part of what was measured."""


def addend(metric: str, figures: Mapping[str, Any]) -> float | None:
    """What a flow's or a node's figure is in a sum: what is over times of their own adds up over the run's alone."""
    value = figures.get(metric)
    if not isinstance(value, int | float):
        return None
    part = figures.get("time_share") if metric in OVER_OWN_TIME else None
    return float(value) if part is None else value * part


def check(metric: str, over: str) -> Over:
    """What was asked for, if it makes sense of this metric.

    Raises:
        UnknownNameError: It does not.
    """
    known = next((one for one in OVERS if one == over), None)
    if known is None:
        raise unknown("way over a group's members", over, OVERS)
    if known == "sum" and not nature(metric).adds:
        raise UnknownNameError(f"{metric}: does not add up over several", "ask for worst, median or mean")
    if known == "worst" and nature(metric).worst is None:
        raise UnknownNameError(f"{metric}: neither its least nor its greatest is the worst", "ask for median or mean")
    return known


def aggregate(metric: str, values: Iterable[float | None], over: Over) -> float:
    """A metric over the members of a group; NaN where no member has a value.

    It is NaN too where the worst is asked for and a member has none: a call of which no packet arrived has no delay,
    and no other is the worst.
    """
    given = [math.nan if value is None else value for value in values]
    known = [value for value in given if not math.isnan(value)]
    if not known or (over == "worst" and len(known) < len(given)):
        return math.nan
    match over:
        case "sum":
            return math.fsum(known)
        case "median":
            return statistics.median(known)
        case "mean":
            return mean(known)
        case _:
            return min(known) if nature(metric).worst == "least" else max(known)


def of_members(metric: str, members: Iterable[Mapping[str, Any]], over: Over) -> float:
    """A metric over members with these figures: their values, but in a sum what each adds to it."""
    return aggregate(metric, [addend(metric, one) if over == "sum" else one[metric] for one in members], over)
