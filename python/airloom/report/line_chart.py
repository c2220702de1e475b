"""Means against the values of an axis, as a Vega-Lite chart: a line for each series, a bar for each point's range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import altair as alt

from airloom.report.chart import CONFIG, ceiling
from airloom.results.series import rounded
from airloom.scenario.quantities import measured

if TYPE_CHECKING:
    from collections.abc import Sequence

COLOURS = 6
"""The lines that the page's style has colours for."""

HEIGHT = 190
LEFT = 50
RIGHT = 50
"""Pixels of the plot, and beside it for the labels of its axes."""


@dataclass(frozen=True)
class Legend:
    """A line of a figure, with its means without and within scans where it goes over time."""

    title: str
    unit: str
    colour: str
    dashed: bool = False
    normal: str = ""
    scanning: str = ""


@dataclass(frozen=True)
class Point:
    """A mean, and the range around it; neither is drawn where it is not a number."""

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
    """The points of one line, in their order."""

    label: str
    points: Sequence[Point]
    colour: str
    dashed: bool


def against(traces: Sequence[Trace], title: str, start: float = 0.0, end: float | None = None) -> dict[str, Any]:
    """The chart: an axis of numbers where all points lie at such, one of names otherwise.

    Args:
        traces: The lines.
        title: What the horizontal axis shows.
        start: The lower end of the vertical axis; it reaches further where a range does.
        end: The upper end, likewise; without it, a round number above all.
    """
    names = list(dict.fromkeys(str(point.at) for trace in traces for point in trace.points if point.shown))
    places: dict[str, str | float] = dict(zip(names, names, strict=True))
    kind, scale = "x:O", alt.Scale(type="point", padding=0.5)
    if found := measured(names):
        numbers, unit = found
        places = dict(zip(names, numbers, strict=True))
        kind, scale = "x:Q", alt.Scale(domain=[min(numbers), max(numbers)], nice=False, zero=False, padding=12)
        title += f", {unit}" if unit else ""
    x = alt.X(kind, title=title, sort=names, scale=scale, axis=alt.Axis(grid=False, labelAngle=0))
    known = [v for trace in traces for p in trace.points for v in (p.mean, p.low, p.high) if not math.isnan(v)]
    top = end if end is not None and max(known, default=0.0) <= end else ceiling(known)
    bottom = min([start, *known])
    labels = [trace.label for trace in traces]
    colour = alt.Color("k:N", legend=None, scale=alt.Scale(domain=labels, range=[trace.colour for trace in traces]))
    layers = [
        layer.encode(color=colour)
        for number, trace in enumerate(traces)
        for layer in draw(trace, number, x, (bottom, top), places)
    ]
    spec: dict[str, Any] = (
        alt.layer(*layers)
        .properties(
            width=480,
            height=HEIGHT,
            padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": 44},
            autosize=alt.AutoSizeParams(type="none"),
        )
        .configure(**CONFIG)
        .to_dict()
    )
    return spec


def draw(
    trace: Trace, number: int, x: alt.X, ends: tuple[float, float], places: dict[str, str | float]
) -> list[alt.Chart]:
    """One line: its ranges, and its points."""
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
    y = partial(
        alt.Y,
        title=None,
        scale=alt.Scale(domain=list(ends), nice=False, zero=False),
        axis=alt.Axis(tickCount=5, format=",.4~r"),
    )
    data = alt.InlineData(values=rows)
    dash = [5, 3] if trace.dashed else [1, 0]

    def layer(name: str) -> alt.Chart:
        return alt.Chart(data, name=f"{name}_{number}").encode(x=x)

    bars = layer("bars").mark_rule(strokeWidth=1.5, opacity=0.5, clip=True)
    points = layer("points").mark_point(filled=True, size=28, opacity=1, clip=True)
    line = layer("line").mark_line(strokeWidth=1.5, strokeJoin="round", strokeDash=dash, clip=True)
    return [
        bars.encode(y=y("low:Q"), y2="high:Q"),
        line.encode(y=y("y:Q"), order="n:Q"),
        points.encode(y=y("y:Q")),
    ]
