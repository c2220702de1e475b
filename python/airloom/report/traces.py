"""What is drawn in a panel: a line for each flow or run, bands where there are too many."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from airloom.analysis.flow_sets import set_of_each
from airloom.analysis.key_figures import MIN_FOR_PERCENTILES
from airloom.analysis.run_view import together
from airloom.report.colours import CROWD, HUES, NODE, SUM, Colours, hue
from airloom.results.series import Series, binwise, rounded
from airloom.support.statistics import percentile, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.analysis.run_view import RunView
    from airloom.report.comparison import ComparedRun, Comparison
    from airloom.report.panels import Line, Panel
    from airloom.results.summary import FlowSummary

MOST_BINS = 4000
"""Bins of a line at most: of finer series several are drawn as one."""

LEGIBLE = 3
"""Flows of which each has a second line, such as what is in flight beside the window."""

FACETS = 4
"""Flows of several runs that have a plot each; of more, each run's spread is drawn."""

OUTER, INNER, MIDDLE = (0.0, 1.0), (0.05, 0.95), 0.5
"""The quantiles at which a band of many lines begins and ends, and that of the line within."""

BANDS = ("least to most", "5 to 95 %")
"""Their names."""

SPREADS = ((OUTER, BANDS[0], 0.13), (INNER, BANDS[1], 0.22))
"""Where each begins and ends, its name, and how opaque it is."""

COUNTED = {"mpdus_per_ampdu": "ampdus", "mac_rate": "ampdus"}
"""Metrics that are means over what is sent, as the summary's are over the whole run, each with the count of that."""

SUMMED = {"received_rate": "received_rate_mbps", "rtt": "rtt_mean_ms", "delay": "delay_mean_ms"}
"""Metrics that are means over what no series counts, each with the summary's."""

DASHES = ([1, 0], [5, 3], [2, 2])
"""The first, the second and the third quantity of a panel."""

Row = dict[str, float | str | bool | None]


@dataclass(frozen=True)
class Trace:
    """One line of a plot.

    Attributes:
        label: Its name in the legend.
        colour: Its hue: that of its flow, or of its run.
        quantity: Which of the panel's quantities it is, for its dash.
        series: Its values.
        mean: Their mean.
        scanning: Their mean within scans; NaN where there are none.
        alone: The title of a plot of such lines alone; empty where it is the panel's.
        weights: What each of its values counts for in a mean over some time; nothing where each counts as much.
        longest: Whether the greatest of its values stands for some time, not their mean.
    """

    label: str
    colour: str
    quantity: int
    series: Series
    mean: float
    scanning: float
    alone: str = ""
    weights: Sequence[float] | None = None
    longest: bool = False

    @classmethod
    def of(cls, label: str, colour: str, item: Item, series: Series, view: RunView) -> Trace:
        """A line of a run: of an item, or of several that are like it."""
        if series.metric not in COUNTED or not series.entity:
            mean, scanning = overall(series, view), view.degraded(series).mean()
            return cls(label, colour, item.quantity, series, mean, scanning, item.alone)
        recorded, sent = (view.run.table.get(series.entity, of) for of in (series.metric, COUNTED[series.metric]))
        mean, scanning = (weighted(part, sent) for part in (recorded, view.degraded(recorded)))
        weights = counts(series, sent.dense().within(MOST_BINS))
        return cls(label, colour, item.quantity, series, mean, scanning, item.alone, weights)

    @property
    def dash(self) -> list[int]:
        """How it is dashed."""
        return DASHES[self.quantity % len(DASHES)]

    def points(self, scale: float) -> list[Row]:
        """Its points, to the end of the last bin."""
        rows: list[Row] = [
            {"t": time, "v": rounded(scale * value, 5), "k": self.label}
            for time, value in zip(self.series.times, self.series.values, strict=True)
        ]
        return rows + closing(rows, self.series)


def counts(series: Series, sent: Series) -> list[float]:
    """What each value of a series is the mean of so many of, by a series of these in bins alike."""
    known = {time: many for time, many in zip(sent.times, sent.values, strict=True) if not math.isnan(many)}
    return [known.get(time, 0.0) for time in series.times]


def overall(series: Series, view: RunView) -> float:
    """The mean of a series over the run: the summary's where it is of each packet or frame, and of all of the run."""
    own = view.totals.get(series.entity, {}).get(SUMMED.get(series.metric, ""))
    return series.mean() if own is None or "warm_up_s" in view.run.summary else own


def weighted(series: Series, sent: Series) -> float:
    """The mean over all that the values of a series are means of; not a number where there is none."""
    pairs = zip(series.values, counts(series, sent), strict=True)
    mean = weighted_mean((value, many) for value, many in pairs if not math.isnan(value))
    return math.nan if mean is None else mean


@dataclass(frozen=True)
class Band:
    """What most of many lines lie within."""

    label: str
    colour: str
    opacity: float
    low: Series
    high: Series

    def points(self, scale: float) -> list[Row]:
        """Its points, to the end of the last bin."""
        rows: list[Row] = [
            {"t": time, "low": rounded(scale * low, 4), "high": rounded(scale * high, 4), "k": self.label}
            for time, low, high in zip(self.low.times, self.low.values, self.high.values, strict=True)
        ]
        return rows + closing(rows, self.low)


def closing(rows: Sequence[Row], series: Series) -> list[Row]:
    """The row that draws the last bin to its end, if there are any."""
    return [row | {"t": series.times[-1] + series.width, "end_of_line": True} for row in rows[-1:]]


@dataclass(frozen=True)
class Plot:
    """One plot of a panel; `facet` is what it shows where the panel has several."""

    panel: Panel
    facet: str
    traces: list[Trace]
    bands: list[Band]

    @property
    def title(self) -> str:
        """What it shows: the panel's title, but where lines have one of their own."""
        alone = {trace.alone for trace in self.traces}
        return (alone.pop() if len(alone) == 1 else self.panel.mixed) or self.panel.title


@dataclass(frozen=True)
class Item:
    """A series of one run.

    Attributes:
        entity: Whose it is.
        quantity: The place of its quantity within the panel.
        label: The name of that quantity.
        of_flow: Whether it is a flow's; a node's otherwise.
        crowd: Whether it is one of many alike: a flow's, or that of a station with flows.
        of_set: The set of flows that it is of; empty where there is one alone.
        series: The values.
        alone: The title of a plot of such lines alone; empty where it is the panel's.
    """

    entity: str
    quantity: int
    label: str
    of_flow: bool
    crowd: bool
    of_set: str
    series: Series
    alone: str


def plots(panel: Panel, comparison: Comparison) -> list[Plot]:
    """The plots of a panel: none where no run has anything to show in it."""
    if len(comparison.runs) == 1:
        return of_one(panel, comparison.first)
    return of_several(panel, comparison.runs)


def of_one(panel: Panel, one: ComparedRun) -> list[Plot]:
    """One run: each entity in its hue beside the sum; of a crowd the spread and the extremes, with the sum above."""
    items = select(panel.lines, one.view)
    many = len({item.entity for item in items if item.crowd})
    crowd = many > HUES
    if many > LEGIBLE:
        items = select([line for line in panel.lines if not (line.aside and line.label)], one.view) or items
    if not items:
        return []
    hues = Colours.of(one.view)
    sums = together_of(panel, items, one, "all together", SUM)
    if not crowd:
        traces = [Trace.of(named(item, items), colour(item, hues), item, item.series, one.view) for item in items]
        return [Plot(panel, "", sums + traces, [])]
    nodes, crowds = parted([(one, items)])
    alone = [
        Trace.of(f"{name}, {item.label}" if item.label else name, colour(item, hues), item, item.series, one.view)
        for name, lines in nodes
        for _, own in lines
        for item in own
    ]
    # A page of a crowd is long enough: what stands for itself is beside the sum, or beside the one crowd that there is.
    within = alone if not sums and len(crowds) == 1 else []
    above = [Plot(panel, "all together", sums + alone, [])] if sums else []
    beside = [Plot(panel, ", ".join(name for name, _ in nodes), alone, [])] if alone and not sums and not within else []
    each = []
    for title, lines in crowds:
        for _, own in lines:
            traces, bands = spread(own, one, hues)
            each.append(Plot(panel, title or usual(above, beside), traces + within, bands))
    return [*above, *beside, *each]


def of_several(panel: Panel, runs: Sequence[ComparedRun]) -> list[Plot]:
    """Several runs, each in its hue: a plot for each flow or node, or for all where each run has one alone or many."""
    own = [(one, select([line for line in panel.lines if not line.aside], one.view)) for one in runs]
    own = [(one, items) for one, items in own if items]
    if not own:
        return []
    entities = list(dict.fromkeys(item.entity for _, items in own for item in items))
    sums = [trace for one, items in own for trace in together_of(panel, items, one, one.short, hue(one.index))]
    above = [Plot(panel, "all together", sums, [])] if sums else []
    if max(len({item.entity for item in items}) for _, items in own) == 1:
        return [*above, facet(panel, "", own)]
    if len(entities) <= FACETS:
        return [
            *above,
            *(facet(panel, name, kept(own, lambda item: item.entity, name)) for name in entities),
        ]
    nodes, crowds = parted(own)
    beside = [facet(panel, name, lines) for name, lines in nodes]
    found = []
    for title, lines in crowds:
        spreads = [spread(part, one, None) for one, part in lines]
        traces = [trace for middle, _ in spreads for trace in middle]
        bands = [band for _, around in spreads for band in around]
        found.append(Plot(panel, title or usual(above, beside), traces, bands))
    return [*above, *beside, *found]


Own = list[tuple["ComparedRun", list["Item"]]]
"""The lines of each run."""


def parted(own: Own) -> tuple[list[tuple[str, Own]], list[tuple[str, Own]]]:
    """Lines in plots, each with its title: of each node that is in no crowd, and of each set of a crowd.

    More such nodes than have a plot each are a crowd of their own.
    """
    names = list(dict.fromkeys(item.entity for _, items in own for item in items if not item.crowd))
    if len(names) > FACETS:
        points = {node["name"] for one, _ in own for node in one.run.summary["nodes"] if node["kind"] == "ap"}
        called = "access points" if points.issuperset(names) else "other nodes"
        own = [
            (one, [item if item.crowd else replace(item, crowd=True, of_set=called) for item in items])
            for one, items in own
        ]
        names = []
    sets = list(dict.fromkeys(item.of_set for _, items in own for item in items if item.crowd))
    return (
        [(name, kept(own, lambda item: item.entity, name)) for name in names],
        [(title, kept(own, lambda item: item.of_set if item.crowd else None, title)) for title in sets],
    )


def usual(above: Sequence[Plot], beside: Sequence[Plot]) -> str:
    """What the plot of a crowd without a name is of, where others stand before it."""
    return "each" if above else "the others" if beside else ""


def kept(own: Own, what: Callable[[Item], str | None], wanted: str) -> Own:
    """The lines of which something is as wanted, in each run that has such."""
    found = [(one, [item for item in items if what(item) == wanted]) for one, items in own]
    return [(one, items) for one, items in found if items]


def facet(panel: Panel, title: str, own: Sequence[tuple[ComparedRun, list[Item]]]) -> Plot:
    """A plot of one entity: the line of each run, dashed for a second quantity."""
    several = len({item.label for _, items in own for item in items}) > 1
    traces = [
        Trace.of(
            f"{one.short}: {item.label}" if several and item.label else one.short,
            hue(one.index),
            item,
            item.series,
            one.view,
        )
        for one, items in own
        for item in items
    ]
    return Plot(panel, title, traces, [])


def together_of(panel: Panel, items: Sequence[Item], one: ComparedRun, label: str, tint: str) -> list[Trace]:
    """The sum of several entities, where that means something."""
    if not panel.adds or len(items) == 1:
        return []
    return [Trace.of(label, tint, items[0], together([item.series for item in items]), one.view)]


def spread(items: Sequence[Item], one: ComparedRun, hues: Colours | None) -> tuple[list[Trace], list[Band]]:
    """Many lines of a crowd as their median within bands, beside the extremes; a lone one has the tint too.

    Of several runs, which have no `hues`, each has one band in the hue of the run.
    """
    tint = hue(one.index) if hues is None else CROWD
    prefix = f"{one.short}, " if hues is None else ""
    traces: list[Trace] = []
    bands: list[Band] = []
    for quantity in dict.fromkeys(item.quantity for item in items):
        group = [item for item in items if item.quantity == quantity]
        shown = [item for item in group if hues is not None and colour(item, hues) != NODE]
        if len(group) > 1:
            label = f"{prefix}{group[0].label} " if len({item.label for item in items}) > 1 else prefix
            series = [item.series for item in group]
            bands += [
                Band(f"{label}{words}", tint, opacity if hues else 0.16, across(series, low), across(series, high))
                for (low, high), words, opacity in around(len(group), inner_alone=hues is None)
            ]
            middle = across(series, MIDDLE)
            traces.append(Trace.of(f"{label}median of {len(group)}", tint, group[0], middle, one.view))
        else:
            shown = group
        for item in shown:
            known = NODE if hues is None else colour(item, hues)
            shade = tint if known == NODE else known
            name = named(item, items)
            name = name if len(group) > 1 or name.startswith(item.entity) else f"{item.entity} {name}"
            traces.append(Trace.of(f"{prefix}{name}", shade, item, item.series, one.view))
    return traces, bands


def around(many: int, *, inner_alone: bool) -> Sequence[tuple[tuple[float, float], str, float]]:
    """Those of `SPREADS` that say something of so many lines."""
    if many < MIN_FOR_PERCENTILES:
        return SPREADS[:1]
    return SPREADS[1:] if inner_alone else SPREADS


def across(series: Sequence[Series], share: float) -> Series:
    """A quantile across some series, bin by bin."""
    return binwise(series, lambda values: percentile(values, share))


def colour(item: Item, hues: Colours) -> str:
    """The colour of a line in a page about one run."""
    return (hues.flows if item.of_flow else hues.nodes).get(item.entity, NODE)


def named(item: Item, items: Sequence[Item]) -> str:
    """What a line is called among others: its entity, its quantity, or both."""
    parts = []
    if len({other.entity for other in items}) > 1 or not item.label:
        parts.append(item.entity)
    if item.label and len({other.label for other in items}) > 1:
        parts.append(item.label)
    return " ".join(parts) or item.entity


def select(lines: Sequence[Line], view: RunView) -> list[Item]:
    """The series of these lines in one run, those that were recorded."""
    found = []
    of_sets = set_of_each(view.run.summary)
    quantities: dict[str, int] = {}
    for line in lines:
        metrics = [one.metric for one in lines]
        for entity in seen(line, view, metrics) if line.scope == "link" else entities_of(line, view):
            series = view.run.table.get(entity, line.metric).dense().within(MOST_BINS)
            if series.known():
                quantity = quantities.setdefault(line.label, len(quantities))
                of_flow = line.scope == "flow"
                crowd = of_flow or entity in view.stations
                found.append(
                    Item(entity, quantity, line.label, of_flow, crowd, of_sets.get(entity, ""), series, line.alone)
                )
    return found


def entities_of(line: Line, view: RunView) -> list[str]:
    """The entities whose series a line shows, but for those of links."""
    match line.scope:
        case "flow":
            return [flow["name"] for flow in view.flows]
        case "sender" | "holder":
            return [*view.senders, *(holding(others(line, view), line, view) if line.scope == "holder" else [])]
        case "to station" | "from station":
            return [
                name
                for name, flows in view.stations.items()
                if any(name == (flow["to"] if line.scope == "to station" else flow["from"]) for flow in telling(flows))
            ]
        case "station":
            return view.run.table.entities(line.metric)
        case "scanner":
            return list(dict.fromkeys(scan["station"] for scan in view.run.summary["scans"]))
        case _:
            return others(line, view)


def others(line: Line, view: RunView) -> list[str]:
    """The radios that send no data of a flow."""
    return [name for name in view.run.table.entities(line.metric) if name not in view.senders]


VISIBLE = 0.02
"""The share of the highest value from which on a line is seen to leave the axis: two of a plot's hundred pixels."""


def holding(names: Sequence[str], line: Line, view: RunView) -> list[str]:
    """Those of some entities whose values are seen, beside theirs and those of senders."""
    known = view.run.table.entities(line.metric)
    highest = {
        name: max(view.run.table.get(name, line.metric).known(), default=0.0)
        for name in (*view.senders, *names)
        if name in known
    }
    least = VISIBLE * max(highest.values(), default=0.0)
    return [name for name in names if highest[name] > least]


def seen(line: Line, view: RunView, metrics: Sequence[str]) -> list[str]:
    """The entities whose values of a line are seen beside the highest of any of some metrics."""
    table = view.run.table
    known = ((metric, name) for metric in metrics for name in table.entities(metric))
    highest = {(metric, name): max(table.get(name, metric).known(), default=0.0) for metric, name in known}
    least = VISIBLE * max(highest.values(), default=0.0)
    return [name for name in table.entities(line.metric) if highest[line.metric, name] > least]


def telling(flows: Sequence[FlowSummary]) -> Sequence[FlowSummary]:
    """The flows that carry data, or all where none does."""
    return [flow for flow in flows if flow["kind"] != "ping"] or flows
