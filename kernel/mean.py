#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads uploads and writes one line for each cell: means, and the extremes of the pings."""

from __future__ import annotations

import json
import statistics
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

COUNTS = ("heard", "incredible", "given_up")
FLOW = ("bytes", "cwnd", "srtt_ms", "retransmissions")
CELL = ("mcs", "damaged", "sender", "encrypted", "mode", "seconds")


def mean(values: Sequence[float]) -> float:
    """Their mean, to a thousandth."""
    return round(statistics.fmean(values), 3)


def together(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """What the uploads of a cell have in common, the means of the rest, and the standard error of the pings' mean."""
    least, means, longest = zip(*(run["ping_ms"] for run in runs), strict=True)
    return {
        **{name: runs[0][name] for name in CELL},
        "starts": len(runs),
        "ping_ms": [min(least), mean(means), max(longest)],
        "ping_error_ms": round(statistics.stdev(means) / len(means) ** 0.5, 3),
        **{name: mean([run[name] for run in runs]) for name in COUNTS},
        "flow": {name: mean([run["flow"][name] for run in runs]) for name in FLOW},
    }


def main() -> None:
    """Reads, and writes."""
    cells: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for line in sys.stdin:
        one = json.loads(line)
        cells.setdefault(tuple(one[name] for name in CELL), []).append(one)
    sys.stdout.writelines(f"{json.dumps(together(runs))}\n" for runs in cells.values())


if __name__ == "__main__":
    main()
