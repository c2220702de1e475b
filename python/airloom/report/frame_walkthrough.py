"""One sleeping period, frame by frame, and how such periods follow each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.results.frames import address
from airloom.results.summary import access_points
from airloom.support.formatting import count
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.power_save import NullFrameTrain, Sleep
    from airloom.analysis.run_view import RunView
    from airloom.results.frames import AirFrame

MARGIN = 0.04
"""Room on both sides of a train that is drawn, as a share of its length."""

SHOWN = 3
"""Sleeping periods that are drawn beside each other."""


@dataclass(frozen=True)
class Nodes:
    """The nodes of a run: their names by address, and by each station's name that of its access point."""

    names: dict[str, str]
    access_points: dict[str, str]


@dataclass(frozen=True)
class FrameRow:
    """One frame, as a row of the table."""

    number: int
    time: str
    since: str
    sender: str
    receiver: str
    name: str
    flags: str
    seq: str
    note: str
    kind: str


@dataclass(frozen=True)
class Box:
    """A frame or a period as it is drawn; places are in percent of the width."""

    left: float
    width: float
    kind: str
    label: str
    title: str


@dataclass(frozen=True)
class Strip:
    """A span of time that is drawn: its own boxes, in one lane or one for each radio."""

    title: str
    span: str
    lanes: list[tuple[str, list[Box]]]


@dataclass(frozen=True)
class Walk:
    """What figures 7 and 8 show."""

    lead: str
    rows: list[FrameRow]
    trains: list[Strip]
    periods: list[Strip]
    averages: list[tuple[str, str]]


def through(frames: RunView, whole: RunView) -> Walk | None:
    """Walks through the first sleeping period of `frames`; `whole` shows how such periods follow each other."""
    sleeps = frames.sleeps
    if not sleeps:
        return None
    summary = frames.run.summary
    nodes = Nodes(
        {address(place): node["name"] for place, node in enumerate(summary["nodes"])},
        access_points(summary),
    )
    first = sleeps[0]
    return Walk(
        lead=lead(first),
        rows=rows(first, nodes),
        trains=[
            strip("Going to sleep: PM=1", first.leaving, nodes),
            strip("Coming back: PM=0", first.returning, nodes),
        ],
        periods=[overview(whole), alternation(sleeps), inside(sleeps)],
        averages=averages(sleeps, whole),
    )


def lead(sleep: Sleep) -> str:
    """One period in a few sentences."""
    leaving, returning = sleep.leaving, sleep.returning
    asked = leaving.asked()
    unanswered = len(leaving.nulls) - sum(frame.kind == "ack" for frame in leaving.frames)
    beacons = f"{count(len(sleep.beacons), 'beacon')} {'goes' if len(sleep.beacons) == 1 else 'go'} by"
    held = " and says that frames wait for the station" if any(beacon.indicates for beacon in sleep.beacons) else ""
    return (
        f"The station announces its sleep {len(leaving.nulls)} times in {1e3 * leaving.length:.1f} ms, the last "
        f"{sum(asked)} times behind RTS and CTS{f'; {unanswered} times no ACK is heard' if unanswered else ''}. "
        f"For {1e3 * sleep.wait:.0f} ms it listens to another channel; {beacons} meanwhile"
        f"{held}. Back again, it says so {len(returning.nulls)} times in {1e3 * returning.length:.1f} ms, "
        f"and data flow until the next visit."
    )


NAMES = {"null": "Null", "rts": "RTS", "cts": "CTS", "ack": "ACK", "beacon": "Beacon"}


def name(frame: AirFrame) -> str:
    """A frame's name; a null frame's with its power-management bit."""
    return f"Null PM={frame.sleep:d}" if frame.kind == "null" else NAMES[frame.kind]


def rows(sleep: Sleep, nodes: Nodes) -> list[FrameRow]:
    """Every small frame of a period."""
    start = sleep.leaving.start
    found = []
    for place, frame in enumerate(sleep.frames, start=1):
        sender, receiver = ends(frame, nodes)
        found.append(
            FrameRow(
                number=place,
                time=f"{frame.start:.6f}",
                since=f"{1e3 * (frame.start - start):.3f}",
                sender=sender,
                receiver=receiver,
                name=name(frame),
                flags="retry" if frame.retry else "",
                seq="" if frame.seq is None else str(frame.seq),
                note="TIM: frames wait" if frame.indicates else "",
                kind=kind(frame),
            )
        )
    return found


def kind(frame: AirFrame) -> str:
    """How a frame is coloured."""
    if frame.kind == "null":
        return "sleep" if frame.sleep else "wake"
    return frame.kind


def ends(frame: AirFrame, nodes: Nodes) -> tuple[str, str]:
    """A frame's sender and receiver. CTS and ACK name their receiver alone: a station's come from its access point."""
    receiver = "everyone" if frame.kind == "beacon" else nodes.names.get(frame.receiver or "", "")
    if frame.sender is not None:
        return nodes.names.get(frame.sender, frame.sender), receiver
    return nodes.access_points.get(receiver, ""), receiver


def strip(title: str, train: NullFrameTrain, nodes: Nodes) -> Strip:
    """A train, with a lane for each radio."""
    room = MARGIN * train.length
    start, length = train.start - room, train.length + 2 * room
    lanes: dict[str, list[Box]] = {}
    for frame in train.frames:
        sender, _ = ends(frame, nodes)
        share = max(0.5, 100 * (frame.end - frame.start) / length)
        at = 100 * (frame.start - start) / length
        title_of = f"{name(frame)}{', retry' if frame.retry else ''}, at {frame.start:.6f} s"
        lanes.setdefault(sender, []).append(Box(at, share, kind(frame), "", title_of))
    return Strip(title, f"{1e3 * train.length:.2f} ms", list(lanes.items()))


def overview(view: RunView) -> Strip:
    """Normal and degraded periods of a whole run."""
    duration = view.run.summary["duration_s"]
    edges = [0.0]
    boxes = []
    for start, end in view.periods.spans:
        boxes.append(period(edges[-1], start, 0.0, duration, "normal", "normal"))
        boxes.append(period(start, end, 0.0, duration, "degraded", ""))
        edges.append(end)
    boxes.append(period(edges[-1], duration, 0.0, duration, "normal", "normal"))
    return Strip("The whole run", f"{duration:.0f} s", [("", boxes)])


def alternation(sleeps: Sequence[Sleep]) -> Strip:
    """The first sleeping and awake periods of a scan."""
    few = sleeps[: SHOWN + 1]
    start = few[0].leaving.start
    end = few[-1].leaving.start if len(few) > 1 else few[0].returning.end
    boxes = []
    for before, after in pairwise(few):
        boxes.append(period(before.leaving.start, before.returning.end, start, end, "asleep", "asleep"))
        boxes.append(period(before.returning.end, after.leaving.start, start, end, "awake", "awake"))
    return Strip("A degraded period, its beginning", f"{1e3 * (end - start):.0f} ms", [("", boxes)])


def inside(sleeps: Sequence[Sleep]) -> Strip:
    """The parts of one sleeping period; the trains are drawn wider than they are."""
    first = sleeps[0]
    boxes = [
        Box(0, 12, "sleep", "PM=1", f"{1e3 * first.leaving.length:.2f} ms"),
        Box(12, 76, "waiting", "on the other channel", f"{1e3 * first.wait:.1f} ms"),
        Box(88, 12, "wake", "PM=0", f"{1e3 * first.returning.length:.2f} ms"),
    ]
    return Strip("A sleeping period (trains not to scale)", f"{1e3 * first.length:.0f} ms", [("", boxes)])


def period(start: float, end: float, origin: float, limit: float, what: str, label: str) -> Box:
    """A span of time as a box."""
    length = limit - origin
    title = f"{what}, {end - start:.1f} s" if end - start >= 1 else f"{what}, {1e3 * (end - start):.0f} ms"
    return Box(100 * (start - origin) / length, 100 * (end - start) / length, what, label, title)


def averages(sleeps: Sequence[Sleep], whole: RunView) -> list[tuple[str, str]]:
    """Mean lengths of the periods, as the monitor heard them."""
    spans = [(scan["start_s"], end) for scan, end in whole.scans]
    normal = mean([after - end for (_, end), (after, _) in pairwise(spans)])
    degraded = mean([end - start for start, end in spans])
    awake = mean([after.leaving.start - before.returning.end for before, after in pairwise(sleeps)])
    return [
        ("Normal period", f"{normal:.0f} s"),
        ("Degraded period", f"{degraded:.1f} s"),
        ("Sleeping period", f"{1e3 * mean([sleep.length for sleep in sleeps]):.0f} ms"),
        ("Awake period", f"{1e3 * awake:.0f} ms"),
        ("Null frames PM=1", f"{1e3 * mean([sleep.leaving.length for sleep in sleeps]):.2f} ms"),
        ("Waiting", f"{1e3 * mean([sleep.wait for sleep in sleeps]):.0f} ms"),
        ("Null frames PM=0", f"{1e3 * mean([sleep.returning.length for sleep in sleeps]):.2f} ms"),
        ("Visits in a scan", str(len(sleeps))),
    ]
