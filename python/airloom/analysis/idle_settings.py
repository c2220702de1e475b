"""Queues and remedies that never acted: no result can depend on what was varied there."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom.support.formatting import count, enumerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.results.summary import Node, Queue, Summary

SHOWN = 3
"""Nodes that are named one by one."""

KEY = re.compile(r"(?P<kind>ap|station|server)\.(?P<who>[^.]+?)(?: \(\d+\):)?[. ](?P<rest>.*)")
"""A key as a user writes it, or as `scenario.differences` does, which names the size of a group."""
QUEUE = re.compile(r"(?:host\.|link\.)?queue(?:\.(?P<parameter>\w+))?")
LIMITS = ("limit", "memory", "latency", "depth")
"""Parameters of queues that act by drops alone."""


@dataclass(frozen=True)
class Setting:
    """A queue or a remedy that a key belongs to.

    Attributes:
        kind: What it is of: a node's kind.
        who: The node, its group, or its number.
        what: Which of its parts.
        parameter: The parameter of a queue; empty for the whole of it.
    """

    kind: str
    who: str
    what: Literal["queue", "remedy"]
    parameter: str = ""


def setting(key: str) -> Setting | None:
    """What a key of a scenario belongs to, if that is a queue or a remedy against scans."""
    found = KEY.fullmatch(key)
    if found is None:
        return None
    kind, who, rest = found["kind"], found["who"], found["rest"].replace("-", "_")
    if queue := QUEUE.fullmatch(rest):
        return Setting(kind, who, "queue", queue["parameter"] or "")
    return Setting(kind, who, "remedy") if re.fullmatch(r"scan\.remedy(\.\w+)?", rest) else None


def sentences(keys: Iterable[str], runs: Sequence[Summary]) -> list[str]:
    """What never acted of what these keys vary, in any of some runs: a sentence each."""
    settings = [one for one in map(setting, keys) if one is not None]
    disciplines = {
        (one.kind, one.who) for one in settings if one.what == "queue" and one.parameter in ("", "discipline")
    }
    told: dict[str, None] = {}
    for one in settings:
        nodes = [node for run in runs for node in run["nodes"] if concerns(one, node)]
        if not nodes:
            continue
        names = named(nodes)
        if one.what == "remedy":
            requests = [request for run in runs for request in run["scan_requests"]]
            of = {node["name"] for node in nodes}
            if not any(request["verdict"] == "skipped" for request in requests if request["station"] in of):
                told[f"the remedy of {names} never acted: no scan was skipped"] = None
            continue
        queues = [queue for node in nodes for queue in node["queues"] if queue["layer"] in ("discipline", "link")]
        if queues and not any(map(waited, queues)):
            told[never_waited(nodes, ": nothing can depend on it")] = None
        elif (one.kind, one.who) in disciplines:
            continue
        elif one.parameter in LIMITS and not any(queue["drops"] for queue in queues):
            told[f"the queue of {names} never dropped a packet: its `{one.parameter}` never acted"] = None
        elif one.parameter == "ecn" and not any(queue.get("marks") or queue["drops"] for queue in queues):
            told[f"the queue of {names} never marked a packet, nor dropped one: its `ecn` never acted"] = None
    return list(told)


def concerns(one: Setting, node: Node) -> bool:
    """Whether a setting is of this node: by its name or its group's. A number is that of a table, which may be any."""
    return node["kind"] == one.kind and (one.who.isdigit() or one.who in (node["name"], node.get("group")))


def waited(queue: Queue) -> bool:
    """Whether a packet waited in a queue, or did not come through; where that was not measured it may have."""
    if "max_packets" not in queue or queue["drops"] or queue.get("marks"):
        return True
    return bool(queue["max_packets"] and queue.get("mean_sojourn_ms") != 0)


def unused(run: Summary) -> str | None:
    """The senders of a run above whose drivers no packet ever waited, in a sentence; none if there is none."""
    senders = [node for node in run["nodes"] if node.get("ampdus")]
    idle = [
        node
        for node in senders
        if (queues := [queue for queue in node["queues"] if queue["layer"] == "discipline"])
        and not any(map(waited, queues))
    ]
    return never_waited(idle) if idle else None


def never_waited(nodes: Sequence[Node], so: str = "") -> str:
    """In which queues of some nodes no packet ever waited, what follows, and how many packets the driver of one had."""
    drivers = [queue for node in nodes for queue in node["queues"] if queue["layer"] == "driver"]
    where = "the queue above the driver" if drivers else "the queue"
    most = max((queue.get("max_packets", 0.0) for queue in drivers), default=0.0)
    below = f"; it held up to {count(round(most), 'packet')}" if most > 1 and len(nodes) == 1 else ""
    return f"no packet ever waited in {where} of {named(nodes)}{so}{below}"


def named(nodes: Sequence[Node]) -> str:
    """Nodes by their names; many by their groups, each with how many it has, or by their number."""
    groups = {node["name"]: node.get("group") or node["name"] for node in nodes}
    if len(groups) <= SHOWN:
        return enumerated(list(groups))
    sizes = Counter(groups.values())
    if len(sizes) <= SHOWN:
        return enumerated([group if size == 1 else f"{group} ({size})" for group, size in sizes.items()])
    return count(len(groups), "node")
