"""What follows the timeline: scans, drops, airtime and the remedy's price, as rows of tables."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.analysis.scan_costs import cost
from airloom.analysis.scan_periods import DROP, until, whole_trips
from airloom.report.colours import CROWD, NODE, Colours
from airloom.report.narrative import settled
from airloom.support.formatting import number, share
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView
    from airloom.analysis.scan_periods import WholeTrip
    from airloom.report.comparison import ComparedRun
    from airloom.results.summary import Airtime, ChannelTime, Summary


@dataclass(frozen=True)
class ScanRow:
    """One scan: times in seconds, mean times per trip in ms, goodput of its station's flows in Mbit/s.

    One that had not ended with the run is what there was of it: `ended` says so.
    """

    station: str
    start: float
    end: float
    ended: bool
    length: str
    trips: int
    away: str
    home: str
    worst: str
    of_normal: str
    missed: str
    visits: list[WholeTrip]


def scan_rows(view: RunView) -> list[ScanRow]:
    """The scans of a run."""
    rows = []
    for scan in view.run.summary["scans"]:
        start, end, trips = scan["start_s"], until(scan, view.run.summary), whole_trips(scan)
        own = cost(view, scan)
        away = [1e3 * (trip["home_s"] - trip["leaving_s"]) for trip in trips]
        home = [1e3 * (after["leaving_s"] - before["home_s"]) for before, after in pairwise(trips)]
        rows.append(
            ScanRow(
                station=scan["station"],
                start=start,
                end=end,
                ended=scan.get("end_s") is not None,
                length=number(end - start),
                trips=len(trips),
                away=number(mean(away)),
                home=number(mean(home)),
                worst=number(own.worst),
                of_normal=share(own.worst, own.normal),
                missed=number(own.missed),
                visits=trips,
            )
        )
    return rows


MOST = 8
"""Places of drops, and nodes, that are shown one by one; of more, the rest together."""


@dataclass(frozen=True)
class Part:
    """A row of a table of parts: one number for each run, with a bar; `colour` is that of its swatch, if it has one."""

    name: str
    note: str
    colour: str
    cells: list[tuple[str, float]]


def drop_rows(runs: Sequence[ComparedRun]) -> list[Part]:
    """What was thrown away in each run, by place and cause, the most numerous first."""
    counted: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(runs):
        for drop in one.run.summary["drops"]:
            if drop["count"]:
                counted.setdefault((drop["place"], drop["cause"]), [0] * len(runs))[place] += drop["count"]
    rows = sorted(counted.items(), key=lambda row: -max(row[1]))
    shown = rows if len(rows) <= MOST + 1 else rows[:MOST]
    if rest := rows[len(shown) :]:
        others = [sum(many) for many in zip(*(many for _, many in rest), strict=True)]
        shown = [*shown, ((f"{len(rest)} others", ""), others)]
    most = max((max(many) for _, many in shown), default=1)
    return [Part(place, cause, "", [(f"{one:,}", 100 * one / most) for one in many]) for (place, cause), many in shown]


COLLIDED = "var(--collided)"
IDLE = "var(--grid)"
"""The colours of air that nobody got anything from."""


def airtime_rows(runs: Sequence[ComparedRun]) -> list[Part]:
    """What held the channel in each run, interferers too; what is left was idle. Of many stations there is one row."""
    kinds = {node["name"]: node["kind"] for one in runs for node in one.run.summary["nodes"]}
    held = [one.run.summary["airtime"]["by_node"] for one in runs]
    names = [name for name in kinds if any(by_node.get(name, 0) > 0 for by_node in held)]
    names.sort(key=lambda name: -max(by_node.get(name, 0) for by_node in held))
    stations = [name for name in names if kinds[name] == "station"]
    many = len(stations) > MOST
    hues = Colours.of(runs[0].view)
    there = channel_of_nodes([one.run.summary for one in runs])
    rows = [
        part(name, there.get(name, ""), hues.nodes.get(name, NODE), [by_node.get(name, 0.0) for by_node in held])
        for name in names
        if not many or kinds[name] != "station"
    ]
    if many:
        shares = [[by_node.get(name, 0.0) for name in stations] for by_node in held]
        ends = [100 * end for own in shares for end in (min(own), max(own))]
        note = f"{number(min(ends))} to {number(max(ends))}\N{NO-BREAK SPACE}% each"
        rows.append(part(f"{len(stations)} stations", note, CROWD, [sum(own) for own in shares]))
    airtimes = [one.run.summary["airtime"] for one in runs]
    # A bundle of an earlier version has no account of it.
    untold = any(one.run.settings.get("interferer") and "interfered" not in one.run.summary["airtime"] for one in runs)
    free = "idle, or an interferer's" if untold else "idle"
    return [*rows, *(row for name, of in channels(airtimes) for row in rest(name, free, of))]


def channel_of_nodes(summaries: Sequence[Summary]) -> dict[str, str]:
    """The channel of each access point and station, where a run has several; all on which one of them ever is."""
    times = [one for summary in summaries for one in summary["airtime"].get("channels", ())]
    places = sorted({place(one) for one in times})
    if not places[1:]:
        return {}
    ever: dict[str, dict[str, None]] = {}
    for one in times:
        for ap in one["aps"]:
            ever.setdefault(ap, {})[called(place(one), places)] = None
    of = {ap: ", ".join(names) for ap, names in ever.items()}
    nodes = [node for summary in summaries for node in summary["nodes"]]
    return of | {node["name"]: of[node["ap"]] for node in nodes if node.get("ap") in of}


def channels(airtimes: Sequence[Airtime]) -> list[tuple[str, list[Airtime | ChannelTime | None]]]:
    """What is said of each channel, and its time in each run; nothing is said where no run has several."""
    held = [{place(one): one for one in airtime.get("channels", ())} for airtime in airtimes]
    places = sorted({at for of in held for at in of})
    if not places[1:]:
        return [("", list(airtimes))]
    return [(called(at, places), [of.get(at) for of in held]) for at in places]


def place(channel: ChannelTime) -> tuple[str, int, int]:
    """Where a channel is: its band, the number of its primary, and its width in MHz."""
    return channel["band"], channel["channel"], int(channel["width"].removesuffix(" MHz"))


def called(at: tuple[str, int, int], places: Sequence[tuple[str, int, int]]) -> str:
    """A channel as its number, with what sets it apart from the others: its width, its band."""
    band, number, width = at
    alike = sum(other[:2] == at[:2] for other in places)
    of = f" of {width}\N{NO-BREAK SPACE}MHz" if alike > 1 else ""
    bands = {other[0] for other in places}
    return f"channel {number}{of}" + (f" at {band}" if len(bands) > 1 else "")


def rest(note: str, free: str, times: Sequence[Airtime | ChannelTime | None]) -> list[Part]:
    """The time on a channel that no node had; `free` is what the rest beside collisions is called."""
    taken = [one.get("interfered") if one else None for one in times]
    held = [part("interferers", note, COLLIDED, [share or 0.0 for share in taken])]
    return [
        part("collisions", note, COLLIDED, [one["collided"] if one else 0.0 for one in times]),
        *(held if any(share is not None for share in taken) else []),
        part(free, note, IDLE, [one["idle"] if one else 0.0 for one in times]),
    ]


def part(name: str, note: str, colour: str, shares: Sequence[float]) -> Part:
    """A row of shares, in percent."""
    return Part(name, note, colour, [(f"{100 * share:.1f}", 100 * share) for share in shares])


@dataclass(frozen=True)
class RemedyRow:
    """One run, with or without a remedy: what it gains, and what it costs; goodput is that of all flows."""

    index: int
    label: str
    worst: str
    drops: str
    started: int
    skipped: int
    let_through: int
    blind: str


def remedy_rows(runs: Sequence[ComparedRun]) -> list[RemedyRow]:
    """The runs side by side."""
    return [remedy_row(one) for one in runs]


def remedy_row(one: ComparedRun) -> RemedyRow:
    """One of them."""
    view, summary = one.view, one.run.summary
    goodput = settled(view, view.goodput)
    bar = DROP * view.normal(goodput).mean()
    verdicts = [request["verdict"] for request in summary["scan_requests"]]
    edges = [0.0, *(scan["start_s"] for scan in summary["scans"]), summary["duration_s"]]
    blind = max(after - before for before, after in pairwise(edges))
    return RemedyRow(
        index=one.index,
        label=one.label,
        worst=number(goodput.min()),
        drops=f"{sum(value < bar for value in goodput.known()) * goodput.width:g}",
        started=len(summary["scans"]),
        skipped=verdicts.count("skipped"),
        let_through=verdicts.count("let through"),
        blind=f"{blind:.0f}",
    )
