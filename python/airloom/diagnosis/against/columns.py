"""What captures of one time show over that time, in columns of equal bins."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from airloom.diagnosis.against.common import ALL
from airloom.diagnosis.against.datagrams import compared
from airloom.diagnosis.against.echoes import echoed
from airloom.diagnosis.against.stations import homes
from airloom.diagnosis.shapes import LinkLayers
from airloom.support.statistics import mean, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from airloom.diagnosis.against.common import CommonParts
    from airloom.diagnosis.against.ways import Way
    from airloom.diagnosis.reading import OverTime
    from airloom.diagnosis.shapes import (
        AirLayers,
        Diagnosis,
        FlowLayers,
        Layers,
        Line,
        PingLayers,
        StationLayers,
        StreamLayers,
    )


@dataclass(frozen=True)
class Columns:
    """Equal bins of the time in which data went; a column is empty where no capture shows it.

    Attributes:
        width: The width of a bin in seconds.
        goodput: Mbit/s that receivers acknowledged, all flows together.
        rtt: The mean round trip in ms.
        rtt_most: The longest round trip in ms.
        again: Octets that TCP sent again, at a full segment each.
        rate: The mean rate of PPDUs in Mbit/s.
        retries: MPDUs that were retries, in percent.
        size: MPDUs in a PPDU.
        mpdus: MPDUs, of which retries are a share.
        signal: The stations' signal at the monitor in dBm.
        air: The share of the time that data of this network takes, in percent.
        foreign: The same for data of other networks.
        carried: Mbit/s that the air carries, of a station, or where not all that stations carry is compared.
        others: The same as `air` for stations of this network that not all captures have.
        away: The share of the time in which stations had announced that they do not listen, in percent.
        udp: Mbit/s of UDP that came to where the capture was made, all streams together.
        udp_packets: Packets that came, where what is missing shows: by RTP's numbers, or a capture of the other host.
        udp_missing: Those that were sent and did not come.
        jitter: The mean interarrival jitter of RTP in ms.
        ping: The mean round trip of ICMP echo in ms.
        ping_answered: Requests of ICMP echo that were answered.
        ping_lost: Those that no answer came to.
        stations: What of it is of a station, by its address, where there are several.
        ways: What of TCP goes from one host to another, where there are several such ways.
        weight: What it counts for in a mean, if it is a part of something. That is the same in all captures, as a mean
            would else change with the parts' shares though none of them changes.
    """

    width: float
    goodput: Line
    rtt: Line
    rtt_most: Line
    again: Line
    rate: Line
    retries: Line
    size: Line
    signal: Line
    air: Line
    foreign: Line
    away: Line
    mpdus: Line = field(default_factory=list)
    udp: Line = field(default_factory=list)
    udp_packets: Line = field(default_factory=list)
    udp_missing: Line = field(default_factory=list)
    jitter: Line = field(default_factory=list)
    ping: Line = field(default_factory=list)
    ping_answered: Line = field(default_factory=list)
    ping_lost: Line = field(default_factory=list)
    carried: Line = field(default_factory=list)
    others: Line = field(default_factory=list)
    stations: Mapping[str, Columns] = field(default_factory=dict, kw_only=True)
    ways: Mapping[Way, Columns] = field(default_factory=dict, kw_only=True)
    weight: float = field(default=1.0, kw_only=True)

    @property
    def count(self) -> int:
        """How many bins there are."""
        return max(len(self.goodput), len(self.air), len(self.udp), len(self.ping))

    def part(self, start: int, end: int) -> Columns:
        """The bins from a place up to another."""
        return self.each(lambda _, __, line: line[start:end])

    def wider(self, times: int) -> Columns:
        """The same in bins so many times as wide; what does not fill the last one is left out."""
        folds: dict[str, Callable[[list[float]], float]] = {
            "rtt_most": max,
            "again": sum,
            "mpdus": sum,
            "udp_packets": sum,
            "udp_missing": sum,
            "ping_answered": sum,
            "ping_lost": sum,
        }

        def fold(of: Columns, name: str, line: Line) -> Line:
            parts = [slice(at, at + times) for at in range(0, len(line) - len(line) % times, times)]
            if name == "retries":
                return [by_mpdus(line[part], of.mpdus[part]) for part in parts]
            bins = [[value for value in line[part] if value is not None] for part in parts]
            one = folds.get(name, mean)
            return [one(known) if known else None for known in bins]

        return self.each(fold, width=self.width * times)

    def each(self, change: Callable[[Columns, str, Line], Line], width: float | None = None) -> Columns:
        """The same with every column changed, beside the others, in bins of another width if one is given."""
        changed: dict[str, Any] = {name: change(self, name, getattr(self, name)) for name in LINES}
        stations = {mac: one.each(change, width) for mac, one in self.stations.items()}
        ways = {way: one.each(change, width) for way, one in self.ways.items()}
        return replace(self, width=width or self.width, stations=stations, ways=ways, **changed)


def by_mpdus(retries: Line, mpdus: Line) -> float | None:
    """The share of retries of all MPDUs, from that of each bin; none without any."""
    pairs = zip(retries, mpdus, strict=True)
    return weighted_mean((share, many) for share, many in pairs if share is not None and many)


PARTS = ("width", "stations", "ways", "weight")
"""What is no line."""

LINES = tuple(one.name for one in fields(Columns) if one.name not in PARTS)
"""The columns that are lines."""


def columns(told: OverTime, what: CommonParts = ALL) -> Columns:
    """What captures of one time show, from the first bin in which data was delivered to the last."""
    found, layers = told
    air = layers["air"]
    bins = max([len(line) for line in lines(layers)], default=0)
    seen = of_flows(layers["flows"], layers["width_s"], bins, layers["small_goodput"])
    goodput = seen.goodput
    if len(what.ways) > 1:
        seen = replace(seen, ways=of_ways(layers, what, bins))
    if air:
        seen = replace(seen, **heard(found, air, layers["width_s"], bins, what))
    seen = datagrams(seen, found, layers["streams"], bins)
    seen = pinged(seen, found, layers["pings"], bins)
    moved = total([goodput, seen.udp], bins)
    if not what.is_part:
        seen = replace(seen, stations=divided(seen.stations, moved, bins))
    asked = total([seen.ping_answered, seen.ping_lost], bins)
    busy = [place for place, value in enumerate(next(filter(any, (moved, seen.air, asked)), [])) if value]
    return seen.part(busy[0], busy[-1] + 1) if busy else seen.part(0, 0)


def divided(stations: Mapping[str, Columns], moved: Line, bins: int) -> dict[str, Columns]:
    """Stations with what came by their parts of the frames: a monitor that misses frames misses those of all."""
    whole = total([one.carried for one in stations.values()], bins)

    def part(one: Columns) -> Line:
        bins_of = zip(one.carried, whole, moved, strict=True)
        return [came * own / every if own and every and came else None for own, every, came in bins_of]

    return {called: replace(one, carried=part(one)) for called, one in stations.items()}


def of_flows(flows: Sequence[FlowLayers], width: float, bins: int, rest: Line = []) -> Columns:  # noqa: B006 - read only
    """The columns of TCP: of some flows together, and the goodput of the rest."""
    goodput = inside(total([*(flow["goodput"] for flow in flows), rest], bins))
    again = [0.0] * bins
    for flow in flows:
        for marks in flow["again"].values():
            for place, segments in marks:
                again[min(place, bins - 1)] += flow["segment"] * segments
    trips = [flow for flow in flows if not flow["at_receiver"]]
    weights = [float(flow["octets"]) for flow in trips]
    return replace(
        empty(width, bins),
        goodput=goodput,
        rtt=weighted([flow["rtt"] for flow in trips], weights, bins),
        rtt_most=most([flow["rtt_most"] for flow in trips], bins),
        again=[None if came is None else sent for came, sent in zip(goodput, again, strict=True)],
    )


def of_ways(layers: Layers, what: CommonParts, bins: int) -> dict[Way, Columns]:
    """The columns of each way between hosts."""
    known = [(what.names.way((flow["from"], flow["to"])), flow) for flow in layers["flows"]]
    return {
        way: replace(of_flows([flow for of, flow in known if of == way], layers["width_s"], bins), weight=weight)
        for way, weight in what.ways.items()
    }


def empty(width: float, bins: int) -> Columns:
    """Bins that show nothing."""
    none: dict[str, Any] = {name: [None] * bins for name in LINES}
    return Columns(width, **none)


def datagrams(seen: Columns, found: Diagnosis, streams: Sequence[StreamLayers], bins: int) -> Columns:
    """The same with the columns of UDP, of the streams that are compared."""
    ends = {(one["from"], one["to"]) for one in compared(found)}
    known = [one for one in streams if (one["from"], one["to"]) in ends]
    counted = [one for one in known if any(value is not None for value in one["packets"])]
    none: Line = [None] * bins
    return replace(
        seen,
        udp=inside(total([one["goodput"] for one in known], bins)),
        udp_packets=total([one["packets"] for one in counted], bins) if counted else none,
        udp_missing=total([one["missing"] for one in counted], bins) if counted else none,
        jitter=weighted([one["jitter"] for one in counted], [float(one["octets"]) for one in counted], bins),
    )


def pinged(seen: Columns, found: Diagnosis, pings: Sequence[PingLayers], bins: int) -> Columns:
    """The same with the columns of ICMP echo, of the pairs that are compared."""
    ends = {(one["from"], one["to"]) for one in echoed(found)}
    known = [one for one in pings if (one["from"], one["to"]) in ends]
    if not known:
        return seen
    answered, lost = (total([one[name] for one in known], bins) for name in ("answered", "lost"))
    trips = [one for one in known if not one["at_answerer"]]
    weights = [sum(value or 0.0 for value in one["answered"]) for one in trips]
    ping = weighted([one["rtt"] for one in trips], weights, bins)
    return replace(seen, ping=ping, ping_answered=answered, ping_lost=lost)


def inside(line: Line) -> Line:
    """A line that is nothing before its first value that is not zero, and after its last."""
    some = [place for place, value in enumerate(line) if value]
    return [value if some and some[0] <= place <= some[-1] else None for place, value in enumerate(line)]


def lines(layers: Layers) -> Iterable[Line]:
    """Lines that have as many bins as there are."""
    yield layers["small_goodput"]
    for flow in layers["flows"]:
        yield flow["goodput"]
    for stream in layers["streams"]:
        yield stream["goodput"]
    for ping in layers["pings"]:
        yield ping["answered"]
    if layers["air"]:
        yield layers["air"]["busy_share"]


def heard(found: Diagnosis, air: AirLayers, width: float, bins: int, what: CommonParts) -> dict[str, Any]:
    """The columns of the air: those of stations weighted by their shares of the air time, in their busier direction."""
    own, others, foreign = sorted_out(found, air, what)
    shares = [mean(value or 0.0 for value in station["share"]) for station in own]
    links = [(busier(found, station), share) for station, share in zip(own, shares, strict=True)]
    weights = [share for link, share in links if link]

    def linked(name: str) -> Line:
        of: list[Line] = [link[name] for link, _ in links if link]  # type: ignore[literal-required]
        return weighted(of, weights, bins)

    macs = {station["mac"] for station, share in zip(own, shares, strict=True) if share > 0}
    away = {one["mac"]: dozing(one["dozes"], width, bins) for one in found["stations"] if one["mac"] in macs}
    none: Line = [None] * bins
    alone = {
        called: replace(
            empty(width, bins),
            signal=station["signal"],
            away=away[station["mac"]],
            air=station["share"],
            carried=carried(found, station["mac"], link, width) if link else none,
            weight=counts,
            **(link or LinkLayers(rate=none, retries=none, size=none, mpdus=none)),
        )
        for station, (link, share) in zip(own, links, strict=True)
        for called, counts in [(what.stations or {}).get(station["mac"], (station["mac"], share))]
        # One that all captures have is one of several in each, whatever it sends: means are of the same stations.
        if (link or what.stations) and station["mac"] in away
    }
    known = what.stations is None
    return {
        "rate": linked("rate"),
        "retries": linked("retries"),
        "size": linked("size"),
        "mpdus": total([link["mpdus"] for link, _ in links if link], bins),
        "signal": weighted([station["signal"] for station in own], shares, bins),
        "air": total([station["share"] for station in own] + ([air["small_share"]] if known else []), bins),
        "others": none if known else total([*(one["share"] for one in others), air["small_share"]], bins),
        "foreign": total(foreign, bins),
        "away": weighted(list(away.values()), [1.0] * len(away), bins),
        "carried": total([one.carried for one in alone.values()], bins) if what.is_part else none,
        "stations": alone if len(alone) > 1 else {},
    }


def sorted_out(
    found: Diagnosis, air: AirLayers, what: CommonParts
) -> tuple[list[StationLayers], list[StationLayers], list[Line]]:
    """The stations that all captures have, the others of their network, and the shares of other networks."""
    home = homes(found)
    if what.network in (None, air["network"]):
        own = [one for one in air["stations"] if not one["foreign"]]
        foreign = [air["foreign_share"]]
    else:
        own = [one for one in air["stations"] if home.get(one["mac"]) == what.network]
        foreign = [one["share"] for one in air["stations"] if home.get(one["mac"]) != what.network]
    if what.stations is None:
        return own, [], foreign
    common = [one for one in own if one["mac"] in what.stations]
    return common, [one for one in own if one["mac"] not in what.stations], foreign


def carried(found: Diagnosis, mac: str, link: LinkLayers, width: float) -> Line:
    """Mbit/s of frame bodies that a station's data has, each once: of its MPDUs that are no retries."""
    every = [one for one in found["links"] if mac in (one["from"], one["to"])]
    largest = max(every, key=lambda one: one["octets"])
    each = 8e-6 * largest["octets"] / max(largest["mpdus"], 1) / width
    pairs = zip(link["mpdus"], link["retries"], strict=True)
    return [None if many is None else each * many * (1 - (again or 0.0) / 100) for many, again in pairs]


def busier(found: Diagnosis, station: StationLayers) -> LinkLayers | None:
    """The direction of a station in which more octets go."""
    up = sum(link["octets"] for link in found["links"] if link["from"] == station["mac"])
    down = sum(link["octets"] for link in found["links"] if link["to"] == station["mac"])
    return (station["up"] or station["down"]) if up >= down else (station["down"] or station["up"])


def dozing(spells: Sequence[Sequence[float]], width: float, bins: int) -> Line:
    """The share of each bin that spells take, in percent."""
    share = [0.0] * bins
    for start, end in spells:
        for place in range(max(0, int(start / width)), min(bins - 1, int(end / width)) + 1):
            inside = min(end, (place + 1) * width) - max(start, place * width)
            share[place] += 100 * max(0.0, inside) / width
    return [min(100.0, value) for value in share]


def total(of: Sequence[Line], bins: int) -> Line:
    """The sum of lines; nothing is zero."""
    return [sum(line[place] or 0.0 for line in of if place < len(line)) for place in range(bins)]


def most(of: Sequence[Line], bins: int) -> Line:
    """The greatest of lines, where any has a value."""
    known = [[line[place] for line in of if place < len(line)] for place in range(bins)]
    return [max((value for value in values if value is not None), default=None) for values in known]


def weighted(of: Sequence[Line], weights: Sequence[float], bins: int) -> Line:
    """The weighted mean of lines, where any has a value."""
    found: Line = []
    for place in range(bins):
        pairs = [(line[place], weight) for line, weight in zip(of, weights, strict=True) if place < len(line)]
        found.append(weighted_mean((value, weight) for value, weight in pairs if value is not None and weight > 0))
    return found
