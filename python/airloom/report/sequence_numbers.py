"""Sequence numbers over time, as panels of the timeline: one as TCP sent them, one as they passed the device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airloom.analysis import tcp_trace
from airloom.report import in_view, vega
from airloom.report.chart import AXIS_ROOM, LEFT, RIGHT, time_axis
from airloom.report.panels import Panel
from airloom.report.standalone import Column, describe
from airloom.report.vega_spec import vega_lite
from airloom.results.series import rounded
from airloom.results.tables import SEGMENTS

if TYPE_CHECKING:
    from airloom.analysis.tcp_trace import Place, Segment, Sender
    from airloom.results.bundle import Run

HEIGHT = 220
"""Pixels of a plot."""

MOST = 10_000
"""Points of a plot. Of a longer transfer what lies around the marks is drawn, as much as that."""

SHOWN_AROUND_S = (1.0, 2.0)
"""How much is drawn before and after a mark then, in seconds."""

ACK = "acknowledged"
COLOURS = {"sent": "var(--hue-0)", "again": "var(--hue-3)", "again after its ACK": "var(--bad)", ACK: "var(--hue-2)"}

TITLE = "Sequence number, kB"
TABLE = [Column("t", "time (s)"), Column("k", "series", ACK), Column("v", "sequence number (kB)")]
"""What the vertical axis shows, and the columns of a plot's data."""

PANELS: dict[Place, Panel] = {
    "tcp": Panel(
        "sequence-tcp",
        "Sequence numbers at TCP",
        "kB",
        "Each segment when TCP sent it, and what was acknowledged by then. A rule is a timeout, a band a spell in "
        "which the adapter held acknowledgments back.",
        (),
    ),
    "device, sent": Panel(
        "sequence-device",
        "The same below the queue",
        "kB",
        "What a capture shows: each segment when it left for the device. What had waited in the queue may seem to be "
        "sent again although it was acknowledged.",
        (),
    ),
}


@dataclass(frozen=True)
class Marks:
    """Spells in which the adapter held frames back, and timeouts, in seconds."""

    holds: list[tuple[float, float]]
    timeouts: list[float]

    def near(self, time: float) -> bool:
        """Whether a time lies around one of them."""
        before, after = SHOWN_AROUND_S
        spans = [*self.holds, *((time, time) for time in self.timeouts)]
        return any(start - before <= time <= end + after for start, end in spans)


def panels(run: Run, duration: float) -> list[dict[str, Any]]:
    """The panels of the first flow of a run whose sender is behind a bus, where the two places differ most."""
    if not (run.path / SEGMENTS).is_file():
        return []
    on_bus = {node["name"] for node in run.summary["nodes"] if "bus" in node}
    flow = next((flow for flow in run.summary["flows"] if flow["from"] in on_bus), None)
    if flow is None:
        return []
    marks = Marks(tcp_trace.holds(run, flow["from"]), tcp_trace.timeouts(run, flow["name"]))
    found = []
    for place, panel in PANELS.items():
        seen = tcp_trace.sender(run, flow["name"], place)
        if seen.segments:
            spec = describe(
                chart(seen, marks, (0.0, duration)),
                title=panel.title,
                subtitle=run.summary["title"],
                name=f"{run.summary['title']}-{panel.id}",
                x="Time, s",
                y=TITLE,
                columns=TABLE,
            )
            found.append(
                {"panel": panel, "id": panel.id, "facet": "", "crowded": False, "continued": False, "last": True}
                | {"caption": panel.caption, "legend": legend(seen), "spec": spec}
            )
    return found


def spells(run: Run) -> list[tuple[float, float]]:
    """All spells of a run in which an adapter held frames back, in seconds."""
    return sorted(spell for node in run.summary["nodes"] for spell in tcp_trace.holds(run, node["name"]))


def kind(segment: Segment) -> str:
    """How a segment is drawn."""
    if segment.late and segment.again:
        return "again after its ACK"
    return "again" if segment.again else "sent"


def legend(seen: Sender) -> list[dict[str, Any]]:
    """The kinds of points with their numbers."""
    counted = dict.fromkeys(COLOURS, 0)
    for segment in seen.segments:
        counted[kind(segment)] += 1
    counted[ACK] = len(seen.acks)
    return [
        {"label": label, "colour": COLOURS[label], "quantity": 0, "mean": f"{count:,}", "scanning": None}
        | {"values": None, "start": 0, "bin": 1}
        for label, count in counted.items()
        if count
    ]


def chart(
    seen: Sender,
    marks: Marks,
    span: tuple[float, float],
    height: int = HEIGHT,
    *,
    title: str | None = None,
    left: int = LEFT,
    shown: tuple[float, float] | None = None,
) -> Any:
    """The plot of a span of time, which the page may change.

    Args:
        seen: What the sender sent, and what was acknowledged.
        marks: What happened meanwhile.
        span: From when to when, in seconds.
        height: Pixels of the plot.
        title: What stands beside the vertical axis; nothing where the page says it.
        left: Pixels beside the plot.
        shown: The vertical axis, in kB; without it, the axis follows what is in view.
    """
    start, duration = span
    points = [{"t": rounded(s.time, 9), "v": s.end / 1000, "k": kind(s)} for s in seen.segments]
    # Each holds until the next one comes.
    ends = [*(time for time, _ in seen.acks[1:]), duration]
    steps = [
        {"t": rounded(time, 9), "v": ack / 1000, "until": rounded(end, 9)}
        for (time, ack), end in zip(seen.acks, ends, strict=False)
    ]
    points, steps = thinned(points, marks), thinned(steps, marks)
    time = time_axis(duration, labels=True)
    scale = vega.Scale(zero=False, nice=False, domain=vega.Undefined if shown is None else list(shown))
    y = vega.Channel("v:Q", title=title, scale=scale, axis=vega.Axis(tickCount=4, format=",.6~r"))
    lasting = "datum.until >= t0 && datum.t <= t1"
    acks = (
        in_view.near(vega.charted(steps, name="acks").transform_filter(lasting))
        .mark_line(clip=True, interpolate="step-after", color=COLOURS[ACK], strokeWidth=1.2)
        .encode(x=in_view.at(time), y=y)
    )
    kinds = [label for label in COLOURS if label != ACK]
    data = (
        in_view.points(vega.charted(points, name="data"))
        .mark_point(clip=True, filled=True, shape="diamond", size=14, opacity=0.9, tooltip=None)
        .encode(
            x=time,
            y=y,
            color=vega.Channel(
                "k:N", legend=None, scale=vega.Scale(domain=kinds, range=[COLOURS[label] for label in kinds])
            ),
        )
    )
    layers = [*bands(marks, time), acks, data]
    return vega_lite(
        vega.layer(*layers),
        width=600,
        height=height,
        padding={"left": left, "right": RIGHT, "top": 8, "bottom": AXIS_ROOM},
        params={"t0": start, "t1": duration},
        scale={"color": "independent"},
    )


def bands(marks: Marks, time: vega.Channel) -> list[vega.Chart]:
    """The marks: a band for each spell, a rule for each timeout."""
    charts = []
    if marks.holds:
        rows = [{"t": start, "end": end} for start, end in marks.holds]
        base = vega.charted(rows, name="holds")
        band = in_view.spans(base).mark_rect(clip=True, color="var(--scan)", tooltip=None)
        charts.append(band.encode(x=in_view.at(time), x2="to:Q"))
    if marks.timeouts:
        base = in_view.points(vega.charted([{"t": at} for at in marks.timeouts], name="timeouts"))
        charts.append(base.mark_rule(clip=True, color="var(--bad)", strokeDash=[3, 3], tooltip=None).encode(x=time))
    return charts


def thinned(rows: list[dict[str, Any]], marks: Marks) -> list[dict[str, Any]]:
    """As many rows as can be drawn."""
    if len(rows) <= MOST:
        return rows
    return [row for row in rows if marks.near(row["t"])][:MOST] or rows[:MOST]
