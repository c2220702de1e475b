"""Flows that are not under way all the time that is measured: what their goodputs are over, which had ended before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.results.summary import over_before
from airloom.support.formatting import enumerated, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.results.summary import FlowSummary, Summary

NAMED = 3
"""Flows whose own times are told one by one."""


def own_times(summary: Summary) -> list[str]:
    """What has to be known of flows' own times beside their figures: a sentence each."""
    return [*ended_before(summary), *over_which(summary)]


def ended_before(summary: Summary) -> list[str]:
    """Which flows had ended before what was measured began."""
    names = [flow["name"] for flow in summary["flows"] if over_before(flow)]
    if not names:
        return []
    them = "it" if len(names) == 1 else "them"
    began = f"{summary.get('warm_up_s', 0):g} s, when measuring begins"
    return [f"{some(names)} had ended before {began}: nothing was measured of {them}"]


def over_which(summary: Summary) -> list[str]:
    """What the goodputs of flows are over, if not all over the same time."""
    own = partly(summary["flows"])
    if not own:
        return []
    sums = f"; sums of goodputs are {measured_over(summary)}" if len(summary["flows"]) > 1 else ""
    if len(own) > NAMED:
        return [f"each flow's goodput is over its own time{sums}"]
    each = [f"{flow['name']} {when(flow)}" for flow in own]
    return [f"goodput is over each flow's own time: {enumerated(each)}{sums}"]


def partly(flows: Iterable[FlowSummary]) -> list[FlowSummary]:
    """The flows that carry data during a part of what is measured."""
    return [flow for flow in flows if "goodput_mbps" in flow and flow.get("time_share", 0) > 0]


def when(flow: FlowSummary) -> str:
    """The own time of a flow, in words."""
    times = flow.get("start_s"), flow.get("end_s")
    start, end = (None if time is None else f"{round(time, 2):g} s" for time in times)
    if start is None:
        return f"until {end}"
    return f"from {start} on" if end is None else f"from {start} to {end}"


def measured_over(summary: Summary) -> str:
    """The time that a run's summary is of, in words."""
    return f"from {summary['warm_up_s']:g} s on" if "warm_up_s" in summary else "over the whole run"


def in_runs(runs: Sequence[Summary], names: Sequence[str]) -> list[str]:
    """The same of several runs, each sentence once where it is of all of them."""
    told = [own_times(run) for run in runs]
    if all(one == told[0] for one in told):
        return told[0]
    return [f"{name}: {text}" for name, texts in zip(names, told, strict=True) for text in texts]
