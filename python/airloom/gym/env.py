"""An environment of Gymnasium: a scenario's run in steps, of which an agent sets something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.utils import EzPickle

from airloom.errors import RunError
from airloom.gym.figure import Figure
from airloom.results.lookup import unknown
from airloom.scenario.given import given
from airloom.simulation.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from airloom.scenario.given import Scenario, Settings
    from airloom.scenario.toml_text import Value
    from airloom.simulation.steps import Step

SEEDS = 2**31
"""Seeds of episodes are drawn below this number."""


class Env(gymnasium.Env[Any, Any], EzPickle):
    """A scenario as an environment: an episode is a run of it, with a seed of its own.

    An action is the place of a value in the list of each key, in the order of `act`: one number if there is one key. An
    observation has a number for each line of `observe`, in the units of the series; zero where nothing was measured.
    The first one is of nothing. An episode is truncated as the run ends, and never terminated. `info` has the step as
    `step`, and as the episode ends the run's summary as `summary`.
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
        """Reads a scenario, and tries the first step of it.

        Args:
            scenario: A scenario file, its text, or its tables as a dict.
            act: What an agent sets: dotted keys that a running world can change, each with the values to choose from.
            observe: What it sees: `"NAME.METRIC"` of the series, of a node, a flow, a group of these, or all that is of
                a kind (`flows`, `stations`, `aps`, `servers`). Goodputs, rates per second and air times are summed over
                several; others are means.
            reward: The same, or a function of a step.
            every: How long a step is.
            set: Values over the scenario's own, in every episode.
            vary: Values by key of which each episode draws one.

        Raises:
            ScenarioError: There is a mistake in the scenario or in a value.
            RunError: Something cannot be set while a world runs, or an argument is wrong.
            UnknownNameError: There is nothing of a name that is observed.
        """
        EzPickle.__init__(self, scenario, act=act, observe=observe, reward=reward, every=every, set=set, vary=vary)
        self._scenario, self._every, self._set, self._vary = scenario, every, dict(set or {}), dict(vary or {})
        self._act = {key: list(values) for key, values in act.items()}
        if not self._act or not all(self._act.values()):
            raise RunError("act: needs keys, each with the values to choose from")
        if empty := [key for key, values in self._vary.items() if not values]:
            raise RunError(f'vary["{empty[0]}"]: needs the values to draw from')
        self._figures = [Figure.read(line) for line in observe]
        if not self._figures:
            raise RunError("observe: needs names and metrics, such as 'flows.goodput'")
        rewarded = [Figure.read(reward)] if isinstance(reward, str) else []
        self._reward: Callable[[Step], float] = rewarded[0].value if isinstance(reward, str) else reward
        counts = [len(values) for values in self._act.values()]
        self.action_space = Discrete(counts[0]) if len(counts) == 1 else MultiDiscrete(counts)
        self.observation_space = Box(-np.inf, np.inf, (len(self._figures),), np.float64)
        self._steps: Steps | None = None
        metrics = self._try()
        for figure in (*self._figures, *rewarded):
            if figure.metric not in metrics:
                raise unknown("metric", figure.metric, sorted(metrics))

    def _try(self) -> set[str]:
        """Takes a step with each value of each key, so that what is wrong is told before anything learns.

        Returns:
            The metrics that there were.

        Raises:
            ScenarioError, RunError, UnknownNameError: As for the whole.
        """
        metrics: set[str] = set()
        first = {key: values[0] for key, values in self._vary.items()}
        for key, values in self._act.items():
            steps = self._begin(first, seed=1)
            for value in values:
                step = steps.next({key: value})
                if step is None:
                    raise RunError(f"every: steps of {self._every} are too long to try all values of {key}")
                self._seen(step)
                float(self._reward(step))
                metrics |= {metric for _, metric in step.values}
        return metrics

    def _begin(self, drawn: Settings, seed: int) -> Steps:
        """A run with what an episode has drawn."""
        return Steps(given(self._scenario, {**self._set, **drawn}, seed), self._every)

    def _seen(self, step: Step) -> NDArray[np.float64]:
        """The observation of a step."""
        return np.array([figure.value(step) for figure in self._figures], np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins an episode. With `seed` it is the same again, and so are those that follow.

        `options` may have a `seed` for the run itself, instead of one that is drawn, and values for keys of `vary`.
        """
        super().reset(seed=seed)
        chosen = dict(options or {})
        drawn = {key: values[int(self.np_random.integers(len(values)))] for key, values in self._vary.items()}
        own = int(self.np_random.integers(SEEDS))
        own = int(chosen.pop("seed", own))
        if strange := [key for key in chosen if key not in drawn]:
            raise RunError(f"options: {strange[0]!r} is none of `vary`")
        drawn |= chosen
        self._steps = self._begin(drawn, own)
        return np.zeros(len(self._figures), np.float64), {"seed": own, "drawn": drawn}

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Sets what an action says, and goes on for a step."""
        if self._steps is None:
            raise RunError("step: no episode has begun; call reset first")
        places = np.atleast_1d(np.asarray(action, dtype=np.int64))
        setting = {key: values[place] for (key, values), place in zip(self._act.items(), places, strict=True)}
        step = self._steps.next(setting)
        if step is None:
            raise RunError("step: the episode is over; call reset first")
        info: dict[str, Any] = {"step": step}
        over = step.time >= self._steps.duration
        if over:
            info["summary"] = self._steps.end()
        return self._seen(step), float(self._reward(step)), False, over, info

    def close(self) -> None:
        """Ends the run of an episode."""
        self._steps = None
