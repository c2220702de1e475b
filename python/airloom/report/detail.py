"""Windows of packet-level detail: what the page shows when one looks closely at an absence, a hold or a recovery.

The charts are described once; each window brings its data packed, and the page's `detail.js` lays them out as the rows
that the charts name. Times are in microseconds from the start of the window, each as its distance from the one before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise, product
from typing import TYPE_CHECKING, Any

from airloom.errors import BundleError
from airloom.report.colours import CROWD, NODE, Colours
from airloom.results.tables import COLUMNS, DETAIL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from airloom.report.comparison import ComparedRun, Comparison

Row = dict[str, Any]

BIN = 0.002
"""Seconds of a bin of goodput."""

MOST_POINTS = 2500
"""Segments of a flow that are drawn: of more, those that were sent for the first time are thinned out."""

MOST_WINDOWS = 8
"""Windows in a page."""

TITLES = {
    "absence": ("First absence", "Longest absence"),
    "hold": ("First hold", "Longest hold"),
    "reordering": ("First reordering", "Longest reordering"),
    "recovery": ("First recovery", "Longest recovery"),
}
"""Kinds of windows, in the order of their chips: the first of a run and its longest."""

TOLD = {
    "absence": "{entity} was off its channel for {length}: what it sent last, the silence, and all that waited for it.",
    "hold": "The adapter of {entity} held what it had received for {length}.",
    "reordering": "The reorder buffer between {entity} and its access point held frames behind a hole for {length}.",
    "recovery": "The sender of {entity} repaired losses for {length}.",
}

NEEDED = {
    "sent": ("seq",),
    "acknowledged": ("seq",),
    "delivered": ("bytes",),
    "queue": ("packets",),
    "frame": ("end", "packets", "good", "rate_mbps"),
}
"""The numbers that a row of an event has."""

WIDEST = 60.0
"""Seconds between the first and the last event of a window, far more than a run leaves."""

OTHER = "var(--faint)"
"""The colour of nodes that are drawn as one."""

LONGER = 1.05
"""How many times as long as the first of its kind a window is to be worth a chip of its own."""


@dataclass(frozen=True)
class Window:
    """What happened around one phenomenon: the row that says which, and the rows of its events."""

    run: ComparedRun
    head: Row
    rows: list[Row]

    @cached_property
    def nodes(self) -> dict[str, str]:
        """The kinds of the run's nodes by name, in the order of the scenario."""
        return {node["name"]: node["kind"] for node in self.run.run.summary["nodes"]}

    @property
    def about(self) -> set[str]:
        """The station that it is about; of a flow, both of its ends."""
        name = self.head["entity"]
        return next(({flow["from"], flow["to"]} for flow in self.run.view.flows if flow["name"] == name), {name})

    @property
    def length(self) -> float:
        """How long the phenomenon lasted, in seconds."""
        return float(self.head["end"] - self.head["time"])

    @cached_property
    def start(self) -> float:
        """When the window begins, in seconds."""
        return min(float(row["time"]) for row in (self.head, *self.rows))

    @cached_property
    def end(self) -> float:
        """When it ends, in seconds."""
        return max(float(row["time"]) for row in self.rows)


def windows(comparison: Comparison) -> list[tuple[str, Window]]:
    """The windows of a page with their titles: of each run and kind the first and the longest."""
    found = []
    for one in comparison.runs:
        every = list(read(one))
        for kind, (first, longest) in TITLES.items():
            alike = [window for window in every if window.head["event"] == kind]
            if not alike:
                continue
            chosen = [(first, alike[0])]
            worst = max(alike, key=lambda window: window.length)
            if worst.length > LONGER * alike[0].length:
                chosen.append((longest, worst))
            of = f", {one.short}" if len(comparison.runs) > 1 else ""
            found += [(f"{title}{of}", window) for title, window in chosen]
    return found[:MOST_WINDOWS]


def read(one: ComparedRun) -> Iterator[Window]:
    """All windows of a run that have anything to show.

    Raises:
        BundleError: One is not as a run leaves it.
    """
    table = one.run.detail
    if table is None:
        return
    names = list(COLUMNS[DETAIL])
    rows = (dict(zip(names, values, strict=True)) for values in zip(*(table[name] for name in names), strict=True))
    for _, (head, *events) in ((number, list(group)) for number, group in groupby(rows, lambda row: row["window"])):
        if events and head["event"] in TITLES and math.isfinite(head["end"]):
            check(one.run.path / DETAIL, events)
            yield Window(one, head, events)


def check(file: Path, rows: Sequence[Row]) -> None:
    """Refuses a window whose events lack their numbers, or lie farther apart than any of a run."""
    for row in rows:
        if lacking := [name for name in NEEDED.get(row["event"], ()) if math.isnan(row[name])]:
            raise BundleError(f"{file}: an event `{row['event']}` has no number as its {lacking[0]}")
    times = [row["time"] for row in rows]
    if max(times) - min(times) > WIDEST:
        raise BundleError(f"{file}: has a window of more than {WIDEST:g} s")


def chips(found: Sequence[tuple[str, Window]]) -> list[dict[str, object]]:
    """The buttons that lead to the windows."""
    return [
        {"title": title, "from": round(window.start, 6), "to": round(window.end, 6), "length": length(window.length)}
        for title, window in found
    ]


def length(seconds: float) -> str:
    """A short time as text."""
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.2g} s"


def packed(window: Window, title: str, colours: Colours) -> dict[str, Any]:
    """A window as the page's script takes it."""
    start, end = window.start, window.end
    colours = standing_out(window, colours)
    told = TOLD[window.head["event"]].format(entity=window.head["entity"], length=length(window.length))
    return {
        "title": title,
        "told": told,
        "from": round(start, 6),
        "to": round(end, 6),
        "band": [round(window.head["time"], 6), round(window.head["end"], 6)],
        "flows": flows(window, colours),
        "frames": frames(window, colours),
        "queues": queues(window, colours),
    }


def standing_out(window: Window, colours: Colours) -> Colours:
    """The colours of the page; one of a crowd that the window is about has the hue of the crowd."""
    own = [name for name in window.about if window.nodes.get(name) == "station"]
    return Colours(
        {window.head["entity"]: CROWD} | colours.flows,
        dict.fromkeys(own, CROWD) | colours.nodes,
    )


def in_order(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Names without repetition, in the order in which they are known."""
    places = {name: place for place, name in enumerate(known)}
    return sorted(dict.fromkeys(names), key=lambda name: places.get(name, len(places)))


def micros(times: Sequence[float], start: float) -> list[int]:
    """Times in microseconds from the start, each as its distance from the one before."""
    whole = [round(1e6 * (time - start)) for time in times]
    return [after - before for before, after in pairwise([0, *whole])]


def flows(window: Window, colours: Colours) -> list[dict[str, Any]]:
    """What each flow sent, what was acknowledged, and what was delivered."""
    found = []
    of = ("sent", "acknowledged", "delivered")
    known = [flow["name"] for flow in window.run.view.flows]
    for name in in_order((row["entity"] for row in window.rows if row["event"] in of), known):
        rows = [row for row in window.rows if row["entity"] == name]
        sent = [row for row in rows if row["event"] == "sent"]
        acked = [row for row in rows if row["event"] == "acknowledged"]
        first = lowest([*sent, *acked])
        sent = thinned(sent)
        again = [place for place, row in enumerate(sent) if row["kind"] == "again"]
        found.append(
            {
                "name": name,
                "colour": colours.flows.get(name, NODE),
                "sent": [micros([row["time"] for row in sent], window.start), positions(sent, first)],
                "again": again,
                "acked": [micros([row["time"] for row in acked], window.start), positions(acked, first)],
                "goodput": goodput(window, [row for row in rows if row["event"] == "delivered"]),
            }
        )
    return found


def thinned(sent: list[Row]) -> list[Row]:
    """As many segments as can be drawn; none that was sent again is left out."""
    step = math.ceil(len(sent) / MOST_POINTS)
    return [row for place, row in enumerate(sent) if place % step == 0 or row["kind"] == "again"] if step > 1 else sent


def lowest(rows: Sequence[Row]) -> float:
    """The sequence number before all others."""
    first: float = rows[0]["seq"] if rows else 0.0
    return first + min((after(row["seq"], first) for row in rows), default=0)


def positions(rows: Sequence[Row], first: float) -> list[float]:
    """Sequence numbers in kB from the lowest one of the window."""
    return [round(after(row["seq"], first) / 1000, 1) for row in rows]


def after(seq: float, first: float) -> int:
    """How many bytes a sequence number lies after another; they are counted modulo 2^32 (RFC 9293, section 3.4)."""
    return (int(seq - first) + (1 << 31)) % (1 << 32) - (1 << 31)


def goodput(window: Window, delivered: Sequence[Row]) -> list[float]:
    """Mbit/s in each bin of the window."""
    bins = [0.0] * max(1, math.floor((window.end - window.start) / BIN))
    for row in delivered:
        place = math.floor((row["time"] - window.start) / BIN)
        if place < len(bins):
            bins[place] += row["bytes"] * 8e-6 / BIN
    return [round(value, 1) for value in bins]


KINDS = ("a-mpdu", "data", "null PM=1", "null PM=0", "beacon", "rts", "cts", "ack", "block_ack", "block_ack_req")
"""The kinds of frames that are drawn; a packed window has their places here."""


def frames(window: Window, colours: Colours) -> list[dict[str, Any]]:
    """What each transmitter sent over the air: times and lengths in us, kinds, rates, MPDUs sent and received.

    Stations without a hue are drawn as one, unless there is only one.
    """
    rows = [row for row in window.rows if row["event"] == "frame" and row["kind"] in KINDS]
    found = []
    names = in_order((row["entity"] for row in rows), window.nodes)
    others = {name for name in names if name not in colours.nodes and window.nodes.get(name) == "station"}
    groups = {name: {name} for name in names if len(others) <= 1 or name not in others}
    if len(others) > 1:
        groups[f"{len(others)} others"] = others
    for name, members in groups.items():
        own = [row for row in rows if row["entity"] in members]
        found.append(
            {
                "name": name,
                "colour": colours.nodes.get(name, OTHER if len(members) > 1 else NODE),
                "t": micros([row["time"] for row in own], window.start),
                "length": [round(1e6 * (row["end"] - row["time"])) for row in own],
                "kind": [KINDS.index(row["kind"]) for row in own],
                "rate": [round(row["rate_mbps"], 1) for row in own],
                "mpdus": [int(row["packets"]) for row in own],
                "acked": [row["acked"].count("1") for row in own],
                "good": [int(row["good"]) if row["fate"] == "received" else 0 for row in own],
            }
        )
    return found


def queues(window: Window, colours: Colours) -> list[dict[str, Any]]:
    """The depth of each queue that ever held a packet."""
    found = []
    rows = [row for row in window.rows if row["event"] == "queue"]
    layers = in_order((row["kind"] for row in rows), ("discipline", "driver"))
    for name, layer in product(in_order((row["entity"] for row in rows), window.nodes), layers):
        own = [row for row in rows if (row["entity"], row["kind"]) == (name, layer)]
        if any(row["packets"] for row in own):
            depths = [int(row["packets"]) for row in own]
            times = micros([row["time"] for row in own], window.start)
            colour = colours.nodes.get(name, NODE)
            found.append({"name": f"{name}, {layer}", "colour": colour, "layer": layer, "t": times, "packets": depths})
    return found
