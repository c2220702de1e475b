"""Prints what the patches for mac80211 were measured to do (`kernel/measured.jsonl`): in Markdown, or `--text`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURED = Path(__file__).resolve().parents[1] / "kernel" / "measured.jsonl"
HEAD = ("rate", "damaged", "sender", "remedy", "goodput", "ping", "longest", "given up", "sent again")
UNITS = ("Mbit/s", "", "", "", "Mbit/s", "ms", "ms", "MPDUs", "segments")
MCS_MBPS = {0: 6.5, 1: 13, 2: 19.5, 3: 26, 4: 39, 5: 52, 6: 58.5, 7: 65, 14: 117, 15: 130}
"""HT rates of 20 MHz with the long guard interval (802.11-2020 table 19-27 and the next)."""
MODES = ("off", "on", "on, encrypted too")


class Row(NamedTuple):
    """The uploads of a cell, as the table has them."""

    cell: tuple[str, str, str]
    found: tuple[str, ...]


def rows(lines: Iterator[str]) -> Iterator[Row]:
    """The rows of these lines of JSON."""
    for line in lines:
        one = json.loads(line)
        flow = one["flow"]
        _, mean, longest = one["ping_ms"]
        sender = one["sender"] + (", WPA2" if one["encrypted"] else "")
        yield Row(
            (f"{MCS_MBPS[one['mcs']]:g}", f"{one['damaged'] / 10:g} %", sender),
            (
                MODES[one["mode"]],
                f"{flow['bytes'] * 8e-6 / one['seconds']:.2f}",
                f"{mean:.1f}",
                f"{longest:.0f}",
                f"{one['given_up']:.0f}",
                f"{flow['retransmissions']:.0f}",
            ),
        )


def cells() -> Iterator[tuple[str, ...]]:
    """The table's cells; what is as in the row above is empty."""
    before = None
    with MEASURED.open(encoding="utf-8") as lines:
        for row in rows(lines):
            yield (*(row.cell if row.cell != before else ("", "", "")), *row.found)
            before = row.cell


def markdown() -> Iterator[str]:
    """The table in Markdown."""
    named = (f"{name}, {unit}" if unit else name for name, unit in zip(HEAD, UNITS, strict=True))
    yield f"| {' | '.join(named)} |"
    yield "| ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    yield from (f"| {' | '.join(row)} |" for row in cells())


def text() -> Iterator[str]:
    """The table as a letter has it."""
    table = [HEAD, UNITS, *cells()]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    left = {2, 3}
    for row in table:
        placed = (
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(placed).rstrip()


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in (text() if "--text" in sys.argv else markdown()))
