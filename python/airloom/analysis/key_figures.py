"""The key figures of a run: of each flow, and of all flows together; every mean is one of its own time."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.results.aggregates import addend, nature
from airloom.results.summary import delivered_nothing
from airloom.support.statistics import percentile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.results.summary import FlowSummary, Summary

MOST_LISTED = 8
"""Flows that are shown one by one; of more, the spread and the extremes."""

SPELLINGS = {"udp": "UDP", "ping": "ping", "cubic": "CUBIC", "newreno": "NewReno", "bbr": "BBR", "bbr3": "BBR 3"}
"""Kinds of flows and congestion controls as people write them."""


@dataclass(frozen=True)
class Metric:
    """A figure of a flow.

    Attributes:
        key: Its name in the summary.
        group: What it is a figure of.
        title: Which figure of that; empty where there is only one.
        unit: Its unit; none of counts.
        short: What it is a figure of, where there is little room.
    """

    key: str
    group: str
    title: str = ""
    unit: str = ""
    short: str = ""

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.group}, {self.title}" if self.title else self.group

    @property
    def adds(self) -> bool:
        """Whether the flows' figures add up."""
        return nature(self.key).adds


SMOOTHED = Metric("srtt_mean_ms", "Round trip", "smoothed", "ms", short="SRTT")
"""What there is of a real connection, whose kernel tells no single round trip."""

METRICS = (
    Metric("goodput_mbps", "Goodput", "", "Mbit/s", short="goodput"),
    Metric("rtt_mean_ms", "Round trip", "mean", "ms", short="RTT"),
    Metric("rtt_median_ms", "Round trip", "median", "ms", short="RTT"),
    Metric("rtt_p95_ms", "Round trip", "95 %", "ms", short="RTT"),
    Metric("rtt_p99_ms", "Round trip", "99 %", "ms", short="RTT"),
    SMOOTHED,
    Metric("delay_mean_ms", "One way", "mean", "ms", short="one way"),
    Metric("delay_median_ms", "One way", "median", "ms", short="one way"),
    Metric("delay_p95_ms", "One way", "95 %", "ms", short="one way"),
    Metric("delay_p99_ms", "One way", "99 %", "ms", short="one way"),
    Metric("rpm", "Responsiveness", "", "RPM", short="RPM"),
    Metric("cwnd_mean", "Window", "mean", "packets", short="window"),
    Metric("retransmissions", "Retransmitted", short="resent"),
    Metric("timeouts", "Timeouts", short="timeouts"),
    Metric("lost", "Lost", short="lost"),
)
"""All figures of a flow, in the order in which they are shown."""


def control(flow: FlowSummary) -> str:
    """What drives a flow: its congestion control, or its kind where it has none."""
    word = flow.get("congestion", flow["kind"])
    return SPELLINGS.get(word, word)


def value(flow: FlowSummary, metric: Metric) -> float:
    """A flow's figure; NaN where it has none: no timeout of a flow that delivered nothing is no good news."""
    found = flow.get(metric.key)
    if metric.key == "timeouts" and not found and barren([flow]):
        return math.nan
    return float(found) if isinstance(found, int | float) else math.nan


def metrics_of(flows: Iterable[FlowSummary]) -> list[Metric]:
    """The figures that any of these flows has; the smoothed round trip where one has no other."""
    known = list(flows)
    plain = all(flow.get("rtt_mean_ms") is not None or flow.get(SMOOTHED.key) is None for flow in known)
    shown = (metric for metric in METRICS if metric is not SMOOTHED or not plain)
    return [metric for metric in shown if any(not math.isnan(value(flow, metric)) for flow in known)]


def total(flows: Iterable[FlowSummary], metric: Metric) -> float:
    """The flows' figures added up, of goodputs over the run's time; NaN where they do not add up, or none has one."""
    known = [addend(metric.key, flow) or 0.0 for flow in flows if not math.isnan(value(flow, metric))]
    return math.fsum(known) if known and metric.adds else math.nan


def fairness(summary: Summary) -> float:
    """Jain's index of the flows that always have more to send, while all are under way; NaN of fewer than two."""
    return summary["jain"] if len(carrying(summary["flows"])) > 1 and summary["jain"] is not None else math.nan


MIN_FOR_PERCENTILES = 40
"""Flows from which on two of them lie beyond the 5th and the 95th percentile."""

QUANTILES = (("most", 1.0), ("95 %", 0.95), ("median", 0.5), ("5 %", 0.05), ("least", 0.0))
"""What is shown of many flows, from above: the share of them below which such a figure lies."""


def quantiles_of(flows: Sequence[FlowSummary]) -> list[tuple[str, float]]:
    """The quantiles that say something of so many flows."""
    return [
        (title, share) for title, share in QUANTILES if len(flows) >= MIN_FOR_PERCENTILES or share in (0.0, 0.5, 1.0)
    ]


def quantile(flows: Iterable[FlowSummary], metric: Metric, share: float) -> float:
    """The figure below which this share of the flows lies; NaN where no flow has one."""
    known = [found for flow in flows if not math.isnan(found := value(flow, metric))]
    return statistics.median(known) if known and share == 0.5 else percentile(known, share)  # noqa: PLR2004 - the median


def carrying(flows: Sequence[FlowSummary]) -> list[FlowSummary]:
    """The flows that carry data, by goodput, the greatest first."""
    return sorted((flow for flow in flows if "goodput_mbps" in flow), key=lambda flow: -flow["goodput_mbps"])


def barren(flows: Iterable[FlowSummary]) -> list[FlowSummary]:
    """The flows that delivered nothing: no byte, or no answer."""
    return [flow for flow in flows if delivered_nothing(flow)]
