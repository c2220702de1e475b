"""The key figures of several runs beside each other: of each flow and of all, with the distance from the first run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis import key_figures
from airloom.analysis.key_figures import FEW, QUANTILES, fairness
from airloom.support.formatting import known, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.key_figures import Metric
    from airloom.results.summary import FlowSummary, Summary

TENFOLD = 900
"""A difference in percent above which it is a multiple that says more."""


@dataclass(frozen=True)
class Cell:
    """A run's figure, and how far it is from that of the first run."""

    value: str
    change: str


@dataclass(frozen=True)
class Row:
    """A figure of each run: of one flow, of all together, or of a quantile."""

    name: str
    cells: list[Cell]


@dataclass(frozen=True)
class Group:
    """The rows of one kind of figure."""

    title: str
    unit: str
    rows: list[Row]


def compared(runs: Sequence[Summary]) -> tuple[list[Group], list[Group]]:
    """What is shown at once, and each flow where they are too many for that."""
    metrics = key_figures.metrics_of(flow for run in runs for flow in run["flows"])
    names = list(dict.fromkeys(flow["name"] for run in runs for flow in run["flows"]))
    flows = [{flow["name"]: flow for flow in run["flows"]} for run in runs]
    few = len(names) <= FEW
    shown, rest = [], []
    for metric in metrics:
        each = [row_of(name, [value_of(own.get(name), metric) for own in flows]) for name in names]
        each = [row for row in each if any(one.value for one in row.cells)]
        sums = [row_of("all together", [key_figures.total(run["flows"], metric) for run in runs])]
        sums = sums if metric.adds and len(each) > 1 else []
        quantiles = [
            row_of(title, [key_figures.quantile(run["flows"], metric, share) for run in runs])
            for title, share in QUANTILES
        ]
        shown.append(Group(metric.name, metric.unit, [*sums, *(each if few else quantiles)]))
        if not few:
            rest.append(Group(metric.name, metric.unit, each))
    return [*shown, Group("Run", "", of_runs(runs))], rest


def value_of(flow: FlowSummary | None, metric: Metric) -> float:
    """A figure of a flow that a run may not have."""
    return math.nan if flow is None else key_figures.value(flow, metric)


def row_of(name: str, values: Sequence[float]) -> Row:
    """A row: each figure with its difference from the first one."""
    return Row(
        name, [Cell(known(value), change(value, values[0]) if place else "") for place, value in enumerate(values)]
    )


def change(value: float, first: float) -> str:
    """How far a figure is from the first run's, in percent; nothing where that says nothing."""
    if not first or math.isnan(value / first) or value == first:
        return ""
    percent = 100 * (value / first - 1)
    if abs(percent) >= TENFOLD:
        return f"\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}{number(value / first)}"
    return f"{percent:+.{0 if abs(percent) >= 1 else 1}f}\N{NO-BREAK SPACE}%".replace("-", "\N{MINUS SIGN}")


def of_runs(runs: Sequence[Summary]) -> list[Row]:
    """The figures of whole runs: those that any run has. Shares have no distance: one in percent would be misread."""
    shares = {
        "fairness (Jain's index)": [fairness(run) for run in runs],
        "air idle, %": [100 * run["airtime"]["idle"] for run in runs],
        "air lost to collisions, %": [100 * run["airtime"]["collided"] for run in runs],
    }
    counts = {
        "packets dropped": [float(sum(drop["count"] for drop in run["drops"])) for run in runs],
        "scans": [float(len(run["scans"])) for run in runs],
    }
    return [
        *(Row(name, [Cell(known(value), "") for value in values]) for name, values in shares.items() if any_of(values)),
        *(row_of(name, values) for name, values in counts.items() if any_of(values)),
    ]


def any_of(values: Sequence[float]) -> bool:
    """Whether any of these is a number, and not zero."""
    return any(value and not math.isnan(value) for value in values)
