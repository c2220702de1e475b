"""A cell, with our TCP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import airloom

from .cells import SEEDS
from .sides import Side

if TYPE_CHECKING:
    from .cells import Cell


def simulate(cell: Cell) -> list[Side]:
    """What came of it with each seed."""
    return [run(cell, seed) for seed in SEEDS]


def run(cell: Cell, seed: int) -> Side:
    """What came of it with one."""
    flows = airloom.run(cell.text, set=cell.set(simulated=True), seed=seed).summary["flows"]
    seen = [
        {
            "bytes": flow["bytes_delivered"],
            "cwnd": flow["cwnd_mean"],
            "srtt_ms": flow["srtt_mean_ms"],
            "retransmissions": flow["retransmissions"],
        }
        for flow in flows
        if flow["kind"] == "tcp"
    ]
    pings = [flow["rtt_mean_ms"] for flow in flows if flow["kind"] == "ping"]
    return Side.of(cell, seen, pings[0] if pings else None)
