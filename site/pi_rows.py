"""Prints how long a Raspberry Pi Zero W took to answer pings, as published and in a sweep: `pi_rows.py FOLDER`.

A row holds if ours is of the published order: within the range of the hourly values, or at most three times above it or
below it.
"""

from __future__ import annotations

import sys

from answer import mean

PUBLISHED = (
    ("with power save", "every beacon", "median", "rtt_median_ms", 49, 127),
    ("with power save", "every beacon", "99 %", "rtt_p99_ms", 800, 2000),
    ("without", "never", "median", "rtt_median_ms", 5.9, 6.1),
    ("without", "never", "99 %", "rtt_p99_ms", 19, 31),
)
"""What it had, hour by hour over days of 17,000 pings, in ms: github.com/raspberrypi/linux issue 7533, August 2026."""

ORDER = 3
"""How many times above or below ours may be."""


def row(how: str, dozes: str, what: str, metric: str, least: float, most: float) -> str:
    """A row of the table."""
    ours = mean(sys.argv[1], metric, {"of": "ping", "dozes": dozes})
    if least / ORDER <= ours <= most * ORDER:
        judged = "within" if least <= ours <= most else "of its order"
    else:
        times = least / ours if ours < least else ours / most
        judged = f"a miss, by a factor of {times:.1f}"
    return f"| {how}, {what} | {least:g} to {most:,g} | {ours:.1f} | {judged} |"


def main() -> None:
    """Prints the table."""
    head = ["| | published, ms | ours | |", "| --- | ---: | ---: | --- |"]
    sys.stdout.write("\n".join([*head, *(row(*one) for one in PUBLISHED), ""]))


if __name__ == "__main__":
    main()
