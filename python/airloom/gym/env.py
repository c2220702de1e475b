"""An environment of Gymnasium: a scenario's run in steps, of which an agent sets something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.utils import EzPickle

from airloom.gym.agent import Agent
from airloom.gym.episodes import Episodes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from airloom.scenario.given import Scenario, Settings
    from airloom.scenario.toml_text import Value
    from airloom.simulation.steps import Step


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
        act: Mapping[Any, Sequence[Value]],
        observe: Sequence[str],
        reward: str | Callable[[Step], float],
        every: str = "100 ms",
        set: Settings | None = None,
        vary: Mapping[str, Sequence[Value]] | None = None,
    ) -> None:
        """Reads a scenario, and tries what can be set and drawn.

        Args:
            scenario: A scenario file, its text, or its tables as a dict.
            act: What an agent sets, as of an `Agent`; so are `observe` and `reward`.
            observe: What it sees.
            reward: What it is rewarded with.
            every: How long a step is.
            set: Values over the scenario's own, in every episode.
            vary: Values by key of which each episode draws one.

        Raises:
            ScenarioError: There is a mistake in the scenario or in a value.
            RunError: Something cannot be set while a world runs, or an argument is wrong.
            UnknownNameError: There is nothing of a name that is observed, or it has no such metric.
        """
        EzPickle.__init__(self, scenario, act=act, observe=observe, reward=reward, every=every, set=set, vary=vary)
        self._agent = Agent(act, observe, reward)
        self._episodes = Episodes(scenario, [self._agent], every, set, vary)
        self.action_space = self._agent.action_space
        self.observation_space = self._agent.observation_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins an episode. With `seed` it is the same again, and so are those that follow.

        `options` may have a `seed` for the run itself, instead of one that is drawn, and values for keys of `vary`.
        """
        super().reset(seed=seed)
        info = self._episodes.begin(self.np_random, options)
        return self._agent.unseen(), info

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Sets what an action says, and goes on for a step.

        Raises:
            RunError: No episode is under way, it is no action, or its values do not go together.
        """
        step, info, over = self._episodes.next(self._agent.setting(action))
        return self._agent.sees(step), self._agent.earns(step), False, over, info

    def close(self) -> None:
        """Ends the run of an episode."""
        self._episodes.close()
