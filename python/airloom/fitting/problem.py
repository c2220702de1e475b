"""A problem: a scenario, what of it is unknown, and what was measured."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import GridError, ScenarioError, TooLargeError
from airloom.scenario.complaints import Complaints
from airloom.scenario.grid import SEED, canonical
from airloom.support.visible import visible
from airloom.sweep.plan import parsed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from airloom.fitting.measurement import Measurement
    from airloom.fitting.parameter import Parameter
    from airloom.fitting.short import Short
    from airloom.scenario.grid import Overrides

SCENARIO = "scenario.toml"
"""The name of the scenario's copy in the fit's folder."""


@dataclass(frozen=True)
class Problem:
    """What a problem file asks for.

    Attributes:
        file: The problem file.
        text: Its text.
        scenario: The scenario file.
        base: The scenario's text.
        fixed: What is set over it in every run.
        parameters: The unknowns.
        experiments: What is set beside in each experiment, by its name.
        measurements: What was measured.
        seeds: Runs of each point in each experiment.
        waves: How often points are chosen anew, at most.
        points: Points of a wave.
        hold_out: The fold that is predicted instead of fitted; empty for none.
        worlds: How many worlds of the posterior are run.
        short: What is set in the runs of waves alone; none where they are as long as those of worlds.
    """

    file: Path
    text: str
    scenario: Path
    base: str
    fixed: Overrides
    parameters: Sequence[Parameter]
    experiments: Mapping[str, Overrides]
    measurements: Sequence[Measurement]
    seeds: int
    waves: int
    points: int
    hold_out: str
    worlds: int
    short: Short | None = field(default=None, kw_only=True)

    @property
    def sets_aside(self) -> bool:
        """Whether measurements that no world meets are set aside, and the others fitted without them."""
        return False

    @property
    def fits(self) -> int:
        """How many fits it takes."""
        return 1

    @property
    def of_waves(self) -> Problem:
        """The problem as waves run it."""
        if self.short is None:
            return self
        return replace(self, fixed=[*self.fixed, *self.short.sets], seeds=self.short.seeds, short=None)

    @property
    def fitted(self) -> list[int]:
        """The measurements that are fitted, by their place."""
        return [at for at, one in enumerate(self.measurements) if not self.hold_out or one.fold != self.hold_out]

    @property
    def of_engine(self) -> int:
        """How many runs of the engine one of its runs takes."""
        return 1

    @cached_property
    def identity(self) -> str:
        """A hash of all that runs and their readings depend on, without layout, comments and title."""
        said = {**parsed(self.file, self.text), "scenario": None, "title": None}
        read = [(one.name, one.experiment, one.value, one.tolerance, one.half) for one in self.measurements]
        content = json.dumps([said, parsed(self.scenario, self.base), read, self.hold_out], default=str)
        return hashlib.sha256(content.encode()).hexdigest()

    @property
    def title(self) -> str:
        """What it is called."""
        return str(parsed(self.file, self.text).get("title") or self.file.stem)

    def overrides(self, point: Sequence[float], experiment: str) -> Overrides:
        """All that is set in a run: experiments over what is fixed, and the unknowns over both."""
        unknown = [pair for one, value in zip(self.parameters, point, strict=True) for pair in one.overrides(value)]
        return [*self.fixed, *self.experiments[experiment], *unknown]

    def point(self, places: Sequence[float]) -> tuple[float, ...]:
        """The values at some places between 0 and 1."""
        return tuple(one.at(place) for one, place in zip(self.parameters, places, strict=True))

    def ends(self) -> list[list[tuple[float, ...]]]:
        """For each unknown the points at which it is at an end, or is each of its choices, all others in the middle."""
        middle = self.middle
        return [
            [self.point([*middle[:at], end, *middle[at + 1 :]]) for end in one.extremes]
            for at, one in enumerate(self.parameters)
        ]

    @property
    def middle(self) -> list[float]:
        """The places in the middle of all ranges, with the first of all choices."""
        return [one.extremes[0] if one.choices else 0.5 for one in self.parameters]

    @property
    def choices(self) -> list[int]:
        """How many choices each unknown has; 0 where it lies on a range."""
        return [len(one.choices) for one in self.parameters]

    def files(self) -> dict[str, str]:
        """What the fit's folder begins with beside the problem, by name."""
        return {SCENARIO: self.base}

    def world(self, point: Sequence[float], experiment: str, about: str) -> str:
        """A world as a scenario, all its defaults spelled out."""
        overrides = self.overrides(point, experiment)
        return f"# {about}\n" + _engine.check(self.base, visible(str(self.scenario)), overrides, None)

    def check(self) -> None:
        """Lays each experiment, and both ends of each unknown, over the scenario.

        Raises:
            GridError: The engine refuses some, or an unknown's key is set besides; each message has its place in the
                problem file, or the scenario's.
        """
        complaints = Complaints(visible(str(self.file)), self.text)
        self.told_apart(complaints)
        complaints.check()
        middle = self.point(self.middle)
        tried = [(middle, experiment) for experiment in self.experiments]
        first = next(iter(self.experiments))
        tried += [(point, first) for of_one in self.ends() for point in of_one]
        for point, experiment in tried:
            self.check_one(self.overrides(point, experiment), complaints)
        complaints.check()
        if self.short is not None:
            self.of_waves.check()

    def told_apart(self, complaints: Complaints) -> None:
        """Refuses keys of unknowns that something else sets, which then would not hold: a table that has them, too."""
        for one in self.parameters:
            if SEED in map(canonical, one.keys):
                complaints.add(f"parameter.{one.name}", "the seed is no unknown", "`seeds = 3` draws three")
        of_unknowns = [(key, one.name) for one in self.parameters for key in one.keys]
        besides = [(key, "`set`") for key, _ in self.fixed]
        for name, sets in self.experiments.items():
            besides += [(key, f"the experiment {name!r}") for key, _ in sets]
        given = [key for key, _ in (*of_unknowns, *besides)]
        spelled = dict(zip(given, map(canonical, _engine.numbered(self.base, given)), strict=True))
        for at, (key, name) in enumerate(of_unknowns):
            for other, owner in (*of_unknowns[:at], *besides):
                ours, theirs = spelled[key], spelled[other]
                if overlap(ours, theirs):
                    who = owner if (other, owner) in besides else f"`{owner}`"
                    message = f"`{name}` sets {key}, and {who} sets {other}: one of them would not hold"
                    complaints.add(key, message, "leave one of them out")

    def check_one(self, overrides: Overrides, complaints: Complaints) -> None:
        """The same of one run."""
        try:
            _engine.check(self.base, visible(str(self.scenario)), overrides, None)
        except ScenarioError as error:
            for mistake in error.mistakes:
                if mistake.setting is not None:
                    key, value = overrides[mistake.line - 1]
                    own = next((one for one in self.parameters if key in one.keys), None)
                    where = f"{key} = {value}: " if own else ""
                    hint = mistake.hint or ("`whole = true` if it counts something" if own and not own.whole else None)
                    # What is wrong with a key is wrong with each of its values.
                    if all(not other.message.endswith(mistake.message) for other in complaints.found):
                        complaints.add(key, f"{where}{mistake.message}", hint, value="" if own else value)
                elif all(mistake[:4] != other[:4] for other in complaints.found):
                    complaints.found.append(mistake)
        except TooLargeError as error:
            raise GridError(*error.args) from None


def overlap(one: str, other: str) -> bool:
    """Whether two keys set the same: they are one key, or one is of a table that the other sets as a whole."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
