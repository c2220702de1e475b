"""An environment of PettingZoo: several agents in one run, each of which sets something."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pettingzoo
from gymnasium.utils import EzPickle
from gymnasium.utils.seeding import np_random

from airloom.errors import RunError
from airloom.gym.agent import named
from airloom.gym.episodes import Episodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from gymnasium.spaces import Space
    from numpy.typing import NDArray

    from airloom.gym.agent import Agent
    from airloom.scenario.given import Scenario, Settings
    from airloom.scenario.toml_text import Value

    Seen = dict[str, NDArray[np.float64]]


class ParallelEnv(pettingzoo.ParallelEnv[str, Any, Any], EzPickle):
    """A scenario as an environment of several agents, which act at the same times.

    All else is as of `Env`: an episode is a run, and all agents are truncated as it ends. Each agent's `info` has the
    step, and as the episode ends the summary; at the beginning it has the run's `seed`, and what was `drawn`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "name": "airloom"}  # noqa: RUF012 - as PettingZoo declares it

    def __init__(
        self,
        scenario: Scenario,
        agents: Mapping[str, Agent],
        *,
        every: str = "100 ms",
        set: Settings | None = None,
        vary: Mapping[str, Sequence[Value]] | None = None,
    ) -> None:
        """Reads a scenario, and tries what can be set and drawn.

        Args:
            scenario: A scenario file, its text, or its tables as a dict.
            agents: The agents by name.
            every: How long a step is.
            set: Values over the scenario's own, in every episode.
            vary: Values by key of which each episode draws one.

        Raises:
            ScenarioError: There is a mistake in the scenario or in a value.
            RunError: Something cannot be set while a world runs, two agents set the same, or an argument is wrong.
            UnknownNameError: There is nothing of a name that is observed, or it has no such metric.
        """
        EzPickle.__init__(self, scenario, agents, every=every, set=set, vary=vary)
        self._agents = dict(agents)
        if not self._agents:
            raise RunError("agents: needs at least one, by its name")
        owners: dict[Any, str] = {}
        for name, agent in self._agents.items():
            for key in agent.act:
                if (other := owners.setdefault(key, name)) != name:
                    raise RunError(f'agents["{name}"]: {named(key)} is what {other} sets')
        self._episodes = Episodes(scenario, list(self._agents.values()), every, set, vary)
        self.possible_agents = list(self._agents)
        self.agents: list[str] = []
        # Gymnasium's tools ask for one space at a time, and for the same one each time, since it draws samples.
        self._spaces = {name: (agent.action_space, agent.observation_space) for name, agent in self._agents.items()}
        self._chance, _ = np_random()

    def action_space(self, agent: str) -> Space[Any]:
        """What an agent can do."""
        return self._spaces[agent][0]

    def observation_space(self, agent: str) -> Space[Any]:
        """What an agent can see."""
        return self._spaces[agent][1]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, dict[str, Any]]]:
        """Begins an episode. With `seed` it is the same again, and so are those that follow.

        `options` may have a `seed` for the run itself, instead of one that is drawn, and values for keys of `vary`.
        """
        if seed is not None:
            self._chance, _ = np_random(seed)
        chosen = dict(options or {})
        # PettingZoo's own check has an option that nobody knows.
        for strange in self._episodes.strange(chosen):
            warnings.warn(f"options: {strange!r} is none of `vary`, and changes nothing", stacklevel=2)
            del chosen[strange]
        info = self._episodes.begin(self._chance, chosen)
        self.agents = list(self._agents)
        seen = {name: agent.unseen() for name, agent in self._agents.items()}
        return seen, {name: dict(info) for name in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[Seen, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Sets what all agents say, and goes on for a step. What an agent without an action set stays as it is.

        Raises:
            RunError: No episode is under way, it is no action, or the values do not go together.
        """
        if strange := [name for name in actions if name not in self._agents]:
            raise RunError(f"step: {strange[0]!r} is none of the agents")
        setting = [self._agents[name].setting(action) for name, action in actions.items()]
        step, info, over = self._episodes.next({key: value for one in setting for key, value in one.items()})
        names = self.agents
        if over:
            self.agents = []
        return (
            {name: self._agents[name].sees(step) for name in names},
            {name: self._agents[name].earns(step) for name in names},
            dict.fromkeys(names, False),
            dict.fromkeys(names, over),
            {name: dict(info) for name in names},
        )

    def close(self) -> None:
        """Ends the run of an episode."""
        self._episodes.close()
