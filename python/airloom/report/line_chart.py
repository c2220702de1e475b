"""Means against the values of an axis, as a Vega-Lite chart: a point for each, and a bar for its range.

Lines join the points only where the axis is one of numbers: between names there is nothing. Where ranges would lie over
each other, each series is moved aside by a few pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from airloom.report import vega
from airloom.report.chart import ceiling
from airloom.report.vega_spec import vega_lite
from airloom.results.series import rounded
from airloom.scenario.quantities import measured

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLOURS = 6
"""The lines that the page's style has colours for."""

SHAPES = {"circle": "●", "square": "■", "triangle-up": "▲", "diamond": "◆", "triangle-down": "▼", "cross": "✚"}
"""The shapes of points, with the signs that a legend outside the chart has for them."""

HEIGHT = 190
LEFT = 64
RIGHT = 16
BELOW = 46
"""Pixels of the plot, beside it for the titles and labels of its axes, and below it likewise."""

ASIDE = 7
SPREAD = 42
"""Pixels between neighbours at one place, and between all of them at most."""

WIDTH = 480
PADDING = 26
"""Pixels across a plot, of which a page may make more, and between its ends and the first and last number."""

OWN = 0.25
"""The share of the way to an axis's next number that points at one may take: they must not seem to lie at another."""

NEAR = 0.06
FAR = 8.0
"""Positive numbers stand on a logarithmic axis if two lie closer than this, as a share of all that they span, and the
largest is so many times the smallest."""

FLAT = 0.1
"""The vertical axis begins at zero unless all values lie within this share of the highest; then its title says so."""

MOST_TICKS = 12
"""Values of an axis that have a tick each; of more of them, round numbers have."""


@dataclass(frozen=True)
class Legend:
    """A line of a figure, with its means without and within scans where it goes over time."""

    title: str
    unit: str
    colour: str
    dashed: bool = False
    normal: str = ""
    scanning: str = ""
    sign: str = ""


@dataclass(frozen=True)
class Point:
    """A mean, and the range around it; neither is drawn where it is not a number.

    `at` is the value of an axis as text, or a number that was measured.
    """

    at: str | float
    mean: float
    low: float
    high: float

    @property
    def shown(self) -> bool:
        """Whether it has a place on both axes."""
        return not math.isnan(self.mean) and not (isinstance(self.at, float) and math.isnan(self.at))


@dataclass(frozen=True)
class Trace:
    """The points of one series, in their order.

    One that is `apart` is not joined by a line and stands in its place. Of one that is `level` there is the line alone.
    """

    label: str
    points: Sequence[Point]
    colour: str
    shape: str = "circle"
    dashed: bool = False
    apart: bool = False
    level: bool = False


@dataclass(frozen=True)
class Ends:
    """The vertical axis: its ends, and whether they may move outward to round numbers."""

    low: float
    high: float
    nice: bool = False


def around(traces: Sequence[Trace]) -> Ends:
    """An axis that shows all points and ranges, from zero if that does not press them together."""
    known = values(traces)
    low, high = min(known, default=0.0), max(known, default=1.0)
    if all(point.mean >= 0 for trace in traces for point in trace.points if point.shown):
        low = 0.0 if high - low > FLAT * high else max(0.0, low)  # an interval may reach below what there can be
    if low == high:
        return Ends(0.0, ceiling([high])) if low >= 0 else Ends(low, 0.0)
    return Ends(low, high, nice=True)


def reaching(traces: Sequence[Trace], start: float, end: float | None) -> Ends:
    """An axis with given ends, or a round number above all where none is given; further out where a range is."""
    known = values(traces)
    return Ends(min([start, *known]), end if end is not None and max(known, default=0.0) <= end else ceiling(known))


def values(traces: Sequence[Trace]) -> list[float]:
    """All that is to be shown."""
    return [v for trace in traces for p in trace.points for v in (p.mean, p.low, p.high) if not math.isnan(v)]


LETTER = 7
"""Pixels of a letter of an axis's title."""


def against(
    traces: Sequence[Trace], title: str, upward: str, ends: Ends | None = None, *, height: int = HEIGHT
) -> dict[str, Any]:
    """The chart: an axis of numbers where all points lie at such, one of names otherwise.

    Args:
        traces: The series.
        title: What the horizontal axis shows; the unit of its values is added.
        upward: What the vertical axis shows, with its unit.
        ends: The vertical axis; without it, what the points need.
        height: Pixels of the plot.
    """
    x, places, joined, room = horizontal(traces, title)
    y = partial(vertical, ends or around(traces), upward, height)
    looks = {trace.label: trace for trace in traces}
    labels, each = list(looks), list(looks.values())
    colour = vega.Channel("k:N", legend=None, scale=vega.Scale(domain=labels, range=[trace.colour for trace in each]))
    shape = vega.Channel("k:N", legend=None, scale=vega.Scale(domain=labels, range=[trace.shape for trace in each]))
    beside = [trace for trace in traces if not (trace.apart or trace.level)]
    shared = not joined or (any(map(ranges, beside)) and all(map(chosen, beside)))
    step = min(ASIDE, room / max(1, len(beside))) if shared else 0.0
    layers = []
    for number, trace in enumerate(traces):
        moved = step * (beside.index(trace) - (len(beside) - 1) / 2) if trace in beside else 0.0
        bars, line, points = draw(trace, number, places, moved)
        if trace.level:
            layers.append(line.encode(x=x, y=y("y:Q"), order="n:Q", color=colour))
            continue
        layers.append(bars.encode(x=x, y=y("low:Q"), y2="high:Q", color=colour))
        if joined and not trace.apart:
            layers.append(line.encode(x=x, y=y("y:Q"), order="n:Q", color=colour))
        layers.append(points.encode(x=x, y=y("y:Q"), color=colour, shape=shape))
    spec: dict[str, Any] = vega_lite(
        vega.layer(*layers),
        width=WIDTH,
        height=height,
        padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": BELOW},
    )
    return spec


def horizontal(traces: Sequence[Trace], title: str) -> tuple[vega.Channel, Mapping[str, str | float], bool, float]:
    """The horizontal axis, where each value lies on it, whether it is one of numbers, and pixels of room at a value."""
    points = [point for trace in traces for point in trace.points if point.shown]
    names = list(dict.fromkeys(str(point.at) for point in points))
    if not (found := measured(names)) or not names:
        axis = vega.Axis(grid=False, labelAngle=0, labelLimit=140)
        x = vega.Channel("x:O", title=title, sort=names, scale=vega.Scale(type="point", padding=0.5), axis=axis)
        return x, dict(zip(names, names, strict=True)), False, SPREAD
    numbers, unit = found
    there = sorted(set(numbers))
    gaps = [after - before for before, after in pairwise(there)]
    chosen = all(isinstance(point.at, str) for point in points)
    crowded = chosen and there[0] > 0 and there[-1] >= FAR * there[0] and min(gaps) < NEAR * (there[-1] - there[0])
    room = min(SPREAD, OWN * WIDTH * nearest([math.log(one) for one in there] if crowded else there))
    scale: dict[str, Any] = {"domain": [there[0], there[-1]], "nice": False, "padding": PADDING}
    scale |= {"type": "log"} if crowded else {"zero": False}
    ticks = there if chosen and len(there) <= MOST_TICKS else vega.Undefined
    axis = vega.Axis(grid=False, labelAngle=0, format=",.6~r", labelOverlap="greedy", tickCount=6, values=ticks)
    title += (f", {unit}" if unit else "") + (" (logarithmic)" if crowded else "")
    return vega.Channel("x:Q", title=title, scale=scale, axis=axis), dict(zip(names, numbers, strict=True)), True, room


def nearest(places: Sequence[float]) -> float:
    """The smallest gap between neighbours, as a share of all that they span; all of it where there are none."""
    gaps = [after - before for before, after in pairwise(places)]
    return min(gaps) / (places[-1] - places[0]) if gaps else 1.0


def vertical(ends: Ends, title: str, height: int, field: str) -> vega.Channel:
    """The vertical axis of a plot of this height, for a field; its title has a line more where it would be longer."""
    scale = vega.Scale(domain=[ends.low, ends.high], nice=ends.nice, zero=False)
    title += " (axis not from 0)" if ends.low > 0 else ""
    lines = wrap(title, height // LETTER, break_long_words=False)
    return vega.Channel(
        field, title=lines if len(lines) > 1 else title, scale=scale, axis=vega.Axis(tickCount=5, format=",.4~r")
    )


def chosen(trace: Trace) -> bool:
    """Whether its points lie at values of an axis, which others share, and not where they were measured."""
    return all(isinstance(point.at, str) for point in trace.points)


def ranges(trace: Trace) -> bool:
    """Whether there is more than a mean at a point."""
    return any(point.low != point.high and not math.isnan(point.low) for point in trace.points)


def draw(
    trace: Trace, number: int, places: Mapping[str, str | float], moved: float
) -> tuple[vega.Chart, vega.Chart, vega.Chart]:
    """The ranges of a series, the line through its points, and these, all moved aside by some pixels."""
    rows = [
        {
            "x": places[str(point.at)],
            "n": order,
            "y": rounded(point.mean, 5),
            "low": rounded(point.low, 5),
            "high": rounded(point.high, 5),
            "k": trace.label,
        }
        for order, point in enumerate(trace.points)
        if point.shown
    ]

    def layer(name: str) -> vega.Chart:
        return vega.charted(rows, name=f"{name}_{number}")

    aside: dict[str, Any] = {"xOffset": moved, "clip": True}
    dash = [5, 3] if trace.dashed else [1, 0]
    return (
        layer("bars").mark_rule(strokeWidth=1.5, opacity=0.55, **aside),
        layer("line").mark_line(strokeWidth=1.5, strokeJoin="round", strokeDash=dash, **aside),
        layer("points").mark_point(filled=not trace.apart, size=90 if trace.apart else 42, opacity=1, **aside),
    )
