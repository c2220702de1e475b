"""A panel as a Vega-Lite chart.

Colours are CSS variables, so that a chart follows the page from light to dark without being drawn again. The time axis
runs from the parameter `t0` to `t1`, which the page sets on all charts alike.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from airloom.report import in_view, vega
from airloom.report.associations import associations, hue_of
from airloom.report.colours import hue
from airloom.report.vega_spec import vega_lite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.report.comparison import ComparedRun
    from airloom.report.traces import Plot

HEIGHT = 96
FACET = 72
LOW = 60
LANE = 4
LEFT = 46
RIGHT = 12
AXIS_ROOM = 24
"""Pixels: of a plot, of one of several in a panel, of one in a page of many, and of the lane of a run's scans in it;
beside a plot for the labels of its own axis, and below it for those of time."""

SMALLEST = 0.01
"""No axis ends below this: what is smaller is nothing, and its numbers have no room beside a plot."""


def chart(plot: Plot, runs: Sequence[ComparedRun], duration: float, *, low: bool, axis: bool) -> Any:
    """A plot as a chart: the scans behind, the lines before them.

    The parameter `hidden` lists the labels that are not to be drawn.

    Args:
        plot: What is drawn.
        runs: The runs whose scans are shaded.
        duration: The end of the axis of time, in seconds.
        low: Whether the page has many plots, so that each is low.
        axis: Whether the axis of time has labels.
    """
    time = time_axis(duration, labels=axis)
    height = LOW if low else FACET if plot.facet else HEIGHT
    layers = [*shade(runs, duration, time), *draw(plot, time), *marked(runs, time), *served(runs, time)]
    return framed(layers, duration, height, axis=axis)


def framed(layers: Sequence[vega.Chart], duration: float, height: int, *, axis: bool, **params: object) -> Any:
    """Layers on the axis of time, with the parameters that the page sets: `t0`, `t1`, `hidden`, and others.

    Args:
        layers: What is drawn, from the back to the front.
        duration: The end of the axis of time, in seconds.
        height: Pixels of the plot.
        axis: Whether the axis of time has labels.
        params: More parameters.
    """
    values: dict[str, Any] = {"t0": 0.0, "t1": duration, "hidden": [], **params}
    return vega_lite(
        vega.layer(*layers),
        width=600,
        height=height,
        padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": AXIS_ROOM if axis else 4},
        params=values,
        scale={"color": "independent", "strokeDash": "independent"},
        axis={"x": "shared"},
    )


def time_axis(duration: float, *, labels: bool) -> vega.Channel:
    """The shared axis of time."""
    return vega.Channel(
        "t:Q",
        title=None,
        scale=vega.Scale(
            domain=[0, duration],
            domainMin=vega.expression("t0"),
            domainMax=vega.expression("t1"),
            nice=False,
            zero=False,
        ),
        axis=vega.Axis(
            labels=labels, tickCount=vega.expression("max(3, floor(width / 90))"), labelExpr="datum.label + ' s'"
        ),
    )


def shade(runs: Sequence[ComparedRun], duration: float, time: vega.Channel) -> list[vega.Chart]:
    """The scans as bands, and each time away as a stripe within: visible once one looks close enough.

    Of several runs each has a lane of its hue at the top, too, which says whose scans they are.
    """
    charts = []
    time = in_view.at(time)
    scanned = [one for one in runs if one.run.summary["scans"]]
    for lane, one in enumerate(scanned):
        scans = one.run.summary["scans"]
        bands = [{"t": scan["start_s"], "end": scan.get("end_s") or duration} for scan in scans]
        trips = [trip for scan in scans for trip in scan["trips"]]
        away = [{"t": trip["leaving_s"], "end": trip["home_s"] or duration} for trip in trips]
        for rows, name in ((bands, "scans"), (away, "away")):
            if rows:
                base = vega.charted(rows, name=f"{name}_{one.index}")
                mark = in_view.spans(base).mark_rect(
                    clip=True, color="var(--scan)", opacity=1 / len(scanned), tooltip=None
                )
                charts.append(mark.encode(x=time, x2="to:Q"))
        if len(runs) > 1:
            base = vega.charted(bands, name=f"lane_{one.index}")
            top = LANE * lane
            mark = in_view.spans(base).mark_rect(clip=True, color=hue(one.index), tooltip=None)
            charts.append(mark.encode(x=time, x2="to:Q", y=vega.value(top), y2=vega.value(top + LANE - 1)))
    return charts


def marked(runs: Sequence[ComparedRun], time: vega.Channel) -> list[vega.Chart]:
    """A line for each change of the world as it ran."""
    charts = []
    for one in runs:
        if changes := one.run.changes:
            rows = [{"t": change["time_s"], "end": change["time_s"]} for change in changes]
            base = vega.charted(rows, name=f"changes_{one.index}")
            mark = in_view.spans(base).mark_rule(clip=True, color="var(--scan-ink)", strokeDash=[4, 3], tooltip=None)
            charts.append(mark.encode(x=in_view.at(time)))
    return charts


def served(runs: Sequence[ComparedRun], time: vega.Channel) -> list[vega.Chart]:
    """At the foot of a plot a lane for each run that roams: a band for each association, in the access point's hue.

    Lanes are counted from the foot, wherever that is: a plot gets its height later.
    """
    charts = []
    roaming = [(one, associations(one.run.summary)) for one in runs if one.run.summary.get("roams")]
    hues = {each.point: hue_of(one.view, each.point) for one, found in roaming for each in found}
    colour = vega.Channel("k:N", legend=None, scale=vega.Scale(domain=list(hues), range=list(hues.values())))
    for lane, (one, found) in enumerate(roaming):
        rows = [{"t": each.start, "end": each.end, "k": each.point} for each in found]
        base = vega.charted(rows, name=f"served_{one.index}")
        top, foot = 1 - LANE * (lane + 1), -LANE * lane
        mark = in_view.spans(base).mark_rect(clip=True, yOffset=top, y2Offset=foot, tooltip=None)
        ends = {"y": vega.value("height"), "y2": vega.value("height")}
        charts.append(mark.encode(x=in_view.at(time), x2="to:Q", color=colour, **ends))
    return charts


def draw(plot: Plot, time: vega.Channel, ends: tuple[float, float] | None = None) -> list[vega.Chart]:
    """The bands, and the lines before them; a lone line gets a light area beneath if its axis begins at zero.

    The vertical axis goes from zero, or a round number below all values, to one above all, or between `ends`.
    """
    scale = plot.panel.scale
    highest = [scale * trace.series.max() for trace in plot.traces] + [scale * band.high.max() for band in plot.bands]
    lowest = [-scale * trace.series.min() for trace in plot.traces if trace.series.min() < 0]
    low, top = ends or (-ceiling(lowest) if lowest else 0.0, max(SMALLEST, ceiling(highest)))
    y = partial(
        vega.Channel,
        title=None,
        scale=vega.Scale(domain=[low, top], nice=False, zero=False),
        axis=vega.Axis(values=[low, (low + top) / 2, top], format=",.4~r"),
    )
    time = in_view.at(time)
    layers = []
    for place, band in enumerate(plot.bands):
        base = vega.charted(band.points(scale), name=f"band_{place}")
        mark = in_view.steps(base.transform_filter(SHOWN)).mark_area(
            clip=True, interpolate="step-after", color=band.colour, opacity=band.opacity, tooltip=None
        )
        layers.append(mark.encode(x=time, y=y("low:Q"), y2="high:Q"))
    labels = [trace.label for trace in plot.traces]
    base = vega.charted([row for trace in plot.traces for row in trace.points(scale)])
    line = (
        in_view.steps(base.transform_filter(SHOWN))
        .mark_line(clip=True, interpolate="step-after", strokeWidth=1.5, strokeJoin="round")
        .encode(
            x=time,
            y=y("v:Q"),
            color=vega.Channel(
                "k:N", legend=None, scale=vega.Scale(domain=labels, range=[trace.colour for trace in plot.traces])
            ),
            strokeDash=vega.Channel(
                "k:N", legend=None, scale=vega.Scale(domain=labels, range=[trace.dash for trace in plot.traces])
            ),
        )
    )
    if not plot.traces:
        return layers
    if len(plot.traces) == 1 and not plot.bands and not low:
        area = in_view.steps(base.transform_filter(SHOWN)).mark_area(
            clip=True, interpolate="step-after", color=plot.traces[0].colour, opacity=0.12, tooltip=None
        )
        layers.append(area.encode(x=time, y=y("v:Q")))
    return [*layers, line]


SHOWN = "indexof(hidden, datum.k) < 0"
"""Which rows are drawn."""


def ceiling(values: Sequence[float]) -> float:
    """A round number above all values, with a little room: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten."""
    highest = max((value for value in values if not math.isnan(value)), default=0.0)
    if highest <= 0:
        return 1.0
    wanted = 1.05 * highest
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= wanted)
