"""The table of key figures at the head of a page about one run: its flows as rows, each with its goodput as a line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis import key_figures
from airloom.analysis.key_figures import FEW, QUANTILES, carrying, control
from airloom.report.colours import CROWD, NODE, SUM, Colours
from airloom.support.formatting import known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.key_figures import Metric
    from airloom.analysis.run_view import RunView
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


def of(view: RunView) -> FlowTable | None:
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
    values = [known(key_figures.value(flow, metric)) for metric in metrics]
    goodput = view.run.table.get(flow["name"], "goodput").known()
    return FlowRow(flow["name"], control(flow), hues.flows.get(flow["name"], NODE), values, spark(goodput, top))


def all_row(view: RunView, metrics: Sequence[Metric]) -> FlowRow:
    """The row of all flows together."""
    goodput = view.goodput.known()
    values = [known(key_figures.total(view.flows, metric)) for metric in metrics]
    return FlowRow("all together", "", SUM, values, spark(goodput, max(goodput, default=math.nan)))


def quantile_row(title: str, share: float, flows: Sequence[FlowSummary], metrics: Sequence[Metric]) -> FlowRow:
    """The row of a quantile: of each figure by itself."""
    values = [known(key_figures.quantile(flows, metric, share)) for metric in metrics]
    return FlowRow(title, f"of {len(flows)} flows", CROWD, values, "")


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
