"""Prints what patches gave an access point with ath11k, as published and in a sweep: `ath11k_rows.py FOLDER`.

A row holds if the goodput is within 15 % of the published one and the delay within 25 %.
"""

from __future__ import annotations

import sys

from answer import mean

PUBLISHED = {
    "as it is": ("before", 94.6, 155.0),
    "aql": ("with the patches", 74.3, 22.0),
    "aql without reports": ("without the one that looks at reports", 33.7, 21.0),
}
"""What the access point with an IPQ8074 had, by the driver of our sweep: Mbit/s and ms.

From the cover letter of the third version of the patches, linux-wireless, 2026-08-24.
"""

GOODPUT, DELAY = 0.15, 0.25
"""How far ours may be off."""


def compared(ours: float, published: float, most: float) -> str:
    """Two cells: ours, and how far off it is."""
    off = ours / published - 1
    return f"{ours:.1f} | {round(100 * off):+d} %{'' if abs(off) <= most else ', a miss'}"


def main() -> None:
    """Prints the table."""
    (folder,) = sys.argv[1:]
    lines = [
        "| | published, Mbit/s | ours | | published, ms | ours | |",
        "| --- | ---: | ---: | --- | ---: | ---: | --- |",
    ]
    for driver, (what, goodput, delay) in PUBLISHED.items():
        has = mean(folder, "goodput_mbps", {"of": "download1", "driver": driver})
        takes = mean(folder, "rtt_median_ms", {"of": "ping1", "driver": driver})
        cells = f"{goodput} | {compared(has, goodput, GOODPUT)} | {delay:.0f} | {compared(takes, delay, DELAY)}"
        lines.append(f"| {what} | {cells} |")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
