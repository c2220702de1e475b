"""The rows of a table of one run's flows: each of few, of many the extremes and the spread; and their sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis import key_figures
from airloom.analysis.key_figures import MOST_LISTED, carrying, control

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.flow_sets import FlowSet
    from airloom.analysis.key_figures import Metric
    from airloom.results.summary import FlowSummary


@dataclass(frozen=True)
class FlowFigures:
    """The figures of a flow, of a quantile of flows, or of all together.

    Attributes:
        name: What it is of: a flow, a quantile, or all.
        note: What drives a flow; of how many flows a quantile is.
        values: Its figures; NaN where there is none.
        flow: The flow, if it is of one.
        is_sum: Whether it is of all together.
    """

    name: str
    note: str
    values: list[float]
    flow: FlowSummary | None = None
    is_sum: bool = False


def of_set(one: FlowSet, metrics: Sequence[Metric], *, several: bool) -> tuple[list[FlowFigures], list[FlowFigures]]:
    """The rows of a set of flows that are shown at once, and those of each flow where they are too many for that.

    Args:
        one: The set.
        metrics: The figures.
        several: Whether the run has other sets too.
    """
    flows = one.flows
    each = [
        FlowFigures(flow["name"], control(flow), [key_figures.value(flow, m) for m in metrics], flow) for flow in flows
    ]
    sums = [of_all(f"{one.short} together" if several else "all together", flows, metrics)] if len(flows) > 1 else []
    if len(flows) <= MOST_LISTED:
        return [*each, *sums], []
    ends = [flow["name"] for flow in carrying(flows)]
    extremes = [row for name in dict.fromkeys([*ends[:1], *ends[-1:]]) for row in each if row.name == name]
    silent = len(key_figures.barren(flows))
    note = f"of {len(flows)} flows" + (f", {silent} silent" if silent else "")
    quantiles = [
        FlowFigures(title, note, [key_figures.quantile(flows, metric, share) for metric in metrics])
        for title, share in key_figures.quantiles_of(flows)
    ]
    return [*extremes, *quantiles, *sums], each


def of_all(name: str, flows: Sequence[FlowSummary], metrics: Sequence[Metric]) -> FlowFigures:
    """The row of flows together."""
    return FlowFigures(name, "", [key_figures.total(flows, metric) for metric in metrics], is_sum=True)
