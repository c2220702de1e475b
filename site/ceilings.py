"""Prints how near a saturated flow comes to what its exchanges allow: a table of docs/airtime.md."""

from __future__ import annotations

import json
import sys
from typing import Any

import airloom
from airloom import _engine

UDP = 1472 / 1500
"""The share of an IP packet that a datagram's payload is."""


CELLS = (("ac", 80, 64), ("ac", 160, 64), ("ax", 80, 64), ("ax", 80, 256), ("ax", 160, 256))
"""Amendment, width in MHz and MPDUs in a PPDU."""

HIGHEST = {"ac": (9, 0.4), "ax": (11, 0.8)}
"""The highest scheme of an amendment and its shortest guard interval in microseconds."""


def cell(standard: str, width: int, count: int) -> str:
    """A row of the table."""
    mcs, guard = HIGHEST[standard]
    ask = {"standard": f"802.11{standard}", "width": width, "mcs": mcs, "streams": 2, "guard_interval": guard}
    allowed = json.loads(_engine.airtime(json.dumps(ask | {"mpdu": 1538, "count": count, "rts": False})))
    adapter = {"profile": f"edca-{standard}", "ampdu_frames": count}
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
    cells = (f"802.11{standard}, {width} MHz, MCS {mcs}", f"{count}", f"{ceiling:,.0f}", f"{has:,.0f}")
    return f"| {' | '.join(cells)} | {has / ceiling - 1:+.1%} |"


def main() -> None:
    """Prints the table."""
    head = ["| | MPDUs | the exchange allows, Mbit/s | the flow has, Mbit/s | |", "| --- | ---: | ---: | ---: | ---: |"]
    sys.stdout.write("\n".join([*head, *(cell(*one) for one in CELLS), ""]))


if __name__ == "__main__":
    main()
