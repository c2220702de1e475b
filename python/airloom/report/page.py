"""Puts the report together and writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TOMLLexer

from airloom.analysis import compared_notes
from airloom.analysis.compared_figures import compared
from airloom.analysis.own_times import own_times
from airloom.report import (
    associations,
    detail,
    detail_charts,
    distributions,
    key_table,
    narrative,
    panels,
    plans,
    sections,
    sequence_numbers,
    traces,
)
from airloom.report.callouts import callouts
from airloom.report.chart import LEFT, RIGHT, chart
from airloom.report.colours import Colours
from airloom.report.comparison import compare
from airloom.report.entries import entries, scripted
from airloom.report.html import fill, put
from airloom.report.origin import of_runs, seeds
from airloom.results.differing import differing
from airloom.results.series import BIN
from airloom.results.timing import verdict
from airloom.support.formatting import capital

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.report.comparison import Comparison
    from airloom.report.published import Published
    from airloom.results.bundle import Run


MOST_CHIPS = 8
"""Spells of held frames that the toolbar leads to, and changes of the world."""

FEW_STEPS = 60
"""Steps of a chart below which the page says how a run records finer ones."""

MOST_LEADS = 4
"""Runs that are described in words side by side."""


def of_figures(comparison: Comparison) -> list[str]:
    """What figures are of; a sentence that begins with a name keeps it."""
    names = [one.short for one in comparison.runs]
    runs = [one.run.summary for one in comparison.runs]
    told = compared_notes.of_figures(names, runs) if len(runs) > 1 else own_times(runs[0])
    own = {*names, *(flow["name"] for run in runs for flow in run["flows"])}
    return [capital(text, own) for text in told]


def write(run: Run, target: Path, *, against: Sequence[Run] = (), published: Published | None = None) -> None:
    """Writes the report of a run, whole or not at all.

    Args:
        run: The run that it is about.
        target: The file.
        against: Runs beside it, in all charts and tables.
        published: What was published of these runs, if anything.
    """
    put(render(run, against, published), target)


def render(run: Run, against: Sequence[Run] = (), published: Published | None = None) -> str:
    """The report as HTML."""
    comparison = compare([run, *against], published.names if published else None)
    first, several = comparison.first.view, len(comparison.runs) > 1
    duration = max(one.run.summary["duration_s"] for one in comparison.runs)
    shown = timeline(comparison, duration) + sequence_numbers.panels(run, duration)
    close = detail.windows(comparison)
    spreads = distributions.entries(comparison, title(comparison))
    apart = differing([one.run for one in comparison.runs]) if several else {}
    tables = compared([one.run.summary for one in comparison.runs]) if several else None
    origin = of_runs([one.run for one in comparison.runs])
    runs = [one.run.summary for one in comparison.runs]
    names = [one.short for one in comparison.runs]
    told = compared_notes.of_scenarios(names, runs, apart)
    drawn = plans.plans(comparison.runs)
    return fill(
        "page.html.j2",
        styles=("style.css", "detail.css"),
        scripts=("detail.js", "timeline.js"),
        content=content(comparison, shown, spreads, duration)
        | {"origin": origin, "detail": closer(comparison, close, duration)},
        shown={
            "version": run.summary["airloom"],
            "origin": origin,
            "summary": run.summary,
            "title": title(comparison),
            "crowded": any(entry["crowded"] for entry in shown),
            "runs": comparison.runs,
            "duration": duration,
            "step": first.step,
            "few_steps": duration < FEW_STEPS * run.manifest.get("bin_s", BIN),
            "timing": verdict(run.timing) if run.timing else None,
            "flows": narrative.described(first),
            "leads": [narrative.lead(one.view) for one in comparison.runs[:MOST_LEADS]],
            "callouts": [(one, text) for one in comparison.runs for text in callouts(one.run)],
            "plans": drawn,
            "plans_lead": plans.lead(drawn, comparison.runs),
            "flow_tables": [] if several else key_table.of(first),
            "warmed": any("warm_up_s" in one.run.summary for one in comparison.runs),
            "of_figures": of_figures(comparison),
            "measured": narrative.measured([one.run.summary for one in comparison.runs]),
            "run_table": tables[0] if tables else [],
            "run_table_rest": tables[1] if tables else [],
            "panels": shown,
            "distributions": spreads,
            "quantiles": [name for name, _ in distributions.SHOWN_QUANTILES],
            "scanned": scanned(comparison),
            "scans": sections.scan_rows(first),
            "roams": associations.rows(run.summary),
            "served": list(
                dict.fromkeys(
                    (each.point, associations.hue_of(first, each.point))
                    for each in associations.associations(run.summary)
                )
            ),
            "changes": run.changes[:MOST_CHIPS],
            "closer": detail.chips(close),
            "closer_charts": detail_charts.CHARTS,
            "holds": sequence_numbers.spells(run)[:MOST_CHIPS],
            "drops": sections.drop_rows(comparison.runs),
            "airtime": sections.airtime_rows(comparison.runs),
            "several_channels": bool(sections.channel_of_nodes([one.run.summary for one in comparison.runs])),
            "differing": apart,
            "told": [capital(text) for text in told],
            "seeds": seeds([run["seed"] for run in runs]),
            "remedies": sections.remedy_rows(comparison.runs) if scans_differ(comparison) else [],
            "published": published,
            "scenario": Markup(highlight(run.scenario, TOMLLexer(), HtmlFormatter(nowrap=True))),  # noqa: S704 - escaped by pygments
        },
    )


def closer(comparison: Comparison, found: Sequence[tuple[str, detail.Window]], duration: float) -> dict[str, Any]:
    """The windows of detail, and the charts that show them."""
    if not found:
        return {"charts": [], "windows": [], "kinds": [], "bin": detail.BIN}
    return {
        "charts": detail_charts.charts(duration, title(comparison)),
        "windows": [detail.packed(window, name, Colours.of(window.run.view)) for name, window in found],
        "kinds": detail.KINDS,
        "bin": detail.BIN,
    }


def title(comparison: Comparison) -> str:
    """The title of the run; of several, their common one, or their names."""
    titles = list(dict.fromkeys(one.run.summary["title"] for one in comparison.runs))
    if len(titles) == 1:
        return titles[0]
    if len(titles) <= MOST_LEADS:
        return f"{', '.join(titles[:-1])} and {titles[-1]}"
    return f"{len(comparison.runs)} runs beside each other"


def scanned(comparison: Comparison) -> bool:
    """Whether there was a scan in any run: only then the page speaks of scans."""
    return any(one.run.summary["scans"] for one in comparison.runs)


def scans_differ(comparison: Comparison) -> bool:
    """Whether the runs differ in how often they scanned: the price of a remedy, or what it saves."""
    return len({len(one.run.summary["scans"]) for one in comparison.runs}) > 1


def timeline(comparison: Comparison, duration: float) -> list[dict[str, Any]]:
    """The plots of all panels that have something to show, each with its chart."""
    found = [plot for panel in panels.PANELS for plot in traces.plots(panel, comparison)]
    crowded = any(plot.bands for plot in found)
    specs = [chart(plot, comparison.runs, duration, low=crowded, axis=plot is found[-1]) for plot in found]
    shown = entries(found, specs, title(comparison), crowded=crowded)
    for entry in shown:
        entry["caption"] += f" {entry['panel'].in_scans}" if scanned(comparison) and entry["panel"].in_scans else ""
    return shown


def content(
    comparison: Comparison, shown: Sequence[dict[str, Any]], spreads: Sequence[dict[str, Any]], duration: float
) -> dict[str, Any]:
    """What the page's script needs."""
    return {
        "duration": duration,
        "left": LEFT,
        "right": RIGHT,
        "scans": [
            {"start": scan["start_s"], "end": scan.get("end_s") or duration, "run": one.index}
            for one in comparison.runs
            for scan in one.run.summary["scans"]
        ],
        "panels": scripted(shown),
        "distributions": [{"id": entry["id"], "spec": entry["spec"]} for entry in spreads],
    }
