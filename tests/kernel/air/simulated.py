"""A cell, with our TCP."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import airloom
from kernel.measured import digest

from .cells import CELLS, SEEDS
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


DATA = {"kind": "udp", "rate": "60 Mbit/s", "payload": "1448 B"}
BACK = {"kind": "udp", "rate": "1 Mbit/s", "payload": "32 B"}
"""What the air is offered each way: more than it carries, and as many short packets as acknowledgments may be."""


@cache
def air(name: str) -> str:
    """What the air of a cell is without TCP, whose changes do not move a kernel: what datagrams come to on it."""
    cell = CELLS[name]
    settings = cell.set(simulated=False)
    flows = [
        {"from": source, "to": to, "start": f"{start:.4f} s"} | kind
        for flow, start in zip(cell.flows, cell.starts(), strict=True)
        for source, to, kind in ((flow.source, flow.to, DATA), (flow.to, flow.source, BACK))
    ]
    found = airloom.run(cell.text, set=settings | {"flow": [*settings["flow"], *flows]}).summary["flows"]
    keys = ("name", "delivered", "lost", "delay_mean_ms", "rtt_mean_ms")
    return digest(json.dumps([[flow.get(key) for key in keys] for flow in found]).encode())
