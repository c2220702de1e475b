"""Reads `figures.toml`, which describes the figures of a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from airloom.errors import PaperError
from airloom.papers.figure import Axis, Figure, Figures, GridFigure, PointFigure, Published, Quantity, TableFigure
from airloom.papers.paper import parse

if TYPE_CHECKING:
    from airloom.papers.figure import AnyFigure
    from airloom.papers.paper import Paper

FILE = "figures.toml"

# `from` is a word of the language, so these keys cannot be attributes of classes.
AxisEntry = TypedDict(
    "AxisEntry",
    {"metric": str, "of": str, "title": str, "unit": str, "from": float, "to": float, "theirs": tuple[float, float]},
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
    {
        "claim": str,
        "value": float | list[float],
        "where": str,
        "said": str,
        "of": str,
        "at": str | int | float,
        "from": float,
        "to": float,
        "scale": float,
    },
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
    tall: float
    runs: dict[str, str | dict[str, str]]
    flows: list[str]
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
    published: list[PublishedEntry]


class FigureFile(TypedDict, total=False):
    """`figures.toml`."""

    figure: list[FigureEntry]
    walk: WalkEntry


def has_figures(paper: Paper) -> bool:
    """Whether a paper has figures to draw."""
    return (paper.folder / FILE).is_file()


def read_figures(paper: Paper) -> Figures:
    """The figures of a paper, in the order of its file."""
    file = paper.folder / FILE
    if not has_figures(paper):
        raise PaperError(f"paper {paper.id} has no figures to draw (no {file})")
    content = parse(file, FigureFile)
    try:
        figures = [any_figure(entry) for entry in content["figure"]]
        walk = content.get("walk", {})
        averages = published_values(walk)
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None
    return Figures(figures, walk.get("frames"), walk.get("whole"), averages)


def any_figure(entry: FigureEntry) -> AnyFigure:
    """A `[[figure]]`; its keys determine its kind."""
    if "grid" in entry:
        return grid_figure(entry)
    if "runs" in entry:
        return table_figure(entry)
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
        tall=entry.get("tall"),
    )


def figure(entry: FigureEntry) -> Figure:
    """A `[[figure]]` with a run."""
    return Figure(
        entry["number"], entry["title"], entry["run"], list(map(axis, entry["axes"])), published_values(entry)
    )


def axis(entry: AxisEntry) -> Axis:
    """One of its axes: with the published ends, or with our own."""
    start, end = entry["theirs"] if "theirs" in entry else (entry["from"], entry["to"])
    return Axis(entry["metric"], entry["of"], entry["title"], entry["unit"], start, end, "theirs" in entry)


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
        published=published_values(entry),
    )


def table_figure(entry: FigureEntry) -> TableFigure:
    """A `[[figure]]` with several runs."""
    if len(entry["show"]) != 1:
        raise PaperError(f"figure {entry['number']}: a figure of several runs shows one quantity")
    by_flow = entry["along"] == "flows"
    alone = {name: run for name, run in entry["runs"].items() if isinstance(run, str)}
    lines = {name: runs for name, runs in entry["runs"].items() if isinstance(runs, dict)}
    if by_flow:
        lines |= {name: {"": run} for name, run in alone.items()}
    elif alone:
        lines[entry["show"][0]["title"]] = alone
    return TableFigure(
        number=entry["number"],
        title=entry["title"],
        lines=lines,
        along="flows" if by_flow else "runs",
        flows=entry.get("flows", []),
        show=quantity(entry["show"][0]),
        start=entry.get("from", 0.0),
        end=entry.get("to"),
        published=published_values(entry),
    )


def published_values(entry: FigureEntry | WalkEntry) -> list[Published]:
    """The published values of a figure or a walk: those of claims by name, others with the place where they stand."""
    return [
        Published(
            claim=one["claim"] if "value" not in one else "",
            values=numbers(one["value"]) if "value" in one else (),
            said=one.get("said", "")
            if "value" not in one
            else ", ".join(filter(None, (one.get("said"), one["where"]))),
            of=one.get("of", ""),
            at=str(one["at"]) if "at" in one else None,
            start=one.get("from"),
            end=one.get("to"),
            scale=one.get("scale", 1.0),
        )
        for one in entry.get("published", [])
    ]


def numbers(value: float | list[float]) -> tuple[float, ...]:
    """One number or several."""
    return tuple(value) if isinstance(value, list) else (value,)


def quantity(entry: QuantityEntry) -> Quantity:
    """What a figure of a grid shows."""
    return Quantity(entry["metric"], entry.get("of"), entry["title"], entry["unit"])
