"""A metric of a sweep against one of its keys: one page, with its numbers below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom._engine import version
from airloom.report.html import fill, put
from airloom.support.formatting import capital, interval
from airloom.sweep import words
from airloom.sweep.chart import charts, legend, sentence

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.sweep.chart import Named
    from airloom.sweep.query import Shown


def write(named: Named, shown: Shown, target: Path) -> None:
    """Writes the page, whole or not at all."""
    put(render(named, shown), target)


def render(named: Named, shown: Shown) -> str:
    """The page as HTML."""
    drawn = charts(shown, named)
    rows = [
        (place, [interval(line.points[place]) if place in line.points else "-" for line in shown.lines])
        for place in shown.places
    ]
    metric = words.metric(shown.metric)
    return fill(
        "sweep.html.j2",
        styles=("style.css", "figures.css"),
        scripts=("figures.js",),
        content={
            "origin": named.origin,
            "figures": [{"id": number, "spec": one.spec} for number, one in enumerate(drawn, 1)],
        },
        shown={
            "version": version(),
            "origin": named.origin,
            "title": named.title,
            "metric": metric,
            "sentence": sentence(shown, named),
            "by": named.key(shown.by).title,
            "panels_by": named.key(shown.told.panel).title if shown.told.panel else "",
            "drawn": drawn,
            "shown": shown,
            "idle": [capital(text, named.values) for text in shown.idle],
            "legend": legend(shown),
            "rows": rows,
        },
    )
