"""Windows of packet-level detail: what the page shows when one looks closely at an absence, a hold or a recovery.

The charts are described once; each window brings its data packed, and the page's `detail.js` lays them out as the rows
that the charts name. Times are in microseconds from the start of the window, each as its distance from the one before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from airloom.errors import BundleError
from airloom.report.colours import NODE
from airloom.results.tables import COLUMNS, DETAIL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from airloom.report.colours import Colours
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

LONGER = 1.05
"""How many times as long as the first of its kind a window is to be worth a chip of its own."""


@dataclass(frozen=True)
class Window:
    """What happened around one phenomenon: the row that says which, and the rows of its events."""

    run: ComparedRun
    head: Row
    rows: list[Row]

    @property
    def length(self) -> float:
        """How long the phenomenon lasted, in seconds."""
        return float(self.head["end"] - self.head["time"])

    @property
    def start(self) -> float:
        """When the window begins, in seconds."""
        return min(float(row["time"]) for row in (self.head, *self.rows))

    @property
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


def micros(times: Sequence[float], start: float) -> list[int]:
    """Times in microseconds from the start, each as its distance from the one before."""
    whole = [round(1e6 * (time - start)) for time in times]
    return [after - before for before, after in pairwise([0, *whole])]


def flows(window: Window, colours: Colours) -> list[dict[str, Any]]:
    """What each flow sent, what was acknowledged, and what was delivered."""
    found = []
    of = ("sent", "acknowledged", "delivered")
    for name in dict.fromkeys(row["entity"] for row in window.rows if row["event"] in of):
        rows = [row for row in window.rows if row["entity"] == name]
        sent = [row for row in rows if row["event"] == "sent"]
        acked = [row for row in rows if row["event"] == "acknowledged"]
        first = next((row["seq"] for row in (*sent, *acked)), 0)
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


def positions(rows: Sequence[Row], first: float) -> list[float]:
    """Sequence numbers in kB from the first one of the window; they are counted modulo 2^32 (RFC 9293, section 3.4)."""
    return [round(((int(row["seq"] - first) + (1 << 31)) % (1 << 32) - (1 << 31)) / 1000, 1) for row in rows]


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
    """What each transmitter sent over the air: times and lengths in us, kinds, rates, MPDUs sent and received."""
    rows = [row for row in window.rows if row["event"] == "frame" and row["kind"] in KINDS]
    found = []
    for name in dict.fromkeys(row["entity"] for row in rows):
        own = [row for row in rows if row["entity"] == name]
        found.append(
            {
                "name": name,
                "colour": colours.nodes.get(name, NODE),
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
    for name, layer in dict.fromkeys((row["entity"], row["kind"]) for row in rows):
        own = [row for row in rows if (row["entity"], row["kind"]) == (name, layer)]
        if any(row["packets"] for row in own):
            depths = [int(row["packets"]) for row in own]
            times = micros([row["time"] for row in own], window.start)
            colour = colours.nodes.get(name, NODE)
            found.append({"name": f"{name}, {layer}", "colour": colour, "layer": layer, "t": times, "packets": depths})
    return found
