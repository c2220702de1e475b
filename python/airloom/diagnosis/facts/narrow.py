"""Packets that were too big for their way, or for which nobody was there, as ICMP told their senders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MOST, host, telling
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, TooBigSeen, UnreachableSeen

MIN_TIMES = 5
"""Fewer ICMP messages than this that a host or a service is not there have no line: a traceroute causes such."""

SERVICES = 1024
"""A port below this is of a service; on others a program may have stopped to wait for a late answer."""

THERE = {
    "protocol": "it does not speak the protocol of these packets",
    "port": "nothing listens there",
    "forbidden": "a rule forbids it",
    "gone": "it is not there",
}
"""What ICMP says of a host."""


def narrow(found: Diagnosis) -> list[str]:
    """A line for each router that says that packets are too big, those that say so most often first."""
    every = sorted(found["too_big"], key=lambda one: -one["times"])
    more = sum(one["times"] for one in every[MOST:])
    ways = count(len(every) - MOST, "other way")
    rest = [f"{ways} on which packets are too big, {count(more, 'ICMP message')}"] if more else []
    return [line(one) for one in every[:MOST]] + rest


def line(one: TooBigSeen) -> str:
    """What a router says of the packets of one host to another."""
    return f"{one['from']} to {one['to']}: {told(one)}"


def told(one: TooBigSeen) -> str:
    """What does not fit, by which router, and how often it says so."""
    most = one["most"]
    what = f"packets of more than {count(most, 'octet')} do not fit" if most else "packets do not fit"
    return f"{what}, as {one['by']} says {count(one['times'], 'time')} (ICMP)"


def absent(found: Diagnosis) -> list[UnreachableSeen]:
    """Hosts and services that are not there, by at least `MIN_TIMES` messages each, those with most messages first."""
    told = [
        one
        for one in found["unreachable"]
        if one["times"] >= MIN_TIMES and (one["why"] != "port" or (one["port"] or SERVICES) < SERVICES)
    ]
    return sorted(told, key=lambda one: -one["times"])


def away(found: Diagnosis) -> list[str]:
    """A line for each host or service of which ICMP says often that it is not there."""
    return [nobody(one, found) for one in absent(found)[:MOST]]


def nobody(one: UnreachableSeen, found: Diagnosis) -> str:
    """Which host or service is not there, and which one says so how often, of how many packets of UDP."""
    port = f" port {one['port']}" if one["port"] is not None else ""
    return (
        f"{one['from']} to {one['to']}{port}: {THERE[one['why']]}, as {one['by']} says {count(one['times'], 'time')} "
        f"(ICMP){unanswered(one, found)}"
    )


def unanswered(one: UnreachableSeen, found: Diagnosis) -> str:
    """How many packets of UDP went where ICMP says that nobody is, if they are more than it says so of."""
    to = f"[{one['to']}]" if ":" in one["to"] else one["to"]
    sent = sum(
        stream["packets"]
        for stream in telling(found["streams"], found)
        if stream["to"] == f"{to}:{one['port']}" and host(stream["from"]).strip("[]") == one["from"]
    )
    return f", of {count(sent, 'packet')} of UDP" if sent > one["times"] else ""
