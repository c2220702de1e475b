"""An environment of Gymnasium: a scenario's run in steps, of which an agent sets something."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.utils import EzPickle

from airloom.errors import RunError, ScenarioError
from airloom.gym.figure import Figure
from airloom.scenario.given import given
from airloom.simulation.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from airloom.scenario.given import Scenario, Settings
    from airloom.scenario.toml_text import Value
    from airloom.simulation.steps import Step

SEEDS = 2**31
"""Seeds of episodes are drawn below this number."""

TRIED = 200
"""The most actions that are tried before anything is learned: all combinations of few values."""

SHORT = "1 ms"
"""How long a step is in which an action is only tried."""


class Env(gymnasium.Env[Any, Any], EzPickle):
    """A scenario as an environment: an episode is a run of it, with a seed of its own.

    An action is the place of a value in the list of each key, in the order of `act`: one number if there is one key. An
    observation has a number for each line of `observe`, in the units of the series. An episode is truncated as the run
    ends, and never terminated. `info` has the step as `step`, and as the episode ends the run's summary as `summary`;
    at the beginning it has the run's `seed`, and what was `drawn`.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        scenario: Scenario,
        *,
        act: Mapping[str, Sequence[Value]],
        observe: Sequence[str],
        reward: str | Callable[[Step], float],
        every: str = "100 ms",
        set: Settings | None = None,
        vary: Mapping[str, Sequence[Value]] | None = None,
    ) -> None:
        """Reads a scenario, and tries what can be set and drawn.

        Args:
            scenario: A scenario file, its text, or its tables as a dict.
            act: What an agent sets: dotted keys that a running world can change, each with the values to choose from.
            observe: What it sees: `"NAME.METRIC"` of the series, of a node, a flow, a group of these, or all that is of
                a kind (`flows`, `stations`, `aps`, `servers`). What adds up is a sum over several; anything else is a
                mean, which stays what it was where nothing was measured.
            reward: The same, or a function of a step.
            every: How long a step is.
            set: Values over the scenario's own, in every episode.
            vary: Values by key of which each episode draws one.

        Raises:
            ScenarioError: There is a mistake in the scenario or in a value.
            RunError: Something cannot be set while a world runs, or an argument is wrong.
            UnknownNameError: There is nothing of a name that is observed, or it has no such metric.
        """
        EzPickle.__init__(self, scenario, act=act, observe=observe, reward=reward, every=every, set=set, vary=vary)
        self._scenario, self._every, self._set = scenario, every, dict(set or {})
        self._act, self._vary = choices("act", act), choices("vary", vary or {})
        if not self._act:
            raise RunError("act: needs keys, each with the values to choose from")
        if "seed" in self._vary:
            raise RunError("vary: each episode draws a seed of its own; `reset(options={'seed': 7})` chooses it")
        if not observe or isinstance(observe, str):
            raise RunError("observe: needs a list of names and metrics, such as ['flows.goodput']")
        if not isinstance(reward, str) and not callable(reward):
            raise RunError(f"reward: needs a name and a metric, or a function of a step, not {reward!r}")
        self._lines, self._rewarded = list(observe), reward
        self._begin_figures()
        counts = [len(values) for values in self._act.values()]
        self.action_space = Discrete(counts[0]) if len(counts) == 1 else MultiDiscrete(counts)
        self.observation_space = Box(-np.inf, np.inf, (len(self._lines),), np.float64)
        self._steps: Steps | None = None
        self._try()

    def _begin_figures(self) -> None:
        """Figures of an episode, of which nothing was measured yet."""
        self._figures = [Figure.read(line) for line in self._lines]
        self._reward = Figure.read(self._rewarded).value if isinstance(self._rewarded, str) else self._rewarded

    def _try(self) -> None:
        """Tries each value that is drawn, and actions: what is wrong is said before anything learns.

        Raises:
            ScenarioError, RunError, UnknownNameError: As for the whole.
        """
        first = {key: values[0] for key, values in self._vary.items()}
        rewarded = [Figure.read(self._rewarded)] if isinstance(self._rewarded, str) else []
        for drawn in [first, *({**first, key: value} for key, values in self._vary.items() for value in values[1:])]:
            steps = self._begin(drawn, seed=1, every=SHORT)
            for figure in (*self._figures, *rewarded):
                steps.entities.having(figure.name, figure.metric)
            steps.close()
        self._begin(first, seed=1, every=self._every).close()
        for values in islice(product(*self._act.values()), TRIED):
            steps = self._begin(first, seed=1, every=SHORT)
            # One key after another, so that a refusal names the key.
            for key, value in zip(self._act, values, strict=True):
                steps.next({key: value})
            steps.close()

    def _begin(self, drawn: Settings, seed: int, every: str) -> Steps:
        """A run with what an episode has drawn."""
        return Steps(given(self._scenario, {**self._set, **drawn}, seed), every)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins an episode. With `seed` it is the same again, and so are those that follow.

        `options` may have a `seed` for the run itself, instead of one that is drawn, and values for keys of `vary`.
        """
        super().reset(seed=seed)
        self.close()
        chosen = dict(options or {})
        drawn = {key: values[int(self.np_random.integers(len(values)))] for key, values in self._vary.items()}
        own = int(self.np_random.integers(SEEDS))
        own = chosen.pop("seed", own)
        if strange := [key for key in chosen if key not in drawn]:
            raise RunError(f"options: {strange[0]!r} is none of `vary`")
        drawn |= chosen
        self._begin_figures()
        try:
            self._steps = self._begin(drawn, own, self._every)
        except ScenarioError as error:
            # One that a vector of environments can pass on: it makes errors anew of their text.
            raise RunError(str(error)) from None
        return np.zeros(len(self._figures), np.float64), {"seed": own, "drawn": drawn}

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Sets what an action says, and goes on for a step.

        Raises:
            RunError: No episode is under way, it is no action, or its values do not go together.
        """
        if self._steps is None:
            raise RunError("step: no episode is under way; call reset first")
        try:
            step = self._steps.next(self._setting(action))
        except ScenarioError as error:
            raise RunError(str(error)) from None
        if step is None:
            raise RunError("step: the episode is over; call reset first")
        info: dict[str, Any] = {"step": step}
        over = math.isclose(step.time, self._steps.duration)
        if over:
            info["summary"] = self._steps.end()
            self._steps = None
        seen = np.array([figure.value(step) for figure in self._figures], np.float64)
        return seen, float(self._reward(step)), False, over, info

    def _setting(self, action: Any) -> dict[str, Value]:
        """What an action sets."""
        places = np.atleast_1d(np.asarray(action))
        counts = [len(values) for values in self._act.values()]
        are_whole = places.shape == (len(counts),) and np.issubdtype(places.dtype, np.integer)
        if not are_whole or any(not 0 <= place < count for place, count in zip(places, counts, strict=True)):
            needed = (f"a whole number from 0 to {len(values) - 1} for {key}" for key, values in self._act.items())
            raise RunError(f"step: {action!r} is no action; it needs {', '.join(needed)}")
        return {key: values[place] for (key, values), place in zip(self._act.items(), places, strict=True)}

    def close(self) -> None:
        """Ends the run of an episode."""
        if self._steps is not None:
            self._steps.close()
        self._steps = None


def choices(name: str, of: Mapping[str, Sequence[Value]]) -> dict[str, list[Value]]:
    """Keys with the values of which one is chosen.

    Raises:
        RunError: It is no dict, or a key has no list of values.
    """
    if not isinstance(of, Mapping):
        raise RunError(f"{name}: needs a dict of keys, each with the values to choose from, not {of!r}")
    for key, values in of.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not len(values):
            raise RunError(f'{name}["{key}"]: needs a list of the values to choose from, not {values!r}')
    return {key: list(values) for key, values in of.items()}
