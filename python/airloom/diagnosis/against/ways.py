"""The ways between hosts that both sides have: data of others is not compared with theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.against.datagrams import SMALL, compared
from airloom.diagnosis.against.echoes import echoed
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.against.who import Known

Way = tuple[str, str]
"""From a host to another."""


def same_ways(times: Sequence[Known], left_out: frozenset[Way]) -> dict[Way, float]:
    """The ways of TCP that all times have, but for small ones; what each counts for is its mean part of the octets."""
    parts = [parts_of(time) for time in times]
    known = set.intersection(*map(set, parts)) - left_out
    counted = {way: mean(one[way] for one in parts) for way in sorted(known)}
    whole = sum(counted.values())
    return {way: part / whole for way, part in counted.items() if part >= SMALL * whole}


def odd(times: Sequence[set[Way]]) -> frozenset[Way]:
    """What not all times have, if they have anything in common: a way, or else one of its ends."""
    both, every = set.intersection(*times), set.union(*times)
    if both:
        return frozenset(every - both)
    ends = set.intersection(*({end for way in time for end in enumerate(way)} for time in times))
    return frozenset(way for way in every if not ends & set(enumerate(way))) if ends else frozenset()


def parts_of(time: Known) -> dict[Way, float]:
    """The part of all octets of TCP that goes each way."""
    every = [one for one in time.told.found["connections"] if one["tells_most"]]
    whole = sum(one["bytes"] for one in every)
    parts: dict[Way, float] = {}
    for one in every if whole else []:
        way = time.names.way((one["from"], one["to"]))
        parts[way] = parts.get(way, 0.0) + one["bytes"] / whole
    return parts


def large(time: Known) -> set[Way]:
    """The ways with a part of the octets of TCP."""
    return {way for way, part in parts_of(time).items() if part >= SMALL}


def odd_streams(times: Sequence[set[Way]]) -> frozenset[Way]:
    """The same of UDP: where a time has no stream, TCP is compared without those of others."""
    return odd(times) if all(times) else frozenset(set.union(*times))


def streams(time: Known) -> set[Way]:
    """The ways of the streams of UDP that are compared."""
    return {time.names.way((one["from"], one["to"])) for one in compared(time.told.found)}


def pings(time: Known) -> set[Way]:
    """The pairs of hosts whose ICMP echo is compared."""
    return {time.names.way((one["from"], one["to"])) for one in echoed(time.told.found)}
