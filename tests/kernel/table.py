"""Both sides of every cell, as Markdown, and how many are near enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import measured
from .cells import CELLS, CONTROLS
from .numbers import Difference, Numbers
from .simulated import simulate

if TYPE_CHECKING:
    from .cells import Cell

HEAD = """\
| cell | Mbit/s | ours | | cwnd | ours | | RTT, ms | ours | | retransmitted | ours | outside |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"""


def differences() -> dict[str, Difference]:
    """Every cell, by its name."""
    kept = measured.read()
    return {name: difference(measured.runs(kept, cell) or [], simulate(cell)) for name, cell in CELLS.items()}


def difference(kernel: list[Numbers], ours: Numbers) -> Difference:
    """Ours from the mean of the kernel's runs."""
    return Difference(Numbers.mean(kernel), ours, len(kernel))


def of(control: str, found: dict[str, Difference]) -> dict[str, Difference]:
    """Those of one congestion control."""
    return {name: one for name, one in found.items() if CELLS[name].control == control}


def row(cell: Cell, found: Difference) -> str:
    """Its row."""
    k, o = found.kernel, found.ours
    return (
        f"| {cell.name} | {k.mbps:.2f} | {o.mbps:.2f} | {found.throughput:+.1%} | {k.cwnd:.1f} | {o.cwnd:.1f} "
        f"| {found.cwnd:+.1%} | {k.rtt_ms:.1f} | {o.rtt_ms:.1f} | {found.rtt:+.1%} "
        f"| {k.retransmissions:.0f} | {o.retransmissions:.0f} | {', '.join(found.outside)} |"
    )


def shares(found: dict[str, Difference]) -> str:
    """How many cells of each control are near enough."""
    counts = []
    for control in CONTROLS:
        cells = of(control, found).values()
        near = sum(not cell.outside for cell in cells)
        counts.append(f"{near} of {len(cells)} with {control}")
    return ", ".join(counts)


def table(found: dict[str, Difference]) -> str:
    """All rows."""
    return "\n".join([HEAD, *(row(CELLS[name], one) for name, one in found.items())])
