"""The figures of a paper: what each shows.

A figure shows series of one run over time, single packets or frames of it, means of a grid's runs against one of its
axes, or a published table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom.analysis.run_view import together
from airloom.errors import PaperError

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView
    from airloom.analysis.tcp_trace import Place
    from airloom.papers.measure import Measures
    from airloom.results.series import Series


@dataclass(frozen=True)
class Axis:
    """One series of a figure, and the axis that it is drawn on.

    `of` is the name of a flow or node; or "flow" for the run's first flow, "flows" for the sum of all, or "radio" for
    the one that sends its data. `theirs` says that the ends are those of the published axis.
    """

    metric: str
    of: str
    title: str
    unit: str
    start: float
    end: float
    theirs: bool

    def series(self, view: RunView) -> Series:
        """The series in a run."""
        match self.of:
            case "flow":
                series = view.tcp(self.metric)
            case "flows":
                series = together([view.run.table.get(flow["name"], self.metric) for flow in view.flows])
            case "radio":
                series = view.mac(self.metric)
            case name:
                series = view.run.table.get(name, self.metric)
        return series.dense()


@dataclass(frozen=True)
class Published:
    """A published value that a figure shows.

    Attributes:
        claim: The claim that has it; empty if none has, and `values` are given.
        values: The value, both ends of a range, or several of one place.
        said: Words that tell it from others in a legend; of values of no claim, where they stand.
        of: The line that it belongs to, by the title of its axis or quantity or the value that it stands for; empty if
            it belongs to none.
        at: Its place on the horizontal axis; none if it was said of all of it, or of a span.
        start: Where that span begins; none at the axis's end.
        end: Where it ends, likewise.
        scale: What the claim's number is multiplied by to be in the figure's unit.
    """

    claim: str
    values: tuple[float, ...]
    said: str
    of: str
    at: str | None
    start: float | None
    end: float | None
    scale: float


@dataclass(frozen=True)
class Figure:
    """One figure over time: series of its first unit stand on an axis to the left, those of a second to the right."""

    number: int | str
    title: str
    run: str
    axes: list[Axis]
    published: list[Published]


@dataclass(frozen=True)
class PointFigure:
    """One figure of single packets or frames of a run with captures.

    Attributes:
        number: Its number in the paper.
        title: What it shows.
        run: The run.
        kind: Sequence numbers, the rates of what the first flow's radio sent, or all that radios sent again.
        place: Where sequence numbers are seen.
        span: From when to when, in seconds.
        tall: How many kB the published axis of sequence numbers shows; none if that is not known.
    """

    number: int | str
    title: str
    run: str
    kind: Literal["sequence", "rates", "retries"]
    place: Place
    span: tuple[float, float]
    tall: float | None


@dataclass(frozen=True)
class Quantity:
    """A number of each run: of an entity's summary where one is named, or one that the paper's measures define."""

    metric: str
    of: str | None
    title: str
    unit: str

    def value(self, view: RunView, measures: Measures) -> float:
        """The number in a run."""
        if self.of is not None:
            return view.total(self.of, self.metric)
        if self.metric not in measures.quantities:
            there = ", ".join(measures.quantities) or "none"
            raise PaperError(f"no quantity {self.metric!r} among the paper's measures; there are: {there}")
        return measures.quantities[self.metric](view)


@dataclass(frozen=True)
class GridFigure:
    """One figure of a grid: quantities against an axis, as means over the runs that share a point.

    Attributes:
        number: Its number in the paper.
        title: What it shows.
        grid: The grid.
        where: The values that its runs have on other axes, by axis; all of them where none is given.
        along: The axis that it goes along.
        against: The quantity that stands in place of the axis's values, if one does.
        lines: The axis whose values have a line each, if there is one.
        show: What is drawn, all on one scale.
        start: The lower end of the scale.
        end: The upper end of it; without it, what ours need.
        published: The published values that it shows.
    """

    number: int | str
    title: str
    grid: str
    where: dict[str, str]
    along: str
    against: Quantity | None
    lines: str | None
    show: list[Quantity]
    start: float
    end: float | None
    published: list[Published]


@dataclass(frozen=True)
class TableFigure:
    """A published table as a figure: a quantity of several runs or grids.

    Attributes:
        number: What it is called.
        title: What it shows.
        lines: The runs and grids of each line, by their places. Where flows have places, a line has one run or grid.
        along: What has a place each: the runs, or their flows and the sum of these.
        flows: The flows that have one; all if none is named.
        show: What is drawn: of the flows where these are along it.
        start: The lower end of the scale.
        end: The upper end of it; without it, what ours need.
        published: The published values that it shows.
    """

    number: int | str
    title: str
    lines: dict[str, dict[str, str]]
    along: Literal["runs", "flows"]
    flows: list[str]
    show: Quantity
    start: float
    end: float | None
    published: list[Published]


AnyFigure = Figure | PointFigure | GridFigure | TableFigure


@dataclass(frozen=True)
class Figures:
    """The figures of a paper.

    Attributes:
        figures: Those of single runs and of grids.
        frames: The run whose first sleeping period is walked through frame by frame; none if there is none to walk.
        whole: The run that shows how periods follow each other.
        averages: The published averages of these periods, by their names there.
    """

    figures: list[AnyFigure]
    frames: str | None
    whole: str | None
    averages: list[Published]

    @property
    def runs(self) -> list[str]:
        """All runs and grids that they are drawn from."""
        names = [name for figure in self.figures for name in runs_of(figure)]
        return list(dict.fromkeys(names + [name for name in (self.frames, self.whole) if name]))


def runs_of(figure: AnyFigure) -> list[str]:
    """The runs and grids of a figure."""
    match figure:
        case GridFigure():
            return [figure.grid]
        case TableFigure():
            return [run for runs in figure.lines.values() for run in runs.values()]
        case _:
            return [figure.run]
