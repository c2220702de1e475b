"""What follows the timeline: scans, drops, airtime, the remedy's price and the paper's claims, as rows of tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.analysis.scan_periods import DROP
from airloom.papers import scorer
from airloom.report.narrative import settled
from airloom.support.formatting import number, quantity, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import View
    from airloom.papers.scorer import Score
    from airloom.report.comparison import Subject, Subjects
    from airloom.results.summary import Drop, Trip


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
    visits: list[Trip]


def scan_rows(view: View) -> list[ScanRow]:
    """The scans of a run."""
    goodput = view.tcp("goodput")
    normal = view.normal(goodput).mean()
    rows = []
    for scan, end in view.scans:
        start, trips = scan["start_s"], scan["trips"]
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


def mean(values: Sequence[float]) -> float:
    """The mean; not a number of nothing."""
    return math.fsum(values) / len(values) if values else math.nan


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


def airtime_shares(view: View) -> list[Share]:
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


def remedy_rows(subjects: Sequence[Subject]) -> list[RemedyRow]:
    """The runs side by side."""
    return [remedy_row(subject) for subject in subjects]


def remedy_row(subject: Subject) -> RemedyRow:
    """One of them."""
    view, summary = subject.view, subject.run.summary
    goodput = settled(view.tcp("goodput"))
    bar = DROP * view.normal(goodput).mean()
    verdicts = [request["verdict"] for request in summary["scan_requests"]]
    edges = [0.0, *(scan["start_s"] for scan in summary["scans"]), summary["duration_s"]]
    blind = max(after - before for before, after in pairwise(edges))
    return RemedyRow(
        index=subject.index,
        label=subject.label,
        goodput=number(goodput.mean()),
        worst=number(goodput.min()),
        drops=sum(value < bar for value in goodput.known()),
        started=len(summary["scans"]),
        skipped=verdicts.count("skipped"),
        let_through=verdicts.count("let through"),
        blind=f"{blind:.0f}",
    )


@dataclass(frozen=True)
class ClaimRow:
    """A claim with ours beside it; the gauge's parts are in percent of its width, none for a statement."""

    score: Score
    published: str
    ours: str
    band: tuple[float, float] | None
    marks: list[float]


def claim_rows(subjects: Subjects) -> list[ClaimRow]:
    """The claims that these runs can answer."""
    if subjects.paper is None:
        return []
    runs = {role: subject.run for subject in reversed(subjects.runs) for role in subject.roles}
    scores = scorer.score(subjects.paper, runs)
    return [claim_row(score) for score in scores if score.verdict != "not run"]


def claim_row(score: Score) -> ClaimRow:
    """One of them."""
    published, ours = statement(score.published), statement(score.ours)
    if score.accepted is None or isinstance(score.ours, bool) or score.ours is None:
        return ClaimRow(score, published, ours, None, [])
    low, high = score.accepted
    reach = max(high - low, 1e-9)
    ends = score.ours if isinstance(score.ours, tuple) else (score.ours,)
    places = [min(1.0, max(0.0, (end - low + reach) / (3 * reach))) for end in ends]
    return ClaimRow(score, published, ours, (100 / 3, 100 / 3), [100 * place for place in places])


def statement(value: float | tuple[float, float] | bool | None) -> str:
    """A published or measured quantity, as short as a page wants it."""
    return quantity(value, lambda one: f"{one:.3g}" if abs(one) < 100 else f"{one:.0f}")  # noqa: PLR2004
