"""Where packets of a run waited longest: at which node, above its driver and in it, and of how long a round trip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from airloom.results.summary import access_points
from airloom.support.formatting import count, enumerated, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.results.summary import FlowSummary, Node, Queue, Summary

WHERE = {"discipline": "above its driver", "driver": "in its driver", "processor": "before its processor"}
"""The layers of a node in which packets wait, in words."""

ONE = 1.0
"""Packets that a queue has on average, below which it only passes them on."""

CONSIDERABLE = 0.25
"""A wait is reported from this share of a flow's mean round trip on: less is hardly why the round trip is long."""


class LongestWait(NamedTuple):
    """Where packets waited longest.

    Attributes:
        node: The name of the node.
        queues: Its queues in which packets waited, from above, each with the mean wait in ms.
        compared: What that is beside the round trips of flows through it.
    """

    node: str
    queues: list[tuple[Queue, float]]
    compared: str

    def __str__(self) -> str:
        """All of it."""
        told = [f"{wait(one)} ({packets(one[0])})" for one in self.queues]
        return f"packets waited longest at {self.node}: on average {enumerated(told)}; {self.compared}"

    @property
    def briefly(self) -> str:
        """Where and how long in all, beside charts of the queues and a table of the round trips."""
        return f"packets waited longest at {self.node}, {number(math.fsum(ms for _, ms in self.queues))} ms"


def wait(queue: tuple[Queue, float]) -> str:
    """How long packets waited in a queue, and where that is."""
    return f"{number(queue[1])} ms {WHERE[queue[0]['layer']]}"


def longest_wait(run: Summary) -> LongestWait | None:
    """The node whose queues hold packets longest, if that is a good part of what a flow through it waits; or none."""
    nodes = [(node, waits(node)) for node in run["nodes"]]
    node, found = max(nodes, key=lambda one: math.fsum(ms for _, ms in one[1]), default=(None, []))
    if node is None or not found:
        return None
    points = every_access_point(run)
    delays = [(delay, flow) for flow in run["flows"] if (delay := mean_ms(flow)) and passes(flow, node, points)]
    worst, flow = max(delays, key=lambda one: one[0], default=(math.inf, None))
    if flow is None or math.fsum(ms for _, ms in found) < CONSIDERABLE * worst:
        return None
    kind = "one-way delay" if flow["kind"] == "udp" else "round trip"
    return LongestWait(node["name"], found, f"the longest mean {kind} there is {number(worst)} ms, of {flow['name']}")


def waits(node: Node) -> list[tuple[Queue, float]]:
    """The queues of a node in which packets waited, from above, each with the mean wait of all packets in ms.

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
        packets, own = queue.get("mean_packets", 0.0), queue.get("mean_sojourn_ms")
        if packets >= ONE and own:
            found.append((queue, own if queue["layer"] != "discipline" else min(own, packets * of_one)))
    return found


def packets(queue: Queue) -> str:
    """How many packets a queue has on average."""
    return count(round(queue["mean_packets"]), "packet")


def mean_ms(flow: FlowSummary) -> float | None:
    """The mean round trip of a flow, or its mean one-way delay."""
    return flow.get("rtt_mean_ms") or flow.get("delay_mean_ms")


def every_access_point(run: Summary) -> dict[str, set[str]]:
    """The access points at which each station ever was."""
    points = {station: {ap} for station, ap in access_points(run).items()}
    for roam in run.get("roams", []):
        points.setdefault(roam["station"], set()).update({roam["from"], roam["to"] or roam["from"]})
    return points


def passes(flow: FlowSummary, node: Node, points: Mapping[str, set[str]]) -> bool:
    """Whether packets of a flow, or its answers, wait for the radio of a node: datagrams have a single way."""
    sources = [flow["from"]] if flow["kind"] == "udp" else [flow["from"], flow["to"]]
    sinks = [flow["to"]] if flow["kind"] == "udp" else sources
    return node["name"] in sources or any(node["name"] in points.get(sink, ()) for sink in sinks)
