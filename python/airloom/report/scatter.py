"""Single packets and frames over a short time, as Vega-Lite charts, each with the colours of what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.analysis import tcp_trace
from airloom.report import sequence_numbers as plots
from airloom.report import vega
from airloom.report.chart import AXIS_ROOM, RIGHT, time_axis
from airloom.report.vega_spec import vega_lite
from airloom.results.series import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView
    from airloom.analysis.tcp_trace import Place

LEFT = 64
"""Pixels beside a plot for the labels of its axis."""

MARGIN = 0.02
"""Room below and above points, as a share of the axis."""

Span = tuple[float, float]
Chart = tuple[dict[str, Any], dict[str, str]]
"""A chart, and its colours by what they stand for."""

DATA, ACK = "var(--line-0)", "var(--line-1)"


def sequence_numbers(view: RunView, place: Place, span: Span, height: int, tall: float | None = None) -> Chart:
    """The first flow's sequence numbers at one place, in kB; as many as are given, or more where ours need them."""
    flow = view.flow
    seen = tcp_trace.sender(view.run, flow["name"], place)
    marks = plots.Marks(tcp_trace.holds(view.run, flow["from"]), tcp_trace.timeouts(view.run, flow["name"]))
    inside = [segment for segment in seen.segments if span[0] <= segment.time <= span[1]]
    acks = [(time, ack) for time, ack in seen.acks if span[0] - 1 <= time <= span[1]]
    shown = dict.fromkeys([*(plots.kind(segment) for segment in inside), plots.ACK])
    seen = tcp_trace.Sender(inside, acks)
    ends = None if tall is None or not inside else frame([segment.end / 1000 for segment in inside], tall)
    spec = plots.chart(seen, marks, span, height, title=plots.TITLE, left=LEFT, shown=ends)
    return spec, {kind: plots.COLOURS[kind] for kind in shown}


def frame(values: Sequence[float], tall: float) -> tuple[float, float]:
    """The ends of an axis that is so tall, or taller where these values need it."""
    low = min(values) - MARGIN * tall
    return low, max(low + tall, max(values) + MARGIN * tall)


def rates(view: RunView, span: Span, height: int) -> Chart:
    """The rate of each frame that the first flow's radio sent, in Mbit/s: filled if it got through."""
    rows = [
        {"t": rounded(row["time"], 9), "v": row["rate_mbps"], "k": "received" if row["good"] else "lost"}
        for row in transmitted(view, span)
        if row["from"] == view.radio
    ]
    colours = {"received": DATA, "lost": "var(--bad)"}
    y = vega.Channel(
        "v:Q",
        title="Data rate, Mbit/s",
        scale=vega.Scale(domain=[0, 12], nice=False),
        axis=vega.Axis(values=[1, 2, 5.5, 11], format="~g"),
    )
    return scatter(rows, y, colours, span, height), colours


def retries(view: RunView, span: Span, height: int) -> Chart:
    """What was sent again, by sender."""
    rows = [
        {"t": rounded(row["time"], 9), "v": row["from"], "k": "data" if row["from"] == view.radio else "ACK"}
        for row in transmitted(view, span)
        if row["retries"]
    ]
    colours = {"data": DATA, "ACK": ACK}
    return scatter(rows, vega.Channel("v:N", title=None), colours, span, height), colours


def transmitted(view: RunView, span: Span) -> list[dict[str, Any]]:
    """The frames with data in a span of time."""
    return [row for row in view.run.transmissions if span[0] <= row["time"] <= span[1]]


def scatter(
    rows: list[dict[str, Any]], y: vega.Channel, colours: dict[str, str], span: Span, height: int
) -> dict[str, Any]:
    """Points over time."""
    colour = vega.Scale(domain=list(colours), range=list(colours.values()))
    spec: dict[str, Any] = vega_lite(
        vega.charted(rows, name="points")
        .mark_point(clip=True, filled=True, size=22, opacity=0.85, tooltip=None)
        .encode(x=time_axis(span[1], labels=True), y=y, color=vega.Channel("k:N", legend=None, scale=colour)),
        width=480,
        height=height,
        padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": AXIS_ROOM},
        params={"t0": span[0], "t1": span[1]},
    )
    return spec
