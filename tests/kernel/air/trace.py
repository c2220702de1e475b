"""A run of a cell on both sides, in steps of half a second: shows where they begin to differ."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

import airloom

from . import machine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .cells import Cell

SPELL_S = 0.5

Sample = tuple[int, float, float, float, float]
"""Flow, time in seconds, window, smoothed round-trip time in ms, segments in flight."""


def kernels(cell: Cell, seed: int) -> list[Sample]:
    """The kernel's, each 10 ms."""
    said = [line.split()[1:] for line in machine.run(cell, seed, trace=True).said if line.startswith("trace ")]
    return [(int(row[0]), float(row[1]), float(row[2]), float(row[4]), float(row[7])) for row in said]


def ours(cell: Cell, seed: int) -> list[Sample]:
    """Ours, at each change."""
    rows = airloom.run(cell.text, set=cell.set(simulated=True), seed=seed, capture=True).sockets.to_pylist()
    names = {f"flow-{n}": n - 1 for n, _ in enumerate(cell.flows, 1)}
    return [
        (names[row["flow"]], row["time"], row["cwnd"], row["srtt_ms"], row["in_flight"])
        for row in rows
        if row["flow"] in names and row["srtt_ms"] is not None
    ]


def spells(samples: Iterable[Sample]) -> dict[tuple[int, int], str]:
    """What each flow had in each spell: the means of window, round-trip time and flight."""
    of = defaultdict(list)
    for flow, time, *values in samples:
        of[flow, int(time / SPELL_S)].append(values)
    return {key: "".join(f"{fmean(each):9.1f}" for each in zip(*seen, strict=True)) for key, seen in sorted(of.items())}


def show(cell: Cell, seed: int) -> str:
    """Both beside each other."""
    sides = spells(kernels(cell, seed)), spells(ours(cell, seed))
    lines = ["flow    s    kernel: cwnd, RTT in ms, in flight    ours"]
    lines += [
        f"{key[0]:4}{key[1] * SPELL_S:5.1f}{sides[0].get(key, ''):>30}{sides[1].get(key, ''):>30}"
        for key in sorted(sides[0].keys() | sides[1].keys())
    ]
    return "\n".join(lines) + "\n"
