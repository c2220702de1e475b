"""The figures of a paper, drawn from our runs: one page, with the score beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import altair as alt

from airloom._engine import version
from airloom.analysis.run_view import RunView
from airloom.errors import PaperError
from airloom.papers import published_marks, scorer
from airloom.papers.claim_rows import claim_row
from airloom.papers.figure import Figure, Figures, PointFigure, read_figures
from airloom.papers.grid_runs import runs_of_grids
from airloom.papers.measure import measures_of
from airloom.report import frame_walkthrough, scatter, sequence_numbers
from airloom.report.chart import CONFIG, shade, time_axis
from airloom.report.comparison import ComparedRun
from airloom.report.html import fill, put
from airloom.report.line_chart import COLOURS, SHAPES, Legend, Point, Trace, against, reaching
from airloom.report.picture import Chart
from airloom.report.standalone import WIDTH, Column, alone, describe, quantity, slug, titled
from airloom.report.standalone import axis as with_unit
from airloom.results.series import rounded
from airloom.support.formatting import capital, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from airloom.papers.claim import Claim
    from airloom.papers.figure import Axis, GridFigure
    from airloom.papers.grid_runs import GridRuns
    from airloom.papers.paper import Paper
    from airloom.papers.published_marks import Mark
    from airloom.papers.scorer import Score
    from airloom.results.bundle import Run
    from airloom.results.series import Series

HEIGHT = 170
LEFT = 64
RIGHT = 64
"""Pixels of a plot, and beside it for the labels of its axes."""


@dataclass(frozen=True)
class Drawn:
    """A figure as the page shows it: what its axes show, what its values are called, its legend and its chart."""

    number: int | str
    title: str
    over: str
    upward: str | list[str]
    value: str
    legend: list[Legend]
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        """What it is called: the figure of a number, or whatever else of the paper is drawn."""
        said = str(self.number)
        return said if said[0].isalpha() else f"Figure {said}"

    @property
    def id(self) -> str:
        """Its name in the page."""
        return slug(str(self.number)).replace(".", "-")


def write(paper: Paper, runs: Mapping[str, Run], scores: Sequence[Score], target: Path) -> None:
    """Writes the page of a paper's figures, whole or not at all.

    Args:
        paper: The paper.
        runs: Its runs, by id: all that its figures need.
        scores: What became of its claims.
        target: The file.
    """
    put(render(paper, runs, scores), target)


def render(paper: Paper, runs: Mapping[str, Run], scores: Sequence[Score]) -> str:
    """The page as HTML."""
    figures = read_figures(paper)
    views = {name: RunView(run) for name, run in runs.items()}
    cells = runs_of_grids(paper, views)
    drawn = [savable(draw_any(figure, views, cells, paper), paper) for figure in figures.figures]
    shown = (
        frame_walkthrough.through(views[figures.frames], views[figures.whole])
        if figures.frames and figures.whole
        else None
    )
    return fill(
        "figures.html.j2",
        styles=("style.css", "figures.css"),
        scripts=("figures.js",),
        content={"figures": [{"id": one.id, "spec": one.spec} for one in drawn]},
        shown={
            "version": version(),
            "paper": paper,
            "figures": drawn,
            "walk": shown,
            "claims": [claim_row(score, paper.seed_sets) for score in scores],
            "tally": scorer.tally(scores),
        },
    )


def numbered(figures: Figures, number: str | None) -> Figures:
    """The figure of a number, alone.

    Raises:
        PaperError: There is none.
    """
    there = {str(figure.number): figure for figure in figures.figures}
    if number is None:
        raise PaperError("which figure? --figure NUMBER", f"there are {', '.join(there)}")
    if number not in there:
        raise PaperError(f"no figure {number} to draw; there are {', '.join(there)}")
    return Figures([there[number]], None, None)


def picture(
    paper: Paper,
    figures: Figures,
    runs: dict[str, Run],
    *,
    width: int = WIDTH,
    height: int | None = None,
    title: str | None = None,
) -> Chart:
    """The first of some figures, as a picture that stands alone."""
    return Chart(titled(alone(described(paper, figures, runs), width=width, height=height), title))


def described(paper: Paper, figures: Figures, runs: dict[str, Run]) -> dict[str, Any]:
    """The first of some figures, as a chart with what is needed to save it."""
    views = {name: RunView(run) for name, run in runs.items()}
    return savable(draw_any(figures.figures[0], views, runs_of_grids(paper, views), paper), paper).spec


def savable(drawn: Drawn, paper: Paper) -> Drawn:
    """A figure, with what is needed to save it."""
    time = drawn.over == "time"
    spec = describe(
        drawn.spec,
        title=f"{drawn.name}: {drawn.title}",
        subtitle=f"airloom's runs after: {paper.title}",
        name=f"{paper.id}-{drawn.name}",
        x="Time, s" if time else drawn.over,
        y=drawn.upward,
        columns=[Column("t", "time (s)"), Column("k", "series"), Column("v", drawn.value)]
        if time
        else [
            Column("x", drawn.over),
            Column("k", "series"),
            Column("y", f"mean {drawn.value}"),
            Column("low", "lowest"),
            Column("high", "highest"),
        ],
    )
    return replace(drawn, spec=spec)


def draw_any(
    figure: Figure | PointFigure | GridFigure, views: Mapping[str, RunView], cells: Mapping[str, GridRuns], paper: Paper
) -> Drawn:
    """One figure."""
    match figure:
        case Figure():
            return draw(figure, views[figure.run], scorer.published(paper))
        case PointFigure():
            return draw_points(figure, views[figure.run])
        case _:
            return draw_grid(figure, cells[figure.grid], paper)


def draw_points(figure: PointFigure, view: RunView) -> Drawn:
    """A figure of single packets or frames."""
    if figure.kind == "sequence":
        spec, colours = scatter.sequence_numbers(view, figure.place, figure.span, HEIGHT)
        upward, value = sequence_numbers.TITLE, "sequence number (kB)"
    elif figure.kind == "rates":
        spec, colours = scatter.rates(view, figure.span, HEIGHT)
        upward, value = "Data rate, Mbit/s", "data rate (Mbit/s)"
    else:
        spec, colours = scatter.retries(view, figure.span, HEIGHT)
        upward, value = "Sender", "sender"
    legend = [Legend(title, "", colour) for title, colour in colours.items()]
    return Drawn(figure.number, figure.title, "time", upward, value, legend, spec)


def draw(figure: Figure, view: RunView, claims: Mapping[str, Claim]) -> Drawn:
    """One figure: the scans behind, and a line for each axis, with what was published of it."""
    duration = view.run.summary["duration_s"]
    time = time_axis(duration, labels=True)
    shown = ComparedRun(0, "", "", view)
    lines = [(axis, axis.series(view)) for axis in figure.axes]
    marks = published_marks.marks(figure.published, claims, {axis.title: axis.unit for axis in figure.axes})
    looks = {with_unit(axis.title, axis.unit): axis_colour(place) for place, axis in enumerate(figure.axes)}
    said = [f"{mark.of}, {mark.said}" for mark in marks]
    looks |= {label: axis_colour(place_of(figure, mark)) for label, mark in zip(said, marks, strict=True)}
    colour = alt.Color("k:N", legend=None, scale=alt.Scale(domain=list(looks), range=list(looks.values())))
    layers: list[Any] = list(shade([shown], duration, time))
    for place, (axis, series) in enumerate(lines):
        y = vertical(axis, series, place)
        rules = [
            published_marks.rules(mark, label, duration, time, y, colour)
            for label, mark in zip(said, marks, strict=True)
            if mark.of == axis.title
        ]
        layers.append(alt.layer(line(axis, series, place).encode(x=time, y=y, color=colour), *rules))
    spec = (
        alt.layer(*layers)
        .add_params(alt.param(name="t0", value=0.0), alt.param(name="t1", value=duration))
        .properties(
            width=480,
            height=HEIGHT,
            padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": 26},
            autosize=alt.AutoSizeParams(type="none"),
        )
        .resolve_scale(y="independent")
        .resolve_axis(x="shared", y="independent")
        .configure(**CONFIG)
        .to_dict()
    )
    legend = [
        Legend(
            axis.title,
            axis.unit,
            axis_colour(place),
            False,
            number(view.normal(series).mean()),
            number(view.degraded(series).mean()),
        )
        for place, (axis, series) in enumerate(lines)
    ]
    legend += [Legend(label, "", looks[label], dashed=True) for label in said]
    units = {axis.unit for axis in figure.axes}
    upward = [with_unit(axis.title, axis.unit) for axis in figure.axes]
    value = quantity("value", units.pop()) if len(units) == 1 else "value"
    return Drawn(figure.number, figure.title, "time", upward, value, legend, spec)


def draw_grid(figure: GridFigure, cells: GridRuns, paper: Paper) -> Drawn:
    """A figure of a grid: a line for each quantity and each value of an axis, with the range of the runs."""
    measures = measures_of(paper.id)
    parts = cells.where(**figure.where)
    named = parts.by(figure.lines) if figure.lines else {"": parts}
    traces, legend = [], []
    for (place, (name, part)), (rank, shown) in product(enumerate(named.items()), enumerate(figure.show)):
        colour = f"var(--line-{(place if figure.lines else rank) % COLOURS})"
        dashed = bool(figure.lines and rank)
        label = " ".join(filter(None, (shown.title, name)))
        points = []
        for value, runs in part.by(figure.along).items():
            spread = runs.spread(partial(shown.value, measures=measures))
            at = runs.mean(partial(figure.against.value, measures=measures)) if figure.against else value
            points.append(Point(at, spread.mean, spread.low, spread.high))
        shape = list(SHAPES)[rank if figure.lines else 0]
        traces.append(Trace(label, points, colour, shape, dashed))
        legend.append(Legend(label, "", colour, dashed, sign=SHAPES[shape]))
    calls = {one.title: one.title for one in figure.show} if not figure.lines else {}
    calls |= {name: " ".join(filter(None, (figure.show[0].title, name))) for name in named if name}
    found = published_marks.marks(figure.published, scorer.published(paper), {"": figure.show[0].unit})
    shown_marks = published_marks.traces(found, traces, calls)
    signs = {one.label: "" if one.level else published_marks.SIGN for one in shown_marks}
    colours = {one.label: one.colour for one in shown_marks}
    legend += [Legend(label, "", colours[label], dashed=not sign, sign=sign) for label, sign in signs.items()]
    traces += shown_marks
    along = (
        f"{figure.against.title}, {figure.against.unit}" if figure.against else capital(figure.along.rpartition(".")[2])
    )
    first = figure.show[0]
    name = first.title if len(figure.show) == 1 else "value"
    upward = with_unit(first.title, first.unit) if len(figure.show) == 1 else first.unit
    spec = against(traces, along, upward, reaching(traces, figure.start, figure.end))
    return Drawn(figure.number, figure.title, along, upward, quantity(name, first.unit), legend, spec)


def reach(axis: Axis, series: Series) -> tuple[float, float]:
    """The ends of an axis: the published ones, further out in round steps where ours lies beyond them."""
    step = 10.0 ** math.floor(math.log10(axis.end - axis.start))
    known = series.known() or [axis.start]
    low, high = min(known), max(known)
    return (
        axis.start if low >= axis.start else step * math.floor(low / step),
        axis.end if high <= axis.end else step * math.ceil(high / step),
    )


def axis_colour(place: int) -> str:
    """The colour of an axis and of its line."""
    return f"var(--line-{3 * place})"


def place_of(figure: Figure, mark: Mark) -> int:
    """The axis that a published value belongs to."""
    titles = [axis.title for axis in figure.axes]
    if mark.of not in titles:
        raise PaperError(
            f"figure {figure.number}: no axis {mark.of!r} for a published value; there are {', '.join(titles)}"
        )
    return titles.index(mark.of)


def vertical(axis: Axis, series: Series, place: int) -> alt.Y:
    """The axis of a series: the first to the left, the second to the right."""
    return alt.Y(
        "v:Q",
        title=with_unit(axis.title, axis.unit),
        scale=alt.Scale(domain=list(reach(axis, series)), nice=False, zero=False),
        axis=alt.Axis(
            orient="right" if place else "left",
            tickCount=4,
            grid=place == 0,
            labelColor=axis_colour(place) if place else "var(--muted)",
            titleColor=axis_colour(place) if place else "var(--muted)",
            format=",.4~r",
        ),
    )


def line(axis: Axis, series: Series, place: int) -> alt.Chart:
    """The line of a series, without its axes."""
    label = with_unit(axis.title, axis.unit)
    rows: list[dict[str, float | str | None]] = [
        {"t": at, "v": rounded(value, 5), "k": label} for at, value in zip(series.times, series.values, strict=True)
    ]
    if rows:
        rows.append(rows[-1] | {"t": series.times[-1] + series.width, "end_of_line": True})
    drawn: alt.Chart = alt.Chart(alt.InlineData(values=rows), name=f"series_{place}").mark_line(
        clip=True, interpolate="step-after", strokeWidth=1.5, strokeJoin="round"
    )
    return drawn
