"""The ways between hosts that both sides have: data of others is not compared with theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.against.datagrams import SMALL, compared
from airloom.diagnosis.against.echoes import echoed
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.diagnosis.against.who import Known
    from airloom.diagnosis.shapes import PingsSeen, StreamSeen

Way = tuple[str, str]
"""From a host to another."""


def same_ways(times: Sequence[Known], left_out: frozenset[Way]) -> dict[Way, float]:
    """The ways of TCP that all times have, but for small ones; what each counts for is its mean part of the octets."""
    parts = [parts_of(time) for time in times]
    known = set.intersection(*map(set, parts)) - left_out
    counted = {way: mean(one[way] for one in parts) for way in sorted(known)}
    whole = sum(counted.values())
    return {way: part / whole for way, part in counted.items() if part >= SMALL * whole}


def odd(times: Sequence[set[Way]], every: Sequence[set[Way]]) -> frozenset[Way]:
    """What not all times have, if what counts at all of them has anything in common: a way, or else one of its ends.

    Args:
        times: The ways that count, of each time.
        every: All its ways: one that is starved is small there, and not absent.
    """
    always = set.intersection(*every)
    absent = set.union(*times) - always
    if set.intersection(*times):
        return frozenset(absent)
    ends = set.intersection(*({end for way in time for end in enumerate(way)} for time in times))
    return frozenset(way for way in absent if not ends & set(enumerate(way))) if ends else frozenset()


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


def odd_ways(*sides: Sequence[Known]) -> frozenset[Way]:
    """The ways of TCP that are not compared: where one side has none at all, all of the other's."""
    times = [time for side in sides for time in side]
    every = [set(parts_of(time)) for time in times]
    if not all(any(parts_of(time) for time in side) for side in sides):
        return frozenset(set.union(*every))
    return odd([large(time) for time in times], every)


def odd_streams(times: Sequence[Known]) -> frozenset[Way]:
    """The same of UDP: where a time has no stream, TCP is compared without those of others."""
    some = [ways_of(time, compared(time.told.found)) for time in times]
    every = [ways_of(time, time.told.found["streams"]) for time in times]
    always = set.intersection(*every)
    return odd(some, every) if all(some) else frozenset(set.union(*some) - always)


def odd_pings(times: Sequence[Known]) -> frozenset[Way]:
    """The same of ICMP echo."""
    every = [ways_of(time, time.told.found["pings"]) for time in times]
    return odd([ways_of(time, echoed(time.told.found)) for time in times], every)


def ways_of(time: Known, every: Iterable[StreamSeen | PingsSeen]) -> set[Way]:
    """The ways of streams, or of pings."""
    return {time.names.way((one["from"], one["to"])) for one in every}
