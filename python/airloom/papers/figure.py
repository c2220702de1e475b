"""The figures of a paper, as its folder describes them: which series, of which run, on which axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airloom.errors import PaperError
from airloom.papers.paper import parse

if TYPE_CHECKING:
    from airloom.papers.paper import Paper
    from airloom.papers.view import View
    from airloom.series import Series


@dataclass(frozen=True)
class Axis:
    """One series of a figure, and the axis that it is drawn on."""

    metric: str
    of: Literal["flow", "radio"]
    title: str
    unit: str
    start: float
    end: float

    def series(self, view: View) -> Series:
        """The series in a run."""
        return (view.tcp(self.metric) if self.of == "flow" else view.mac(self.metric)).dense()


@dataclass(frozen=True)
class Figure:
    """One figure; its first axis stands to the left, a second one to the right."""

    number: int
    title: str
    run: str
    axes: list[Axis]


@dataclass(frozen=True)
class Figures:
    """The figures of a paper.

    Attributes:
        figures: Those of time series.
        frames: The run whose first sleeping period is walked through frame by frame; none if there is none to walk.
        whole: The run that tells how periods follow each other.
    """

    figures: list[Figure]
    frames: str | None
    whole: str | None

    @property
    def runs(self) -> list[str]:
        """All runs that they are drawn from."""
        names = [figure.run for figure in self.figures] + [name for name in (self.frames, self.whole) if name]
        return list(dict.fromkeys(names))


def read_figures(paper: Paper) -> Figures:
    """The figures of a paper, in the order of its file."""
    file = paper.folder / "figures.toml"
    if not file.is_file():
        raise PaperError(f"paper {paper.id} has no figures to draw (no {file})")
    content = parse(file)
    try:
        figures = [
            Figure(
                number=entry["number"],
                title=entry["title"],
                run=entry["run"],
                axes=[
                    Axis(axis["metric"], axis["of"], axis["title"], axis["unit"], axis["from"], axis["to"])
                    for axis in entry["axes"]
                ],
            )
            for entry in content["figure"]
        ]
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None
    walk = content.get("walk", {})
    return Figures(figures, walk.get("frames"), walk.get("whole"))
