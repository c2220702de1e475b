"""Makes what a paper's score needs, with every set of seeds, and scores it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.papers import paper as papers
from airloom.papers import runner, scorer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from airloom.papers.paper import Paper
    from airloom.papers.scorer import Score
    from airloom.results.bundle import Run


@dataclass(frozen=True)
class Scored:
    """A paper's score, and the runs with its first set of seeds, by name."""

    scores: list[Score]
    runs: dict[str, Run]


def make_and_score(
    paper: Paper,
    also: Iterable[str] = (),
    *,
    fresh: bool = False,
    progress: Callable[[float, int], object] | None = None,
) -> Scored:
    """Scores a paper over all its sets of seeds; makes the runs that have not been made yet.

    Args:
        paper: The paper.
        also: Runs and grids that are wanted besides, with the first set of seeds.
        fresh: Makes the runs that are there once more.
        progress: Called with how many runs are done, parts included, and of how many, from any thread.
    """
    needed = scorer.needed(paper)
    others = [papers.read_folder(paper.folder, seed_set=number) for number in range(2, paper.seed_sets + 1)]
    wanted = [(paper, sorted({*needed, *also})), *((one, needed) for one in others)]
    made = runner.make_all(wanted, fresh=fresh, progress=progress)
    sets = [(one, runs) for (one, _), runs in zip(wanted, made, strict=True)]
    return Scored(scorer.score(sets), made[0])
