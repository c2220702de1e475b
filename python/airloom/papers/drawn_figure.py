"""Draws the figures of a paper from its runs, with what was published of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from airloom.analysis.run_view import RunView
from airloom.errors import PaperError
from airloom.papers import published_marks, scorer
from airloom.papers.figure import Figure, PointFigure, TableFigure
from airloom.papers.measure import measures_of
from airloom.report import scatter, sequence_numbers, vega
from airloom.report.chart import shade, time_axis
from airloom.report.comparison import ComparedRun
from airloom.report.line_chart import COLOURS, SHAPES, Legend, Point, Trace, against, reaching
from airloom.report.standalone import Column, describe, quantity, slug
from airloom.report.standalone import axis as with_unit
from airloom.report.traces import closing
from airloom.report.vega_spec import vega_lite
from airloom.results.series import rounded
from airloom.support.formatting import capital, known, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from airloom.papers.claim import Claim
    from airloom.papers.figure import AnyFigure, Axis, GridFigure
    from airloom.papers.grid_runs import GridRuns
    from airloom.papers.paper import Paper
    from airloom.papers.published_marks import Mark
    from airloom.papers.views import Views
    from airloom.report.traces import Row
    from airloom.results.series import Series
    from airloom.support.statistics import Spread

HEIGHT = 170
LEFT = 64
RIGHT = 64
"""Pixels of a plot, and beside it for the labels of its axes."""

TOGETHER = "all"
"""What the sum of all flows is called among them."""


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


def draw_any(figure: AnyFigure, views: Views, paper: Paper) -> Drawn:
    """One figure."""
    match figure:
        case Figure():
            return draw(figure, views.runs[figure.run], scorer.claims_by_id(paper))
        case PointFigure():
            return draw_points(figure, views.runs[figure.run])
        case TableFigure():
            return draw_table(figure, views, paper)
        case _:
            return draw_grid(figure, views.grids[figure.grid], paper)


def draw_points(figure: PointFigure, view: RunView) -> Drawn:
    """A figure of single packets or frames."""
    if figure.kind == "sequence":
        spec, colours = scatter.sequence_numbers(view, figure.place, figure.span, HEIGHT, figure.tall)
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
    """One figure: the scans behind, and a line for each series, with what was published of it."""
    duration = view.run.summary["duration_s"]
    time = time_axis(duration, labels=True)
    shown = ComparedRun(0, "", "", view)
    lines = [(axis, axis.series(view)) for axis in figure.axes]
    marks = published_marks.marks(figure.published, claims, {axis.title: axis.unit for axis in figure.axes})
    looks = {with_unit(axis.title, axis.unit): line_colour(place) for place, axis in enumerate(figure.axes)}
    said = [", ".join(filter(None, (mark.of, mark.said))) for mark in marks]
    looks |= {label: mark_colour(figure, mark) for label, mark in zip(said, marks, strict=True)}
    colour = vega.Channel("k:N", legend=None, scale=vega.Scale(domain=list(looks), range=list(looks.values())))
    layers: list[Any] = list(shade([shown], duration, time))
    upward = []
    for side, (unit, members) in enumerate(sides(figure).items()):
        first = figure.axes[members[0]]
        ends = reach([lines[place] for place in members])
        upward.append(with_unit(first.title, unit) if len(members) == 1 else unit)
        own = line_colour(members[0]) if side else published_marks.OWN
        y = vertical(upward[-1], ends, side, own)
        drawn = [line(*lines[place], place).encode(x=time, y=y, color=colour) for place in members]
        rules = [
            published_marks.rules(mark, label, duration, time, y, colour)
            for label, mark in zip(said, marks, strict=True)
            if (title_place(figure, mark) or 0) in members
        ]
        layers.append(vega.layer(*drawn, *rules, *published_marks.frame(first, ends, y, own)))
    spec = vega_lite(
        vega.layer(*layers),
        width=480,
        height=HEIGHT,
        padding={"left": LEFT, "right": RIGHT, "top": 8, "bottom": 26},
        params={"t0": 0.0, "t1": duration},
        scale={"y": "independent"},
        axis={"x": "shared", "y": "independent"},
    )
    legend = [
        Legend(
            axis.title,
            axis.unit,
            line_colour(place),
            False,
            number(view.normal(series).mean()),
            known(view.degraded(series).mean()),
        )
        for place, (axis, series) in enumerate(lines)
    ]
    legend += [Legend(label, "", looks[label], dashed=True) for label in said]
    units = {axis.unit for axis in figure.axes}
    value = quantity("value", units.pop()) if len(units) == 1 else "value"
    return Drawn(figure.number, figure.title, "time", upward, value, legend, spec)


def draw_grid(figure: GridFigure, cells: GridRuns, paper: Paper) -> Drawn:
    """A figure of a grid: a line for each quantity and each value of an axis, with the range of the runs."""
    measures = measures_of(paper)
    parts = cells.where(**figure.where)
    named = parts.by(figure.lines) if figure.lines else {"": parts}
    traces = []
    for (place, (name, part)), (rank, shown) in product(enumerate(named.items()), enumerate(figure.show)):
        colour = f"var(--line-{(place if figure.lines else rank) % COLOURS})"
        dashed = bool(figure.lines and rank)
        label = " ".join(filter(None, (shown.title, name)))
        points = []
        for value, runs in part.by(figure.along).items():
            at = runs.mean(partial(figure.against.value, measures=measures)) if figure.against else value
            points.append(point(at, runs.spread(partial(shown.value, measures=measures))))
        shape = list(SHAPES)[rank if figure.lines else 0]
        traces.append(Trace(label, points, colour, shape, dashed))
    calls = {one.title: one.title for one in figure.show} if not figure.lines else {}
    calls |= {name: " ".join(filter(None, (figure.show[0].title, name))) for name in named if name}
    along = (
        f"{figure.against.title}, {figure.against.unit}" if figure.against else capital(figure.along.rpartition(".")[2])
    )
    first = figure.show[0]
    upward = with_unit(first.title, first.unit) if len(figure.show) == 1 else first.unit
    return beside_theirs(figure, traces, calls, along, upward, paper)


def draw_table(figure: TableFigure, views: Views, paper: Paper) -> Drawn:
    """A published table: lines of runs and grids, or of the flows of each."""
    measure = partial(figure.show.value, measures=measures_of(paper))
    traces = []
    for place, (title, names) in enumerate(figure.lines.items()):
        runs = {at: views.cells(name) for at, name in names.items()}
        points = (
            [point(at, those.spread(measure)) for at, those in runs.items()]
            if figure.along == "runs"
            else [one for those in runs.values() for one in of_flows(those, figure)]
        )
        traces.append(Trace(title, points, line_colour(place)))
    calls = {trace.label: trace.label for trace in traces}
    over = "" if figure.along == "runs" else "Flow"
    return beside_theirs(figure, traces, calls, over, with_unit(figure.show.title, figure.show.unit), paper)


def of_flows(runs: GridRuns, figure: TableFigure) -> Iterator[Point]:
    """A number of each flow over some runs, and the sum over these flows."""
    metric = figure.show.metric
    names = figure.flows or list(dict.fromkeys(flow["name"] for view in runs for flow in view.flows))
    for name in names:
        yield point(name, runs.spread(partial(RunView.total, of=name, metric=metric)))
    yield point(TOGETHER, runs.spread(lambda view: math.fsum(view.total(name, metric) for name in names)))


def point(at: str | float, spread: Spread) -> Point:
    """The mean and the range of some runs at a place."""
    return Point(at, spread.mean, spread.low, spread.high)


def beside_theirs(
    figure: GridFigure | TableFigure,
    ours: list[Trace],
    calls: Mapping[str, str],
    over: str,
    upward: str,
    paper: Paper,
) -> Drawn:
    """Points of ours with what was published.

    Args:
        figure: The figure.
        ours: Our points.
        calls: Their labels, by what a published value calls them.
        over: What the horizontal axis shows.
        upward: What the vertical one shows, with its unit.
        paper: The paper.
    """
    shown = [figure.show] if isinstance(figure, TableFigure) else figure.show
    marks = published_marks.marks(figure.published, scorer.claims_by_id(paper), {"": shown[0].unit})
    theirs = published_marks.traces(marks, ours, calls)
    legend = [Legend(one.label, "", one.colour, one.dashed, sign=SHAPES[one.shape]) for one in ours]
    signs = {one.label: "" if one.level else published_marks.SIGN for one in theirs}
    colours = {one.label: one.colour for one in theirs}
    legend += [Legend(label, "", colours[label], dashed=not sign, sign=sign) for label, sign in signs.items()]
    traces = ours + theirs
    spec = against(traces, over, upward, reaching(traces, figure.start, figure.end))
    value = quantity(shown[0].title if len(shown) == 1 else "value", shown[0].unit)
    return Drawn(figure.number, figure.title, over, upward, value, legend, spec)


def sides(figure: Figure) -> dict[str, list[int]]:
    """The series that share an axis, by their places: those of one unit do.

    Raises:
        PaperError: There are more than two units.
    """
    found: dict[str, list[int]] = {}
    for place, axis in enumerate(figure.axes):
        found.setdefault(axis.unit, []).append(place)
    if len(found) > 2:  # noqa: PLR2004 - left and right
        raise PaperError(f"figure {figure.number}: series of {', '.join(found)}; there are two axes, left and right")
    return found


def reach(lines: Sequence[tuple[Axis, Series]]) -> tuple[float, float]:
    """The ends of an axis: those of its series, further out in round steps where ours lies beyond them."""
    start, end = min(axis.start for axis, _ in lines), max(axis.end for axis, _ in lines)
    step = 10.0 ** math.floor(math.log10(end - start))
    known = [value for _, series in lines for value in series.known()] or [start]
    low, high = min(known), max(known)
    return (
        start if low >= start else step * math.floor(low / step),
        end if high <= end else step * math.ceil(high / step),
    )


LINES = (0, 3, 1, 4, 2, 5)
"""The order in which lines have the page's colours: two of them are far apart."""


def line_colour(place: int) -> str:
    """The colour of a line."""
    return f"var(--line-{LINES[place % COLOURS]})"


def title_place(figure: Figure, mark: Mark) -> int | None:
    """The line that a published value belongs to; none if it is of the first axis and no line's."""
    titles = [axis.title for axis in figure.axes]
    if not mark.of:
        return None
    if mark.of not in titles:
        raise PaperError(
            f"figure {figure.number}: no axis {mark.of!r} for a published value; there are {', '.join(titles)}"
        )
    return titles.index(mark.of)


def mark_colour(figure: Figure, mark: Mark) -> str:
    """The colour of a published value: that of its line."""
    place = title_place(figure, mark)
    return published_marks.OWN if place is None else line_colour(place)


def vertical(title: str, ends: tuple[float, float], side: int, colour: str) -> vega.Channel:
    """An axis: the first to the left, the second to the right."""
    return vega.Channel(
        "v:Q",
        title=title,
        scale=vega.Scale(domain=list(ends), nice=False, zero=False),
        axis=vega.Axis(
            orient="right" if side else "left",
            tickCount=4,
            grid=side == 0,
            labelColor=colour,
            titleColor=colour,
            format=",.4~r",
        ),
    )


def line(axis: Axis, series: Series, place: int) -> vega.Chart:
    """The line of a series, without its axes."""
    label = with_unit(axis.title, axis.unit)
    rows: list[Row] = [
        {"t": at, "v": rounded(value, 5), "k": label} for at, value in zip(series.times, series.values, strict=True)
    ]
    drawn: vega.Chart = vega.charted(rows + closing(rows, series), name=f"series_{place}").mark_line(
        clip=True, interpolate="step-after", strokeWidth=1.5, strokeJoin="round"
    )
    return drawn
