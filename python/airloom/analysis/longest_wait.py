"""Where packets of a run waited longest: at a node, above its driver and in it, or before a link."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from airloom.analysis.beside_queues import keeping, wires_ms
from airloom.results.summary import every_access_point, nodes_passed
from airloom.support.formatting import count, enumerated, number

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from airloom.results.summary import FlowSummary, Node, Queue, Summary

WHERE = {"discipline": "above its driver", "driver": "in its driver", "processor": "before its processor"}
"""The layers of a node in which packets wait one after the other, in words."""

LINKS = {"link": "before the link of", "link_to": "before the link to"}
"""The queues at the ends of a server's link, in words."""

ONE = 1.0
"""Packets that a driver or a processor, which hold what is in work too, have on average if any wait behind it."""

AT_WORK_MS = 20.0
"""How long they have a packet at most that waits for nothing but its own frames, in ms: one of 1,500 bytes takes 12 ms
at 1 Mbit/s. It is for a station that dozes, or is away, that they keep one for longer."""

SEEN = 0.01
"""A wait is reported from this share of a flow's mean round trip on: less is not seen in it."""


EXPLAINED = 0.25
"""A wait explains a delay from this share of what is not on wires on: of less, most is elsewhere."""


class Place(NamedTuple):
    """Where packets wait.

    Attributes:
        node: The node whose queues these are.
        where: The place in words.
        queues: Its queues in which packets waited, from above, each with the mean wait of all packets in ms.
    """

    node: Node
    where: str
    queues: list[tuple[Queue, float]]

    @property
    def ms(self) -> float:
        """How long packets waited there in all."""
        return math.fsum(ms for _, ms in self.queues)

    @property
    def is_link(self) -> bool:
        """Whether it is at one end of a server's link."""
        return self.node["kind"] == "server"


class LongestWait(NamedTuple):
    """Where packets waited longest.

    Attributes:
        place: The place.
        delay: The longest mean delay of a flow through it, in words.
        elsewhere: Where most of that delay is, in words; empty where the wait explains it.
        kept: What keeps the wait short, in words; empty where nothing does.
    """

    place: Place
    delay: str
    elsewhere: str
    kept: str = ""

    def __str__(self) -> str:
        """All of it."""
        good_part = [one for one in self.place.queues if one[1] >= SEEN * self.place.ms]
        told = [f"{wait(one)} ({packets(one[0])})" for one in good_part]
        return f"{self.lead}: on average {enumerated(told)}; {self.delay}{self.elsewhere}{self.kept}"

    @property
    def lead(self) -> str:
        """Where packets waited longest: if most of a delay is elsewhere, of queues alone."""
        return f"packets waited longest {'in a queue ' if self.elsewhere else ''}{self.place.where}"

    @property
    def briefly(self) -> str:
        """Where and how long in all, beside charts of the queues and a table of the round trips."""
        beside = f"; {self.delay}{self.elsewhere}" if self.elsewhere else ""
        return f"{self.lead}, {number(self.place.ms)} ms{beside}{self.kept}"


def wait(queue: tuple[Queue, float]) -> str:
    """How long packets waited in a queue, and where that is within its node."""
    return " ".join(filter(None, (f"{number(queue[1])} ms", WHERE.get(queue[0]["layer"]))))


def longest_wait(run: Summary, settings: Mapping[str, Any] | None = None) -> LongestWait | None:
    """The place where packets wait longest, if that is seen in the delay of a flow through it; or none.

    Args:
        run: What was measured.
        settings: The resolved scenario, where it is at hand: it has the delays of wires, and who dozes.
    """
    points = every_access_point(run)
    found = []
    for place in (place for node in run["nodes"] for place in places_of(node)):
        # Of a flow that has no delay nothing arrived that was sent in the time measured: it may all wait there.
        flows = (flow for flow in run["flows"] if sends(flow) and passes(flow, place, points))
        through = [(mean_ms(flow) or math.inf, flow) for flow in flows]
        if any(place.ms >= SEEN * ms or ms == math.inf for ms, _ in through):
            found.append((place, max(through, key=lambda one: one[0])))
    if not found:
        return None
    place, (worst, flow) = max(found, key=lambda one: one[0].ms)
    if worst == math.inf:
        return LongestWait(place, f"nothing of {flow['name']} arrived that was sent in the time measured", "")
    kind = "one-way delay" if flow["kind"] == "udp" else "round trip"
    delay = f"the longest mean {kind} there is {number(worst)} ms, of {flow['name']}"
    kept = small_queues(place, run, settings or {})
    alone = sum(bool(sends(one) and passes(one, place, points)) for one in run["flows"]) == 1
    return LongestWait(place, delay, elsewhere((place.ms, worst), flow, run, settings or {}, alone=alone), kept)


def small_queues(place: Place, run: Summary, settings: Mapping[str, Any]) -> str:
    """That TCP small queues keep the queue before a server's own link short, and how a line farther on is said."""
    name = place.node["name"]
    if not place.is_link or place.queues[0][0]["layer"] != "link":
        return ""
    hosts = {server["name"]: server.get("host", {}) for server in settings.get("server", ())}
    keeps = hosts.get(name, {}).get("small_queue", "off") != "off"
    if not keeps or not any(flow["kind"] == "tcp" and flow["from"] == name for flow in run["flows"]):
        return ""
    return (
        f"; TCP small queues keep it short, as {name} has that link itself: a slow line farther on, whose queue fills, "
        'is said by its host\'s `small_queue = "off"`'
    )


def sends(flow: FlowSummary) -> bool:
    """Whether a flow sent anything in the time measured, or has a delay."""
    return bool(mean_ms(flow) or flow.get("sent"))


def elsewhere(
    times: tuple[float, float], flow: FlowSummary, run: Summary, settings: Mapping[str, Any], *, alone: bool
) -> str:
    """That most of a flow's delay is not such a wait, and what is known of the rest; or nothing.

    Args:
        times: The mean wait there, of all packets, and the flow's mean delay, in ms.
        flow: The flow.
        run: What was measured.
        settings: The resolved scenario.
        alone: Whether these are the flow's packets alone. Where others wait too, its own may wait longer than the mean.
    """
    waited, delay = times
    wires = wires_ms(flow, run, settings)
    if waited >= EXPLAINED * (delay - wires):
        return ""
    beyond = f"beyond {number(wires)} ms on wires " if wires else ""
    known = keeping(flow, run, settings)
    reason = f": {known}" if known else ""
    if alone:
        return f", and most of that {beyond}is elsewhere{reason}"
    return f", whose packets may wait longer there than the mean of all{', or elsewhere' if known else ''}{reason}"


def places_of(node: Node) -> list[Place]:
    """The places at a node in which packets waited: all that lies above its radio is one, each end of a link one."""
    found = waits(node)
    ends = [
        Place(node, f"{LINKS[queue['layer']]} {node['name']}", [(queue, ms)])
        for queue in node["queues"]
        if queue["layer"] in LINKS and (ms := queue.get("mean_sojourn_ms"))
    ]
    return [*([Place(node, f"at {node['name']}", found)] if found else []), *ends]


def waits(node: Node) -> list[tuple[Queue, float]]:
    """The queues of a radio in which packets waited, from above, each with the mean wait of all packets in ms.

    A discipline's own mean is of those packets alone that did not go straight on to the driver, which every packet
    passes: by Little's law (1961) waits are to each other as what is there, where both hold the same packets. A driver
    that has several in an A-MSDU counts these as one, so that the discipline's own mean is the bound.
    """
    there = {queue["layer"]: queue for queue in node["queues"] if queue["layer"] in WHERE}
    driver = there.get("driver")
    inside, stay = (driver.get("mean_packets"), driver.get("mean_sojourn_ms")) if driver else (None, None)
    of_one = stay / inside if inside and stay else math.inf
    found = []
    for queue in there.values():
        held, own = queue.get("mean_packets"), queue.get("mean_sojourn_ms")
        if not held or not own:
            continue
        if queue["layer"] == "discipline":
            found.append((queue, min(own, held * of_one)))
        elif held >= ONE or own > AT_WORK_MS:
            found.append((queue, own))
    return found


def packets(queue: Queue) -> str:
    """How many packets a queue has on average."""
    return count(round(queue["mean_packets"]), "packet") if queue["mean_packets"] >= 1 else "less than one packet"


def mean_ms(flow: FlowSummary) -> float | None:
    """The mean round trip of a flow, or its mean one-way delay."""
    return flow.get("rtt_mean_ms") or flow.get("delay_mean_ms")


def passes(flow: FlowSummary, place: Place, points: Mapping[str, set[str]]) -> bool:
    """Whether packets of a flow, or its answers, wait in a place: datagrams have a single way."""
    name = place.node["name"]
    if not place.is_link:
        return name in nodes_passed(flow, points)
    if flow["kind"] != "udp":
        return name in (flow["from"], flow["to"])
    return name == flow["to" if place.queues[0][0]["layer"] == "link_to" else "from"]
