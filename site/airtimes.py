"""Prints the table of docs/airtime.md: what some PPDUs last by the standard, and what other programs say.

Ours come from the engine, Linux's from its formula; what ns-3 and tshark say was read off once.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from math import ceil
from typing import Any

from airloom import _engine

SHORT, LONG = (72, 20), (80, 20)
HE_SHORT, HE_MIDDLE, HE_LONG = (272, 20), (288, 20), (320, 20)
"""Symbols of 3.6, 4, 13.6, 14.4 and 16 us, as fractions."""


@dataclass(frozen=True)
class Group:
    """A group of rates in Linux's table (net/mac80211/airtime.c, Linux 6.18), and one of its rates."""

    streams: int
    symbol: tuple[int, int]
    """Microseconds of a symbol."""
    lowest: int
    """Data bits of a symbol and stream at its lowest scheme, which say how coarsely durations are kept."""
    bits: int
    """Those of the rate."""

    def microseconds(self, psdu: int) -> int:
        """The estimate: time in proportion to the bytes, and a fixed overhead (`ieee80211_calc_rx_airtime`)."""

        def of_1024_bytes(bits: int) -> int:
            time, of = self.symbol
            return ceil((1024 * 8 << 10) / (self.streams * bits)) * time // of

        shift = max(0, of_1024_bytes(self.lowest).bit_length() - 16)
        return (of_1024_bytes(self.bits) >> shift << shift) * psdu // 1024 // 1024 + 36 + 4 * self.streams


@dataclass(frozen=True)
class Row:
    """A PPDU, and what others say of it."""

    name: str
    ask: dict[str, Any]
    ns3: float
    """Microseconds by `WifiPhy::CalculateTxDuration` of ns-3 3.37."""
    group: Group
    tshark: int | None = None
    """Microseconds by `wlan_radio.duration` or `wlan_radio.aggregate.duration` of tshark 4.0 on our captures."""


def of(standard: str, mpdu: int, count: int, **more: Any) -> dict[str, Any]:
    """A question for the engine."""
    return {"standard": standard, "mpdu": mpdu, "count": count, "rts": False} | more


HT = {"width": 40, "mcs": 15, "guard_interval": 0.4}
HT_GROUP = Group(2, SHORT, 54, 540)
VHT = {"width": 80, "mcs": 9, "streams": 2, "guard_interval": 0.4}
VHT_GROUP = Group(2, SHORT, 117, 1560)
WIDE = {"width": 160, "mcs": 9, "streams": 2}
HE = {"width": 80, "mcs": 11, "streams": 2}
HE_GROUP = Group(2, HE_SHORT, 489, 8164)
WIDE_HE = {"width": 160, "mcs": 11}

ROWS = (
    Row("802.11n, 40 MHz, MCS 15, 0.4 us, 1,538 B", of("802.11n", 1538, 1, **HT), 83.2, HT_GROUP, 83),
    Row("the same, 32 x 1,538 B", of("802.11n", 1538, 32, **HT), 1357.6, HT_GROUP),
    Row("802.11ac, 20 MHz, MCS 8, 1,540 B", of("802.11ac", 1540, 1, mcs=8), 196, Group(1, LONG, 26, 312)),
    Row("802.11ac, 80 MHz, MCS 9, 2 streams, 0.4 us, 1,540 B", of("802.11ac", 1540, 1, **VHT), 54.4, VHT_GROUP, 54),
    Row("the same, 64 x 1,540 B", of("802.11ac", 1540, 64, **VHT), 954.4, VHT_GROUP, 952),
    Row(
        "802.11ac, 160 MHz, MCS 9, 2 streams, 64 x 1,540 B",
        of("802.11ac", 1540, 64, **WIDE),
        548,
        Group(2, LONG, 234, 3120),
    ),
    Row(
        "802.11ax, 20 MHz, MCS 0, 3.2 us, 1,540 B",
        of("802.11ax", 1540, 1, mcs=0, guard_interval=3.2),
        1740,
        Group(1, HE_LONG, 115, 115),
    ),
    Row(
        "802.11ax, 20 MHz, MCS 7, 1.6 us, 1,540 B",
        of("802.11ax", 1540, 1, mcs=7, guard_interval=1.6),
        202.4,
        Group(1, HE_MIDDLE, 115, 1166),
    ),
    Row("802.11ax, 80 MHz, MCS 11, 2 streams, 1,540 B", of("802.11ax", 1540, 1, **HE), 65.6, HE_GROUP),
    Row("the same, 64 x 1,540 B", of("802.11ax", 1540, 64, **HE), 718.4, HE_GROUP),
    Row("the same, 256 x 1,540 B", of("802.11ax", 1540, 256, **HE), 2690.4, HE_GROUP),
    Row(
        "802.11ax, 160 MHz, MCS 11, 2 streams, 256 x 1,540 B",
        of("802.11ax", 1540, 256, streams=2, **WIDE_HE),
        1371.2,
        Group(2, HE_SHORT, 979, 16_329),
    ),
    Row(
        "the same with 4 streams",
        of("802.11ax", 1540, 256, streams=4, **WIDE_HE),
        734.4,
        Group(4, HE_SHORT, 979, 16_329),
    ),
)


def main() -> None:
    """Prints the table."""
    lines = ["| PPDU | the standard | ns-3 | Linux | tshark |", "| --- | ---: | ---: | ---: | ---: |"]
    for row in ROWS:
        told = json.loads(_engine.airtime(json.dumps(row.ask)))
        guess = row.group.microseconds(told["psdu_bytes"])
        tshark = "" if row.tshark is None else f"{row.tshark:,}"
        lines.append(f"| {row.name} | {told['ppdu_us']:,.1f} | {row.ns3:,.1f} | {guess:,} | {tshark} |")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
