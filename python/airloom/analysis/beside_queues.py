"""What takes a flow's packets time beside the queues that are measured: wires, and a radio that is away or asleep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.scenario.quantities import seconds
from airloom.support.formatting import enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.results.summary import FlowSummary, Summary


def wires_ms(flow: FlowSummary, run: Summary, settings: Mapping[str, Any]) -> float:
    """What the delays of the links of a flow's servers take: both ways, but of datagrams, whose delay is one way."""
    ways = 1 if flow["kind"] == "udp" else 2
    links = [of.get("link", {}) for end in ends(flow) if (of := table(end, "server", run, settings))]
    return sum(ways * 1e3 * seconds(link.get("delay", "")) for link in links)


def keeping(flow: FlowSummary, run: Summary, settings: Mapping[str, Any]) -> str:
    """Why packets of a flow wait for its stations, in words: these doze, roam or scan; empty where none does."""
    said = []
    for end in ends(flow):
        doing = []
        if kept := table(end, "station", run, settings).get("power_save"):
            on_call = isinstance(kept, dict) and kept.get("uapsd") is True
            until = "while it does" if on_call else "until a beacon"
            doing.append(f"dozes (its access point keeps packets {until})")
        doing += ["roams"] if any(roam["station"] == end for roam in run.get("roams", ())) else []
        doing += ["scans"] if any(scan["station"] == end for scan in run.get("scans", ())) else []
        said += [f"{end} {enumerated(doing)}"] if doing else []
    return enumerated(said) if said else ""


def ends(flow: FlowSummary) -> list[str]:
    """Both ends of a flow."""
    return list(dict.fromkeys((flow["from"], flow["to"])))


def table(name: str, kind: str, run: Summary, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the resolved scenario has of a node of a kind, one of a group or not; nothing where that is unknown."""
    names = [name, *(node.get("group", name) for node in run["nodes"] if node["name"] == name)]
    return next((one for one in settings.get(kind, ()) if one.get("name") in names), {})
