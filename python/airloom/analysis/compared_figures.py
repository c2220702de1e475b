"""The key figures of several runs beside each other: of each flow and of all, with the distance from the first run."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from airloom.analysis import key_figures
from airloom.analysis.compared_notes import measured_alike
from airloom.analysis.flow_sets import alike
from airloom.analysis.key_figures import MOST_LISTED, fairness
from airloom.support.formatting import known, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.flow_sets import FlowSet
    from airloom.analysis.key_figures import Metric
    from airloom.results.summary import FlowSummary, Summary

MOST_OF_A_SET = 3
"""Flows of one set among several that are shown one by one."""

TENFOLD = 900
"""A difference in percent above which it is a multiple that says more."""


@dataclass(frozen=True)
class RunFigure:
    """A run's figure, and how far it is from that of the first run."""

    value: str
    change: str


@dataclass(frozen=True)
class FigureRow:
    """A figure of each run: of one flow, of all together, or of a quantile."""

    name: str
    cells: list[RunFigure]


@dataclass(frozen=True)
class Figure:
    """The rows of one kind of figure: of some flows, if they are a set of several, else of all."""

    title: str
    unit: str
    rows: list[FigureRow]
    flows: str = ""


def compared(runs: Sequence[Summary]) -> tuple[list[Figure], list[Figure]]:
    """What is shown at once, and each flow where they are too many for that."""
    all_sets = alike(runs)
    shown: list[Figure] = []
    rest: list[Figure] = []
    for own in all_sets:
        one, each = of_set(own, several=len(all_sets) > 1)
        shown += one
        rest += each
    together = summed([run["flows"] for run in runs]) if len(all_sets) > 1 else []
    every = [*together, *shown, Figure("Run", "", of_runs(runs))]
    return (every, rest) if measured_alike(runs) else ([*map(uncounted, every)], [*map(uncounted, rest)])


def uncounted(figure: Figure) -> Figure:
    """A figure of runs that were measured for different times: counts, which have no unit, have no distance."""
    bare = [FigureRow(row.name, [RunFigure(cell.value, "") for cell in row.cells]) for row in figure.rows]
    return figure if figure.unit else replace(figure, rows=bare)


def summed(flows: Sequence[Sequence[FlowSummary]]) -> list[Figure]:
    """The figures of each run's flows together, of those that add up."""
    adding = [metric for metric in key_figures.metrics_of(flow for own in flows for flow in own) if metric.adds]
    sums = [(metric, [key_figures.total(own, metric) for own in flows]) for metric in adding]
    return [Figure(metric.name, metric.unit, [row_of("all together", values)]) for metric, values in sums]


def of_set(sets: Sequence[FlowSet | None], *, several: bool) -> tuple[list[Figure], list[Figure]]:
    """The figures of a set of flows in each run: what is shown at once, and each flow where they are too many."""
    flows = [one.flows if one else [] for one in sets]
    titles = list(dict.fromkeys(one.title for one in sets if one))
    names = list(dict.fromkeys(flow["name"] for own in flows for flow in own))
    by_name = [{flow["name"]: flow for flow in own} for own in flows]
    shown, rest = [], []
    for metric in key_figures.metrics_of(flow for own in flows for flow in own):
        each = [row_of(name, [value_of(own.get(name), metric) for own in by_name]) for name in names]
        each = [row for row in each if any(one.value for one in row.cells)]
        sums = [row_of("all together" if not several else "together", [key_figures.total(o, metric) for o in flows])]
        sums = sums if metric.adds and len(each) > 1 else []
        quantiles = [
            row_of(title, [key_figures.quantile(own, metric, share) for own in flows])
            for title, share in key_figures.quantiles_of(max(flows, key=len))
        ]
        few = len(names) <= (MOST_LISTED if not several else MOST_OF_A_SET)
        title = " / ".join(titles) if several else ""
        shown.append(Figure(metric.name, metric.unit, [*sums, *(each if few else quantiles)], title))
        if not few:
            rest.append(Figure(metric.name, metric.unit, each, title))
    return shown, rest


def value_of(flow: FlowSummary | None, metric: Metric) -> float:
    """A figure of a flow that a run may not have."""
    return math.nan if flow is None else key_figures.value(flow, metric)


def row_of(name: str, values: Sequence[float]) -> FigureRow:
    """A row: each figure with its difference from the first one."""
    return FigureRow(
        name, [RunFigure(known(value), change(value, values[0]) if place else "") for place, value in enumerate(values)]
    )


def change(value: float, first: float) -> str:
    """How far a figure is from the first run's, in percent; nothing where that says nothing."""
    if not first or math.isnan(value / first) or value == first:
        return ""
    percent = 100 * (value / first - 1)
    if abs(percent) >= TENFOLD:
        return f"\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}{number(value / first)}"
    return f"{percent:+.{0 if abs(percent) >= 1 else 1}f}\N{NO-BREAK SPACE}%".replace("-", "\N{MINUS SIGN}")


def of_runs(runs: Sequence[Summary]) -> list[FigureRow]:
    """The figures of whole runs: those that any run has. Shares have no distance: one in percent would be misread."""
    parts = any("jain_time_share" in run for run in runs)
    shares = {
        f"fairness (Jain's index{', while all flows are under way' if parts else ''})": [fairness(run) for run in runs],
        **of_channels(runs, "idle", "air idle, %"),
        **of_channels(runs, "interfered", "air taken by interferers, %"),
        **of_channels(runs, "collided", "air lost to collisions, %"),
    }
    counts = {
        "packets dropped": [float(sum(drop["count"] for drop in run["drops"])) for run in runs],
        "scans": [float(len(run["scans"])) for run in runs],
    }
    return [
        *(
            FigureRow(name, [RunFigure(known(value), "") for value in values])
            for name, values in shares.items()
            if any_of(values)
        ),
        *(row_of(name, values) for name, values in counts.items() if any_of(values)),
    ]


def of_channels(
    runs: Sequence[Summary], key: Literal["idle", "interfered", "collided"], name: str
) -> dict[str, list[float]]:
    """A share of the air's time in percent, of each channel where any run has several; NaN where a run has none."""
    by_run = [
        {
            f"channel {one['channel']} at {one['band']}": one.get(key, math.nan)
            for one in run["airtime"].get("channels", [])
        }
        for run in runs
    ]
    channels = list(dict.fromkeys(channel for own in by_run for channel in own))
    if len(channels) < 2:  # noqa: PLR2004 - one is the air of all
        return {name: [100 * run["airtime"].get(key, math.nan) for run in runs]}
    what, unit = name.rsplit(", ", 1)
    return {f"{what}, {one}, {unit}": [100 * own.get(one, math.nan) for own in by_run] for one in channels}


def any_of(values: Sequence[float]) -> bool:
    """Whether any of these is a number, and not zero."""
    return any(value and not math.isnan(value) for value in values)
