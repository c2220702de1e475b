"""One agent: what it sets, what it sees, and what it is rewarded for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete

from airloom.errors import RunError
from airloom.gym.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gymnasium.spaces import Space
    from numpy.typing import NDArray

    from airloom.scenario.toml_text import Value
    from airloom.simulation.steps import Step, Steps


@dataclass
class Agent:
    """An agent in a scenario.

    Attributes:
        act: What it sets: dotted keys that a running world can change, or functions that take a value, such as one that
            a class of one's own reads; each with the values to choose from. An action is the place of a value in the
            list of each: one number if there is one key.
        observe: What it sees: `"NAME.METRIC"` of the series, of a node, a flow, a group of these, or all that is of a
            kind (`flows`, `stations`, `aps`, `servers`). What adds up is a sum over several; anything else is a mean,
            which stays what it was where nothing was measured.
        reward: The same, or a function of a step.
    """

    act: Mapping[Any, Sequence[Value]]
    observe: Sequence[str]
    reward: str | Callable[[Step], float]
    _figures: list[Figure] = field(init=False, repr=False)
    _reward: Callable[[Step], float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Checks what can be checked without a run.

        Raises:
            RunError: An argument is wrong.
        """
        self.act = choices("act", self.act)
        if not self.act:
            raise RunError("act: needs keys, each with the values to choose from")
        if not self.observe or isinstance(self.observe, str):
            raise RunError("observe: needs a list of names and metrics, such as ['flows.goodput']")
        if not isinstance(self.reward, str) and not callable(self.reward):
            raise RunError(f"reward: needs a name and a metric, or a function of a step, not {self.reward!r}")
        self.begin()

    def begin(self) -> None:
        """Begins an episode, of which nothing was measured yet."""
        self._figures = [Figure.read(line) for line in self.observe]
        self._reward = Figure.read(self.reward).value if isinstance(self.reward, str) else self.reward

    @property
    def action_space(self) -> Space[Any]:
        """One choice, or one for each key."""
        counts = [len(values) for values in self.act.values()]
        return Discrete(counts[0]) if len(counts) == 1 else MultiDiscrete(counts)

    @property
    def observation_space(self) -> Box:
        """A number for each line, in the units of the series."""
        return Box(-np.inf, np.inf, (len(self.observe),), np.float64)

    def look(self, steps: Steps) -> None:
        """Looks whether a run measures what is observed.

        Raises:
            UnknownNameError: There is nothing of a name, or it has no such metric.
        """
        rewarded = [Figure.read(self.reward)] if isinstance(self.reward, str) else []
        for figure in (*self._figures, *rewarded):
            steps.entities.having(figure.name, figure.metric)

    def setting(self, action: Any) -> dict[Any, Value]:
        """What an action sets.

        Raises:
            RunError: It is no action.
        """
        places = np.atleast_1d(np.asarray(action))
        counts = [len(values) for values in self.act.values()]
        are_whole = places.shape == (len(counts),) and np.issubdtype(places.dtype, np.integer)
        if not are_whole or any(not 0 <= place < count for place, count in zip(places, counts, strict=True)):
            needed = (
                f"a whole number from 0 to {len(values) - 1} for {named(key)}" for key, values in self.act.items()
            )
            raise RunError(f"step: {action!r} is no action; it needs {', '.join(needed)}")
        return {key: values[place] for (key, values), place in zip(self.act.items(), places, strict=True)}

    def unseen(self) -> NDArray[np.float64]:
        """What it sees before anything was measured."""
        return np.zeros(len(self._figures), np.float64)

    def sees(self, step: Step) -> NDArray[np.float64]:
        """What it sees of a step."""
        return np.array([figure.value(step) for figure in self._figures], np.float64)

    def earns(self, step: Step) -> float:
        """What it is rewarded with for a step."""
        return float(self._reward(step))


def named(key: object) -> str:
    """What a key is called."""
    return key if isinstance(key, str) else getattr(key, "__qualname__", repr(key))


def choices(name: str, of: Mapping[Any, Sequence[Value]]) -> dict[Any, list[Value]]:
    """Keys with the values of which one is chosen.

    Raises:
        RunError: It is no dict, or a key has no list of values.
    """
    if not isinstance(of, Mapping):
        raise RunError(f"{name}: needs a dict of keys, each with the values to choose from, not {of!r}")
    for key, values in of.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not len(values):
            raise RunError(f'{name}["{named(key)}"]: needs a list of the values to choose from, not {values!r}')
    return {key: list(values) for key, values in of.items()}
