"""A cell, simulated."""

from __future__ import annotations

from pathlib import Path

import airloom

from .cells import APART, LATE_MS, PACKET, STARTS_MS, Cell
from .numbers import Numbers

BOTTLENECK = Path(__file__).with_name("bottleneck.toml")
CONTROLS = {"reno": "newreno", "cubic": "cubic", "bbr": "bbr"}
"""The kernel's names and ours."""
SEEDS = 3
"""Runs for each start where chance has a part."""
FLOW = """
[[flow]]
name = "{name}"
from = "sender"
to = "receiver"
start = "{start} s"
tcp = {{ congestion = "{congestion}" }}
"""


def scenario(cell: Cell, phase_ms: float) -> tuple[str, dict[str, str | bool | float]]:
    """The text of its scenario, and what is laid over it. The first flow begins at a phase of the clock's ticks."""
    starts = [n * APART + phase_ms * 1e-3 for n in range(cell.flows)]
    flows = [
        FLOW.format(name=f"bulk-{n + 1}", start=f"{start:.4f}", congestion=CONTROLS[cell.control])
        for n, start in enumerate(starts)
    ]
    link = "server.receiver.link"
    settings: dict[str, str | bool | float] = {
        "duration": f"{cell.seconds + phase_ms * 1e-3:.4f} s",
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
        settings[f"{host}.bursts"] = cell.offload
    return BOTTLENECK.read_text(encoding="utf-8") + "".join(flows), settings


def simulate(cell: Cell) -> Numbers:
    """Its numbers, the mean over the times at which it begins; several runs of each where chance has a part."""
    seeds = SEEDS if cell.loss or cell.late else 1
    return Numbers.mean(
        [
            run(cell, phase_ms, seed=seeds * place + more + 1)
            for place, phase_ms in enumerate(STARTS_MS)
            for more in range(seeds)
        ]
    )


def run(cell: Cell, phase_ms: float, seed: int) -> Numbers:
    """The numbers of one run."""
    text, settings = scenario(cell, phase_ms)
    flows = airloom.run(text, set=settings, seed=seed).summary["flows"]
    seen = [
        {
            "bytes": flow["bytes_delivered"],
            "cwnd": flow["cwnd_mean"],
            "srtt_ms": flow["srtt_mean_ms"],
            "retransmissions": flow["retransmissions"],
        }
        for flow in flows
    ]
    return Numbers.of(seen, cell.seconds)
