"""How long packets take: a line for each flow or run, of the means of a series, and the quantiles of all packets.

Every number is a quantile of all packets, from the summary. A series has means of intervals: their distribution, which
the line is of, has no long tail, and is not read as one of packets.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from airloom.analysis.flow_sets import set_of_each
from airloom.report import vega
from airloom.report.chart import RIGHT, SHOWN, ceiling
from airloom.report.colours import CROWD, HUES, NODE, Colours, hue
from airloom.report.standalone import Column, describe
from airloom.report.traces import DASHES, FACETS, MIDDLE, around
from airloom.report.vega_spec import vega_lite
from airloom.results.series import rounded
from airloom.support.formatting import known
from airloom.support.statistics import percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.analysis.run_view import RunView
    from airloom.report.comparison import ComparedRun, Comparison
    from airloom.results.summary import FlowSummary

HEIGHT = 160
LEFT = 46
BOTTOM = 40
"""Pixels of a plot, and beside and below it for the labels and titles of its axes."""

STEPS = tuple(step / 100 for step in range(101))
"""The shares at which a line has a value."""

SHOWN_QUANTILES = (("median", 0.5), ("95 %", 0.95), ("99 %", 0.99))
"""The quantiles that are marked in a plot and stand below it."""

WIDE = 20
"""From this ratio of the greatest to the least value on an axis is logarithmic."""


@dataclass(frozen=True)
class Curve:
    """One line: the values of some quantity below which each of `STEPS` lies, in ms.

    Attributes:
        label: Its name.
        colour: Its hue.
        quantity: 0 for round trips, 1 for delays one way.
        values: A value for each step: of the means of a series' intervals.
        width: The length of such an interval in s.
        exact: `SHOWN_QUANTILES` of all packets, from the summary; NaN where a run has not counted them.
    """

    label: str
    colour: str
    quantity: int
    values: list[float]
    width: float
    exact: list[float]

    @property
    def cells(self) -> list[str]:
        """The quantiles that are shown, as text: of all packets, as in every other table."""
        return [known(value) for value in self.exact]


@dataclass(frozen=True)
class Spread:
    """What most of many lines lie within: two values for each step, and which share of the lines that is."""

    words: str
    colour: str
    low: list[float]
    high: list[float]


@dataclass(frozen=True)
class Distribution:
    """One plot; `of` is the flow that it is of where there are several plots."""

    of: str
    curves: list[Curve]
    spreads: list[Spread]


def distributions(comparison: Comparison) -> list[Distribution]:
    """The plots: of one run all flows in one; of several runs one for each flow, or one for the spread of many."""
    if len(comparison.runs) == 1:
        return of_one(comparison.first)
    return of_several(comparison.runs)


def of_one(one: ComparedRun) -> list[Distribution]:
    """One run: each flow in its hue; of a crowd the median, the spread and the extremes."""
    hues = Colours.of(one.view).flows
    curves = curves_of(one.view, hues)
    if len(curves) <= HUES:
        return [Distribution("", curves, [])] if curves else []
    return [
        Distribution(title, *beside([crowd(own, "", CROWD)], [curve for curve in own if curve.label in hues]))
        for title, own in of_sets(one, curves).items()
    ]


def of_sets(one: ComparedRun, curves: Sequence[Curve]) -> dict[str, list[Curve]]:
    """The lines of a run by the set of their flows; one without a name where there is one set alone."""
    names = set_of_each(one.run.summary)
    found: dict[str, list[Curve]] = {}
    for curve in curves:
        found.setdefault(names[curve.label], []).append(curve)
    return found


def beside(crowds: Sequence[tuple[Curve, Spread]], others: Sequence[Curve] = ()) -> tuple[list[Curve], list[Spread]]:
    """The lines and the bands of crowds, with other lines."""
    return [*(median for median, _ in crowds), *others], [spread for _, spread in crowds]


def of_several(runs: Sequence[ComparedRun]) -> list[Distribution]:
    """Several runs, each in its hue."""
    own = [(one, curves_of(one.view, {})) for one in runs]
    names = list(dict.fromkeys(curve.label for _, curves in own for curve in curves))
    if len(names) <= FACETS:
        return [
            Distribution(
                name if len(names) > 1 else "",
                [
                    Curve(one.short, hue(one.index), curve.quantity, curve.values, curve.width, curve.exact)
                    for one, curves in own
                    for curve in curves
                    if curve.label == name
                ],
                [],
            )
            for name in names
        ]
    parts: dict[str, list[tuple[Curve, Spread]]] = {}
    for one, curves in own:
        for title, of_set in of_sets(one, curves).items():
            parts.setdefault(title, []).append(crowd(of_set, f"{one.short}, ", hue(one.index)))
    return [Distribution(title, *beside(both)) for title, both in parts.items()]


def curves_of(view: RunView, hues: dict[str, str]) -> list[Curve]:
    """The distributions of a run's flows: of those that have any."""
    found = []
    for flow in view.flows:
        one_way = flow["kind"] == "udp"
        series = view.run.table.get(flow["name"], "delay" if one_way else "rtt")
        values = series.known()
        if len(values) > 1:
            steps = [percentile(values, step) for step in STEPS]
            colour = hues.get(flow["name"], NODE)
            found.append(Curve(flow["name"], colour, int(one_way), steps, series.width, counted(flow)))
    return found


def counted(flow: FlowSummary) -> list[float]:
    """The quantiles of all packets of a flow; NaN where they were not counted."""
    kind = "delay" if flow["kind"] == "udp" else "rtt"
    found = (flow.get(f"{kind}_{name}_ms") for name in ("median", "p95", "p99"))
    return [float(value) if isinstance(value, int | float) else math.nan for value in found]


def crowd(curves: Sequence[Curve], prefix: str, colour: str) -> tuple[Curve, Spread]:
    """The median of many lines, and what most of them lie within, share by share."""
    columns = list(zip(*(curve.values for curve in curves), strict=True))
    (least, most), words, _ = around(len(curves), inner_alone=True)[0]
    low, middle, high = ([percentile(column, share) for column in columns] for share in (least, MIDDLE, most))
    counts = zip(*(curve.exact for curve in curves), strict=True)
    known = [[value for value in column if not math.isnan(value)] for column in counts]
    exact = [statistics.median(column) if column else math.nan for column in known]
    width = curves[0].width
    name = curves[0].label if len(curves) == 1 else f"median of {len(curves)}"
    return Curve(f"{prefix}{name}", colour, curves[0].quantity, middle, width, exact), Spread(words, colour, low, high)


@dataclass(frozen=True)
class Axes:
    """The axes that the layers of a plot share: of the times of a field, and of shares."""

    x: Callable[[str], vega.Channel]
    y: vega.Channel


def axes(shown: Distribution) -> Axes:
    """The axes of a plot, that of times logarithmic where its values differ widely."""
    values = [value for curve in shown.curves for value in curve.values]
    values += [value for spread in shown.spreads for value in (*spread.low, *spread.high)]
    values += [value for curve in shown.curves for value in curve.exact if not math.isnan(value)]
    least, most = min(values), max(values)
    wide = least > 0 and most / least > WIDE
    scale = (
        vega.Scale(type="log", domain=[least, most], nice=True)
        if wide
        else vega.Scale(domain=[0, ceiling([most])], nice=False)
    )
    x = partial(vega.Channel, title="ms", scale=scale, axis=vega.Axis(tickCount=5, format=",.4~r", grid=True))
    share = vega.Scale(domain=[0, 100], nice=False)
    return Axes(
        x,
        vega.Channel(
            "s:Q", title=None, scale=share, axis=vega.Axis(values=[0, 50, 95], labelExpr="datum.label + ' %'")
        ),
    )


def band(spread: Spread, place: int, on: Axes) -> vega.Chart:
    """What most of many lines lie within."""
    rows = [
        {"s": 100 * step, "low": rounded(low, 4), "high": rounded(high, 4)}
        for step, low, high in zip(STEPS, spread.low, spread.high, strict=True)
    ]
    base = vega.charted(rows, name=f"spread_{place}")
    mark = base.mark_area(orient="horizontal", clip=True, color=spread.colour, opacity=0.18, tooltip=None)
    area: vega.Chart = mark.encode(x=on.x("low:Q"), x2="high:Q", y=on.y)
    return area


def lines(curves: Sequence[Curve], on: Axes) -> vega.Chart:
    """The lines, each in its colour and its dashes."""
    labels = [curve.label for curve in curves]
    points = [
        {"s": 100 * step, "v": rounded(value, 4), "k": curve.label}
        for curve in curves
        for step, value in zip(STEPS, curve.values, strict=True)
    ]
    dashes = [DASHES[curve.quantity] for curve in curves]
    colours = [curve.colour for curve in curves]
    drawn: vega.Chart = (
        vega.charted(points, name="curves")
        .transform_filter(SHOWN)
        .mark_line(clip=True, strokeWidth=1.5, strokeJoin="round")
        .encode(
            x=on.x("v:Q"),
            y=on.y,
            order="s:Q",
            color=vega.Channel("k:N", legend=None, scale=vega.Scale(domain=labels, range=colours)),
            strokeDash=vega.Channel("k:N", legend=None, scale=vega.Scale(domain=labels, range=dashes)),
        )
    )
    return drawn


def marks(curve: Curve, place: int, on: Axes) -> list[vega.Chart]:
    """The quantiles of all packets as dots; none where they were not counted."""
    counts = [
        {"s": 100 * step, "q": rounded(value, 4), "k": curve.label}
        for (_, step), value in zip(SHOWN_QUANTILES, curve.exact, strict=True)
        if not math.isnan(value)
    ]
    if not counts:
        return []
    base = vega.charted(counts, name=f"quantiles_{place}").transform_filter(SHOWN)
    dots = base.mark_circle(size=42, opacity=1, color=curve.colour, stroke="var(--paper)", strokeWidth=1)
    return [dots.encode(x=on.x("q:Q"), y=on.y)]


def chart(shown: Distribution, title: str) -> dict[str, Any]:
    """The plot."""
    on = axes(shown)
    layers = [band(spread, place, on) for place, spread in enumerate(shown.spreads)]
    layers.append(lines(shown.curves, on))
    layers += [dots for place, curve in enumerate(shown.curves) for dots in marks(curve, place, on)]
    spec = vega_lite(
        vega.layer(*layers),
        width=420,
        height=HEIGHT,
        padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": BOTTOM},
        params={"hidden": []},
        scale={"color": "independent", "strokeDash": "independent"},
    )
    columns = [
        Column("k", "series"),
        Column("s", "share (%)"),
        Column("v", "mean (ms)", ""),
        Column("q", "of all packets (ms)", ""),
    ]
    what = f"How long packets take, {shown.of}" if shown.of else "How long packets take"
    return describe(
        spec, title=what, subtitle=title, name=f"{title}-{what}", x="Time, ms", y="Share, %", columns=columns
    )


def entries(comparison: Comparison, title: str) -> list[dict[str, Any]]:
    """The plots with all that the page shows of them."""
    return [
        {
            "id": f"distribution-{place}",
            "of": shown.of,
            "curves": shown.curves,
            "spread": shown.spreads[0].words if shown.spreads else "",
            "counted": any(not math.isnan(value) for curve in shown.curves for value in curve.exact),
            "width": f"{min(curve.width for curve in shown.curves):g} s",
            "one_way": any(curve.quantity for curve in shown.curves),
            "spec": chart(shown, title),
        }
        for place, shown in enumerate(distributions(comparison))
    ]
