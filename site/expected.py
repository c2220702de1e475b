"""Prints what Linux expects of a packet beside its share of an exchange: a table of docs/aql.md."""

from __future__ import annotations

import json
import sys
from typing import Any

from airloom import _engine

LONG = {"mpdu": 1538, "rts": False}
"""A packet of 1,500 bytes."""

CELLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("802.11n, 20 MHz, MCS 0", {"standard": "802.11n", "mcs": 0, "count": 2}),
    ("802.11n, 20 MHz, MCS 15, 0.4 us", {"standard": "802.11n", "mcs": 15, "guard_interval": 0.4, "count": 32}),
    ("802.11ac, 80 MHz, MCS 9, 2 streams", {"standard": "802.11ac", "width": 80, "mcs": 9, "streams": 2, "count": 64}),
    ("the same, one packet in the PPDU", {"standard": "802.11ac", "width": 80, "mcs": 9, "streams": 2, "count": 1}),
    (
        "802.11ax, 80 MHz, MCS 11, 2 streams",
        {"standard": "802.11ax", "width": 80, "mcs": 11, "streams": 2, "count": 256},
    ),
    (
        "802.11ax, 160 MHz, MCS 11, 4 streams",
        {"standard": "802.11ax", "width": 160, "mcs": 11, "streams": 4, "count": 256},
    ),
)
"""What the PPDUs are called, and the calculator's questions."""


def main() -> None:
    """Prints the table."""
    lines = [
        "| | packets in a PPDU | each takes, us | Linux expects, us | 12 ms by the estimate last, ms |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, ask in CELLS:
        told = json.loads(_engine.airtime(json.dumps(LONG | ask)))
        takes, expects = told["exchange_us"] / ask["count"], told["expected_us"]
        # Linux keeps units of 4 us.
        counted = expects // 4 * 4
        lines.append(f"| {name} | {ask['count']} | {takes:.1f} | {expects} | {12 * takes / counted:.1f} |")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
