"""Stations that are cut off as the run ends: at no access point since a roam, or at one without data since."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airloom.results.summary import Roam, Summary

SILENT = 1.0
"""Seconds without data after a roam that are worth a word."""


def stranded(summary: Summary) -> list[str]:
    """A sentence for each of them, in the order of their last roams."""
    last = {roam["station"]: roam for roam in summary.get("roams", ())}
    ends = {end for flow in summary["flows"] for end in (flow["from"], flow["to"])}
    return [text for roam in last.values() if (text := of(roam, summary, carries=roam["station"] in ends))]


def of(roam: Roam, summary: Summary, *, carries: bool) -> str:
    """What became of a station after its last roam, if that was the end; `carries` if a flow begins or ends there."""
    station, end = roam["station"], summary["duration_s"]
    gap = f", without data for the last {1e-3 * roam['gap_ms']:.1f} s" if roam["gap_ms"] is not None else ""
    nowhere = f"{station} is at no access point as the run ends: it"
    there = roam["associated_s"]
    if there is None:
        if roam["left_s"] is not None:
            return f"{nowhere} left {roam['from']} at {roam['left_s']:.2f} s{gap}"
        if roam["to"] is None:
            return f"{nowhere} lost {roam['from']}{gap}"
    elif carries and roam["first_data_s"] is None and end - there >= SILENT:
        return (
            f"{station} is cut off as the run ends: no data since it came to {roam['to']} at {there:.2f} s, "
            f"{end - there:.1f} s before"
        )
    return ""
