"""The table of key figures at the head of a page about one run: its flows as rows, each with its goodput as a line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis import key_figures
from airloom.analysis.flow_rows import of_all, of_set
from airloom.analysis.flow_sets import sets
from airloom.analysis.key_figures import carrying
from airloom.analysis.run_view import together
from airloom.report.colours import CROWD, NODE, SUM, Colours
from airloom.support.formatting import known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.flow_rows import FlowFigures
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
    """Some flows of one run.

    Attributes:
        title: What they are called, where there are other tables beside.
        metrics: The columns.
        rows: What is shown at once: every flow, or the extremes and the spread of many; all of them together last.
        rest: All flows, where they are too many to be shown at once.
    """

    title: str
    metrics: list[Metric]
    rows: list[FlowRow]
    rest: list[FlowRow]


def of(view: RunView) -> list[FlowTable]:
    """The tables of a run, one for each set of its flows; none of a run without flows."""
    hues = Colours.of(view)
    found = sets(view.run.summary)
    several = len(found) > 1
    tables = []
    for one in found:
        metrics = key_figures.metrics_of(one.flows)
        top = max((view.run.table.get(flow["name"], "goodput").max() for flow in carrying(one.flows)), default=math.nan)
        shown, rest = (
            [drawn(row, one.flows, hues, view, top) for row in rows] for rows in of_set(one, metrics, several=several)
        )
        tables.append(FlowTable(one.title if several else "", metrics, shown, rest))
    if several:
        metrics = [metric for metric in key_figures.metrics_of(view.flows) if metric.adds]
        row = of_all("all together", view.flows, metrics)
        tables.append(FlowTable("All together", metrics, [drawn(row, view.flows, hues, view, math.nan)], []))
    return tables


def drawn(row: FlowFigures, flows: Sequence[FlowSummary], hues: Colours, view: RunView, top: float) -> FlowRow:
    """A row with its colour and, where it is of a flow or of all, its goodput as a line; that of a flow up to `top`."""
    values = [known(value) for value in row.values]
    if row.flow is not None:
        goodput = view.run.table.get(row.name, "goodput").known()
        return FlowRow(row.name, row.note, hues.flows.get(row.name, NODE), values, spark(goodput, top))
    if row.is_sum:
        goodput = together([view.run.table.get(flow["name"], "goodput") for flow in flows]).known()
        return FlowRow(row.name, row.note, SUM, values, spark(goodput, max(goodput, default=math.nan)))
    return FlowRow(row.name, row.note, CROWD, values, "")


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
