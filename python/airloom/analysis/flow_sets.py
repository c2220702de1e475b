"""The flows of a run in sets that can be compared: each group by itself, and of the others those of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.results.groups import of_flows
from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.results.summary import FlowSummary, Summary

KINDS = {"tcp": "TCP flow", "udp": "UDP flow", "ping": "ping flow"}
"""What flows of a kind are called."""


@dataclass(frozen=True)
class FlowSet:
    """Flows of which quantiles say something.

    Attributes:
        name: The name of their group; empty of flows without one.
        what: What each of them is: an upload, a download, or a flow of a kind.
        flows: They themselves, in the order of the scenario.
    """

    name: str
    what: str
    flows: list[FlowSummary]

    @property
    def title(self) -> str:
        """What they are called: their group and how many there are, or only that."""
        many = count(len(self.flows), self.what)
        return f"{self.name}, {many}" if self.name else many

    @property
    def short(self) -> str:
        """What their sum is called."""
        return self.name or f"{self.what}s"


def sets(summary: Summary) -> list[FlowSet]:
    """The sets of a run's flows, in the order of the scenario: each group, and of the others those of each kind."""
    flows = summary["flows"]
    groups = {name: own for name, own in of_flows(flows).items() if len(own) > 1}
    others = [flow for flow in flows if flow.get("group") not in groups]
    found = [FlowSet(name, said(summary, own), own) for name, own in groups.items()]
    kinds = dict.fromkeys(flow["kind"] for flow in others)
    for kind in kinds:
        own = [flow for flow in others if flow["kind"] == kind]
        found.append(FlowSet("", said(summary, own) if groups or len(kinds) > 1 else "flow", own))
    place = {flow["name"]: number for number, flow in enumerate(flows)}
    return sorted(found, key=lambda one: place[one.flows[0]["name"]])


def set_of_each(summary: Summary) -> dict[str, str]:
    """The set of each flow, and of each station that of its first flow; empty names where there is one set alone."""
    found = sets(summary)
    stations = {node["name"] for node in summary["nodes"] if node["kind"] == "station"}
    of_flows = {flow["name"]: one.short if len(found) > 1 else "" for one in found for flow in one.flows}
    of_stations: dict[str, str] = {}
    for flow in summary["flows"]:
        for end in {flow["from"], flow["to"]} & stations:
            of_stations.setdefault(end, of_flows[flow["name"]])
    return of_stations | of_flows


def said(summary: Summary, flows: Sequence[FlowSummary]) -> str:
    """What each of some flows is."""
    kinds = {flow["kind"] for flow in flows}
    if len(kinds) > 1:
        return "flow"
    stations = {node["name"] for node in summary["nodes"] if node["kind"] == "station"}
    if kinds == {"tcp"} and all(flow["from"] in stations and flow["to"] not in stations for flow in flows):
        return "upload"
    if kinds == {"tcp"} and all(flow["to"] in stations and flow["from"] not in stations for flow in flows):
        return "download"
    return KINDS[kinds.pop()]


def alike(runs: Sequence[Summary]) -> list[list[FlowSet | None]]:
    """The sets of several runs, each beside that of its name in the others."""
    names: dict[str, list[FlowSet | None]] = {}
    for place, run in enumerate(runs):
        for one in sets(run):
            names.setdefault(one.short, [None] * len(runs))[place] = one
    return list(names.values())
