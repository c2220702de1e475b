"""The layers that captures show over time, as plots: a line for each flow or station, bands where there are many."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from airloom.report.chart import ceiling
from airloom.report.colours import CROWD, HUES, NODE, SUM, hue
from airloom.report.panels import Panel
from airloom.report.traces import BANDS, INNER, LEGIBLE, MIDDLE, OUTER, Band, Plot, Trace, across
from airloom.results.series import Series
from airloom.support.statistics import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from airloom.diagnosis.shapes import AirLayers, Layers, Line, LinkLayers, LinkSeen, StationLayers

GOODPUT = Panel("goodput", "Goodput", "Mbit/s", "What the receivers acknowledge.", (), adds=True)
RTT = Panel(
    "rtt",
    "Round-trip time",
    "ms",
    "From where the capture was made to the receiver and back, and to the sender and back if it is elsewhere.",
    (),
)
FLIGHT = Panel("flight", "Data in flight", "kB", "What is outstanding at the sender, as far as the capture shows.", ())
AGAIN = Panel("again", "Sent again", "segments", "What TCP sent again in each bin of time, by what made it do so.", ())
AIRTIME = Panel(
    "airtime",
    "Air time",
    "% of the time",
    "Who holds the air, with data to each station and from it. What is left is idle, gaps between frames included.",
    (),
)
RATE = Panel("phy", "Rate of the radio", "Mbit/s", "The mean rate of the transmissions that carry data.", ())
RETRIES = Panel("retries", "Retries", "% of the frames", "Data frames that the radio sent once more.", ())
SIZE = Panel("sizes", "Aggregates", "MPDUs", "Frames in each transmission that carries data, on average.", ())
SIGNAL = Panel("signal", "Signal", "dBm", "As the monitor hears each station.", ())

BOTH_WAYS = 4
"""Stations of which data to them and from them has a line each; of more, that way in which more goes."""

STRESSED = 3
"""Of a crowd, those that findings name and that have a line of their own."""

ALL = 100.0
"""All of something, in percent. What is computed from rates may be more."""

OPAQUE = 0.5
"""How opaque the parts of the air time are."""

REASONS = {
    "fast": ("fast", "var(--line-0)"),
    "timeout": ("timeout", "var(--line-1)"),
    "after_timeout": ("after a timeout", "var(--line-4)"),
    "probe": ("probe", "var(--line-2)"),
    "handshake": ("handshake", "var(--line-3)"),
    "too_big": ("too big", "var(--line-5)"),
    "unclear": ("unclear", "var(--node)"),
}
"""What makes TCP send again, in words, and its colour, which is no flow's."""


@dataclass(frozen=True)
class Item:
    """A line over time: whose, which of the panel's quantities, its name, and what stands for some of its time.

    That is the greatest of its values, of a line of the longest; else their mean, in which each counts for its weight.
    """

    entity: str
    line: Line
    quantity: int = 0
    label: str = ""
    weights: Line | None = None
    longest: bool = False


@dataclass(frozen=True)
class Drawing:
    """What all plots share: the width of a bin in seconds, hues by flow and station, and who stands out of a crowd."""

    width: float
    hues: Mapping[str, str]
    stressed: Sequence[str]

    def series(self, line: Line) -> Series:
        """A line as a series."""
        times = [round(place * self.width, 6) for place in range(len(line))]
        values = [math.nan if value is None else value for value in line]
        return trimmed(Series("", "", "", times, values, self.width))

    def trace(self, label: str, colour: str, item: Item) -> Trace:
        """A line in a colour."""
        series = self.series(item.line)
        first = next((place for place, value in enumerate(item.line) if value is not None), 0)
        part = None if item.weights is None else item.weights[first : first + len(series.values)]
        weights = None if part is None else [weight or 0.0 for weight in part]
        of_all = series.max() if item.longest else weighted(series.values, weights) if weights else series.mean()
        return Trace(label, colour, item.quantity, series, of_all, math.nan, "", weights, item.longest)

    def plots(self, panel: Panel, items: Iterable[Item], rest: Line | None = None, small: int = 0) -> list[Plot]:
        """The plots of a panel: none where there is nothing to show.

        Args:
            panel: The panel.
            items: Its lines.
            rest: What small entities have together, where they are only in the sum.
            small: How many there are of these.
        """
        shown = [item for item in items if any(value is not None for value in item.line)]
        if not shown:
            return []
        entities = list(dict.fromkeys(item.entity for item in shown))
        if len(entities) > LEGIBLE and panel is RTT:
            shown = [item for item in shown if item.quantity == 0]
        above = []
        if panel.adds and (len(entities) > 1 or rest):
            whole = Item("", summed([*(item.line for item in shown), *([rest] if rest else [])]))
            above = [self.trace("all together", SUM, whole)]
        if len(entities) <= HUES:
            lines = [self.trace(named(item, shown), self.hues.get(item.entity, NODE), item) for item in shown]
            return [Plot(panel, "", above + lines, [])]
        of = f"the {len(entities)} largest of {len(entities) + small:,}" if small else "each" if above else ""
        plot = Plot(panel, of, *self.spread(shown))
        return [*([Plot(panel, "all together", above, [])] if above else []), plot]

    def spread(self, items: Sequence[Item]) -> tuple[list[Trace], list[Band]]:
        """Many lines as their median within bands, and in front of them those that findings name."""
        series = [self.series(item.line) for item in items]
        bands = [
            Band(words, CROWD, opacity, across(series, low), across(series, high))
            for (low, high), words, opacity in zip((OUTER, INNER), BANDS, (0.13, 0.22), strict=True)
        ]
        middle = across(series, MIDDLE)
        traces = [Trace(f"median of {len(items)}", CROWD, 0, middle, middle.mean(), math.nan)]
        known = [item for item in items if item.entity in self.stressed[:STRESSED]]
        own = [self.trace(named(item, items), hue(1 + self.stressed.index(item.entity)), item) for item in known]
        return traces + [replace(trace, quantity=0) for trace in own], bands


def weighted(values: Sequence[float], weights: Sequence[float]) -> float:
    """The mean of values, each as often as its weight says; not a number without any."""
    known = weighted_mean(pair for pair in zip(values, weights, strict=True) if not math.isnan(pair[0]))
    return math.nan if known is None else known


def trimmed(series: Series) -> Series:
    """A series from its first value to its last."""
    known = [place for place, value in enumerate(series.values) if not math.isnan(value)]
    if not known:
        return series.of([], [])
    part = slice(known[0], known[-1] + 1)
    return series.of(series.times[part], series.values[part])


def summed(lines: Sequence[Line]) -> Line:
    """The sum of lines, bin by bin, where any has a value."""
    parts = ([value for value in values if value is not None] for values in zip(*lines, strict=True))
    return [math.fsum(part) if part else None for part in parts]


def named(item: Item, items: Sequence[Item]) -> str:
    """What a line is called among others: its entity, its quantity, or both."""
    several = len({other.label for other in items}) > 1
    if several and len({other.entity for other in items}) == 1:
        return item.label
    return f"{item.entity}, {item.label}" if several else item.entity


def flow_names(layers: Layers) -> list[str]:
    """The flows by their ends, the ephemeral port left out where that leaves them apart."""
    full = [f"{flow['from']} to {flow['to']}" for flow in layers["flows"]]
    short = [f"{brief(flow['from'])} to {brief(flow['to'])}" for flow in layers["flows"]]
    return short if len(set(short)) == len(short) else full


EPHEMERAL = 32768
"""Ports from here on are ephemeral (Linux: `ip_local_port_range`)."""


def brief(end: str) -> str:
    """An end without its port, if that is an ephemeral one."""
    address, _, port = end.rpartition(":")
    return address if int(port) >= EPHEMERAL else end


def of_flows(layers: Layers, drawing: Drawing) -> list[Plot]:
    """The plots of TCP."""
    flows = list(zip(flow_names(layers), layers["flows"], strict=True))
    rest = layers["small_goodput"] if layers["small_flows"] else None
    trips = [Item(name, flow["rtt"], 0, "mean") for name, flow in flows]
    longest = [Item(name, flow["rtt_most"], 1, "longest", longest=True) for name, flow in flows]
    back = [Item(name, flow["rtt_sender"], 2, "mean to the sender") for name, flow in flows]
    return [
        *drawing.plots(GOODPUT, [Item(name, flow["goodput"]) for name, flow in flows], rest, layers["small_flows"]),
        *drawing.plots(RTT, [item for all_of in zip(trips, longest, back, strict=True) for item in all_of]),
        *drawing.plots(FLIGHT, [Item(name, flow["flight"]) for name, flow in flows]),
    ]


def of_air(air: AirLayers, links: Sequence[LinkSeen], drawing: Drawing) -> list[Plot]:
    """The plots of the air."""
    stations = air["stations"]
    ways = [way for station in stations for way in each_way(station, links, both=len(stations) <= BOTH_WAYS)]
    return [
        *held(air, drawing),
        *drawing.plots(RATE, [way.item(way.data["rate"], way.data["mpdus"]) for way in ways]),
        *drawing.plots(RETRIES, [way.item(way.data["retries"], way.data["mpdus"]) for way in ways]),
        *drawing.plots(SIZE, [way.item(way.data["size"], ppdus(way.data)) for way in ways]),
        *drawing.plots(SIGNAL, [Item(station["mac"], station["signal"]) for station in stations]),
    ]


@dataclass(frozen=True)
class StationData:
    """The data from a station, or to it."""

    mac: str
    data: LinkLayers
    place: int
    words: str

    def item(self, line: Line, weights: Line) -> Item:
        """A line of it, of which a mean is one of MPDUs or of PPDUs."""
        return Item(self.mac, line, self.place, self.words, weights)


def ppdus(of: LinkLayers) -> Line:
    """How many PPDUs there were in each bin; nothing where how many MPDUs they had does not show."""
    pairs = zip(of["mpdus"], of["size"], strict=True)
    return [mpdus / size if mpdus is not None and size else None for mpdus, size in pairs]


def each_way(station: StationLayers, links: Sequence[LinkSeen], *, both: bool) -> list[StationData]:
    """The data from a station and to it, or that of these in which more goes."""
    mac = station["mac"]
    ways = [(station["up"], 0, "from it"), (station["down"], 1, "to it")]
    there = [StationData(mac, data, place, words) for data, place, words in ways if data]
    if both or len(there) == 1:
        return there
    sent = sum(link["octets"] for link in links if link["from"] == mac)
    received = sum(link["octets"] for link in links if link["to"] == mac)
    return there[:1] if sent >= received else there[1:]


def held(air: AirLayers, drawing: Drawing) -> list[Plot]:
    """Who holds the air, one part on top of the other."""
    own = [station for station in air["stations"] if not station["foreign"]]
    alone = own if len(own) <= HUES else own[: HUES - 1]
    parts = [(station["mac"], drawing.hues.get(station["mac"], NODE), station["share"]) for station in alone]
    rest = [station["share"] for station in own[len(alone) :]] + ([air["small_share"]] if air["small_stations"] else [])
    if rest:
        many = len(own) - len(alone) + air["small_stations"]
        parts.append((f"{many} other stations", CROWD, summed(rest)))
    parts.append(("other networks", "var(--bad)", air["foreign_share"]))
    parts.append(("control frames", "var(--node)", air["control_share"]))
    parts.append(("management frames", "var(--scan-ink)", air["management_share"]))
    parts = [part for part in parts if any(part[2])]
    if not parts:
        return []
    bands = []
    low: Line = [0.0] * len(air["busy_share"])
    for label, colour, line in parts:
        high = summed([low, line])
        bands.append(Band(label, colour, OPAQUE, drawing.series(low), drawing.series(high)))
        low = high
    return [Plot(AIRTIME, "", [], bands)]


def signal_ends(plot: Plot) -> tuple[float, float]:
    """The axis of a signal: round numbers around all values."""
    lows = [*(trace.series.min() for trace in plot.traces), *(band.low.min() for band in plot.bands)]
    highs = [*(trace.series.max() for trace in plot.traces), *(band.high.max() for band in plot.bands)]
    low = 10.0 * math.floor(min(value for value in lows if not math.isnan(value)) / 10)
    high = 10.0 * math.ceil(max(value for value in highs if not math.isnan(value)) / 10)
    return low, max(high, low + 10)


def ends(plot: Plot) -> tuple[float, float] | None:
    """The ends of a plot's axis, where they are not zero and a round number above all."""
    if plot.panel is SIGNAL:
        return signal_ends(plot)
    if plot.panel is AIRTIME:
        top = max(band.high.max() for band in plot.bands)
        return 0.0, ALL if top <= ALL else ceiling([top])
    if plot.panel is RETRIES:
        highest = [*(trace.series.max() for trace in plot.traces), *(band.high.max() for band in plot.bands)]
        return 0.0, min(ALL, ceiling(highest))
    return None
