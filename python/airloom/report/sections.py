"""What follows the timeline: scans, drops, airtime and the remedy's price, as rows of tables."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.analysis.scan_periods import DROP, whole_trips
from airloom.report.narrative import settled
from airloom.support.formatting import number, share
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView
    from airloom.analysis.scan_periods import WholeTrip
    from airloom.report.comparison import ComparedRun
    from airloom.results.summary import Drop


@dataclass(frozen=True)
class ScanRow:
    """One scan: times in seconds, mean times per trip in ms, goodput in Mbit/s."""

    station: str
    start: float
    end: float
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
    goodput = view.tcp("goodput")
    normal = view.normal(goodput).mean()
    rows = []
    for scan, end in view.scans:
        start, trips = scan["start_s"], whole_trips(scan)
        during = goodput.between(start - 1, end)
        inside = view.degraded(goodput).between(start, end)
        away = [1e3 * (trip["home_s"] - trip["leaving_s"]) for trip in trips]
        home = [1e3 * (after["leaving_s"] - before["home_s"]) for before, after in pairwise(trips)]
        missed = sum(normal - value for value in during.known())
        rows.append(
            ScanRow(
                station=scan["station"],
                start=start,
                end=end,
                length=number(end - start),
                trips=len(trips),
                away=number(mean(away)),
                home=number(mean(home)),
                worst=number(inside.min()),
                of_normal=share(inside.min(), normal),
                missed=number(max(0.0, missed) / 8),
                visits=trips,
            )
        )
    return rows


@dataclass(frozen=True)
class DropRow:
    """Drops of one cause at one place; `width` is in percent of the largest."""

    place: str
    cause: str
    count: str
    width: float


def drop_rows(drops: Sequence[Drop]) -> list[DropRow]:
    """Drops, the most numerous first."""
    counted = sorted((drop for drop in drops if drop["count"]), key=lambda drop: -drop["count"])
    return [
        DropRow(drop["place"], drop["cause"], f"{drop['count']:,}", 100 * drop["count"] / counted[0]["count"])
        for drop in counted
    ]


@dataclass(frozen=True)
class Share:
    """A part of the run's time; `width` is in percent."""

    name: str
    width: float
    colour: str


def airtime_shares(view: RunView) -> list[Share]:
    """The nodes that held the channel; what is left was idle."""
    airtime = view.run.summary["airtime"]
    shares = [
        Share(name, 100 * part, f"var(--line-{index % 6})")
        for index, (name, part) in enumerate(sorted(airtime["by_node"].items(), key=lambda item: -item[1]))
        if part > 0
    ]
    return [
        *shares,
        Share("collisions", 100 * airtime["collided"], "var(--bad)"),
        Share("idle", 100 * airtime["idle"], "var(--grid)"),
    ]


@dataclass(frozen=True)
class RemedyRow:
    """One run, with or without a remedy: what it gains, and what it costs."""

    index: int
    label: str
    goodput: str
    worst: str
    drops: int
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
    goodput = settled(view.tcp("goodput"))
    bar = DROP * view.normal(goodput).mean()
    verdicts = [request["verdict"] for request in summary["scan_requests"]]
    edges = [0.0, *(scan["start_s"] for scan in summary["scans"]), summary["duration_s"]]
    blind = max(after - before for before, after in pairwise(edges))
    return RemedyRow(
        index=one.index,
        label=one.label,
        goodput=number(goodput.mean()),
        worst=number(goodput.min()),
        drops=sum(value < bar for value in goodput.known()),
        started=len(summary["scans"]),
        skipped=verdicts.count("skipped"),
        let_through=verdicts.count("let through"),
        blind=f"{blind:.0f}",
    )
