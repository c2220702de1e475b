"""Puts the report together and writes it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TOMLLexer

from airloom.errors import BundleError
from airloom.report import narrative, panels, sections, sequence_numbers
from airloom.report.chart import LEFT, RIGHT, chart
from airloom.report.comparison import identify
from airloom.results.series import rounded
from airloom.scenario.differences import differences
from airloom.support.atomic import whole
from airloom.support.formatting import number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from airloom.report.comparison import Subjects
    from airloom.report.panels import Panel, Trace
    from airloom.results.bundle import Run


MOST_CHIPS = 8
"""Spells of held frames that the toolbar leads to."""


def write(run: Run, target: Path, *, against: Sequence[Run] = ()) -> None:
    """Writes the report of a run, whole or not at all.

    Args:
        run: The run that it is about.
        target: The file.
        against: Runs beside it: the first is laid over it, all of them are in the table of runs.
    """
    put(render(run, against), target)


def put(page: str, target: Path) -> None:
    """Writes a page, whole or not at all; only over what may be a page, so that no bundle's file is lost."""
    if target.is_dir() or (target.exists() and target.suffix not in (".html", ".htm")):
        raise BundleError(f"{target}: stands there and is no page; name a file that ends in .html")
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as partial:
        partial.write_text(page, encoding="utf-8")


def render(run: Run, against: Sequence[Run] = ()) -> str:
    """The report as HTML."""
    subjects = identify([run, *against])
    first = subjects.first.view
    duration = max(subject.run.summary["duration_s"] for subject in subjects.overlaid)
    shown = timeline(subjects, duration) + sequence_numbers.panels(run, duration)
    return fill(
        "page.html.j2",
        styles=("style.css",),
        script="timeline.js",
        content=content(subjects, shown, duration),
        shown={
            "version": run.summary["airloom"],
            "summary": run.summary,
            "subjects": subjects,
            "lead": narrative.lead(first),
            "lead_other": narrative.lead(subjects.runs[1].view) if against else [],
            "cards": narrative.cards(subjects.overlaid),
            "panels": shown,
            "scans": sections.scan_rows(first),
            "holds": sequence_numbers.spells(run)[:MOST_CHIPS],
            "drops": sections.drop_rows(run.summary["drops"]),
            "airtime": sections.airtime_shares(first),
            "differing": differences([subject.run.settings for subject in subjects.runs]) if against else {},
            "remedies": sections.remedy_rows(subjects.runs) if scans_differ(subjects) else [],
            "claims": sections.claim_rows(subjects),
            "scenario": Markup(highlight(run.scenario, TOMLLexer(), HtmlFormatter(nowrap=True))),  # noqa: S704 - escaped by pygments
            "manifest": run.manifest,
        },
    )


def fill(template: str, *, styles: Sequence[str], script: str, content: object, shown: Mapping[str, object]) -> str:
    """A page as HTML: one file that asks nothing of the network, and runs no script but its own.

    Args:
        template: The file of the page.
        styles: The files of its style.
        script: The file of its script, which comes after the charting library.
        content: What the script needs, to go into the page as JSON.
        shown: What the template shows.
    """
    style = Markup().join(asset(name) for name in styles)
    scripts = [library(), asset(script)]
    page = environment().get_template(template)
    return page.render(shown, style=style, scripts=scripts, policy=policy([style], scripts), content=embed(content))


def policy(styles: Sequence[str], scripts: Sequence[str]) -> Markup:
    """The Content Security Policy of a page: these elements and nothing else, by their hashes.

    Style attributes are allowed, since bars and swatches have them, and the charts; no script can be in one.
    """
    rules = {
        "default-src": "'none'",
        "script-src": hashes(scripts),
        "style-src-elem": hashes(styles),
        "style-src-attr": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return Markup("; ".join(f"{name} {value}" for name, value in rules.items()))  # noqa: S704 - base64 and words


def hashes(texts: Sequence[str]) -> str:
    """Elements with these texts, as a policy names them (Content Security Policy Level 3, section 2.3.1)."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def scans_differ(subjects: Subjects) -> bool:
    """Whether the runs differ in how often they scanned: the price of a remedy, or what it saves."""
    return len({len(subject.run.summary["scans"]) for subject in subjects.runs}) > 1


def timeline(subjects: Subjects, duration: float) -> list[dict[str, Any]]:
    """The panels that have something to show, each with its chart."""
    found = [(panel, panels.traces(panel, subjects.overlaid)) for panel in panels.PANELS]
    found = [(panel, traces) for panel, traces in found if traces]
    return [
        {
            "panel": panel,
            "legend": [legend(panel, trace) for trace in traces],
            "last": index == len(found) - 1,
            "spec": chart(traces, subjects.overlaid, duration, scale=scale(panel), axis=index == len(found) - 1),
        }
        for index, (panel, traces) in enumerate(found)
    ]


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
    }


def scale(panel: Panel) -> float:
    """What a panel's values are multiplied by."""
    return 100.0 if panel.percent else 1.0


def content(subjects: Subjects, shown: Sequence[dict[str, Any]], duration: float) -> dict[str, Any]:
    """What the page's script needs."""
    return {
        "duration": duration,
        "left": LEFT,
        "right": RIGHT,
        "scans": [
            {"start": scan["start_s"], "end": scan.get("end_s") or duration, "run": subject.index}
            for subject in subjects.overlaid
            for scan in subject.run.summary["scans"]
        ],
        "panels": [
            {
                "id": entry["panel"].id,
                "spec": entry["spec"],
                "values": [line["values"] for line in entry["legend"]],
                "starts": [line["start"] for line in entry["legend"]],
            }
            for entry in shown
        ],
    }


def embed(value: object) -> Markup:
    """JSON that is safe within a script element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no tag can start in it


@cache
def environment() -> Environment:
    """The templates."""
    return Environment(
        loader=PackageLoader("airloom.report", "assets"),
        autoescape=select_autoescape(["html", "j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(name: str) -> Markup:
    """A file of ours that goes into the page as it is."""
    return Markup((resources.files("airloom.report") / "assets" / name).read_text(encoding="utf-8"))  # noqa: S704


@cache
def library() -> Markup:
    """The charting library, to go into the page whole."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return Markup(bundle.replace("</script", "<\\/script"))  # noqa: S704
