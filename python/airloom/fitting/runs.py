"""The runs of a fit: at each point each experiment, with several seeds, on all cores."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from airloom.errors import GO_ON, GridError, SweepError
from airloom.results.summary import read as summary_of
from airloom.sweep.results import reason
from airloom.sweep.task import FAULTS, Task, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from airloom.batch.executor import Executor, Finished
    from airloom.fitting.journal import Journal, Place
    from airloom.fitting.problem import Problem


@dataclass(frozen=True)
class Runs:
    """Makes the runs that are not there yet, and gives what they have in the place of the measurements.

    Attributes:
        problem: What is run.
        journal: What is there.
        executor: Runs them.
        scenario: The scenario's file in the fit's folder.
        progress: Called with how many runs are done of all that this problem has had, parts included.
        short: Makes those of waves; none where they are no shorter.
    """

    problem: Problem
    journal: Journal
    executor: Executor
    scenario: Path
    progress: Callable[[float], object]
    short: Runs | None = field(default=None, kw_only=True)

    @property
    def of_waves(self) -> Runs:
        """What makes the runs of waves."""
        return self.short or self

    def make(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> None:
        """Runs every experiment at these points with these seeds, those that are not there.

        Raises:
            SweepError: Something outside of the runs hinders them.
        """
        asked = [(point, name, seed) for point in points for name in self.problem.experiments for seed in seeds]
        there = {*self.journal.values, *self.journal.failed}
        left = [place for place in dict.fromkeys(asked) if place not in there]
        done = self.journal.runs
        with closing(self.made(left, lambda finished: self.progress(done + finished))) as finished:
            for place, one in finished:
                if one.error is None and one.result is not None:
                    self.journal.finish(place, self.read(place, one.result))
                elif isinstance(one.error, FAULTS):
                    self.journal.fail(place, reason(one.error))
                else:
                    raise SweepError(f"a run could not be made: {reason(one.error)}", GO_ON)

    def made(
        self, places: Sequence[Place], report: Callable[[float], object]
    ) -> Generator[tuple[Place, Finished[Any, Any]]]:
        """Makes the runs of some places, and yields each with its place as soon as it is done."""
        tasks = (Task(at, self.problem.overrides(place[0], place[1]), place[2]) for at, place in enumerate(places))
        with closing(self.executor.run(Work(self.scenario, self.problem.base, None), tasks, report)) as finished:
            for one in finished:
                yield places[one.item.number], one

    def read(self, place: Place, result: Any) -> dict[str, float | None]:
        """What a run has in the place of each measurement of its experiment."""
        summary = summary_of(json.loads(result))
        try:
            return {one.name: one.of_run(summary) for one in self.problem.measurements if one.experiment == place[1]}
        except LookupError as error:
            raise GridError(f"{self.problem.file}: {error.args[0]}", *error.args[1:]) from None

    def values(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> np.ndarray:
        """What the runs have, by point, measurement and seed; NaN where a run failed or has no such value."""
        found = np.full((len(points), len(self.problem.measurements), len(seeds)), np.nan)
        for row, point in enumerate(points):
            for column, one in enumerate(self.problem.measurements):
                for layer, seed in enumerate(seeds):
                    value = self.journal.values.get((point, one.experiment, seed), {}).get(one.name)
                    found[row, column, layer] = np.nan if value is None else value
        return found
