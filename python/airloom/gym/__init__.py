"""Environments of Gymnasium and PettingZoo over any scenario.

An agent sees what a step of a run measured, and sets what comes next.

>>> import airloom.gym
>>> env = airloom.gym.Env(
...     "examples/crowd.toml",
...     every="100 ms",
...     act={"ap.0.wmm.be.cw_min": [15, 31, 63, 127, 255]},
...     observe=["sta.mpdu_retries", "sta.ampdus"],
...     reward="flows.goodput",
... )
>>> first, info = env.reset(seed=1)
>>> second, reward, terminated, truncated, info = env.step(env.action_space.sample())

It needs `airloom[gym]`. See docs/gym.md.
"""

from airloom.gym.installed import need

need()

from airloom.gym.agent import Agent  # noqa: E402 - a missing package gets one line
from airloom.gym.env import Env  # noqa: E402
from airloom.gym.parallel import ParallelEnv  # noqa: E402

__all__ = ["Agent", "Env", "ParallelEnv"]
