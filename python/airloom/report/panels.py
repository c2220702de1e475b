"""The panels of the timeline, from the application down to the air: which series each shows, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scope = Literal["flow", "sender", "others", "holder", "link", "station", "to station", "from station", "scanner"]
"""The entities whose series are drawn: all flows; the radios that send data, or all other radios; all nodes whose
values are seen beside the highest, those that send data first; those that are seen beside the highest of the panel;
all stations; those that flows go to, or come from;
those that scan."""


@dataclass(frozen=True)
class Line:
    """One metric within a panel.

    Attributes:
        metric: Which one.
        scope: Whose it is.
        label: What it is called beside other lines.
        aside: Whether it gives way where runs or many flows share the panel.
        alone: The title of a plot that has such lines alone; empty where it is the panel's.
    """

    metric: str
    scope: Scope
    label: str = ""
    aside: bool = False
    alone: str = ""


@dataclass(frozen=True)
class Panel:
    """One chart of the timeline.

    Attributes:
        id: Its name in the page.
        title: What it shows.
        unit: The unit of its axis.
        caption: Why one looks at it.
        lines: The series.
        in_scans: What else the caption says where there are scans.
        percent: Whether the values are shares, drawn as percent.
        adds: Whether the sum of all entities is drawn too.
        mixed: The title of a plot in which lines with a title of their own stand beside others.
    """

    id: str
    title: str
    unit: str
    caption: str
    lines: tuple[Line, ...]
    in_scans: str = ""
    percent: bool = False
    adds: bool = False
    mixed: str = ""

    @property
    def scale(self) -> float:
        """What its values are multiplied by."""
        return 100.0 if self.percent else 1.0


PANELS = (
    Panel(
        "goodput",
        "Goodput",
        "Mbit/s",
        "What the receiving application gets.",
        (Line("goodput", "flow"),),
        adds=True,
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
        "The rate of each station's frames, those by which the rate control tries rates among them; to it, of A-MPDUs "
        "alone. If it holds, the channel is not to blame.",
        (Line("received_rate", "to station", "A-MPDUs to it"), Line("mac_rate", "from station", "from it")),
    ),
    Panel(
        "signal",
        "Signal",
        "dB",
        "The ratio of each station's signal to the noise, where stations have places: distance, walls and shadowing.",
        (Line("signal", "station"),),
    ),
    Panel(
        "ampdus",
        "A-MPDUs",
        "per second",
        "How often the radio sends.",
        (Line("ampdus", "sender"),),
        in_scans="It cannot while it is away.",
    ),
    Panel(
        "mpdus",
        "MPDUs per A-MPDU",
        "frames",
        "How full each transmission is; it falls when little waits, and with the rate, since its time is bounded.",
        (Line("mpdus_per_ampdu", "sender"),),
    ),
    Panel(
        "queue",
        "Queue depth",
        "packets",
        "What waits at each node for the air, acknowledgments too: before the driver, and within it; and before a "
        "server's link, or at its other end.",
        (
            Line("queue", "holder", "discipline"),
            Line("driver_queue", "holder", "driver"),
            Line("link_queue", "link", "before its link"),
            Line("link_to_queue", "link", "before the link to it"),
        ),
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
        "What TCP and pings measure, and the delay of datagrams.",
        (
            Line("rtt", "flow", "sampled"),
            Line("srtt", "flow", "smoothed", aside=True),
            Line("delay", "flow", "one way", alone="One-way delay"),
        ),
        in_scans="Time away from the channel shows up as delay.",
        mixed="Round trip or one way",
    ),
    Panel(
        "airtime",
        "Airtime",
        "% of the time",
        "Which nodes hold their channel.",
        (Line("airtime", "sender"), Line("airtime", "others", aside=True), Line("away", "scanner", "off channel")),
        in_scans="Dashed: the time that a scanning radio is off it.",
        percent=True,
    ),
)
