"""Flows that stood still: they delivered nothing for seconds, though they had something to send."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airloom.results.summary import Standstill, Summary

MOST = 8
"""Flows that are named; of more, how many there are."""


def standstills(summary: Summary) -> list[str]:
    """A sentence for each of them, in the order of the scenario, and one for what is left of many."""
    every = summary.get("standstills", [])
    left = len(every) - MOST
    rest = [f"{left:,} more flows delivered nothing for a tenth of their time or longer"] if left > 0 else []
    return [*(of(one, summary.get("duration_s")) for one in every[:MOST]), *rest]


def of(one: Standstill, end: float | None = None) -> str:
    """How long a flow delivered nothing, and when longest; `end` is that of the run."""
    until = f"{one['to_s']:.2f} s"
    if end is not None and one["to_s"] >= end:
        until = f"the end of the run ({until})"
    return (
        f"{one['flow']} delivered nothing for {one['share']:.0%} of its time, though it had something to send: "
        f"longest from {one['from_s']:.2f} s to {until}{behind_hole(one)}"
    )


def behind_hole(one: Standstill) -> str:
    """What came meanwhile all the same: TCP delivers in order, and something before it was missing."""
    segments = one.get("behind_hole", 0)
    # A single one is what shows the hole.
    if segments <= 1:
        return ""
    return f"; meanwhile {segments:,} segments arrived behind a hole"
