"""A run in steps: it stops at the end of each, says what was measured in it, and goes on as the caller decides."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.errors import RunError
from airloom.results.lookup import unknown
from airloom.scenario.given import overriding
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from airloom.scenario.given import Given, Settings

KINDS = {"ap": "aps", "station": "stations", "server": "servers", "flow": "flows"}
"""What all of a kind are called."""


@dataclass(frozen=True)
class Step:
    """What was measured in one step of a run.

    Attributes:
        time: When it ended, in seconds.
        values: Each value by the name of its node or flow and its metric, in the units of the series (docs/bundle.md).
            What had no value in this step is not there.
        names: The members of groups, and of all that is of a kind: `flows`, `stations`, `aps`, `servers`.
    """

    time: float
    values: Mapping[tuple[str, str], float]
    names: Mapping[str, Sequence[str]]

    def of(self, name: str, metric: str) -> list[float]:
        """A metric of a node, of a flow, or of each member of a group that has a value.

        Raises:
            UnknownNameError: There is nothing of that name.
        """
        if name not in self.names:
            raise unknown("entity", name, self.names)
        found = (self.values.get((member, metric), math.nan) for member in self.names[name])
        return [value for value in found if not math.isnan(value)]

    def sum(self, name: str, metric: str) -> float:
        """The sum over them; zero of none."""
        return math.fsum(self.of(name, metric))

    def mean(self, name: str, metric: str) -> float:
        """The mean over them; zero of none."""
        found = self.of(name, metric)
        return mean(found) if found else 0.0


class Steps:
    """A run that has begun. A loop over it takes its steps to the end; `next` takes one.

    Attributes:
        names: Nodes, flows and groups with their members, as steps have them.
        duration: How long the scenario lasts, in seconds.
    """

    def __init__(self, asked: Given, every: str) -> None:
        """Begins a scenario's run, with steps of a length such as `"100 ms"`."""
        overrides = [*asked.overrides, *overriding({"record.every": every})]
        self._run = _engine.Stepped(asked.text, asked.file, overrides, asked.seed)
        entities = self._run.entities
        self._entities = [name for _, name, _ in entities]
        self.names = named(entities)
        self.duration: float = self._run.duration
        self._time = 0.0

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
        told = None if self._time >= self.duration else self._run.step(overriding(set))
        if told is None:
            return None
        time, rows = told
        self._time = time
        values = {(self._entities[entity], metric): value for entity, metric, value in rows}
        return Step(time, values, self.names)

    def end(self) -> dict[str, Any]:
        """Ends the run where it is.

        Returns:
            The summary of what there was of it (docs/bundle.md).

        Raises:
            RunError: It has been ended before.
        """
        if (summary := self._run.end()) is None:
            raise RunError("the run has ended, and its summary was taken")
        found: dict[str, Any] = json.loads(summary)
        return found


def named(entities: Sequence[tuple[str, str, str | None]]) -> dict[str, list[str]]:
    """All of a kind, each group of stations or flows, and each entity by itself, with its members."""
    found: dict[str, list[str]] = {name: [] for name in KINDS.values()}
    for kind, name, group in entities:
        found[KINDS[kind]].append(name)
        if group:
            found.setdefault(group, []).append(name)
    return found | {name: [name] for _, name, _ in entities}
