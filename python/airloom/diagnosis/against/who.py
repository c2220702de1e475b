"""Who is who: the hosts and stations of captures, by what stays theirs from one time to another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from airloom.diagnosis.reading import OverTime
    from airloom.diagnosis.shapes import CaptureSeen, Diagnosis

ENDINGS = (".pcap", ".pcapng", ".cap", ".snoop", ".gz")
"""How files of captures end."""


@dataclass(frozen=True)
class Names:
    """Names of hosts by their addresses on the network, and of stations by those on the air.

    A host whose captures have the same file's name at all times is the same, whatever address it has now.
    """

    hosts: Mapping[str, str] = field(default_factory=dict)
    stations: Mapping[str, str] = field(default_factory=dict)

    def host(self, end: str) -> str:
        """The host of an end, which has a port, or has none."""
        return self.hosts.get(address(end), address(end))

    def way(self, ends: Sequence[str]) -> tuple[str, str]:
        """The hosts of both ends."""
        return self.host(ends[0]), self.host(ends[1])

    def station(self, mac: str) -> str:
        """A station."""
        return self.stations.get(mac, mac)


class Known(NamedTuple):
    """What captures of a time tell, and who is who in them."""

    told: OverTime
    names: Names


def address(end: str) -> str:
    """An address without its port: `10.0.0.1:80`, `[::1]:80`, or no port at all."""
    if end.startswith("["):
        return end[1:].partition("]")[0]
    return end.partition(":")[0] if end.count(":") == 1 else end


def names(times: Sequence[Diagnosis]) -> list[Names]:
    """The names of each time: files' names that every time has, each of one host or station."""
    hosts, stations = [local_hosts(found) for found in times], [own_stations(found) for found in times]
    return [
        Names({of[name]: name for name in everywhere(hosts)}, {own[name]: name for name in everywhere(stations)})
        for of, own in zip(hosts, stations, strict=True)
    ]


def everywhere(known: Sequence[Mapping[str, str]]) -> list[str]:
    """The names that all have; of several of the same one, the first by the alphabet is the last here, and stays."""
    return sorted(set.intersection(*(set(one) for one in known)), reverse=True)


def local_hosts(found: Diagnosis) -> dict[str, str]:
    """The address of the host at which a capture was made, by its file's name."""
    known: dict[int, Counter[str]] = {}
    for flow in found["connections"]:
        end = {"sender": flow["from"], "receiver": flow["to"]}.get(flow["seen_from"])
        if end is not None:
            known.setdefault(flow["capture"], Counter())[address(end)] += flow["bytes"]
    return of_one((found["captures"][place], of.most_common(1)[0][0]) for place, of in known.items())


def own_stations(found: Diagnosis) -> dict[str, str]:
    """The station whose packets a host's capture has, by its file's name, where it is of one alone."""
    return of_one((one, mac) for one in found["captures"] for mac in one["stations"])


def of_one(known: Iterable[tuple[CaptureSeen, str]]) -> dict[str, str]:
    """What captures are of, by the names of their files; a name that captures of several share tells nothing."""
    every: dict[str, set[str]] = {}
    for capture, what in known:
        every.setdefault(stem(capture), set()).add(what)
    return {name: min(of) for name, of in every.items() if len(of) == 1}


def stem(capture: CaptureSeen) -> str:
    """The name of a capture's file without the endings of captures: an address or a date has dots, too."""
    name = PurePath(capture["file"])
    while name.suffix.lower() in ENDINGS:
        name = name.with_suffix("")
    return name.name
