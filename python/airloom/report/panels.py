"""The panels of the timeline, from the application down to the air: which series each shows, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom.results.series import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView
    from airloom.report.comparison import ComparedRun
    from airloom.results.series import Series

Scope = Literal["flow", "sender", "others"]
"""The entities whose series are drawn: all flows, the radios that send data, or all other radios."""


MOST_BINS = 4000
"""Bins of a line at most: of finer series several are drawn as one."""


@dataclass(frozen=True)
class Line:
    """One metric within a panel; one that is `aside` gives way where two runs share the panel."""

    metric: str
    scope: Scope
    label: str = ""
    aside: bool = False


@dataclass(frozen=True)
class Panel:
    """One chart of the timeline."""

    id: str
    title: str
    unit: str
    caption: str
    lines: tuple[Line, ...]
    percent: bool = False


PANELS = (
    Panel(
        "goodput",
        "Goodput",
        "Mbit/s",
        "What the receiving application gets, second by second.",
        (Line("goodput", "flow"),),
    ),
    Panel(
        "cwnd",
        "Congestion window",
        "packets",
        "What TCP allows itself to have in flight; a fall means that it saw a loss.",
        (Line("cwnd", "flow", "window"), Line("in_flight", "flow", "in flight", aside=True)),
    ),
    Panel(
        "mac_rate",
        "MAC data rate",
        "Mbit/s",
        "The rate that the radio sends at. If it holds, the channel is not to blame.",
        (Line("mac_rate", "sender"),),
    ),
    Panel(
        "ampdus",
        "A-MPDUs",
        "per second",
        "How often the radio sends. It cannot while it is away.",
        (Line("ampdus", "sender"),),
    ),
    Panel(
        "mpdus",
        "MPDUs per A-MPDU",
        "frames",
        "How full each transmission is; it falls when TCP has nothing to send.",
        (Line("mpdus_per_ampdu", "sender"),),
    ),
    Panel(
        "queue",
        "Queue depth",
        "packets",
        "What waits in the sender: before the driver, and within it.",
        (Line("queue", "sender", "discipline"), Line("driver_queue", "sender", "driver")),
    ),
    Panel(
        "bus",
        "USB transactions",
        "per second",
        "What a bus analyser counts: data to the adapter and from it, and what the adapter had no room for.",
        (
            Line("bus_out", "sender", "out"),
            Line("bus_refused", "sender", "out, refused"),
            Line("bus_in", "sender", "in"),
        ),
    ),
    Panel(
        "rtt",
        "Round-trip time",
        "ms",
        "What TCP and pings measure; time away from the channel shows up as delay.",
        (
            Line("rtt", "flow", "sampled"),
            Line("srtt", "flow", "smoothed", aside=True),
            Line("delay", "flow", "one way"),
        ),
    ),
    Panel(
        "airtime",
        "Airtime",
        "% of each second",
        "Which nodes hold the channel, and how long the scanning radio is off it.",
        (
            Line("airtime", "sender"),
            Line("airtime", "others", aside=True),
            Line("away", "sender", "off channel"),
        ),
        percent=True,
    ),
)


@dataclass(frozen=True)
class Trace:
    """One line of one panel, as it is drawn."""

    label: str
    colour: str
    dashed: bool
    series: Series
    normal: float
    scanning: float

    def points(self, scale: float) -> list[dict[str, float | str | None]]:
        """Its points; the last bin is drawn to its end."""
        rows: list[dict[str, float | str | None]] = [
            {"t": time, "v": rounded(scale * value, 5), "k": self.label}
            for time, value in zip(self.series.times, self.series.values, strict=True)
        ]
        if rows:
            rows.append(rows[-1] | {"t": self.series.times[-1] + self.series.width, "end_of_line": True})
        return rows


def traces(panel: Panel, runs: Sequence[ComparedRun]) -> list[Trace]:
    """The lines of a panel: in one run each has a colour; of two runs each run has one, and dashes mark the lines."""
    found: list[Trace] = []
    for one in runs:
        own = select([line for line in panel.lines if len(runs) == 1 or not line.aside], one.view)
        for index, (label, series) in enumerate(own):
            if len(runs) > 1:
                name = one.short if len(own) == 1 else f"{one.short}: {label}"
                colour, dashed = f"var(--run-{one.index})", index > 0
            else:
                name, colour, dashed = label, f"var(--line-{index % 6})", False
            normal = one.view.normal(series).mean()
            scanning = one.view.degraded(series).mean()
            found.append(Trace(name, colour, dashed, series, normal, scanning))
    return found


def select(lines: Sequence[Line], view: RunView) -> list[tuple[str, Series]]:
    """The series of these lines in one run, those that were recorded, each with its label."""
    found = []
    for line in lines:
        entities = entities_of(line, view)
        for entity in entities:
            series = view.run.table.get(entity, line.metric).dense().within(MOST_BINS)
            if not series.known():
                continue
            parts = [line.label] if line.label else []
            if len(entities) > 1 or not parts:
                parts.insert(0, entity)
            found.append((" ".join(parts), series))
    return found


def entities_of(line: Line, view: RunView) -> list[str]:
    """The entities whose series a line shows."""
    match line.scope:
        case "flow":
            return [flow["name"] for flow in view.run.summary["flows"]]
        case "sender":
            return view.senders
        case _:
            return [name for name in view.run.table.entities(line.metric) if name not in view.senders]
