"""The figures of a paper, as its folder describes them.

A figure shows series of one run over time, single packets or frames of it, or means of a grid's runs against one of
its axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from airloom.errors import PaperError
from airloom.papers.paper import parse

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView
    from airloom.analysis.tcp_trace import Place
    from airloom.papers.measure import Measures
    from airloom.papers.paper import Paper
    from airloom.results.series import Series


# `from` is a word of the language, so these keys cannot be attributes of classes.
AxisEntry = TypedDict(
    "AxisEntry",
    {"metric": str, "of": str, "title": str, "unit": str, "from": float, "to": float},
    total=False,
)
EndEntry = TypedDict("EndEntry", {"from": float, "to": float}, total=False)


class QuantityEntry(TypedDict, total=False):
    """What a figure of a grid shows."""

    metric: str
    of: str
    title: str
    unit: str


PublishedEntry = TypedDict(
    "PublishedEntry",
    {"claim": str, "of": str, "at": str | int | float, "from": float, "to": float, "scale": float},
    total=False,
)


class FigureEntry(EndEntry, total=False):
    """A `[[figure]]` of `figures.toml`; its keys determine its kind."""

    number: int | str
    title: str
    run: str
    axes: list[AxisEntry]
    sequence: Literal["tcp", "device, sent"]
    transmissions: Literal["rates", "retries"]
    span: tuple[float, float]
    grid: str
    where: dict[str, str | int]
    along: str
    against: QuantityEntry
    lines: str
    show: list[QuantityEntry]
    published: list[PublishedEntry]


class WalkEntry(TypedDict, total=False):
    """The runs that are walked through frame by frame."""

    frames: str
    whole: str


class FigureFile(TypedDict, total=False):
    """`figures.toml`."""

    figure: list[FigureEntry]
    walk: WalkEntry


@dataclass(frozen=True)
class Axis:
    """One series of a figure, and the axis that it is drawn on.

    `of` is the name of a flow or node; or "flow" for the run's first flow, or "radio" for the one that sends its data.
    """

    metric: str
    of: str
    title: str
    unit: str
    start: float
    end: float

    def series(self, view: RunView) -> Series:
        """The series in a run."""
        match self.of:
            case "flow":
                series = view.tcp(self.metric)
            case "radio":
                series = view.mac(self.metric)
            case name:
                series = view.run.table.get(name, self.metric)
        return series.dense()


@dataclass(frozen=True)
class Published:
    """A published value that a figure shows.

    Attributes:
        claim: The claim that has it.
        of: The line that it belongs to, by the title of its axis or quantity or the value that it stands for; empty if
            it belongs to none.
        at: Its place on the horizontal axis; none if it was said of all of it, or of a span.
        start: Where that span begins; none at the axis's end.
        end: Where it ends, likewise.
        scale: What the claim's number is multiplied by to be in the figure's unit.
    """

    claim: str
    of: str
    at: str | None
    start: float | None
    end: float | None
    scale: float


@dataclass(frozen=True)
class Figure:
    """One figure; its first axis stands to the left, a second one to the right."""

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
    """

    number: int | str
    title: str
    run: str
    kind: Literal["sequence", "rates", "retries"]
    place: Place
    span: tuple[float, float]


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
class Figures:
    """The figures of a paper.

    Attributes:
        figures: Those of single runs and of grids.
        frames: The run whose first sleeping period is walked through frame by frame; none if there is none to walk.
        whole: The run that shows how periods follow each other.
    """

    figures: list[Figure | PointFigure | GridFigure]
    frames: str | None
    whole: str | None

    @property
    def runs(self) -> list[str]:
        """All runs and grids that they are drawn from."""
        names = [figure.grid if isinstance(figure, GridFigure) else figure.run for figure in self.figures]
        return list(dict.fromkeys(names + [name for name in (self.frames, self.whole) if name]))


def read_figures(paper: Paper) -> Figures:
    """The figures of a paper, in the order of its file."""
    file = paper.folder / "figures.toml"
    if not file.is_file():
        raise PaperError(f"paper {paper.id} has no figures to draw (no {file})")
    content = parse(file, FigureFile)
    try:
        figures = [any_figure(entry) for entry in content["figure"]]
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None
    walk = content.get("walk", {})
    return Figures(figures, walk.get("frames"), walk.get("whole"))


def any_figure(entry: FigureEntry) -> Figure | PointFigure | GridFigure:
    """A `[[figure]]`; its keys determine its kind."""
    if "grid" in entry:
        return grid_figure(entry)
    if "sequence" in entry or "transmissions" in entry:
        return point_figure(entry)
    return figure(entry)


def point_figure(entry: FigureEntry) -> PointFigure:
    """A `[[figure]]` with a run and a span of time."""
    start, end = entry["span"]
    return PointFigure(
        number=entry["number"],
        title=entry["title"],
        run=entry["run"],
        kind=entry.get("transmissions", "sequence"),
        place=entry.get("sequence", "tcp"),
        span=(float(start), float(end)),
    )


def figure(entry: FigureEntry) -> Figure:
    """A `[[figure]]` with a run."""
    axes = [
        Axis(axis["metric"], axis["of"], axis["title"], axis["unit"], axis["from"], axis["to"])
        for axis in entry["axes"]
    ]
    return Figure(entry["number"], entry["title"], entry["run"], axes, published(entry))


def grid_figure(entry: FigureEntry) -> GridFigure:
    """A `[[figure]]` with a grid."""
    return GridFigure(
        number=entry["number"],
        title=entry["title"],
        grid=entry["grid"],
        where={axis: str(value) for axis, value in entry.get("where", {}).items()},
        along=entry["along"],
        against=quantity(entry["against"]) if "against" in entry else None,
        lines=entry.get("lines"),
        show=[quantity(one) for one in entry["show"]],
        start=entry.get("from", 0.0),
        end=entry.get("to"),
        published=published(entry),
    )


def published(entry: FigureEntry) -> list[Published]:
    """The published values of a figure."""
    return [
        Published(
            claim=one["claim"],
            of=one.get("of", ""),
            at=str(one["at"]) if "at" in one else None,
            start=one.get("from"),
            end=one.get("to"),
            scale=one.get("scale", 1.0),
        )
        for one in entry.get("published", [])
    ]


def quantity(entry: QuantityEntry) -> Quantity:
    """What a figure of a grid shows."""
    return Quantity(entry["metric"], entry.get("of"), entry["title"], entry["unit"])
