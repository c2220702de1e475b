"""What became of the flows of a cell, and how near two such results are."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

THROUGHPUT = 0.03
CWND = RTT = 0.10
RETRANSMISSIONS = 0.25
"""How far we may be from the kernel, as a share of its value."""
COUNTED = 2.0
"""A count of n scatters by its root even where nothing differs but the phase, and the mean of several runs as the count
of all of them does. A quarter of less than 64 is less than two such standard deviations, so up to there it is these
that decide; two retransmissions alone never do."""


class NoConnectionError(ValueError):
    """No flow of a cell has connected."""


@dataclass(frozen=True)
class Numbers:
    """A cell's result."""

    mbps: float
    """What all receiving applications got together."""
    cwnd: float
    """The mean window of a flow in segments, over time."""
    rtt_ms: float
    """The mean smoothed round-trip time of a flow, over time."""
    retransmissions: float
    """Of all flows together."""

    @classmethod
    def mean(cls, runs: Sequence[Numbers]) -> Numbers:
        """Of several runs."""
        means = (fmean(getattr(run, field.name) for run in runs) for field in fields(cls))
        return cls(*means)

    @classmethod
    def of(cls, flows: Sequence[dict[str, Any]], seconds: float) -> Numbers:
        """From `bytes`, `cwnd`, `srtt_ms` and `retransmissions` of each flow; without connection no window."""
        connected = [flow for flow in flows if flow["cwnd"] is not None and flow["srtt_ms"] is not None]
        n = len(connected)
        if n == 0:
            raise NoConnectionError
        return cls(
            mbps=sum(flow["bytes"] for flow in flows) * 8e-6 / seconds,
            cwnd=sum(flow["cwnd"] for flow in connected) / n,
            rtt_ms=sum(flow["srtt_ms"] for flow in connected) / n,
            retransmissions=sum(flow["retransmissions"] for flow in flows),
        )


@dataclass(frozen=True)
class Difference:
    """Ours from the kernel's: shares of the kernel's value, and a number of retransmissions."""

    kernel: Numbers
    ours: Numbers
    runs: int = 1
    """How many runs of the kernel this is the mean of."""

    @property
    def throughput(self) -> float:
        """A share."""
        return self.ours.mbps / self.kernel.mbps - 1

    @property
    def cwnd(self) -> float:
        """A share."""
        return self.ours.cwnd / self.kernel.cwnd - 1

    @property
    def rtt(self) -> float:
        """A share."""
        return self.ours.rtt_ms / self.kernel.rtt_ms - 1

    @property
    def retransmissions(self) -> float:
        """A number."""
        return self.ours.retransmissions - self.kernel.retransmissions

    @property
    def outside(self) -> list[str]:
        """What is not near enough."""
        count = self.kernel.retransmissions * self.runs
        allowed = max(RETRANSMISSIONS * count, COUNTED * sqrt(max(count, 1))) / self.runs
        near = {
            "throughput": abs(self.throughput) <= THROUGHPUT,
            "cwnd": abs(self.cwnd) <= CWND,
            "RTT": abs(self.rtt) <= RTT,
            "retransmissions": abs(self.retransmissions) <= allowed,
        }
        return [what for what, is_near in near.items() if not is_near]
