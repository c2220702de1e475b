"""Writes docs/calibrated.md: what each calibrated value of the papers decides, with a step to either side of it.

It takes a while: every step makes the runs of a paper's claims again, with one set of seeds. `make calibrated` does it.
A step is taken in the runs that have the value: another scenario of the paper may have no such key, or its own value.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.papers import given, paper, runner, scorer
from airloom.papers.calibrated import read_calibrated
from airloom.scenario.grid import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.papers.calibrated import Calibrated
    from airloom.papers.paper import Paper, PaperGrid, PaperRun

Verdicts = dict[str, str]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "calibrated.md"

HEAD = """\
# Calibrated values

What no source gives and no [fit](fit.md#a-paper) chose, was chosen by hand. For each value: the claims that were
looked at as it was chosen, which are therefore no evidence, and what one step to either side changes. This is with one
set of seeds, and with one
seed where a grid is large, so a claim that depends on them can come or go with any step. `make calibrated` writes this
page anew.
"""

LARGE = 100
"""Runs of a grid above which its first seed alone is taken."""


def verdicts(whole: Paper) -> Verdicts:
    """What becomes of the claims of a paper with one set of seeds, or the first seed of large grids."""
    one = replace(whole, grids={name: spared(grid) for name, grid in whole.grids.items()})
    scores = scorer.score([(one, runner.make(one, scorer.needed(one)))])
    return {score.id: score.verdict for score in scores}


def spared(grid: PaperGrid) -> PaperGrid:
    """A grid, with its first seed alone if it is large."""
    if len(grid.cells) <= LARGE:
        return grid
    return replace(grid, cells={name: cell for name, cell in grid.cells.items() if cell.seed == grid.grid.seeds[0]})


def stepped(name: str, value: Calibrated, step: object) -> Paper:
    """A paper with another value, in the runs that have the calibrated one."""
    usual, other = paper.read(name), paper.read(name, changed=[(value.key, written(step))])
    if value.key.startswith(paper.AXIS):
        return other
    runs = {run: other.runs[run] if has(usual.run(run), value) else usual.runs[run] for run in usual.runs}
    return replace(usual, runs=runs)


def has(run: PaperRun, value: Calibrated) -> bool:
    """Whether a run has a value."""
    return resolved(run.scenario, tuple(run.overrides)).get(value.key) == written(value.value)


@cache
def resolved(scenario: Path, overrides: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """What every run of a scenario with these values over it is given, but for the seed."""
    return given.values(scenario, list(overrides), None)


def effect(value: Calibrated, step: object, name: str, usual: Verdicts) -> str:
    """What another value changes."""
    found = verdicts(stepped(name, value, step))
    lost = [f"`{claim}`" for claim in usual if usual[claim] == "holds" != found[claim]]
    won = [f"`{claim}`" for claim in usual if usual[claim] != "holds" == found[claim]]
    parts = [f"{word} {', '.join(claims)}" for word, claims in (("loses", lost), ("wins", won)) if claims]
    return f"{written(step)}: {'; '.join(parts) or 'nothing changes'}"


def table(name: str) -> Iterator[str]:
    """The lines of a paper's table."""
    usual = verdicts(paper.read(name))
    yield "| value | | fitted to | one step to either side | why |"
    yield "| --- | --- | --- | --- | --- |"
    for value in read_calibrated(paper.read(name)):
        claims = ", ".join(f"`{claim}`" for claim in value.claims)
        steps = "<br>".join(effect(value, step, name, usual) for step in value.steps)
        now = written(value.value)
        yield f"| {value.what} (`{value.key}`) | {now} | {claims} | {steps or 'not varied'} | {value.because} |"


def main() -> None:
    """Writes the sections of the papers that are named, or of all; the papers' own runs are left alone."""
    there = PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if PAGE.exists() else []
    sections = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in there}
    for name in sys.argv[1:] or [one for one in paper.available() if read_calibrated(paper.read(one))]:
        with tempfile.TemporaryDirectory() as place:
            os.environ["AIRLOOM_OUT"] = place
            sections[name] = "\n".join(table(name))
        text = "".join(f"\n## {one}\n\n{sections[one]}\n" for one in sorted(sections))
        PAGE.write_text(HEAD + text, encoding="utf-8")
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
