"""Prints how near a saturated flow comes to what its exchanges allow, here and in ns-3: a table of docs/airtime.md.

What ns-3 has was measured by benches/saturation.py.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import airloom
from airloom import _engine

UDP = 1472 / 1500
"""The share of an IP packet that a datagram's payload is."""


ROWS = Path(__file__).resolve().parents[1] / "benches" / "ns3" / "ceilings.json"
"""Amendment, width in MHz, MPDUs in a PPDU, and the Mbit/s that ns-3 has."""

HIGHEST = {"ac": (9, 0.4), "ax": (11, 0.8)}
"""The highest scheme of an amendment and its shortest guard interval in microseconds."""


def cell(standard: str, width: int, mpdus: int, mbps: float) -> str:
    """A row of the table."""
    mcs, guard = HIGHEST[standard]
    ask = {"standard": f"802.11{standard}", "width": width, "mcs": mcs, "streams": 2, "guard_interval": guard}
    allowed = json.loads(_engine.airtime(json.dumps(ask | {"mpdu": 1538, "count": mpdus, "rts": False})))
    adapter = {"profile": f"edca-{standard}", "ampdu_frames": mpdus, "block_ack_window": mpdus}
    flow = {"name": "up", "kind": "udp", "from": "laptop", "to": "server", "rate": "saturated", "payload": "1472 B"}
    changes: dict[str, Any] = {
        "duration": "5 s",
        "air": {"standard": f"802.11{standard}", "band": "5 GHz", "width": f"{width} MHz"},
        "ap.0": {"name": "ap", "adapter": adapter},
        "station.0.adapter": adapter,
        "station.0.rate": f"MCS {mcs}",
        "station.0.snr": "60 dB",
        "flow.0": flow,
    }
    has = airloom.run("examples/wifi6.toml", set=changes).flow("up").goodput_mbps
    ceiling = allowed["goodput_mbps"] * UDP
    flows = [f"{flow:,.0f} | {flow / ceiling - 1:+.1%}" for flow in (has, mbps)]
    cells = (f"802.11{standard}, {width} MHz, MCS {mcs}", f"{mpdus}", f"{ceiling:,.0f}", *flows)
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    titles = ["", "MPDUs", "the exchange allows, Mbit/s", "the flow has, Mbit/s", "", "ns-3, Mbit/s", ""]
    head = [f"| {' | '.join(titles)} |", f"| --- |{' ---: |' * (len(titles) - 1)}"]
    rows = json.loads(ROWS.read_text(encoding="utf-8"))
    sys.stdout.write("\n".join([*head, *(cell(**row) for row in rows), ""]))


if __name__ == "__main__":
    main()
