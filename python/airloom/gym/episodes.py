"""Episodes of a scenario: each is a run in steps, with a seed of its own and what it has drawn."""

from __future__ import annotations

import math
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from airloom.errors import RunError, ScenarioError
from airloom.gym.agent import choices
from airloom.scenario.given import given
from airloom.simulation.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.random import Generator

    from airloom.gym.agent import Agent
    from airloom.scenario.given import Scenario, Settings
    from airloom.scenario.toml_text import Value
    from airloom.simulation.steps import Step

SEEDS = 2**31
"""Seeds of episodes are drawn below this number."""

TRIED = 200
"""The most actions that are tried before anything is learned: all combinations of few values."""

SHORT = "1 ms"
"""How long a step is in which an action is only tried."""


class Episodes:
    """What several episodes have in common, and the one that is under way."""

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        every: str,
        set: Settings | None,
        vary: Mapping[str, Sequence[Value]] | None,
    ) -> None:
        """Tries each value that is drawn, and actions: what is wrong is said before anything learns.

        Raises:
            ScenarioError: There is a mistake in the scenario or in a value.
            RunError: Something cannot be set while a world runs, or an argument is wrong.
            UnknownNameError: There is nothing of a name that is observed, or it has no such metric.
        """
        self._scenario, self._agents, self._every, self._set = scenario, agents, every, dict(set or {})
        self._vary = choices("vary", vary or {})
        if "seed" in self._vary:
            raise RunError("vary: each episode draws a seed of its own; `reset(options={'seed': 7})` chooses it")
        self._steps: Steps | None = None
        first = {key: values[0] for key, values in self._vary.items()}
        for drawn in [first, *({**first, key: value} for key, values in self._vary.items() for value in values[1:])]:
            steps = self._run(drawn, seed=1, every=SHORT)
            for agent in agents:
                agent.look(steps)
            steps.close()
        self._run(first, seed=1, every=self._every).close()
        self._try_actions(first)

    def _try_actions(self, drawn: Settings) -> None:
        act = {key: values for agent in self._agents for key, values in agent.act.items() if isinstance(key, str)}
        for values in islice(product(*act.values()), TRIED):
            steps = self._run(drawn, seed=1, every=SHORT)
            # One key after another, so that a refusal names the key.
            for key, value in zip(act, values, strict=True):
                steps.next({key: value})
            steps.close()

    def _run(self, drawn: Settings, seed: int, every: str) -> Steps:
        """A run with what an episode has drawn."""
        return Steps(given(self._scenario, {**self._set, **drawn}, seed), every)

    def strange(self, options: Mapping[str, Any]) -> list[str]:
        """Options that are neither the run's seed nor drawn."""
        return [key for key in options if key != "seed" and key not in self._vary]

    def begin(self, chance: Generator, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Begins an episode; returns the seed of its run, and what was drawn.

        Raises:
            RunError: The options have what is not drawn, or a value is wrong.
        """
        self.close()
        if strange := self.strange(options or {}):
            raise RunError(f"options: {strange[0]!r} is none of `vary`")
        chosen = dict(options or {})
        drawn = {key: values[int(chance.integers(len(values)))] for key, values in self._vary.items()}
        own = int(chance.integers(SEEDS))
        own = chosen.pop("seed", own)
        drawn |= chosen
        for agent in self._agents:
            agent.begin()
        try:
            self._steps = self._run(drawn, own, self._every)
        except ScenarioError as error:
            # One that a vector of environments can pass on: it makes errors anew of their text.
            raise RunError(str(error)) from None
        return {"seed": own, "drawn": drawn}

    def next(self, setting: Mapping[Any, Value]) -> tuple[Step, dict[str, Any], bool]:
        """Sets what agents say, and goes on for a step: it, the same as an `info`, and whether the episode is over.

        As it is over, `info` has the run's summary.

        Raises:
            RunError: No episode is under way, or the values do not go together.
        """
        if self._steps is None:
            raise RunError("step: no episode is under way; call reset first")
        for key, value in setting.items():
            if callable(key):
                key(value)
        try:
            step = self._steps.next({key: value for key, value in setting.items() if isinstance(key, str)})
        except ScenarioError as error:
            raise RunError(str(error)) from None
        if step is None:
            raise RunError("step: the episode is over; call reset first")
        info: dict[str, Any] = {"step": step}
        over = math.isclose(step.time, self._steps.duration)
        if over:
            info["summary"] = self._steps.end()
            self._steps = None
        return step, info, over

    def close(self) -> None:
        """Ends the run of an episode."""
        if self._steps is not None:
            self._steps.close()
        self._steps = None
