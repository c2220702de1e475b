"""The table of key figures at the head of a page: flows as rows of one run, runs as columns where there are several."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis import key_figures
from airloom.analysis.key_figures import FEW, QUANTILES, carrying, control
from airloom.report.colours import CROWD, NODE, SUM, Colours
from airloom.support.formatting import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.key_figures import Metric
    from airloom.analysis.run_view import RunView
    from airloom.report.comparison import Comparison
    from airloom.results.summary import FlowSummary

SPARKS = 60
"""Points of a sparkline."""


@dataclass(frozen=True)
class FlowRow:
    """A row of one run: a flow, all flows together, or a quantile of them."""

    name: str
    note: str
    colour: str
    values: list[str]
    spark: str


@dataclass(frozen=True)
class FlowTable:
    """The flows of one run.

    Attributes:
        metrics: The columns.
        rows: What is shown at once: every flow, or the extremes and the spread of many; all of them together last.
        rest: All flows, where they are too many to be shown at once.
    """

    metrics: list[Metric]
    rows: list[FlowRow]
    rest: list[FlowRow]


def of_one(view: RunView) -> FlowTable | None:
    """The table of a run; none of a run without flows."""
    flows = view.flows
    if not flows:
        return None
    metrics = key_figures.metrics_of(flows)
    hues = Colours.of(view)
    top = max((view.run.table.get(flow["name"], "goodput").max() for flow in carrying(flows)), default=math.nan)
    each = [flow_row(flow, metrics, hues, view, top) for flow in flows]
    sums = [all_row(view, metrics)] if len(flows) > 1 else []
    if len(flows) <= FEW:
        return FlowTable(metrics, [*each, *sums], [])
    named = {flow["name"]: row for flow, row in zip(flows, each, strict=True)}
    ends = carrying(flows)
    extremes = [named[flow["name"]] for flow in (ends[0], ends[-1])] if ends else []
    return FlowTable(metrics, [*extremes, *(quantile_row(*one, flows, metrics) for one in QUANTILES), *sums], each)


def flow_row(flow: FlowSummary, metrics: Sequence[Metric], hues: Colours, view: RunView, top: float) -> FlowRow:
    """The row of a flow."""
    values = [cell(key_figures.value(flow, metric)) for metric in metrics]
    goodput = view.run.table.get(flow["name"], "goodput").known()
    return FlowRow(flow["name"], control(flow), hues.flows.get(flow["name"], NODE), values, spark(goodput, top))


def all_row(view: RunView, metrics: Sequence[Metric]) -> FlowRow:
    """The row of all flows together."""
    known = view.goodput.known()
    values = [cell(key_figures.total(view.flows, metric)) for metric in metrics]
    return FlowRow("all together", "", SUM, values, spark(known, max(known, default=math.nan)))


def quantile_row(title: str, share: float, flows: Sequence[FlowSummary], metrics: Sequence[Metric]) -> FlowRow:
    """The row of a quantile: of each figure by itself."""
    values = [cell(key_figures.quantile(flows, metric, share)) for metric in metrics]
    return FlowRow(title, f"of {len(flows)} flows", CROWD, values, "")


def cell(value: float) -> str:
    """A figure; nothing where there is none."""
    return "" if math.isnan(value) else number(value)


def spark(values: Sequence[float], top: float) -> str:
    """The points of a sparkline in a box of 100 by 20: means of as many equal parts."""
    if len(values) < 2 or not top > 0:  # noqa: PLR2004 - one value is no line
        return ""
    step = max(1.0, len(values) / SPARKS)
    parts = [
        values[int(step * place) : max(int(step * place) + 1, int(step * (place + 1)))]
        for place in range(math.ceil(len(values) / step))
    ]
    means = [math.fsum(part) / len(part) for part in parts if part]
    return " ".join(
        f"{100 * place / (len(means) - 1):.1f},{20 - 19 * mean / top:.1f}" for place, mean in enumerate(means)
    )


@dataclass(frozen=True)
class RunCell:
    """A run's figure, and how far it is from that of the first run."""

    value: str
    change: str


@dataclass(frozen=True)
class RunRow:
    """A figure of each run: of one flow, of all together, or of a quantile."""

    name: str
    cells: list[RunCell]


@dataclass(frozen=True)
class Group:
    """The rows of one kind of figure."""

    title: str
    unit: str
    rows: list[RunRow]


def of_several(comparison: Comparison) -> tuple[list[Group], list[Group]]:
    """The tables of several runs: what is shown at once, and each flow where they are too many for that."""
    views = [one.view for one in comparison.runs]
    metrics = key_figures.metrics_of(flow for view in views for flow in view.flows)
    names = list(dict.fromkeys(flow["name"] for view in views for flow in view.flows))
    flows = [{flow["name"]: flow for flow in view.flows} for view in views]
    few = len(names) <= FEW
    shown, rest = [], []
    for metric in metrics:
        each = [run_row(name, [value_of(own.get(name), metric) for own in flows]) for name in names]
        each = [row for row in each if any(one.value for one in row.cells)]
        sums = [run_row("all together", [key_figures.total(view.flows, metric) for view in views])]
        sums = sums if metric.adds and len(each) > 1 else []
        quantiles = [
            run_row(title, [key_figures.quantile(view.flows, metric, share) for view in views])
            for title, share in QUANTILES
        ]
        shown.append(Group(metric.name, metric.unit, [*sums, *(each if few else quantiles)]))
        if not few:
            rest.append(Group(metric.name, metric.unit, each))
    return [*shown, Group("Run", "", of_runs(views))], rest


def value_of(flow: FlowSummary | None, metric: Metric) -> float:
    """A figure of a flow that a run may not have."""
    return math.nan if flow is None else key_figures.value(flow, metric)


def run_row(name: str, values: Sequence[float]) -> RunRow:
    """A row: each figure with its difference from the first one."""
    return RunRow(
        name, [RunCell(cell(value), change(value, values[0]) if place else "") for place, value in enumerate(values)]
    )


def change(value: float, first: float) -> str:
    """How far a figure is from the first run's, in percent; nothing where that says nothing."""
    if not first or math.isnan(value / first) or value == first:
        return ""
    percent = 100 * (value / first - 1)
    if abs(percent) >= TENFOLD:
        return f"\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}{number(value / first)}"
    return f"{percent:+.{0 if abs(percent) >= 1 else 1}f}\N{NO-BREAK SPACE}%".replace("-", "\N{MINUS SIGN}")


TENFOLD = 900
"""A difference in percent above which it is a multiple that says more."""


def of_runs(views: Sequence[RunView]) -> list[RunRow]:
    """The figures of whole runs: those that any run has."""
    summaries = [view.run.summary for view in views]
    nothing = math.nan
    figures: dict[str, list[float]] = {
        "fairness (Jain's index)": [
            nothing if len(carrying(one["flows"])) < 2 or one["jain"] is None else one["jain"]  # noqa: PLR2004 - one flow shares with no other
            for one in summaries
        ],
        "air idle, %": [100 * one["airtime"]["idle"] for one in summaries],
        "air lost to collisions, %": [100 * one["airtime"]["collided"] for one in summaries],
        "packets dropped": [float(sum(drop["count"] for drop in one["drops"])) for one in summaries],
        "scans": [float(len(one["scans"])) for one in summaries],
    }
    return [
        run_row(name, values)
        for name, values in figures.items()
        if any(value and not math.isnan(value) for value in values)
    ]
