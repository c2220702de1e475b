"""`airloom papers`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from airloom.cli.common import AsJson, Out
from airloom.cli.progress import bar
from airloom.cli.screen import Screen
from airloom.cli.terminal import print_json, say
from airloom.papers import paper, paths, runner
from airloom.papers.claim import read_claims
from airloom.papers.figure_file import has_figures, read_figures
from airloom.results.by_suffix import refuse_file_name
from airloom.scenario.grid import SEED, Grid
from airloom.support.formatting import count

Fresh = Annotated[bool, Parameter(help="Make the runs again, even those that are there.")]

app = App(name="papers", help="Published experiments: list them, run them, score our results, draw the figures.")


@app.command(name="list")
def show(*, as_json: AsJson = False) -> None:
    """List the papers, their runs and how many claims they make.

    Examples:
        airloom papers list

    Args:
        as_json: Print JSON.
    """
    papers = [paper.read(name) for name in paper.available()]
    described = [
        {
            "id": one.id,
            "title": one.title,
            "claims": len(read_claims(one)),
            "runs": list(one.runs),
            "grids": {name: list(grid.cells) for name, grid in one.grids.items()},
        }
        for one in papers
    ]
    if as_json:
        print_json("papers-list", {"papers": described})
        return
    screen = Screen()
    for one, row in zip(papers, described, strict=True):
        screen.say(one.id, style="bold", end="  ")
        screen.say(f"{one.title} ({row['claims']} claims)")
        screen.print(one.citation, style="dim")
        same = {run.id: f" (same as {run.same})" if run.same else "" for run in one.alone}
        rows = {run.id: run.title + same[run.id] for run in one.alone}
        rows |= {grid.id: f"{grid.title}: {extent(grid.grid)}" for grid in one.grids.values()}
        for text in columns(rows):
            screen.say(text)


@app.command
def run(*ids: str, fresh: Fresh = False, as_json: AsJson = False) -> None:
    """Make the runs of papers.

    Examples:
        airloom papers run scan

    Args:
        ids: Papers; without any, all of them.
        fresh: Make the runs again, even those that are there.
        as_json: Print JSON: the folders of the bundles, by paper and run.
    """
    made = {}
    papers = chosen(ids)
    for one in papers:
        with bar(one.id) as shown:
            runs = runner.make(one, one.runs, fresh=fresh, progress=shown.update)
        made[one.id] = {name: str(run.path) for name, run in runs.items()}
    if as_json:
        print_json("papers-run", {"bundles": made})
        return
    screen = Screen()
    for one in papers:
        screen.say(one.id, style="bold")
        rows = {run.id: made[one.id][run.id] for run in one.alone}
        kept = paths.cache() / "papers" / one.id
        rows |= {grid.id: f"{kept / grid.id}-*: {count(len(grid.cells), 'run')}" for grid in one.grids.values()}
        for text in columns(rows):
            screen.say(text)


@app.command
def score(*ids: str, write: bool = False, fresh: Fresh = False, as_json: AsJson = False) -> None:
    """Hold our results against the published ones, over several sets of seeds; runs what has not been run yet.

    A paper of your own is named by its folder, whose measures.py is run.

    Examples:
        airloom papers score scan usb
        airloom papers score path/to/paper --write
        airloom papers score --json

    Args:
        ids: Papers, or folders of your own; without any, all papers there are.
        write: Write the table into the paper's README.md, between <!-- score --> and <!-- end -->.
        fresh: Make the runs again, even those that are there.
        as_json: Print JSON: scores, objects with id, published, ours, unit, verdict, kind_of_evidence, holds_in.
    """
    from airloom.papers import score_section, scorer
    from airloom.papers.make_and_score import make_and_score

    scores = []
    papers = chosen(ids)
    for one in papers if write else ():
        score_section.page(one)  # rather than after the runs
    for one in papers:
        with bar(one.id) as shown:
            found = make_and_score(one, fresh=fresh, progress=shown.update).scores
        if write:
            score_section.write(one, found)
        scores += found
    if as_json:
        print_json("papers-score", {"scores": [row.as_json() for row in scores]})
        return
    from airloom.cli.tables import scores as table

    screen = Screen()
    screen.table(table(scores, screen.width))
    for row in scores:
        if row.verdict == "misses":
            screen.say(row.id, style="bold", end=" ")
            screen.say(f"misses: {row.note or 'outside what is accepted'}")
    screen.say(f"{scorer.tally(scores)}.")


@app.command
def figures(
    *ids: str,
    out: Annotated[Path | None, Out] = None,
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Draw the figures of papers from our runs, one page each, with the score; runs what has not been run yet.

    Examples:
        airloom papers figures scan -o out

    Args:
        ids: Papers; without any, all that have figures.
        out: The folder of the pages. Without it, the one in which the papers' runs are kept.
        fresh: Make the runs again, even those that are there.
        as_json: Print JSON: the pages, by paper.
    """
    from airloom.papers import figures_page as pages
    from airloom.papers.make_and_score import make_and_score

    folder = out if out is not None else paths.cache() / "papers"
    refuse_file_name(folder, "what the pages go into")
    made = {}
    for one in (one for one in chosen(ids) if ids or has_figures(one)):
        with bar(one.id) as shown:
            scored = make_and_score(one, read_figures(one).runs, fresh=fresh, progress=shown.update)
        target = folder / f"{one.id}.html"
        pages.write(one, scored.runs, scored.scores, target)
        if not as_json:
            say(str(target))
        made[one.id] = str(target)
    if as_json:
        print_json("papers-figures", {"pages": made})


def extent(grid: Grid) -> str:
    """How many runs a grid has, and why."""
    axes = {axis.name: len(axis.choices) for axis in grid.axes} | {SEED: len(grid.seeds)}
    return f"{count(grid.size, 'run')} ({' x '.join(f'{many} {name}' for name, many in axes.items())})"


def columns(rows: dict[str, str]) -> list[str]:
    """Names and what belongs to them, below each other."""
    width = max(map(len, rows), default=0)
    return [f"  {name:<{width}}  {text}" for name, text in rows.items()]


def chosen(ids: tuple[str, ...]) -> list[paper.Paper]:
    """The papers of these ids, or all."""
    return [paper.read(name) for name in ids or paper.available()]
