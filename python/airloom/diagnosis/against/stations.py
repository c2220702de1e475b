"""The stations that both sides have: a mean over others compares unlike links."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.diagnosis.against.who import Known
    from airloom.diagnosis.shapes import Diagnosis

Counted = dict[str, tuple[str, float]]
"""Stations by their addresses at one time: what each is called at all times, and what it counts for in a mean."""

Held = dict[str, float]
"""The part of the air that each station takes, in percent of the time."""


def homes(found: Diagnosis) -> dict[str, str | None]:
    """The access point of each station."""
    return {one["mac"]: one["bssid"] for one in found["stations"]}


def held(time: Known, network: str | None = None) -> Held:
    """The part of the air of each station of a network, or of all."""
    (found, layers), _ = time
    home = homes(found)
    every = layers["air"]["stations"] if layers["air"] else []
    return {
        one["mac"]: mean(value or 0.0 for value in one["share"])
        for one in every
        if network is None or home.get(one["mac"]) == network
    }


class Seen(NamedTuple):
    """A station of a time: its access point, its part of the air, and whether a host's capture has its packets."""

    ap: str
    share: float
    ours: bool


def networks(times: Sequence[Known]) -> tuple[str, ...] | None:
    """The access points whose networks are compared, of each time: those of the same stations, or else a common one.

    A station may be at another access point at each time. Those count first whose packets hosts' captures have. None
    leaves it at the busiest of each time, which may be a neighbour's at one of them.
    """
    seen = [seen_at(time) for time in times]
    always = set.intersection(*map(set, seen))
    ours = {station for station in always if any(time[station].ours for time in seen)}
    known: dict[tuple[str, ...], float] = {}
    for station in ours or always:
        aps = tuple(time[station].ap for time in seen)
        known[aps] = known.get(aps, 0.0) + min(time[station].share for time in seen)
    if not known:
        for ap in set.intersection(*({one.ap for one in time.values()} for time in seen)):
            known[(ap,) * len(times)] = min(sum(one.share for one in time.values() if one.ap == ap) for time in seen)
    return max(sorted(known), key=lambda aps: known[aps], default=None)


def seen_at(time: Known) -> dict[str, Seen]:
    """The stations of a time by what they are called."""
    home = homes(time.told.found)
    ours = {mac for capture in time.told.found["captures"] for mac in capture["stations"]}
    return {
        time.names.station(mac): Seen(ap, share, mac in ours)
        for mac, share in held(time).items()
        if (ap := home.get(mac))
    }


def same_stations(before: Sequence[Known], after: Sequence[Known], aps: Sequence[str]) -> list[Counted]:
    """The stations that all times have at these access points, for each time, those of before first.

    A network's only station is the same one, whatever its address.
    """
    times = [of_time(time, ap) for time, ap in zip((*before, *after), aps, strict=True)]
    every = [set.intersection(*map(set, side)) for side in (times[: len(before)], times[len(before) :])]
    same = {name: shown(name, {time[name][0] for time in times}) for name in every[0] & every[1]}
    if not same and all(len(one) == 1 for one in (*every, *times)):
        only = shown("", {mac for time in times for mac, _ in time.values()})
        same = {name: only for one in every for name in one}
    weights: dict[str, list[float]] = {}
    for time in times:
        known = {name: share for name, (_, share) in time.items() if name in same}
        for name, share in known.items():
            weights.setdefault(same[name], []).append(share / sum(known.values()))
    return [
        {mac: (same[name], mean(weights[same[name]])) for name, (mac, _) in sorted(time.items()) if name in same}
        for time in times
    ]


def shown(name: str, macs: set[str]) -> str:
    """What a station is called: by its address, or by its addresses if it has several, and by its file."""
    return name if len(macs) > 1 and name and name not in macs else " or ".join(sorted(macs))


def of_time(time: Known, network: str) -> Mapping[str, tuple[str, float]]:
    """The stations of a network that have any of the air, by what they are called: the address, and that part."""
    return {time.names.station(mac): (mac, share) for mac, share in held(time, network).items() if share > 0}
