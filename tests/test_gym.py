"""A run in steps, and environments of Gymnasium over it."""

from __future__ import annotations

import os
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import airloom
import airloom.gym
from airloom.errors import RunError, ScenarioError, UnknownNameError
from small_cells import cell, flow, station

WINDOWS = [15, 63, 255]
CELL = cell(
    "A small crowd",
    "1 s",
    station("sta", "5 m", "count = 3"),
    flow("sta", "server", 'kind = "udp"', name="up", rate="saturated"),
    flow("server", "sta", name="down"),
)


def env(**other: Any) -> airloom.gym.Env:
    """An environment of that cell, in steps of a quarter."""
    known: dict[str, Any] = {
        "every": "250 ms",
        "act": {"ap.0.wmm.be.cw_min": WINDOWS},
        "observe": ["sta.ampdus", "flows.goodput", "ap.airtime"],
        "reward": "flows.goodput",
    }
    return airloom.gym.Env(CELL, **(known | other))


def episode(one: airloom.gym.Env, **reset: Any) -> list[tuple[float, list[float]]]:
    """The rewards and what was seen, with each window in turn."""
    one.reset(**reset)
    seen: list[tuple[float, list[float]]] = []
    over = False
    while not over:
        found, reward, ended, over, _ = one.step(len(seen) % len(WINDOWS))
        assert not ended
        seen.append((reward, list(found)))
    return seen


def test_steps_without_a_change_are_the_run() -> None:
    steps = list(airloom.steps(CELL, every="250 ms", seed=4))
    whole = airloom.run(CELL, set={"record.every": "250 ms"}, seed=4)
    assert [step.time for step in steps] == [0.25, 0.5, 0.75, 1.0]
    for name in ("up1", "up2", "up3"):
        line = whole.series.get(name, "goodput").values
        assert [step.sum(name, "goodput") for step in steps] == pytest.approx(line)
    assert steps[0].sum("up", "goodput") == pytest.approx(sum(steps[0].of("up", "goodput")))


def test_a_run_that_is_over_gives_its_summary() -> None:
    run = airloom.steps(CELL, every="250 ms")
    assert len(list(run)) == 4
    assert run.next() is None
    assert run.end()["duration_s"] == 1.0


def test_a_run_that_has_ended_gives_its_summary_once() -> None:
    run = airloom.steps(CELL, every="250 ms")
    run.next()
    assert run.end()["duration_s"] == 0.25
    assert run.next() is None
    with pytest.raises(RunError, match="ended before"):
        run.end()
    with pytest.raises(RunError, match="no step was taken"):
        airloom.steps(CELL, every="250 ms").end()


def test_what_is_fixed_or_wrong_is_refused_and_the_run_goes_on() -> None:
    run = airloom.steps(CELL, every="250 ms")
    with pytest.raises(RunError, match=r'set\["ap.0.wmm.be.aifsn"\]: .*of both can be changed'):
        run.next({"ap.0.wmm.be.aifsn": 9})
    with pytest.raises(ScenarioError, match="cw_min"):
        run.next({"ap.0.wmm.be.cw_min": 16})
    assert [step.time for step in run] == [0.25, 0.5, 0.75, 1.0]


def test_nothing_of_a_name_is_told() -> None:
    step = airloom.steps(CELL, every="250 ms").next()
    assert step
    with pytest.raises(UnknownNameError, match="did you mean 'sta'"):
        step.sum("stb", "goodput")
    with pytest.raises(UnknownNameError, match="did you mean 'goodput'"):
        step.sum("flows", "godput")
    with pytest.raises(UnknownNameError, match="which is of nodes"):
        step.sum("up", "ampdus")


def test_a_group_of_stations_stands_for_its_flows_too() -> None:
    step = airloom.steps(CELL, every="500 ms").next()
    assert step
    assert len(step.of("sta", "ampdus")) == 3
    assert sorted(step.of("sta", "goodput")) == sorted([*step.of("up", "goodput"), *step.of("down", "goodput")])
    assert step.sum("sta1", "goodput") == step.sum("up1", "goodput") + step.sum("down1", "goodput")
    assert "values" not in repr(step)


def test_a_hook_cannot_take_a_step_of_its_own_run() -> None:
    held: list[Any] = []

    @airloom.congestion_control("steps-itself")
    class Steps:
        def grow(self, cwnd: float) -> float:
            held[0].next()
            return cwnd

    held.append(airloom.steps(CELL, every="250 ms", set={"flow.down.tcp.congestion": "steps-itself"}))
    with pytest.raises(airloom.OwnClassError, match="in the midst of a step"):
        held[0].next()


def test_a_run_does_not_go_on_in_a_forked_process() -> None:
    run = airloom.steps(CELL, every="250 ms")
    child = os.fork()
    if child == 0:
        try:
            run.next()
        except RunError as error:
            os._exit(0 if "forked" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert run.next()


def test_a_mean_stays_what_it_was_where_nothing_was_measured() -> None:
    late = {"flow.down.stop": "0.3 s", "flow.up.stop": "0.3 s"}
    seen = [found for _, (found,) in episode(env(observe=["down.rtt"], set=late), seed=3)]
    assert seen[0] > 0
    assert seen[-1] == seen[-2] > 0


def test_an_error_in_a_hook_ends_the_run_where_it_was_raised() -> None:
    @airloom.congestion_control("breaks-in-steps")
    class Breaks:
        def grow(self, now: float, cwnd: float) -> float:
            if now > 0.3:
                raise ValueError("on purpose")
            return cwnd

    run = airloom.steps(CELL, every="250 ms", set={"flow.down.tcp.congestion": "breaks-in-steps"})
    assert run.next()
    with pytest.raises(airloom.OwnClassError, match="on purpose"):
        run.next()
    assert run.next() is None


def test_gymnasium_finds_environments_sound() -> None:
    for one in (env(), env(act={"ap.0.wmm.be.cw_min": WINDOWS, "ap.0.wmm.vo.cw_min": [3, 7]})):
        with warnings.catch_warnings():
            # Figures are in their own units, which have no bounds.
            warnings.filterwarnings("ignore", message=".*observation space.*")
            check_env(one, skip_render_check=True)


@pytest.mark.parametrize(
    ("key", "values", "set"),
    [
        ("station.0.rate", ["MCS 0", "MCS 15"], {}),
        ("ap.0.wmm.be.txop_limit", ["0 s", "2528 us"], {}),
        (
            "station.0.adapter.tx_power",
            ["0 dBm", "20 dBm"],
            {"ap.0.position": ["0 m", "0 m"], "station.0.position": ["9 m", "0 m"]},
        ),
        (
            "ap.0.queue",
            [{"discipline": "mac80211", "target": target} for target in ("1 ms", "20 ms")],
            {"ap.0.queue": {"discipline": "mac80211"}},
        ),
        ("ap.0.adapter.aql", [{"high": "5 ms"}, {"high": "50 ms"}], {"ap.0.adapter": "ath10k"}),
    ],
)
def test_what_a_running_world_can_change_an_agent_can_set(key: str, values: list[Any], set: dict[str, Any]) -> None:
    one = cell(
        "One station", "1 s", station("sta", "5 m", 'rate = "MCS 7"'), flow("server", "sta"), flow("sta", "server")
    )
    if "station.0.position" in set:
        one = one.replace('distance = "5 m"\n', "")
    known: dict[str, Any] = {"observe": ["sta.ampdus"], "reward": "flows.goodput", "every": "250 ms"}
    env = airloom.gym.Env(one, act={key: values}, set=set, **known)
    rewards = []
    for place in (0, 1):
        env.reset(seed=1)
        rewards.append([env.step(place)[1] for _ in range(4)])
    assert rewards[0] != rewards[1]


class Held:
    """A window that is what somebody sets."""

    window = 10

    def grow(self) -> float:
        """It is that, whatever it was."""
        return Held.window


def held(window: int) -> None:
    """Sets it."""
    Held.window = window


def test_a_function_may_be_set_which_a_class_of_ones_own_reads() -> None:
    airloom.congestion_control("held-by-an-agent")(Held)
    one = env(act={held: [2, 40]}, set={"flow.down.tcp.congestion": "held-by-an-agent"}, observe=["down.cwnd"])
    one.reset(seed=1)
    windows = [one.step(place)[0][0] for place in (0, 0, 1, 1)]
    assert windows[1] == pytest.approx(2, abs=0.2)
    assert windows[3] == pytest.approx(40, abs=2)
    one.reset(seed=1)
    with pytest.raises(RunError, match="from 0 to 1 for held"):
        one.step(2)


def test_a_seed_gives_the_same_episodes_again_and_others_differ() -> None:
    one = env(vary={"station.sta.count": [2, 3, 4]})
    first = [episode(one, seed=5), episode(one), episode(one)]
    again = pickle.loads(pickle.dumps(one))  # noqa: S301 - as a process of its own gets it
    assert [episode(again, seed=5), episode(again), episode(again)] == first
    assert first[0] != first[1] != first[2]


def test_options_choose_what_is_drawn_and_the_runs_seed() -> None:
    one = env(vary={"station.sta.count": [2, 3, 4]})
    _, told = one.reset(options={"station.sta.count": 4, "seed": 7})
    assert told == {"seed": 7, "drawn": {"station.sta.count": 4}}
    _, _, _, _, info = one.step(0)
    assert len(info["step"].of("sta", "ampdus")) == 4
    with pytest.raises(RunError, match="none of `vary`"):
        one.reset(options={"station.sta.snr": "3 dB"})


def test_the_last_step_has_the_summary_and_there_is_none_behind_it() -> None:
    one = env()
    with pytest.raises(RunError, match="call reset first"):
        one.step(0)
    one.reset(seed=1)
    for strange in (3, -1, 0.5, "a", [0, 0]):
        with pytest.raises(RunError, match=r"whole number from 0 to 2 for ap.0.wmm.be.cw_min"):
            one.step(strange)
    infos = [one.step(0)[-1] for _ in range(4)]
    assert ["summary" in info for info in infos] == [False, False, False, True]
    with pytest.raises(RunError, match="call reset first"):
        one.step(0)


def test_a_reward_may_be_a_function_of_the_step() -> None:
    one = env(reward=lambda step: -step.time)
    one.reset(seed=1)
    assert [one.step(0)[1] for _ in range(2)] == [-0.25, -0.5]
    assert isinstance(one.step(np.int64(1))[1], float)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"act": {}}, "needs keys"),
        ({"act": ["ap.0.wmm.be.cw_min"]}, "needs a dict"),
        ({"act": {"ap.0.wmm.be.cw_min": []}}, "needs a list of the values"),
        ({"act": {"ap.0.queue": "fifo"}}, "needs a list of the values"),
        ({"act": {"ap.0.adapter": ["ath9k", "dcf"]}}, "fixed while it runs"),
        ({"observe": []}, "needs a list of names"),
        ({"observe": "flows.goodput"}, "needs a list of names"),
        ({"reward": None}, "needs a name and a metric, or a function"),
        ({"observe": ["goodput"]}, "needs a name and a metric"),
        ({"vary": {"station.sta.count": []}}, "needs a list of the values"),
        ({"vary": {"seed": [1, 2]}}, "draws a seed of its own"),
    ],
)
def test_what_cannot_be_learned_from_is_refused_at_once(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(RunError, match=says):
        env(**wrong)


def test_a_name_or_a_metric_that_there_is_not_is_refused_at_once() -> None:
    with pytest.raises(UnknownNameError, match="sta"):
        env(observe=["stb.goodput"])
    with pytest.raises(UnknownNameError, match="did you mean 'goodput'"):
        env(observe=["flows.godput"])
    with pytest.raises(UnknownNameError, match="which is of nodes"):
        env(observe=["up.ampdus"])


def test_what_goes_wrong_later_is_refused_at_once() -> None:
    with pytest.raises(ScenarioError, match="whole number, not text"):
        env(vary={"station.sta.count": [2, "many"]})
    with pytest.raises(UnknownNameError, match="sta3"):
        env(observe=["sta3.airtime"], vary={"station.sta.count": [3, 2]})
    with pytest.raises(ScenarioError, match="cw_m"):
        env(act={"ap.0.wmm.be.cw_min": [15, 255], "ap.0.wmm.be.cw_max": [63, 1023]})
