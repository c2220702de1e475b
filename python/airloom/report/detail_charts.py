"""The charts of a window of detail, on one axis of time: described once, filled by the page's `detail.js`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from airloom.report import in_view, vega
from airloom.report.chart import AXIS_ROOM, LEFT, RIGHT, time_axis
from airloom.report.standalone import Column, describe
from airloom.report.vega_spec import vega_lite


@dataclass(frozen=True)
class Chart:
    """One chart: its name in the page, what it shows and why, and its height in pixels."""

    id: str
    title: str
    unit: str
    why: str
    height: int


SEQUENCE = Chart(
    "sequence",
    "Sequence numbers",
    "kB",
    "Each point is a segment as TCP sent it, the line what was acknowledged by then. A step is a burst of "
    "ACKs. Each flow counts from its lowest number here.",
    170,
)
AIR = Chart(
    "air",
    "Frames on the air",
    "Mbit/s",
    "Each bar is a frame, as high as its rate; a pale one was lost. Rules: null frames, by which a station announces "
    "that it sleeps (PM=1) or is back (PM=0).",
    120,
)
QUEUE = Chart("queue", "Queues", "packets", "What waits: in the queue discipline, dashed in the driver.", 110)
GOODPUT = Chart("goodput", "Goodput", "Mbit/s", "What reaches the receiving application, in bins of 2 ms.", 110)
CHARTS = (SEQUENCE, AIR, QUEUE, GOODPUT)


def charts(duration: float, subtitle: str) -> list[dict[str, Any]]:
    """All charts without their data."""
    time = time_axis(duration, labels=True)
    layers = {SEQUENCE: sequence(time), AIR: air(time), QUEUE: queue(time), GOODPUT: goodput(time)}
    return [
        {"id": chart.id, "spec": whole(chart, [band(time), *inner], duration, subtitle)}
        for chart, inner in layers.items()
    ]


def whole(chart: Chart, layers: list[vega.Chart], duration: float, subtitle: str) -> dict[str, Any]:
    """The specification of a chart."""
    spec = vega_lite(
        vega.layer(*layers),
        width=600,
        height=chart.height,
        padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": AXIS_ROOM},
        params={"t0": 0.0, "t1": duration},
        scale={"color": "shared"},
    )
    columns = [Column("t", "time (s)"), Column("k", "series"), Column("v", f"{chart.title} ({chart.unit})")]
    return describe(
        spec | {"datasets": {}},
        title=chart.title,
        subtitle=subtitle,
        name=f"{subtitle}-detail-{chart.id}",
        x="Time, s",
        y=f"{chart.title}, {chart.unit}",
        columns=columns,
    )


def hue() -> vega.Channel:
    """The colour of a series; the script fills in which there are."""
    return vega.Channel("k:N", legend=None, scale=vega.Scale(domain=[], range=[]))


def height(*, zero: bool, ticks: int = 3) -> vega.Channel:
    """The vertical axis."""
    axis = vega.Axis(tickCount=ticks, format=",.4~r", labelLimit=LEFT)
    return vega.Channel("v:Q", title=None, scale=vega.Scale(zero=zero, nice=True), axis=axis)


def band(time: vega.Channel) -> vega.Chart:
    """The span of what the window is about."""
    marked: vega.Chart = in_view.spans(vega.named("band")).mark_rect(clip=True, color="var(--scan)", tooltip=None)
    return marked.encode(x=in_view.at(time), x2="to:Q")


def sequence(time: vega.Channel) -> list[vega.Chart]:
    """Segments and acknowledgments."""
    y = height(zero=False, ticks=4)
    acks = in_view.steps(vega.named("acks")).mark_line(
        clip=True, interpolate="step-after", strokeWidth=1.4, opacity=0.55
    )
    sent = in_view.points(vega.named("sent")).mark_circle(clip=True, size=7, opacity=0.9, tooltip=None)
    again = in_view.points(vega.named("again")).mark_point(
        clip=True, shape="cross", size=34, strokeWidth=1.4, color="var(--bad)", tooltip=None
    )
    return [
        acks.encode(x=in_view.at(time), y=y, color=hue()),
        sent.encode(x=time, y=y, color=hue()),
        again.encode(x=time, y=y),
    ]


def air(time: vega.Channel) -> list[vega.Chart]:
    """Frames, and the null frames of a station that leaves and comes back."""
    bars = in_view.spans(vega.named("frames")).mark_rect(clip=True, tooltip=None)
    rules = in_view.points(vega.named("nulls")).mark_rule(
        clip=True, strokeWidth=1, opacity=0.8, color="var(--ink)", tooltip=None
    )
    words = in_view.points(vega.named("words")).mark_text(
        clip=True, align="left", dx=3, dy=6, fontSize=11, color="var(--ink)", tooltip=None
    )
    faint = vega.Channel("came:Q", legend=None, scale=vega.Scale(domain=[0, 1], range=[0.28, 0.9]))
    return [
        bars.encode(x=in_view.at(time), x2="to:Q", y=height(zero=True), y2="low:Q", color=hue(), opacity=faint),
        rules.encode(x=time),
        words.encode(x=time, y=vega.value(0), text="text:N"),
    ]


def queue(time: vega.Channel) -> list[vega.Chart]:
    """Depths."""
    line = in_view.steps(vega.named("queues")).mark_line(
        clip=True, interpolate="step-after", strokeWidth=1.4, strokeJoin="round"
    )
    dash = vega.Channel(
        "layer:N", legend=None, scale=vega.Scale(domain=["discipline", "driver"], range=[[1, 0], [4, 3]])
    )
    return [line.encode(x=in_view.at(time), y=height(zero=True), color=hue(), strokeDash=dash)]


def goodput(time: vega.Channel) -> list[vega.Chart]:
    """Goodput."""
    area = in_view.steps(vega.named("goodput", "area")).mark_area(
        clip=True, interpolate="step-after", opacity=0.12, line=False, tooltip=None
    )
    line = in_view.steps(vega.named("goodput")).mark_line(
        clip=True, interpolate="step-after", strokeWidth=1.4, strokeJoin="round"
    )
    y = height(zero=True)
    time = in_view.at(time)
    return [area.encode(x=time, y=y.changed(stack=None), color=hue()), line.encode(x=time, y=y, color=hue())]
