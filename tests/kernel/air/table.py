"""Both sides of every cell, as Markdown, and how many are near enough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import kept
from .cells import CELLS, SEEDS
from .sides import Side, outside
from .simulated import simulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kernel.numbers import Numbers

    from .cells import Cell

HEAD = """\
| cell | Mbit/s | ours | | cwnd | ours | | RTT, ms | ours | | ping, ms | ours | again | ours | late, ms | outside |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"""
EACH = """\
| cell | flow | Mbit/s | ours | cwnd | ours | RTT, ms | ours | retransmitted | ours |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"""


@dataclass(frozen=True)
class Both:
    """A cell with what came of its runs."""

    cell: Cell
    kernel: Sequence[Side]
    ours: Sequence[Side]
    timings: Sequence[dict[str, Any]]
    """Of the kernel's runs."""

    @cached_property
    def means(self) -> tuple[Side, Side]:
        """Of the kernel's runs, and of ours."""
        return Side.mean(self.kernel), Side.mean(self.ours)

    @property
    def outside(self) -> list[str]:
        """What is not near enough."""
        return outside(*self.means)

    @property
    def late_ms(self) -> float:
        """By how much 99 % of the packets were late at most, in the worst run."""
        return max(float(timing["late_us"][1]) for timing in self.timings) * 1e-3


def both() -> dict[str, Both]:
    """Every cell by its name."""
    file = kept.read()
    found = {}
    for name, cell in CELLS.items():
        runs = [kept.runs(file, cell)[str(seed)] for seed in SEEDS]
        sides, timings = [kept.side(cell, run) for run in runs], [run["timing"] for run in runs]
        found[name] = Both(cell, sides, simulate(cell), timings)
    return found


def pair(theirs: float, own: float) -> str:
    """Two values and their difference."""
    digits = 2 if theirs < 100 else 1
    return f"{theirs:.{digits}f} | {own:.{digits}f} | {own / theirs - 1:+.1%}"


def row(found: Both) -> str:
    """A cell's row."""
    (kernel, ours), pings = found.means, " | "
    if kernel.ping_ms is not None and ours.ping_ms is not None:
        pings = f"{kernel.ping_ms:.1f} | {ours.ping_ms:.1f}"
    k, o = kernel.whole, ours.whole
    return (
        f"| {found.cell.name} | {pair(k.mbps, o.mbps)} | {pair(k.cwnd, o.cwnd)} | {pair(k.rtt_ms, o.rtt_ms)} | {pings} "
        f"| {k.retransmissions:.0f} | {o.retransmissions:.0f} | {found.late_ms:.1f} | {', '.join(found.outside)} |"
    )


def rows(found: Both) -> list[str]:
    """A row for each of a cell's flows."""
    kernel, ours = found.means
    return [
        f"| {found.cell.name} | {flow.name} | {own_row(k, o)} |"
        for flow, k, o in zip(found.cell.flows, kernel.flows, ours.flows, strict=True)
    ]


def own_row(k: Numbers, o: Numbers) -> str:
    """A flow's numbers."""
    return (
        f"{k.mbps:.1f} | {o.mbps:.1f} | {k.cwnd:.0f} | {o.cwnd:.0f} | {k.rtt_ms:.0f} | {o.rtt_ms:.0f} "
        f"| {k.retransmissions:.0f} | {o.retransmissions:.0f}"
    )


def table(found: dict[str, Both]) -> str:
    """All cells."""
    return "\n".join([HEAD, *(row(one) for one in found.values())])


def flows(found: dict[str, Both]) -> str:
    """The flows of cells that have several."""
    return "\n".join([EACH, *(line for one in found.values() if len(one.cell.flows) > 1 for line in rows(one))])


def share(found: dict[str, Both]) -> str:
    """How many cells are near enough."""
    return f"{sum(not one.outside for one in found.values())} of {len(found)}"


def verdict(found: dict[str, Both]) -> str:
    """What the timing of all runs was."""
    timings = [timing for one in found.values() for timing in one.timings]
    words = {"valid": "valid", "valid_below": "valid for rates below {:,.0f} Mbit/s", "invalid": "invalid"}
    counts = {}
    for word, what in words.items():
        of = [timing["valid_below_mbps"] for timing in timings if timing["verdict"] == word]
        if of:
            counts[what.format(min(of) if word == "valid_below" else 0)] = len(of)
    peak = max(timing["peak_mbps"] for timing in timings)
    said = ", ".join(f"{count} are {what}" for what, count in counts.items())
    return f"of {len(timings)} runs {said}; the most that any carried over 100 ms was {peak:.0f} Mbit/s"
