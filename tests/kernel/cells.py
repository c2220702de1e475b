"""The cells of the comparison: three bottlenecks, two congestion controls, each run on both sides."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import airloom

from .bottleneck import HERE, PACKET, Bottleneck, measure

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 25.0
BOTTLENECKS = (
    Bottleneck(mbps=10, queue=50, delay_ms=10),
    Bottleneck(mbps=20, queue=20, delay_ms=10),
    Bottleneck(mbps=50, queue=100, delay_ms=10),
)
"""A queue of three, of 0.6 and of 1.2 times what the path itself holds."""
CONTROLS = {"reno": "newreno", "cubic": "cubic"}
"""The kernel's names and ours."""
WORST_MS = 20.0
"""A wire that was once later than this, a round trip of its own, stood still, and what was measured then is nothing."""
LATE = 5e-4
"""Nor is what was measured over a wire that was a millisecond late with more than this share of its packets: bursts
overflow a queue that is nearly full, which the simulated wire never does."""
TRIAL = 5.0
"""So many seconds of the fastest bottleneck show whether a machine keeps time at all."""
TRIALS = 3
"""One wire in one of so many has to: a machine that is disturbed once in a while is still measured."""
REPEATS = 2
"""So many pairs of cells are run again for that, in all."""
THROUGHPUT, CWND = 0.05, 0.15
"""How far we may be from the kernel."""


@dataclass(frozen=True)
class Flow:
    """What became of a flow."""

    mbps: float
    cwnd: float
    retransmissions: int


@dataclass(frozen=True)
class Cell:
    """One bottleneck under one congestion control."""

    bottleneck: Bottleneck
    control: str
    kernel: Flow
    ours: Flow
    steady: bool
    """Whether the wire kept time."""

    @property
    def differences(self) -> tuple[float, float]:
        """Of throughput and of the mean congestion window, as a share of the kernel's."""
        return self.ours.mbps / self.kernel.mbps - 1, self.ours.cwnd / self.kernel.cwnd - 1

    @property
    def agrees(self) -> bool:
        """Whether both are near enough."""
        throughput, cwnd = self.differences
        return abs(throughput) <= THROUGHPUT and abs(cwnd) <= CWND

    def row(self) -> str:
        """Its row of the table."""
        b, k, o = self.bottleneck, self.kernel, self.ours
        throughput, cwnd = self.differences
        remark = "" if self.steady else " (the wire did not keep time)"
        return (
            f"| {b.mbps} Mbit/s | {b.queue} | {self.control} "
            f"| {k.mbps:.2f} | {o.mbps:.2f} | {throughput:+.1%} | {k.cwnd:.1f} | {o.cwnd:.1f} | {cwnd:+.1%} "
            f"| {k.retransmissions} | {o.retransmissions} |{remark}"
        )


HEAD = """\
| rate | queue | control | Mbit/s: kernel | airloom | | cwnd: kernel | airloom | | retransmissions: kernel | airloom |
|---|---|---|---|---|---|---|---|---|---|---|"""


def table(cells: list[Cell]) -> str:
    """The comparison, in Markdown."""
    return "\n".join([HEAD, *(cell.row() for cell in cells)])


def kernels(seen: dict[str, Any]) -> Flow:
    """The kernel's flow from what its sender saw; the window is averaged over time."""
    samples = [*seen["cwnd"], (SECONDS, 0)]
    area = sum(cwnd * (end - begin) for (begin, cwnd), (end, _) in pairwise(samples))
    length = SECONDS - samples[0][0]
    return Flow(seen["bytes"] * 8e-6 / SECONDS, area / length, seen["retransmissions"])


def simulated(bottleneck: Bottleneck, control: str) -> Flow:
    """The same flow, simulated."""
    link = "server.receiver.link"
    settings = {
        "duration": f"{SECONDS} s",
        f"{link}.rate": f"{bottleneck.mbps} Mbit/s",
        f"{link}.delay": f"{bottleneck.delay_ms} ms",
        f"{link}.queue.limit": f"{bottleneck.queue * PACKET} B",
        "flow.bulk.tcp.congestion": CONTROLS[control],
    }
    flow = airloom.run(HERE / "bottleneck.toml", set=settings).summary["flows"][0]
    if flow["cwnd_mean"] is None:
        raise AssertionError
    return Flow(flow["goodput_mbps"], flow["cwnd_mean"], flow["retransmissions"])


def keeps_time(wire: dict[str, float]) -> bool:
    """Whether a wire was late seldom, and never by much."""
    return wire["worst_ms"] <= WORST_MS and wire["late"] <= LATE * wire["packets"]


def possible() -> bool:
    """Whether this machine can keep a wire's time at all."""
    return any(keeps_time(one["wire"]) for _ in range(TRIALS) for one in both(BOTTLENECKS[-1], TRIAL))


def both(bottleneck: Bottleneck, seconds: float) -> list[dict[str, Any]]:
    """Both controls at once, each through a bottleneck of its own."""
    with ThreadPoolExecutor(len(CONTROLS)) as pool:
        return list(pool.map(lambda control: measure(bottleneck, control, seconds, control[0]), CONTROLS))


def pair(bottleneck: Bottleneck) -> list[Cell]:
    """The two cells of a bottleneck."""
    seen = both(bottleneck, SECONDS)
    return [
        Cell(bottleneck, control, kernels(one), simulated(bottleneck, control), keeps_time(one["wire"]))
        for control, one in zip(CONTROLS, seen, strict=True)
    ]


def all_cells() -> Iterator[Cell]:
    """Every cell; those whose wire did not keep time are run again while repeats are left."""
    repeats = REPEATS
    for bottleneck in BOTTLENECKS:
        cells = pair(bottleneck)
        while repeats > 0 and not all(cell.steady for cell in cells):
            repeats -= 1
            cells = pair(bottleneck)
        yield from cells
