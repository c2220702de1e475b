"""The runs of a fit to a paper: at each point all that its measures need, which are read and not kept."""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom.fitting import claims
from airloom.fitting.runs import Runs
from airloom.papers import scorer
from airloom.papers.measure import measures_of
from airloom.results.bundle import load
from airloom.scenario import source
from airloom.simulation.simulate import simulate
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from airloom.batch.executor import Finished
    from airloom.fitting.journal import Place
    from airloom.fitting.paper_problem import PaperProblem

NOTHING_THERE = (ArithmeticError, ValueError, LookupError)
"""What a measure raises in a world that has nothing to compute with: the least of no places, a mean of none."""


@dataclass(frozen=True)
class PaperWork:
    """Makes all runs of a paper at a point, and gives what they have in the place of its claims."""

    problem: PaperProblem

    def __call__(self, place: Place, report: Callable[[float], None]) -> dict[str, float | None]:
        """Makes them at a point with a set of seeds."""
        paper = self.problem.at(place[0], place[2])
        alone = [run for run in paper.runs.values() if not run.same]
        with tempfile.TemporaryDirectory(prefix="airloom-") as scratch:
            made = {}
            for number, run in enumerate(alone):
                report(number / len(alone))
                text, _ = source.read(run.scenario)
                folder = Path(scratch) / run.folder
                file = visible(str(run.scenario))
                simulate(text, file, run.overrides, run.seed, folder, capture=run.capture or False)
                made[run.id] = load(folder)
            made |= {run.id: made[run.same] for run in paper.runs.values() if run.same in made}
            ours = scorer.results(paper, made, measures_of(paper), without=NOTHING_THERE)
            return claims.values(self.problem.claims, ours)


@dataclass(frozen=True)
class PaperRuns(Runs):
    """Makes the runs of a paper that are not there yet."""

    problem: PaperProblem

    def made(
        self, places: Sequence[Place], report: Callable[[float], object]
    ) -> Generator[tuple[Place, Finished[Any, Any]]]:
        """Makes the paper's runs at some places, and yields what each has as soon as it is done."""
        with closing(self.executor.run(PaperWork(self.problem), places, report)) as finished:
            for one in finished:
                yield one.item, one

    def read(self, place: Place, result: Any) -> dict[str, float | None]:  # noqa: ARG002 - it was read where it was made
        """What the runs have in the place of each claim."""
        return dict(result)
