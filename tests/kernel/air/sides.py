"""What came of a cell on one side, and how near the other one is."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from kernel.numbers import Numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .cells import Cell

GOODPUT = 0.05
CWND = RTT = 0.15
"""How far we may be from the kernel, as a share of its value."""


@dataclass(frozen=True)
class Side:
    """A run, or the mean of several."""

    whole: Numbers
    """All flows together, as over a wire."""
    flows: tuple[Numbers, ...]
    """Each by itself."""
    ping_ms: float | None
    """The mean of the ping beside them."""

    @classmethod
    def of(cls, cell: Cell, flows: Sequence[dict[str, Any]], ping_ms: float | None) -> Side:
        """From what the flows say, and the mean of the ping."""
        spans = [cell.seconds - start for start in cell.starts()]
        return cls(
            Numbers.of(flows, spans[0]),
            tuple(Numbers.of([flow], span) for flow, span in zip(flows, spans, strict=True)),
            ping_ms,
        )

    @classmethod
    def mean(cls, runs: Sequence[Side]) -> Side:
        """Of several runs."""
        pings = [run.ping_ms for run in runs if run.ping_ms is not None]
        return cls(
            Numbers.mean([run.whole for run in runs]),
            tuple(Numbers.mean(same) for same in zip(*(run.flows for run in runs), strict=True)),
            fmean(pings) if pings else None,
        )


def outside(kernel: Side, ours: Side) -> list[str]:
    """What is not near enough."""
    sides = [
        ("goodput", kernel.whole.mbps, ours.whole.mbps, GOODPUT),
        ("cwnd", kernel.whole.cwnd, ours.whole.cwnd, CWND),
        ("RTT", kernel.whole.rtt_ms, ours.whole.rtt_ms, RTT),
    ]
    if kernel.ping_ms is not None and ours.ping_ms is not None:
        sides.append(("ping", kernel.ping_ms, ours.ping_ms, RTT))
    return [what for what, theirs, own, bound in sides if abs(own / theirs - 1) > bound]
