"""Stations that are cut off as the run ends: at no access point since a roam, or at one without data since."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airloom.results.summary import Roam, Summary

SILENT = 1.0
"""Seconds without an access point, or without data after a roam, that are worth a word."""

MOST = 3
"""Stations that are named; of more, how many there are."""


def stranded(summary: Summary) -> list[str]:
    """A sentence for each of few of them, in the order of their last roams, and one for what is left of many."""
    last = {roam["station"]: roam for roam in summary.get("roams", ())}
    ends = {end for flow in summary["flows"] for end in (flow["from"], flow["to"])}
    said = [text for roam in last.values() if (text := of(roam, summary, carries=roam["station"] in ends))]
    left = len(said) - MOST
    return said if left <= 1 else [*said[:MOST], f"{left:,} more stations are cut off as the run ends"]


def of(roam: Roam, summary: Summary, *, carries: bool) -> str:
    """What became of a station after its last roam, if that was the end; `carries` if a flow begins or ends there."""
    station, end = roam["station"], summary["duration_s"]
    left, there, gap = roam["left_s"], roam["associated_s"], roam["gap_ms"]
    without = f", without data for the last {1e-3 * gap:.1f} s" if gap is not None else ""
    nowhere = f"{station} is at no access point as the run ends: it"
    if there is None and left is not None:
        if end - left >= SILENT:
            return f"{nowhere} left {roam['from']} at {left:.2f} s{without}"
    elif there is None:
        if roam["to"] is None and (gap is None or 1e-3 * gap >= SILENT):
            return f"{nowhere} lost {roam['from']}{without}"
    elif carries and roam["first_data_s"] is None and end - there >= SILENT:
        return (
            f"{station} is cut off as the run ends: no data since it came to {roam['to']} at {there:.2f} s, "
            f"{end - there:.1f} s before"
        )
    return ""
