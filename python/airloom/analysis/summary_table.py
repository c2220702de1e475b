"""A summary's numbers of each flow, each node and the whole run, as flat rows."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.results.aggregates import addend

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airloom.results.summary import Summary

RUN = "run"
"""The name of the whole run as an entity."""


@dataclass(frozen=True)
class Entity:
    """A flow, a node or the run.

    Attributes:
        kind: `flow`, `station`, `ap`, `server` or `run`.
        name: Its name in the scenario.
        numbers: What was counted or averaged of it, by metric; none where there was nothing to average.
        group: The group that it is of, if it is of one.
    """

    kind: str
    name: str
    numbers: dict[str, float | None]
    group: str | None = None


def entities(summary: Summary) -> list[Entity]:
    """The rows of a summary: the run, its flows, its nodes."""
    goodputs = [added for flow in summary["flows"] if (added := addend("goodput_mbps", flow)) is not None]
    airtime = summary["airtime"]
    run = {
        **({"goodput_mbps": math.fsum(goodputs)} if goodputs else {}),
        "jain": summary["jain"],
        "airtime_idle": airtime["idle"],
        **({"airtime_interfered": airtime["interfered"]} if "interfered" in airtime else {}),
        "airtime_collided": airtime["collided"],
        "drops": sum(drop["count"] for drop in summary["drops"]),
        "scans": len(summary["scans"]),
        "scans_skipped": sum(request["verdict"] == "skipped" for request in summary["scan_requests"]),
    }
    exchanges = summary["airtime"]["by_station"]
    several = sum(node["kind"] == "ap" for node in summary["nodes"]) > 1
    return [
        Entity(RUN, RUN, dict(numbers(run))),
        *(Entity("flow", flow["name"], dict(numbers(flow)), flow.get("group")) for flow in summary["flows"]),
        *(
            Entity(
                node["kind"],
                node["name"],
                {
                    **dict(numbers({**node, "exchange_share": exchanges.get(node["name"])})),
                    **(roam_numbers(summary, node["name"]) if several and node["kind"] == "station" else {}),
                },
                node.get("group"),
            )
            for node in summary["nodes"]
        ),
    ]


def roam_numbers(summary: Summary, station: str) -> dict[str, float | None]:
    """How often a station roamed, and the medians of what that cost it; none where no roam has the value."""
    roams = [roam for roam in summary.get("roams", []) if roam["station"] == station]
    gaps = [roam["gap_ms"] for roam in roams if roam["gap_ms"] is not None]
    stalls = [roam["tcp_stall_ms"] for roam in roams if roam["tcp_stall_ms"] is not None]
    late = [ms for roam in roams if (ms := roam.get("decided_late_ms")) is not None]
    return {
        "roams": len(roams),
        "roam_late_ms": statistics.median(late) if late else None,
        "roam_gap_ms": statistics.median(gaps) if gaps else None,
        "roam_stall_ms": statistics.median(stalls) if stalls else None,
        "roam_lost": sum(roam["lost_in_buffer"] for roam in roams),
    }


def numbers(content: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, float | None]]:
    """The numbers within a table of a summary; those of a table or a layer within it are named after it."""
    for key, value in content.items():
        match value:
            case bool() | str():
                pass
            case int() | float() | None:
                yield prefix + key, value
            case dict():
                yield from numbers(value, f"{prefix}{key}_")
            case list():
                for part in value:
                    if isinstance(part, dict) and "layer" in part:
                        yield from numbers(part, f"{prefix}{part['layer']}_")
