"""Puts the report together and writes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TOMLLexer

from airloom.report import narrative, panels, sections, sequence_numbers
from airloom.report.chart import LEFT, RIGHT, chart
from airloom.report.comparison import compare
from airloom.report.html import fill, put
from airloom.report.standalone import Column, axis, describe, quantity
from airloom.results.differing import differing
from airloom.results.series import rounded
from airloom.support.formatting import number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.report.comparison import Comparison
    from airloom.report.panels import Panel, Trace
    from airloom.report.published import Published
    from airloom.results.bundle import Run


MOST_CHIPS = 8
"""Spells of held frames that the toolbar leads to."""


def write(run: Run, target: Path, *, against: Sequence[Run] = (), published: Published | None = None) -> None:
    """Writes the report of a run, whole or not at all.

    Args:
        run: The run that it is about.
        target: The file.
        against: Runs beside it: the first is laid over it, all of them are in the table of runs.
        published: What was published of these runs, if anything.
    """
    put(render(run, against, published), target)


def render(run: Run, against: Sequence[Run] = (), published: Published | None = None) -> str:
    """The report as HTML."""
    comparison = compare([run, *against], published.names if published else None)
    first = comparison.first.view
    duration = max(one.run.summary["duration_s"] for one in comparison.overlaid)
    shown = timeline(comparison, duration) + sequence_numbers.panels(run, duration)
    return fill(
        "page.html.j2",
        styles=("style.css",),
        script="timeline.js",
        content=content(comparison, shown, duration),
        shown={
            "version": run.summary["airloom"],
            "summary": run.summary,
            "comparison": comparison,
            "lead": narrative.lead(first),
            "lead_other": narrative.lead(comparison.runs[1].view) if against else [],
            "cards": narrative.cards(comparison.overlaid),
            "panels": shown,
            "scans": sections.scan_rows(first),
            "holds": sequence_numbers.spells(run)[:MOST_CHIPS],
            "drops": sections.drop_rows(run.summary["drops"]),
            "airtime": sections.airtime_shares(first),
            "differing": differing([one.run for one in comparison.runs]) if against else {},
            "remedies": sections.remedy_rows(comparison.runs) if scans_differ(comparison) else [],
            "published": published,
            "scenario": Markup(highlight(run.scenario, TOMLLexer(), HtmlFormatter(nowrap=True))),  # noqa: S704 - escaped by pygments
            "manifest": run.manifest,
        },
    )


def scans_differ(comparison: Comparison) -> bool:
    """Whether the runs differ in how often they scanned: the price of a remedy, or what it saves."""
    return len({len(one.run.summary["scans"]) for one in comparison.runs}) > 1


def timeline(comparison: Comparison, duration: float) -> list[dict[str, Any]]:
    """The panels that have something to show, each with its chart."""
    found = [(panel, panels.traces(panel, comparison.overlaid)) for panel in panels.PANELS]
    found = [(panel, traces) for panel, traces in found if traces]
    return [
        {
            "panel": panel,
            "legend": [legend(panel, trace) for trace in traces],
            "last": index == len(found) - 1,
            "spec": savable(
                chart(traces, comparison.overlaid, duration, scale=scale(panel), axis=index == len(found) - 1),
                panel,
                comparison,
            ),
        }
        for index, (panel, traces) in enumerate(found)
    ]


def savable(spec: dict[str, Any], panel: Panel, comparison: Comparison) -> dict[str, Any]:
    """A panel's chart, with what is needed to save it."""
    title = comparison.first.run.summary["title"]
    return describe(
        spec,
        title=panel.title,
        subtitle=title if len(comparison.overlaid) == 1 else "",
        name=f"{title}-{panel.id}",
        x="Time, s",
        y=axis(panel.title, panel.unit),
        columns=[
            Column("t", "time (s)"),
            Column("k", "series"),
            Column("v", quantity(panel.title, panel.unit)),
        ],
    )


def legend(panel: Panel, trace: Trace) -> dict[str, object]:
    """A line's entry beside its chart: its colour, and its means without and within scans."""
    return {
        "label": trace.label,
        "colour": trace.colour,
        "dashed": trace.dashed,
        "normal": number(scale(panel) * trace.normal),
        "scanning": None if math.isnan(trace.scanning) else number(scale(panel) * trace.scanning),
        "values": [rounded(scale(panel) * value, 4) for value in trace.series.values],
        "start": trace.series.times[0],
        "bin": trace.series.width,
    }


def scale(panel: Panel) -> float:
    """What a panel's values are multiplied by."""
    return 100.0 if panel.percent else 1.0


def content(comparison: Comparison, shown: Sequence[dict[str, Any]], duration: float) -> dict[str, Any]:
    """What the page's script needs."""
    return {
        "duration": duration,
        "left": LEFT,
        "right": RIGHT,
        "scans": [
            {"start": scan["start_s"], "end": scan.get("end_s") or duration, "run": one.index}
            for one in comparison.overlaid
            for scan in one.run.summary["scans"]
        ],
        "panels": [
            {
                "id": entry["panel"].id,
                "spec": entry["spec"],
                "values": [line["values"] for line in entry["legend"]],
                "starts": [line["start"] for line in entry["legend"]],
                "bins": [line["bin"] for line in entry["legend"]],
            }
            for entry in shown
        ],
    }
