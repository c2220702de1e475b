"""Flows that delivered nothing, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.key_figures import barren
from airloom.analysis.trends import measured_s
from airloom.results.summary import access_points, every_access_point, nodes_passed
from airloom.support.formatting import count, some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.results.summary import Drop, FlowSummary, Summary, Warned


MOST = 3
"""Sentences about them; of more, how many flows there are."""


@dataclass(frozen=True)
class Starved:
    """A flow that delivered nothing: no byte, or no answer.

    Attributes:
        flow: Its name.
        reason: The likely reason, as the end of a sentence.
        warning: The warning that gives the reason, if one does.
    """

    flow: str
    reason: str
    warning: Warned | None = None


def starved(summary: Summary) -> list[Starved]:
    """These flows, in the order of the scenario."""
    found = []
    for flow in barren(summary["flows"]):
        warning = explaining(summary, flow)
        if warning is None:
            found.append(Starved(flow["name"], seen(summary, flow)))
        else:
            advice = f" ({warning['hint']})" if warning["hint"] else ""
            found.append(Starved(flow["name"], warning["message"] + advice, warning))
    return found


def sentences(summary: Summary) -> list[str]:
    """A sentence about them, which no table makes plain: one for all that have the same reason, few of many."""
    pings = {flow["name"] for flow in summary["flows"] if flow["kind"] == "ping"}
    own_s = {flow["name"]: measured_s(summary) * (flow.get("time_share", 1.0) or 1.0) for flow in summary["flows"]}
    flows: dict[tuple[bool, float, str], list[str]] = {}
    for one in starved(summary):
        flows.setdefault((one.flow in pings, own_s[one.flow], one.reason), []).append(one.flow)
    # Answers to earlier pings may have come in the time measured.
    kept = {False: "delivered nothing in", True: "had no answer to what it sent in"}
    said = [
        f"{some(names)} {kept[is_ping]} {seconds:.3g} s: {reason}"
        for (is_ping, seconds, reason), names in flows.items()
    ]
    left = sum(map(len, [*flows.values()][MOST:]))
    return said if len(said) <= MOST + 1 else [*said[:MOST], f"{count(left, 'more flow')} delivered nothing"]


def cells(summaries: Iterable[Summary]) -> str:
    """In how many runs of a sweep there are such flows, and which, in words; nothing where in none."""
    silent = [[flow["name"] for flow in barren(summary["flows"])] for summary in summaries]
    having = sum(map(bool, silent))
    if not having:
        return ""
    names = list(dict.fromkeys(name for run in silent for name in run))
    return (
        f"in {having:,} of {count(len(silent), 'run')} flows delivered nothing ({some(names)}): "
        "their goodput counts as 0, and means of delays go without them"
    )


def unexplained(summary: Summary) -> list[Warned]:
    """The warnings that are not the reason of any of them."""
    told = [one.warning for one in starved(summary)]
    return [warning for warning in summary["warnings"] if warning not in told]


def explaining(summary: Summary, flow: FlowSummary) -> Warned | None:
    """The scenario's warning that foretold it: about the flow itself, its ends, or the access points between them."""
    stations = access_points(summary)
    points = {stations[end] for end in (flow["from"], flow["to"]) if end in stations}
    for concerned in ({flow["name"]}, {flow["from"], flow["to"]}, points):
        for warning in summary["warnings"]:
            if concerned & set(warning["concerns"]):
                return warning
    return None


def seen(summary: Summary, flow: FlowSummary) -> str:
    """What the run saw of it."""
    if flow["kind"] == "tcp":
        written = flow.get("bytes_written", 1)
        came_about = flow.get("rtt_mean_ms") is not None
        if came_about and not written:
            return "its program wrote nothing"
        reason = "nothing that it wrote arrived" if written else "its connection did not come about"
    else:
        sent = flow.get("sent", 0)
        what = "ping" if flow["kind"] == "ping" else "datagram"
        fate = "was answered" if flow["kind"] == "ping" else "arrived"
        reason = f"none of {count(sent, what)} {fate}" if sent else "it sent nothing"
    return reason + lost(summary, flow)


def lost(summary: Summary, flow: FlowSummary) -> str:
    """Where on its way most packets were lost, in words; of a place that others' packets pass too, theirs count."""
    points = every_access_point(summary)
    way = nodes_passed(flow, points)
    drops = [drop for drop in summary["drops"] if node_of(drop) in way]
    if not drops:
        return ""
    most = max(drops, key=lambda drop: drop["count"])
    others = (one for one in summary["flows"] if one["name"] != flow["name"])
    shared = any(node_of(most) in nodes_passed(other, points) for other in others)
    of_all = " of all that pass there" if shared else ""
    return f"; on its way most packets{of_all} were lost at `{most['place']}` ({most['cause']}, {most['count']:,})"


def node_of(drop: Drop) -> str:
    """The node at which packets were dropped; what follows its name says where there."""
    return drop["place"].rpartition(" ")[0]
