"""Questions over UDP, such as those for names, and those of them that nobody answered."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address
from typing import TYPE_CHECKING

from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airloom.diagnosis.shapes import Diagnosis, StreamSeen

MOST_DATAGRAMS = 6
"""Datagrams of a question, with those that repeat it: a resolver of Windows asks five times."""

SERVICES = 1024
"""Ports below this one are of services (RFC 6335 section 6)."""

ANSWERED_WITHIN_S = 1.0
"""What was asked in the last second of a capture may still be answered, in seconds."""

WIRE = 1500 - 28
"""A longer payload goes in fragments: of Ethernet's 1,500 octets the headers of IPv4 and UDP take 28."""

BROADCAST = 255
"""The last octet of a network's broadcast address, of most networks."""


def questions(found: Diagnosis) -> list[str]:
    """A line for the questions that nobody answered, of hosts' captures with answers to others; nothing without any."""
    asked: list[StreamSeen] = []
    silent: list[StreamSeen] = []
    for place, capture in enumerate(found["captures"]):
        if capture["place"] != "host" or capture["datagrams_left_out"] or capture["leaps"] or not capture["span_s"]:
            continue
        answered, not_answered = of(
            [one for one in found["streams"] if one["capture"] == place], capture["span_s"][1] - ANSWERED_WITHIN_S
        )
        if not answered:
            continue
        asked += [one for one in answered + not_answered if one["tells_most"]]
        silent += [one for one in not_answered if one["tells_most"]]
    if not silent:
        return []
    said = f"{len(silent):,} of {count(len(asked), 'question')} over UDP had no answer"
    return [said + server(asked, silent) + sizes(asked, silent)]


def server(asked: list[StreamSeen], silent: list[StreamSeen]) -> str:
    """The one port that answered none of the unanswered ones, and how often it did answer."""
    whose = {one["to"] for one in silent}
    if len(whose) > 1:
        return ""
    (only,) = whose
    others = sum(one["to"] == only for one in asked) - len(silent)
    answered = f"{count(others, 'other')}" if others else "none"
    return f", {'all ' if len(silent) > 1 else ''}to {only}, which answered {answered}"


def of(streams: list[StreamSeen], until: float) -> tuple[list[StreamSeen], list[StreamSeen]]:
    """The questions of a capture that were answered, and those asked before a time that were not.

    A question is a stream of few datagrams to a port that answers others, or to a service's at which some host answers.
    """
    by_ends = {(one["from"], one["to"]): one for one in streams}
    pairs: list[StreamSeen] = []
    alone: list[StreamSeen] = []
    for one in streams:
        back = by_ends.get((one["to"], one["from"]))
        if not back:
            alone.append(one)
        elif one["span_s"][0] <= back["span_s"][0]:
            pairs.append(one)
    askers: dict[str, set[str]] = {}
    for one in pairs:
        askers.setdefault(one["to"], set()).add(one["from"])
    services = {port for port in map(port_of, askers) if port < SERVICES}

    def is_question(one: StreamSeen) -> bool:
        others = askers.get(one["to"], set()) - {one["from"]}
        return one["packets"] <= MOST_DATAGRAMS and bool(others or port_of(one["to"]) in services)

    unanswered = [one for one in alone if one["span_s"][1] < until and not is_group(one["to"])]
    return list(filter(is_question, pairs)), list(filter(is_question, unanswered))


def sizes(asked: Iterable[StreamSeen], silent: list[StreamSeen]) -> str:
    """How many of the unanswered ones go in fragments, where shorter ones to the same ports were answered."""
    large = [one for one in silent if is_large(one)]
    if not large:
        return ""
    whose = {one["to"] for one in large}
    none = {one["from"] + one["to"] for one in silent}
    kept = [one for one in asked if one["to"] in whose and one["from"] + one["to"] not in none]
    answered = {one["to"] for one in kept if not is_large(one)} - {one["to"] for one in kept if is_large(one)}
    said = f", {len(large):,} of them larger than 1,500 octets"
    if not answered:
        return said
    servers = "a server that answers" if len(answered) == 1 else f"{len(answered):,} servers that answer"
    return f"{said}; {servers} shorter ones, and none of that size"


def is_large(one: StreamSeen) -> bool:
    """Whether its datagrams go in fragments."""
    return one["bytes"] > WIRE * one["packets"]


def port_of(end: str) -> int:
    """The port of an end."""
    return int(end.rpartition(":")[2])


def is_group(end: str) -> bool:
    """Whether an end is of more than one host, as far as it tells."""
    address = ip_address(end.rpartition(":")[0].strip("[]").partition("%")[0])
    return address.is_multicast or (isinstance(address, IPv4Address) and address.packed[3] == BROADCAST)
