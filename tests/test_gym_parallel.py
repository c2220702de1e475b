"""Environments of PettingZoo: several agents in one run."""

from __future__ import annotations

from typing import Any

import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import airloom.gym
from airloom.errors import RunError, UnknownNameError
from airloom.gym import Agent
from small_cells import cell, flow, station

WINDOWS = [15, 63, 255]
CELL = cell(
    "Two stations that contend",
    "1 s",
    station("near", "3 m"),
    station("far", "5 m"),
    flow("near", "server", 'kind = "udp"', name="one", rate="saturated"),
    flow("far", "server", 'kind = "udp"', name="two", rate="saturated"),
)


def agent(place: int, name: str, **other: Any) -> Agent:
    """One that sets a station's window, and wants what it carries."""
    known: dict[str, Any] = {
        "act": {f"station.{place}.adapter.cw_min": WINDOWS},
        "observe": [f"{name}.ampdus", "flows.goodput"],
        "reward": f"{name}.goodput",
    }
    return Agent(**(known | other))


def both(**other: Any) -> airloom.gym.ParallelEnv:
    return airloom.gym.ParallelEnv(CELL, {"near": agent(0, "near"), "far": agent(1, "far")}, every="250 ms", **other)


def test_it_is_what_pettingzoo_asks_for() -> None:
    with pytest.warns(UserWarning, match="none of `vary`"):
        parallel_api_test(both(), num_cycles=10)
    parallel_seed_test(both)


def test_each_is_rewarded_with_its_own_and_who_waits_less_has_more() -> None:
    env = both()
    env.reset(seed=1)
    earned = {"near": 0.0, "far": 0.0}
    while env.agents:
        seen, rewards, ended, over, infos = env.step({"near": 0, "far": 2})
        assert not any(ended.values())
        assert set(over.values()) == {not env.agents}
        assert list(seen["near"])[1] == pytest.approx(sum(rewards.values()))
        earned = {name: earned[name] + reward for name, reward in rewards.items()}
    assert earned["near"] > 3 * earned["far"]
    assert infos["far"]["summary"]["duration_s"] == 1.0


def test_one_agent_alone_is_as_in_an_environment_of_gymnasium() -> None:
    alone = agent(0, "near")
    parallel = airloom.gym.ParallelEnv(CELL, {"near": alone}, every="250 ms")
    env = airloom.gym.Env(CELL, act=alone.act, observe=alone.observe, reward=alone.reward, every="250 ms")
    assert env.reset(seed=7)[1] == parallel.reset(seed=7)[1]["near"]
    for window in (0, 1, 2, 0):
        seen, reward, _, over, _ = env.step(window)
        of_all, rewards, _, overs, _ = parallel.step({"near": window})
        assert (list(seen), reward, over) == (list(of_all["near"]), rewards["near"], overs["near"])


def test_an_agent_without_an_action_leaves_what_it_set() -> None:
    rewards = []
    for actions in ({"near": 2, "far": 0}, {"far": 0}):
        env = both()
        env.reset(seed=3)
        env.step({"near": 2, "far": 0})
        rewards.append(env.step(actions)[1])
    assert rewards[0] == rewards[1]


def test_what_is_wrong_is_said_before_anything_learns() -> None:
    with pytest.raises(RunError, match=r'agents\["other"\]: station.0.adapter.cw_min is what near sets'):
        airloom.gym.ParallelEnv(CELL, {"near": agent(0, "near"), "other": agent(0, "far")})
    with pytest.raises(RunError, match="at least one"):
        airloom.gym.ParallelEnv(CELL, {})
    with pytest.raises(UnknownNameError, match="middle"):
        airloom.gym.ParallelEnv(CELL, {"near": agent(0, "near", reward="middle.goodput")})
    with pytest.raises(RunError, match="needs a list of names"):
        agent(0, "near", observe="flows.goodput")
    env = both()
    with pytest.raises(RunError, match="call reset first"):
        env.step({"near": 0})
    env.reset(seed=1)
    with pytest.raises(RunError, match="'middle' is none of the agents"):
        env.step({"middle": 0})
    with pytest.raises(RunError, match="no action"):
        env.step({"near": 3})
