"""A metric of a sweep against one of its keys: one page, with its numbers below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom._engine import version
from airloom.report.html import fill, put
from airloom.report.line_chart import COLOURS, LEFT, RIGHT, Legend, Point, Trace, against
from airloom.report.standalone import Column, describe
from airloom.support.formatting import interval

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.sweep.query import Shown


def write(title: str, shown: Shown, target: Path) -> None:
    """Writes the page, whole or not at all."""
    put(render(title, shown), target)


def render(title: str, shown: Shown) -> str:
    """The page as HTML."""
    traces, legend = [], []
    for number, line in enumerate(shown.lines):
        colour, dashed = f"var(--line-{number % COLOURS})", number >= COLOURS
        points = [(place, line.points[place]) for place in shown.places if place in line.points]
        traces.append(
            Trace(
                line.label,
                [Point(place, one.mean, one.mean - one.margin, one.mean + one.margin) for place, one in points],
                colour,
                dashed,
            )
        )
        legend.append(Legend(line.label, "", colour, dashed))
    rows = [
        (place, [interval(line.points[place]) if place in line.points else "-" for line in shown.lines])
        for place in shown.places
    ]
    spec = describe(
        against(traces, shown.by),
        title=title,
        name=f"{title}-{shown.metric}",
        x=shown.by,
        y=shown.metric,
        columns=[
            Column("x", shown.by),
            Column("k", "line"),
            Column("y", f"{shown.metric}, mean"),
            Column("low", "95 % from"),
            Column("high", "95 % to"),
        ],
    )
    return fill(
        "sweep.html.j2",
        styles=("style.css", "figures.css"),
        script="figures.js",
        content={"left": LEFT, "right": RIGHT, "figures": [{"id": 1, "spec": spec}]},
        shown={"version": version(), "title": title, "shown": shown, "legend": legend, "rows": rows},
    )
