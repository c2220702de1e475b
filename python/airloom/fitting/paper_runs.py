"""The runs of a fit to a paper: at each point all that its measures need, which are read and not kept."""

from __future__ import annotations

import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import GO_ON, SweepError
from airloom.fitting import claims
from airloom.fitting.runs import Runs
from airloom.papers import scorer
from airloom.papers.measure import measures_of
from airloom.papers.views import views_of
from airloom.results.bundle import load
from airloom.scenario import source
from airloom.simulation.simulate import simulate
from airloom.support.visible import visible
from airloom.sweep.results import reason
from airloom.sweep.task import FAULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from airloom.fitting.journal import Place
    from airloom.fitting.paper_problem import PaperProblem
    from airloom.papers.measure import Ours
    from airloom.papers.paper import Paper
    from airloom.results.bundle import Run


@dataclass(frozen=True)
class PaperWork:
    """Makes all runs of a paper at a point, and gives what they have in the place of its claims."""

    problem: PaperProblem

    def __call__(self, place: Place, report: Callable[[float], None]) -> dict[str, float | None]:
        """Does so for a point and a set of seeds."""
        paper = self.problem.at(place[0], place[2])
        alone = [run for run in paper.runs.values() if not run.same]
        with tempfile.TemporaryDirectory(prefix="airloom-") as scratch:
            made = {}
            for number, run in enumerate(alone):
                report(number / len(alone))
                text, _ = source.read(run.scenario)
                folder = Path(scratch) / run.folder
                simulate(text, visible(str(run.scenario)), run.overrides, run.seed, folder)
                made[run.id] = load(folder)
            made |= {run.id: made[run.same] for run in paper.runs.values() if run.same in made}
            return claims.values(self.problem.claims, results(paper, made))


def results(paper: Paper, runs: Mapping[str, Run]) -> dict[str, Ours]:
    """What the measures say of some runs; a world so far off that one cannot be computed has no such number."""
    views = views_of(paper, runs)
    found = {}
    for claim, measure in measures_of(paper).items():
        if not scorer.lacking(measure, paper, runs):
            with suppress(Exception):
                found[claim] = measure(views)
    return found


@dataclass(frozen=True)
class PaperRuns(Runs):
    """Makes the runs of a paper that are not there yet."""

    problem: PaperProblem

    def make(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> None:
        """Makes the paper's runs at these points with these sets of seeds, those that are not there.

        Raises:
            SweepError: Something outside of the runs hinders them.
        """
        asked = [(point, claims.WHOLE, seed) for point in points for seed in seeds]
        there = {*self.journal.values, *self.journal.failed}
        left = [place for place in dict.fromkeys(asked) if place not in there]
        done = len(asked) - len(left)
        report = lambda finished: self.progress(done + finished, len(asked))  # noqa: E731
        with closing(self.executor.run(PaperWork(self.problem), left, report)) as finished:
            for one in finished:
                if one.error is None and one.result is not None:
                    self.journal.finish(one.item, one.result)
                elif isinstance(one.error, FAULTS):
                    self.journal.fail(one.item, reason(one.error))
                else:
                    raise SweepError(f"a run could not be made: {reason(one.error)}", GO_ON)
