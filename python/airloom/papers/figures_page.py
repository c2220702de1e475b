"""The figures of a paper, drawn from our runs: one page, with the score beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom._engine import version
from airloom.errors import PaperError
from airloom.papers import published_marks, scorer
from airloom.papers.claim_rows import claim_row
from airloom.papers.drawn_figure import draw_any, savable
from airloom.papers.figure import Figures
from airloom.papers.figure_file import read_figures
from airloom.papers.views import views_of
from airloom.report import frame_walkthrough
from airloom.report.html import fill, put
from airloom.report.origin import of_runs, signed
from airloom.report.picture import Chart
from airloom.report.standalone import WIDTH, alone, titled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from airloom.papers.claim import Claim
    from airloom.papers.paper import Paper
    from airloom.papers.scorer import Score
    from airloom.report.frame_walkthrough import Walk
    from airloom.results.bundle import Run


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
    views = views_of(paper, runs)
    drawn = [savable(draw_any(figure, views, paper), paper) for figure in figures.figures]
    shown = (
        frame_walkthrough.through(views.runs[figures.frames], views.runs[figures.whole])
        if figures.frames and figures.whole
        else None
    )
    origin = of_runs(list(runs.values()))
    return fill(
        "figures.html.j2",
        styles=("style.css", "figures.css"),
        scripts=("figures.js",),
        content={"origin": origin, "figures": [{"id": one.id, "spec": one.spec} for one in drawn]},
        shown={
            "version": version(),
            "origin": origin,
            "paper": paper,
            "figures": drawn,
            "walk": shown,
            "theirs": published_averages(figures, shown, scorer.claims_by_id(paper)) if shown else {},
            "claims": [claim_row(score, paper.seed_sets) for score in scores],
            "tally": scorer.tally(scores),
        },
    )


def published_averages(figures: Figures, walk: Walk, claims: Mapping[str, Claim]) -> dict[str, str]:
    """What was published of the averages of a walk, by their names.

    Raises:
        PaperError: The walk has no such average.
    """
    units = {name: value.partition(" ")[2] for name, value in walk.averages}
    for one in figures.averages:
        if one.of not in units:
            raise PaperError(f"no average {one.of!r} in the walk; there are {', '.join(units)}")
    return {mark.of: mark.said for mark in published_marks.marks(figures.averages, claims, units)}


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
    return Figures([there[number]], None, None, [])


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
    drawn = titled(alone(described(paper, figures, runs), width=width, height=height), title)
    return Chart(signed(drawn, of_runs(list(runs.values()))))


def described(paper: Paper, figures: Figures, runs: dict[str, Run]) -> dict[str, Any]:
    """The first of some figures, as a chart with what is needed to save it."""
    return savable(draw_any(figures.figures[0], views_of(paper, runs), paper), paper).spec
