"""What all captures of a comparison have in common, and what one side has alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from airloom.diagnosis.against.stations import Counted, held, networks, same_stations
from airloom.diagnosis.against.ways import Way, odd_pings, odd_streams, odd_ways, same_ways
from airloom.diagnosis.against.who import Known, Names, address, names
from airloom.diagnosis.reading import OverTime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_AIR = 1.0
"""A station with less of the air, in percent of the time, is not told of as one that the other side has not."""


class Alone(TypedDict):
    """What one side has and the other has not: a station with its part of the air in percent, or data in Mbit/s.

    `what` is "station", "TCP" or "UDP", `who` an address, or two of them.
    """

    what: str
    who: str
    air_share: NotRequired[float]
    mbps: NotRequired[float]


@dataclass(frozen=True)
class CommonParts:
    """What captures of one time have in common with all others.

    Attributes:
        network: The access point whose network is compared; none for the busiest.
        stations: The stations of it that all times have; none where all count, by their parts of the air.
        ways: The ways of TCP that all times have, each with what it counts for in a mean.
        left_out: The ways that are not compared, of "TCP", "UDP" and "ICMP echo".
        names: Who is who.
    """

    network: str | None = None
    stations: Counted | None = None
    ways: Mapping[Way, float] = field(default_factory=dict)
    left_out: Mapping[str, frozenset[Way]] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    @property
    def is_part(self) -> bool:
        """Whether data is left out between hosts of which other data is compared: the same station carries it."""
        hosts = {host for way in self.ways for host in way}
        return any(hosts.issuperset(way) for kind in ("TCP", "UDP") for way in self.left_out.get(kind, ()))


ALL = CommonParts()
"""Where nothing else is known, everything counts."""


def common(before: Sequence[OverTime], after: Sequence[OverTime]) -> list[CommonParts]:
    """What each time has in common with all others, those of before first."""
    told = [*before, *after]
    times = [Known(one, who) for one, who in zip(told, names([one.found for one in told]), strict=True)]
    sides = times[: len(before)], times[len(before) :]
    aps = networks(times)
    stations: Sequence[Counted | None] = same_stations(*sides, aps) if aps else [None] * len(times)
    left_out = {"TCP": odd_ways(*sides), "UDP": odd_streams(times), "ICMP echo": odd_pings(times)}
    ways = same_ways(times, left_out["TCP"])
    return [
        CommonParts(aps[place] if aps else None, stations[place], ways, left_out, time.names)
        for place, time in enumerate(times)
    ]


def without(told: OverTime, what: CommonParts) -> OverTime:
    """Captures of a time without what is not compared of TCP, UDP and ICMP echo."""

    def kept(every: Sequence[Any], kind: str) -> list[Any]:
        out = what.left_out.get(kind, frozenset())
        return [one for one in every if what.names.way((one["from"], one["to"])) not in out]

    found, layers = told.found.copy(), told.layers.copy()
    found["connections"], layers["flows"] = kept(found["connections"], "TCP"), kept(layers["flows"], "TCP")
    found["streams"], layers["streams"] = kept(found["streams"], "UDP"), kept(layers["streams"], "UDP")
    found["pings"], layers["pings"] = kept(found["pings"], "ICMP echo"), kept(layers["pings"], "ICMP echo")
    return OverTime(found, layers)


def alone(time: Known, what: CommonParts) -> list[Alone]:
    """What captures of a time have that not all others have: stations, and data between hosts."""
    found = [
        Alone(what="station", who=mac, air_share=share)
        for mac, share in held(time, what.network).items()
        if what.stations is not None and mac not in what.stations and share >= LEAST_AIR
    ]
    of = time.told.found
    for kind, every in (("TCP", rates(of["connections"])), ("UDP", rates(of["streams"]))):
        known: dict[Way, float] = {}
        for one, other, mbps in every:
            if time.names.way((one, other)) in what.left_out.get(kind, frozenset()):
                ends = address(one), address(other)
                known[ends] = known.get(ends, 0.0) + mbps
        found += [Alone(what=kind, who=f"{one} to {other}", mbps=mbps) for (one, other), mbps in known.items()]
    return found


def strangers(time: Known, what: CommonParts) -> frozenset[str]:
    """The subjects of findings that are of nothing that is compared: other stations, and data that is left out."""
    of = time.told
    macs = {one["mac"] for one in (of.layers["air"] or {"stations": []})["stations"]}
    flows = {
        f"{one['from']} to {one['to']}"
        for kind, every in (("TCP", of.found["connections"]), ("UDP", of.found["streams"]))
        for one in every
        if time.names.way((one["from"], one["to"])) in what.left_out.get(kind, frozenset())
    }
    return frozenset((macs - set(what.stations) if what.stations is not None else set()) | flows)


def rates(every: Sequence[Any]) -> list[tuple[str, str, float]]:
    """From where to where data goes, each once, and its Mbit/s."""
    return [(one["from"], one["to"], one["mbps"]) for one in every if one["tells_most"]]
