"""Environments of Gymnasium over any scenario: an agent sees what a step of a run measured, and sets what comes next.

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

from airloom.gym.env import Env  # noqa: E402 - a missing package gets one line

__all__ = ["Env"]
