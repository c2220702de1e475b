"""Queues and remedies that never acted: no result can depend on what was varied there."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom.analysis.same_numbers import coinciding, outcome
from airloom.support.formatting import count, enumerated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

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


def between(names: Sequence[str], apart: Mapping[str, Sequence[str]], runs: Sequence[Summary]) -> list[str]:
    """What changed nothing between runs whose scenarios differ so, and what never acted of it: a sentence each."""
    told = []
    for some in coinciding(names, runs):
        if len(some) < len(names):
            told.append(f"what differs between {enumerated(some)} changed nothing: they have the same numbers")
        elif len(apart) == 1:
            told.append(f"`{next(iter(apart))}` changed nothing: the runs have the same numbers")
        else:
            told.append("what differs changed nothing: the runs have the same numbers")
    same = len({outcome(run, queues=False) for run in runs}) == 1
    return [*told, *sentences(apart, runs, apart if same else (), apart, [apart])]


def sentences(
    varied: Mapping[str, Sequence[str]],
    runs: Sequence[Summary],
    unchanged: Collection[str] = (),
    of_runs: Mapping[str, Sequence[str]] | None = None,
    together: Iterable[Iterable[str]] = (),
) -> list[str]:
    """What never acted of what these keys vary, in any of some runs: a sentence each.

    Args:
        varied: The keys, each with its values; a dash where one is not known.
        runs: All runs.
        unchanged: The keys that changed no number but those of queues.
        of_runs: The value of each key in each run, where these are known.
        together: The keys that differ together, set by set.
    """
    settings = {key: one for key in varied if (one := setting(key)) is not None}
    whole = {
        key: (one.kind, one.who)
        for key, one in settings.items()
        if one.what == "queue" and one.parameter in ("", "discipline")
    }
    refilled = {owner for key, owner in whole.items() if fills_otherwise(varied[key]) and key not in unchanged}
    told: dict[str, None] = {}
    joined = [[settings[key] for key in keys if key in settings] for keys in together]
    for one in settings.values():
        nodes = [node for run in runs for node in run["nodes"] if concerns(one, node)]
        if not nodes:
            continue
        names = named(nodes, nodes)
        if one.what == "remedy":
            requests = [request for run in runs for request in run["scan_requests"]]
            of = {node["name"] for node in nodes}
            if not any(request["verdict"] == "skipped" for request in requests if request["station"] in of):
                told[f"the remedy of {names} never acted: no scan was skipped"] = None
            continue
        queues = varied_queues(nodes)
        if queues and not any(map(waited, queues)):
            so = FILLS if (one.kind, one.who) in refilled else "nothing can depend on it"
            told[never_waited(nodes, nodes, f": {so}") + beside(one, joined, runs)] = None
        elif (one.kind, one.who) in whole.values():
            if (one.kind, one.who) in refilled and (text := pulled_alone(one, whole, runs, of_runs or {})):
                told[text + beside(one, joined, runs)] = None
        elif one.parameter in LIMITS and not any(queue["drops"] for queue in queues):
            why = kept_short(one, nodes, runs)
            told[f"the queue of {names} never dropped a packet: its `{one.parameter}` never acted{why}"] = None
        elif one.parameter == "ecn" and not any(queue.get("marks") or queue["drops"] for queue in queues):
            told[f"the queue of {names} never marked a packet, nor dropped one: its `ecn` never acted"] = None
    return list(told)


ASKED = "since a driver takes packets from `mac80211` as it forms one, and from other queues as they come"
FILLS = f"only how PPDUs are filled can depend on it, {ASKED}"
"""What a discipline decides in which no packet waits."""

ORDERED = " and the order of packets"
DROPPED = ", the order of packets and what `mac80211` drops or marks"
"""What else mac80211's decides in which they wait."""


def fills_otherwise(values: Sequence[str]) -> bool:
    """Whether disciplines of these values feed a driver in two ways: mac80211's queues are asked, others push.

    ieee80211_tx_dequeue (Linux 6.18, net/mac80211/tx.c), which drivers call as they fill an A-MPDU.
    """
    return "-" in values or len({"mac80211" in value for value in values}) > 1


def pulled_alone(
    one: Setting, whole: Mapping[str, tuple[str, str]], runs: Sequence[Summary], of_runs: Mapping[str, Sequence[str]]
) -> str | None:
    """That packets waited in a queue of several disciplines with mac80211 alone, and what follows, if that is so.

    There they wait above a driver that has room for all of them, until it takes them.

    Args:
        one: The queue.
        whole: The keys that choose disciplines, each with whose they are.
        runs: All runs.
        of_runs: The value of each key in each run.
    """
    disciplines = [of_runs[key] for key, owner in whole.items() if owner == (one.kind, one.who) and key in of_runs]
    pulled = [any("mac80211" in values[place] for values in disciplines) for place in range(len(runs))]
    nodes: dict[bool, list[Node]] = {True: [], False: []}
    for pulls, run in zip(pulled, runs, strict=True):
        nodes[pulls] += [node for node in run["nodes"] if concerns(one, node)]
    above = {pulls: [queue for node in of for queue in discipline(node)] for pulls, of in nodes.items()}
    if not all(above.values()) or any(map(waited, above[False])):
        return None
    acted = any(queue["drops"] or queue.get("marks") for queue in above[True])
    so = f": only how PPDUs are filled{DROPPED if acted else ORDERED} can depend on it, {ASKED}"
    return never_waited(nodes[False], nodes[False], f" without `mac80211`{so}")


def kept_short(one: Setting, nodes: Sequence[Node], runs: Sequence[Summary]) -> str:
    """Why the queue of a server's link stays short, if TCP of that server may be what fills it.

    The link is the server's own interface, so that its TCP counts what waits there: tcp_small_queue_check()
    (Linux 6.18, net/ipv4/tcp_output.c).
    """
    if one.kind != "server":
        return ""
    names = {node["name"] for node in nodes}
    sends = any(flow["kind"] == "tcp" and flow["to"] not in names for run in runs for flow in run["flows"])
    return "; TCP keeps the queue of its own link short, unless `small_queue` is off" if sends else ""


def beside(one: Setting, joined: Iterable[Collection[Setting]], runs: Sequence[Summary]) -> str:
    """That queues which differ together with one did hold packets: what differs may well matter by these.

    Args:
        one: The queue in which none waited.
        joined: What differs together, set by set.
        runs: All runs.
    """
    mine = (one.kind, one.who)
    others = [
        other
        for some in joined
        if any((each.kind, each.who) == mine for each in some)
        for other in some
        if other.what == "queue" and (other.kind, other.who) != mine
    ]
    # A number may be of any table of its kind: where there are several it says nothing of one of them.
    said = [other for other in others if not other.who.isdigit() or all(alone(other, run) for run in runs)]
    nodes = [node for run in runs for node in run["nodes"] if any(concerns(other, node) for other in said)]
    held = [node for node in nodes if any(map(kept, varied_queues([node])))]
    return f"; the queue of {named(held, held)}, which differs as well, did hold packets" if held else ""


def alone(one: Setting, run: Summary) -> bool:
    """Whether a run has one node of a setting's kind."""
    return sum(node["kind"] == one.kind for node in run["nodes"]) == 1


def idle_nodes(one: Setting, runs: Sequence[Summary]) -> list[Node]:
    """The nodes of a setting if no packet waited in their queues in any of some runs; none if one did."""
    nodes = [node for run in runs for node in run["nodes"] if concerns(one, node)]
    queues = varied_queues(nodes)
    return nodes if queues and not any(map(waited, queues)) else []


def varied_queues(nodes: Sequence[Node]) -> list[Queue]:
    """The queues of nodes that a scenario sets."""
    return [queue for node in nodes for queue in node["queues"] if queue["layer"] in ("discipline", "link", "link_to")]


def discipline(node: Node) -> list[Queue]:
    """The queue above the driver of a node."""
    return [queue for queue in node["queues"] if queue["layer"] == "discipline"]


def concerns(one: Setting, node: Node) -> bool:
    """Whether a setting is of this node: by its name or its group's. A number is that of a table, which may be any."""
    return node["kind"] == one.kind and (one.who.isdigit() or one.who in (node["name"], node.get("group")))


def waited(queue: Queue) -> bool:
    """Whether a packet waited in a queue, or did not come through; where that was not measured it may have."""
    return "max_packets" not in queue or kept(queue)


def kept(queue: Queue) -> bool:
    """Whether it was seen that a packet waited in a queue, or did not come through."""
    if queue["drops"] or queue.get("marks"):
        return True
    return bool(queue.get("max_packets") and queue.get("mean_sojourn_ms") != 0)


def unused(run: Summary) -> str | None:
    """The senders, and groups of them, above whose drivers no packet of a run ever waited; none if there is none."""
    above = [(node, queues) for node in run["nodes"] if node.get("ampdus") and (queues := discipline(node))]
    # That a part of a group had nothing waiting is chance among many that are alike.
    busy = {owner(node) for node, queues in above if any(map(waited, queues))}
    idle = [node for node, _ in above if owner(node) not in busy]
    return never_waited(idle, run["nodes"]) if idle else None


def never_waited(nodes: Sequence[Node], of: Sequence[Node], so: str = "") -> str:
    """In which queues no packet of some nodes ever waited, what follows, and how many packets a driver had at most."""
    drivers = [queue for node in nodes for queue in node["queues"] if queue["layer"] == "driver"]
    where = "the queue above the driver" if drivers else "the queue"
    most = max((queue.get("max_packets", 0.0) for queue in drivers), default=0.0)
    whose = "" if len({node["name"] for node in nodes}) == 1 else f" of {fullest(nodes)}, the fullest,"
    below = f"; the driver{whose} held up to {count(round(most), 'packet')}" if most > 1 else ""
    return f"no packet ever waited in {where} of {named(nodes, of)}{so}{below}"


def fullest(nodes: Sequence[Node]) -> str:
    """The name of the node whose driver held most packets."""
    held = [
        (queue.get("max_packets", 0.0), node["name"])
        for node in nodes
        for queue in node["queues"]
        if queue["layer"] == "driver"
    ]
    return max(held, key=lambda one: one[0])[1] if held else ""


def named(nodes: Sequence[Node], of: Sequence[Node]) -> str:
    """Nodes of all by their names; many by their groups, each with how many of it they are, or by their number."""
    groups = groups_of(nodes)
    if len(groups) <= SHOWN:
        return enumerated(list(groups))
    sizes, whole = Counter(groups.values()), Counter(groups_of(of).values())
    if len(sizes) <= SHOWN:
        return enumerated([part(group, size, whole[group]) for group, size in sizes.items()])
    return count(len(groups), "node")


def groups_of(nodes: Sequence[Node]) -> dict[str, str]:
    """The group of each node by its name; a node of none is its own."""
    return {node["name"]: owner(node) for node in nodes}


def owner(node: Node) -> str:
    """The group of a node, or itself."""
    return node.get("group") or node["name"]


def part(group: str, size: int, whole: int) -> str:
    """A group, or as many of it as these."""
    if size < whole:
        return f"{size} of {group} ({whole})"
    return group if size == 1 else f"{group} ({size})"
