"""A panel as a Vega-Lite chart.

Colours are CSS variables, so that a chart follows the page from light to dark without being drawn again. The time axis
runs from the parameter `t0` to `t1`, which the page sets on all charts alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.report.comparison import ComparedRun
    from airloom.report.panels import Trace

HEIGHT = 96
LEFT = 46
RIGHT = 12
AXIS_ROOM = 24
"""Pixels: of a plot, beside it for the labels of its own axis, and below it for those of time."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": "transparent",
    "view": {"stroke": None},
    "axis": {
        "domain": False,
        "ticks": False,
        "labelColor": "var(--muted)",
        "labelFontSize": 11,
        "labelPadding": 6,
        "gridColor": "var(--grid)",
        "titleColor": "var(--muted)",
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    },
}


def chart(traces: Sequence[Trace], runs: Sequence[ComparedRun], duration: float, *, scale: float, axis: bool) -> Any:
    """A panel's chart: the scans behind, the lines before them."""
    time = time_axis(duration, labels=axis)
    layers = [*shade(runs, duration, time), *draw(traces, time, scale)]
    return (
        alt.layer(*layers)
        .add_params(alt.param(name="t0", value=0.0), alt.param(name="t1", value=duration))
        .properties(
            width=600,
            height=HEIGHT,
            padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": AXIS_ROOM if axis else 4},
            autosize=alt.AutoSizeParams(type="none"),
        )
        .resolve_scale(color="independent", strokeDash="independent")
        .resolve_axis(x="shared")
        .configure(**CONFIG)
        .to_dict()
    )


def time_axis(duration: float, *, labels: bool) -> alt.X:
    """The shared axis of time."""
    return alt.X(
        "t:Q",
        title=None,
        scale=alt.Scale(
            domain=[0, duration],
            domainMin=alt.ExprRef("t0"),
            domainMax=alt.ExprRef("t1"),
            nice=False,
            zero=False,
        ),
        axis=alt.Axis(
            labels=labels, tickCount=alt.ExprRef("max(3, floor(width / 90))"), labelExpr="datum.label + ' s'"
        ),
    )


def shade(runs: Sequence[ComparedRun], duration: float, time: alt.X) -> list[alt.Chart]:
    """The scans as bands, and each time away as a stripe within: visible once one looks close enough."""
    charts = []
    for one in runs:
        tint = f"var(--scan-{one.index})" if len(runs) > 1 else "var(--scan)"
        scans = one.run.summary["scans"]
        bands = [{"t": scan["start_s"], "end": scan.get("end_s") or duration} for scan in scans]
        trips = [trip for scan in scans for trip in scan["trips"]]
        away = [{"t": trip["leaving_s"], "end": trip["home_s"] or duration} for trip in trips]
        for rows, opacity, name in ((bands, 1.0, "scans"), (away, 0.9, "away")):
            if rows:
                base = alt.Chart(alt.InlineData(values=rows), name=f"{name}_{one.index}")
                mark = base.mark_rect(clip=True, color=tint, opacity=opacity, tooltip=None)
                charts.append(mark.encode(x=time, x2="end:Q"))
    return charts


def draw(traces: Sequence[Trace], time: alt.X, scale: float) -> list[alt.Chart]:
    """The lines; a lone first line gets a light area beneath."""
    rows = [row for trace in traces for row in trace.points(scale)]
    top = ceiling([scale * trace.series.max() for trace in traces])
    labels = [trace.label for trace in traces]
    y = alt.Y(
        "v:Q",
        title=None,
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(values=[0, top / 2, top], format=",.4~r"),
    )
    base = alt.Chart(alt.InlineData(values=rows))
    line = base.mark_line(clip=True, interpolate="step-after", strokeWidth=1.5, strokeJoin="round").encode(
        x=time,
        y=y,
        color=alt.Color("k:N", legend=None, scale=alt.Scale(domain=labels, range=[trace.colour for trace in traces])),
        strokeDash=alt.StrokeDash(
            "k:N",
            legend=None,
            scale=alt.Scale(domain=labels, range=[[4, 3] if trace.dashed else [1, 0] for trace in traces]),
        ),
    )
    if len(traces) != 1:
        return [line]
    first = traces[0]
    area = base.mark_area(clip=True, interpolate="step-after", color=first.colour, opacity=0.12).encode(x=time, y=y)
    return [area, line]


def ceiling(values: Sequence[float]) -> float:
    """A round number above all values, with a little room: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten."""
    highest = max((value for value in values if not math.isnan(value)), default=0.0)
    if highest <= 0:
        return 1.0
    wanted = 1.05 * highest
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * power >= wanted)
