"""A run in steps: it stops at the end of each, says what was measured in it, and goes on as the caller decides."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.errors import RunError
from airloom.scenario.given import overriding, subscripted
from airloom.simulation.entities import Entities
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airloom.scenario.given import Given, Settings


@dataclass(frozen=True)
class Step:
    """What was measured in one step of a run.

    Attributes:
        time: When it ended, in seconds.
        values: Each value by the name of its node or flow and its metric, in the units of the series (docs/bundle.md).
            What had no value in this step is not there.
        entities: What there is, by name.
    """

    time: float
    values: Mapping[tuple[str, str], float] = field(repr=False)
    entities: Entities = field(repr=False)

    def of(self, name: str, metric: str) -> list[float]:
        """A metric of what a name stands for, of each that has a value.

        Raises:
            UnknownNameError: There is nothing of that name, or it has no such metric.
        """
        found = (self.values.get((member, metric), math.nan) for member in self.entities.having(name, metric))
        return [value for value in found if not math.isnan(value)]

    def sum(self, name: str, metric: str) -> float:
        """The sum over them; zero of none."""
        return math.fsum(self.of(name, metric))

    def mean(self, name: str, metric: str) -> float:
        """The mean over them; NaN of none."""
        found = self.of(name, metric)
        return mean(found) if found else math.nan


class Steps:
    """A run that has begun. A loop over it takes its steps to the end; `next` takes one.

    Attributes:
        entities: Nodes, flows and groups, by name.
        duration: How long the scenario lasts, in seconds.
    """

    def __init__(self, asked: Given, every: str) -> None:
        """Begins a scenario's run, with steps of a length such as `"100 ms"`."""
        self._asked = replace(asked, overrides=merged(asked.overrides, overriding({"record.every": every})))
        with self._asked.in_python():
            self._run = _engine.Stepped(asked.text, asked.file, self._asked.overrides, asked.seed)
        self._names = [name for _, name, _, _ in self._run.entities]
        self.entities = Entities.of(self._run.entities)
        self.duration: float = self._run.duration

    def __iter__(self) -> Iterator[Step]:
        """The steps that are left."""
        while (step := self.next()) is not None:
            yield step

    def next(self, set: Settings | None = None) -> Step | None:
        """Goes on for a step; with `set`, in the scenario with these values over its own from now on.

        Returns:
            What was measured in it; none if the run is over.

        Raises:
            ScenarioError: A value is wrong.
            RunError: It is of something that is fixed while a world runs.
        """
        told = self._run.step(None) if not set else self._changed(set)
        if told is None:
            return None
        time, rows = told
        values = {(self._names[entity], metric): value for entity, metric, value in rows}
        return Step(time, values, self.entities)

    def _changed(self, settings: Settings) -> tuple[float, list[tuple[int, str, float]]] | None:
        """What a step tells with values over the scenario's own, which stay if it was taken."""
        asked = replace(self._asked, overrides=merged(self._asked.overrides, overriding(settings)))
        if sorted(asked.overrides) == sorted(self._asked.overrides):
            # To read the scenario anew takes longer than the step.
            return self._run.step(None)
        try:
            with asked.in_python():
                told = self._run.step(asked.overrides)
        except RunError as error:
            keys = " and ".join(subscripted("set", [key]) for key in settings)
            raise RunError(f"{keys}: {error}") from None
        self._asked = asked
        return told

    def end(self) -> dict[str, Any]:
        """Ends the run where it is.

        Returns:
            The summary of what there was of it (docs/bundle.md).

        Raises:
            RunError: No step was taken, or it has been ended before.
        """
        if (summary := self._run.end()) is None:
            raise RunError("there is no summary: no step was taken, or the run has been ended before")
        found: dict[str, Any] = json.loads(summary)
        return found

    def close(self) -> None:
        """Ends the run where it is, without a summary; in a process that was forked from its own it is gone anyway."""
        with suppress(RunError):
            self._run.end()


def merged(overrides: list[tuple[str, str]], more: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Overrides with more of them, which take the place of those of the same key."""
    keys = {key for key, _ in more}
    return [*((key, value) for key, value in overrides if key not in keys), *more]
