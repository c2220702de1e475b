"""Flows that stood still: nothing of them arrived for seconds, though they had something to send."""

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
    rest = [f"{left:,} more flows stood still for a tenth of their time or longer"] if left > 0 else []
    return [*(of(one, summary.get("duration_s")) for one in every[:MOST]), *rest]


def of(one: Standstill, end: float | None = None) -> str:
    """How long a flow stood still, and when longest; `end` is that of the run."""
    until = f"{one['to_s']:.2f} s"
    if end is not None and one["to_s"] >= end:
        until = f"the end of the run ({until})"
    return (
        f"{one['flow']} stood still for {one['share']:.0%} of its time, though it had something to send: "
        f"longest from {one['from_s']:.2f} s to {until}"
    )
