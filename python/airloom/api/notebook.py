"""What a notebook shows of runs, comparisons and sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.compared_notes import of_counts
from airloom.analysis.key_figures import METRICS, MOST_LISTED, control, metrics_of, total, value
from airloom.analysis.own_times import in_runs, own_times
from airloom.analysis.starved import sentences
from airloom.results.differing import by_chance
from airloom.results.summary import lasted
from airloom.support.formatting import count, number
from airloom.support.html_table import block, heading, note, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.analysis.key_figures import Metric
    from airloom.results.bundle import Run
    from airloom.results.summary import FlowSummary

MOST_DIFFERENCES = 12
"""Values in which scenarios differ that are listed."""


def run_html(run: Run) -> str:
    """A run: its flows with their figures."""
    summary = run.summary
    flows, metrics = summary["flows"], metrics_of(summary["flows"])
    rows = [[f"{flow['name']} ({control(flow)})", *figures(flow, metrics)] for flow in flows[:MOST_LISTED]]
    if len(flows) > 1:
        rows.append(["all", *(shown(total(flows, metric), metric) for metric in metrics)])
    facts = [lasted(summary), f"seed {summary['seed']}"]
    facts += [count(len(summary["scans"]), "scan")] if summary["scans"] else []
    notes = [f"and {len(flows) - MOST_LISTED:,} more flows: run.flows"] if len(flows) > MOST_LISTED else []
    return block(
        heading(summary["title"], ", ".join(facts)),
        table(["", *map(title, metrics)], rows) if rows else note("no flow"),
        *map(note, [*notes, *sentences(summary), *own_times(summary)]),
    )


def comparison_html(runs: Mapping[str, Run], differences: Mapping[str, Sequence[str]]) -> str:
    """Runs side by side: each figure of each flow, and what differs in the scenarios."""
    flows = [{flow["name"]: flow for flow in run.summary["flows"]} for run in runs.values()]
    names = list(dict.fromkeys(name for one in flows for name in one))
    rows = []
    for name in names[:MOST_LISTED]:
        for metric in metrics_of(one[name] for one in flows if name in one):
            cells = [shown(value(one[name], metric), metric) if name in one else "" for one in flows]
            rows.append([f"{name}: {title(metric)}" if len(names) > 1 else title(metric), *cells])
    if len(names) > 1:
        goodput = METRICS[0]
        totals = [shown(total(run.summary["flows"], goodput), goodput) for run in runs.values()]
        rows.insert(0, [f"all: {title(goodput)}", *totals])
    notes = [f"and {len(names) - MOST_LISTED:,} more flows"] if len(names) > MOST_LISTED else []
    notes += in_runs([run.summary for run in runs.values()], list(runs))
    notes += of_counts([run.summary for run in runs.values()])
    notes += by_chance(differences)
    apart = [[key, *values] for key, values in list(differences.items())[:MOST_DIFFERENCES]]
    if len(differences) > len(apart):
        notes.append(f"{len(differences) - len(apart):,} more values differ: comparison.differences")
    return block(
        table(["", *runs], rows),
        *([heading("What differs"), table(["", *runs], apart)] if apart else []),
        *map(note, notes),
    )


def sweep_html(cells: int, failed: int, axes: Mapping[str, Sequence[str]]) -> str:
    """A sweep: what was varied, and how many cells failed."""
    rows = [[axis, ", ".join(names)] for axis, names in axes.items()]
    return block(
        heading(count(cells, "cell"), f"{failed:,} failed: sweep.failed" if failed else ""),
        table(["axis", "values"], rows) if rows else "",
        note(
            "sweep.show(metric, by=axis) shows a metric, sweep.chart(metric, by=axis) draws it; sweep.metrics has all"
        ),
    )


def figures(flow: FlowSummary, metrics: Sequence[Metric]) -> list[str]:
    """The figures of a flow."""
    return [shown(value(flow, metric), metric) for metric in metrics]


def shown(found: float, metric: Metric) -> str:
    """A figure; a count has all its digits."""
    return number(found) if metric.unit or found != found else f"{found:,.0f}"  # noqa: PLR0124 - NaN alone differs


def title(metric: Metric) -> str:
    """What a figure is, with its unit."""
    return f"{metric.name}, {metric.unit}" if metric.unit else metric.name
