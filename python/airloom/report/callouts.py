"""What a reader of a page must not overlook: late packets, what got nothing, has not settled or is idle, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.cut_short import cut_short
from airloom.analysis.idle_settings import unused
from airloom.analysis.longest_wait import longest_wait
from airloom.analysis.send_buffers import bounded
from airloom.analysis.standstill import standstills
from airloom.analysis.starved import sentences, unexplained
from airloom.analysis.stranded import stranded
from airloom.analysis.trends import trends
from airloom.results.timing import verdict
from airloom.support.formatting import capital

if TYPE_CHECKING:
    from airloom.results.bundle import Run


def callouts(run: Run) -> list[str]:
    """These, in whole sentences; a warning that is the reason of a flow's silence stands with the flow."""
    said = [
        f"{warning['message']}{'; ' if warning['hint'] else ''}{warning['hint'] or ''}"
        for warning in unexplained(run.summary)
    ]
    if idle := unused(run.summary):
        waited = longest_wait(run.summary, run.settings)
        said.append("; ".join([idle, *([waited.briefly] if waited else [])]))
    said += filter(None, [bounded(run.summary, run.settings), cut_short(run.summary, run.settings)])
    told = [
        *sentences(run.summary),
        *stranded(run.summary),
        *standstills(run.summary),
        *map(capital, trends(run.summary, run.settings)),
        *map(capital, said),
    ]
    return [*untimely(run), *(f"{text}." for text in told)]


def untimely(run: Run) -> list[str]:
    """Of a run with real programs: that what it measured is not to be believed, or only in part."""
    timing = run.timing
    if timing is None or timing["verdict"] == "valid":
        return []
    late = f"99 % of the packets were late by up to {timing['late_us'][1]:,} us"
    stood = f", and the machine stood still for up to {timing['longest_stall_ms']:,.0f} ms" if timing["stalls"] else ""
    return [f"The timing is {verdict(timing)}. {late}{stood}; up to {timing['peak_mbps']:,.0f} Mbit/s were carried."]
