"""A cell, simulated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import airloom

from .cells import APART, LATE_MS, PACKET, Cell
from .numbers import Numbers

BOTTLENECK = Path(__file__).with_name("bottleneck.toml")
CONTROLS = {"reno": "newreno", "cubic": "cubic", "bbr": "bbr"}
"""The kernel's names and ours."""
SEEDS = 5
FLOW = """
[[flow]]
name = "{name}"
from = "sender"
to = "receiver"
start = "{start} s"
tcp = {{ congestion = "{congestion}" }}
"""


def scenario(cell: Cell) -> tuple[str, dict[str, str | bool | float]]:
    """The text of its scenario, and what is laid over it."""
    flows = [
        FLOW.format(name=f"bulk-{n + 1}", start=n * APART, congestion=CONTROLS[cell.control]) for n in range(cell.flows)
    ]
    link = "server.receiver.link"
    settings: dict[str, str | bool | float] = {
        "duration": f"{cell.seconds} s",
        f"{link}.rate": f"{cell.mbps} Mbit/s",
        f"{link}.delay": f"{cell.rtt_ms / 2} ms",
    }
    if cell.fq_codel:
        settings |= {f"{link}.queue.discipline": "fq_codel", f"{link}.queue.ecn": cell.ecn}
    else:
        settings[f"{link}.queue.limit"] = f"{cell.packets * PACKET} B"
    near = "server.sender.link"
    if cell.loss:
        settings[f"{near}.loss"] = 0.01
    if cell.late:
        settings |= {f"{near}.late.share": 0.01, f"{near}.late.by": f"{LATE_MS} ms"}
    for host in ("server.sender.host", "server.receiver.host"):
        settings |= {f"{host}.ecn": "on"} if cell.ecn else {}
        settings |= {f"{host}.sack": False} if not cell.sack else {}
    return BOTTLENECK.read_text(encoding="utf-8") + "".join(flows), settings


def simulate(cell: Cell) -> Numbers:
    """Its numbers; the mean of several runs where chance has a part."""
    text, settings = scenario(cell)
    seeds = SEEDS if cell.loss or cell.late else 1
    runs = [airloom.run(text, set=settings, seed=seed).summary["flows"] for seed in range(1, seeds + 1)]
    seen = [
        {
            "bytes": flow["bytes_delivered"],
            "cwnd": flow["cwnd_mean"],
            "srtt_ms": flow["srtt_mean_ms"],
            "retransmissions": flow["retransmissions"],
        }
        for flows in runs
        for flow in flows
    ]
    together = Numbers.of(seen, cell.seconds)
    return replace(together, mbps=together.mbps / seeds, retransmissions=together.retransmissions / seeds)
