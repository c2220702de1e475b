"""A cell, simulated."""

from __future__ import annotations

from pathlib import Path

import airloom

from .cells import PACKET, Cell
from .numbers import Numbers

BOTTLENECK = Path(__file__).with_name("bottleneck.toml")
CONTROLS = {"reno": "newreno", "cubic": "cubic", "bbr": "bbr"}
"""The kernel's names and ours."""
FLOW = """
[[flow]]
name = "{name}"
from = "sender"
to = "receiver"
start = "{start} s"
tcp = {{ congestion = "{congestion}" }}
"""


def scenario(cell: Cell) -> tuple[str, dict[str, str | bool]]:
    """The text of its scenario, and what is laid over it."""
    flows = [
        FLOW.format(name=f"bulk-{n + 1}", start=n * cell.apart, congestion=CONTROLS[cell.control])
        for n in range(cell.flows)
    ]
    link = "server.receiver.link"
    settings: dict[str, str | bool] = {
        "duration": f"{cell.seconds} s",
        f"{link}.rate": f"{cell.mbps} Mbit/s",
        f"{link}.delay": f"{cell.rtt_ms / 2} ms",
    }
    if cell.fq_codel:
        settings |= {f"{link}.queue.discipline": "fq_codel", f"{link}.queue.ecn": cell.ecn}
    else:
        settings[f"{link}.queue.limit"] = f"{cell.packets * PACKET} B"
    for host in ("server.sender.host", "server.receiver.host"):
        settings |= {f"{host}.ecn": "on"} if cell.ecn else {}
        settings |= {f"{host}.sack": False} if not cell.sack else {}
    return BOTTLENECK.read_text(encoding="utf-8") + "".join(flows), settings


def simulate(cell: Cell) -> Numbers:
    """Its numbers."""
    text, settings = scenario(cell)
    flows = airloom.run(text, set=settings).summary["flows"]
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
