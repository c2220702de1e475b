"""Schedulers that are classes in Python: as the built-in turns, by shares of air time, and refused where they fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.errors import OwnClassError, ScenarioError
from own_sweep import swept

if TYPE_CHECKING:
    from pathlib import Path

SCENARIO = "examples/near-and-far.toml"


@airloom.scheduler("first")
class First:
    """The one that has waited longest for its turn."""

    def next(self) -> None:
        """The first of the list."""


@airloom.scheduler("python-round")
class Round:
    """A round that remembers by itself whose turn it is."""

    def __init__(self) -> None:
        """Nobody has come yet."""
        self.order: list[tuple[str, int]] = []

    def next(self, stations: list[str], tids: list[int]) -> int:
        """The one whose last turn is the longest ago."""
        waiting = list(zip(stations, tids, strict=True))
        self.order = [one for one in self.order if one in waiting] + [one for one in waiting if one not in self.order]
        self.order.append(self.order.pop(0))
        return waiting.index(self.order[-1])


@airloom.scheduler("even")
@airloom.scheduler("weighted", weights={"near": 3})
class Weighted:
    """Shares of air time: a deficit round robin."""

    def __init__(self, weights: dict[str, int] | None = None, share: float = 0.000256) -> None:
        """The weight of those that are not named is 1."""
        self.weights, self.share = weights or {}, share
        self.left: dict[str, float] = {}

    def aired(self, station: str, airtime: float) -> None:
        """Air time is charged."""
        self.left[station] = self.left.get(station, 0) - airtime

    def next(self, stations: list[str]) -> int:
        """The first with air time left."""
        while True:
            for place, station in enumerate(stations):
                if self.left.setdefault(station, 0) > 0:
                    return place
            for station in stations:
                self.left[station] += self.share * self.weights.get(station, 1)


def run(turns: str, queue: airloom.Value, seed: int = 1, **keys: airloom.Value) -> dict[str, Any]:
    """The summary of a run with these turns."""
    own = {"duration": "5 s", "ap.0.queue": queue, "ap.0.adapter.turns": turns}
    return dict(airloom.run(SCENARIO, seed=seed, set=own | keys).summary)


@pytest.mark.parametrize(
    "queue", [{"discipline": "fifo"}, {"discipline": "fq_codel"}, {"discipline": "mac80211", "airtime": "off"}]
)
@pytest.mark.parametrize("own", ["first", "python-round"])
def test_a_round_is_as_the_built_in_one(queue: airloom.Value, own: str) -> None:
    built_in, brought = (run(turns, queue) for turns in ("round", own))
    assert built_in["flows"] == brought["flows"]
    assert built_in["nodes"] == brought["nodes"]
    assert all(flow["goodput_mbps"] > 10 for flow in brought["flows"])


UDP: dict[str, Any] = {
    "flow": [
        {"name": f"to-{to}", "kind": "udp", "from": "server", "to": to, "rate": "300 Mbit/s"} for to in ("near", "far")
    ],
    "station.0.rate": "MCS 15",
    "station.1.rate": "MCS 1",
    "station.1.distance": "8 m",
}
"""More for each of two stations than goes, at rates that differ tenfold."""


def goodputs(turns: str, **keys: Any) -> list[float]:
    """Of the near and the far station, in Mbit/s."""
    made = run(turns, {"discipline": "mac80211"}, **UDP, **keys)
    return [flow["goodput_mbps"] for flow in made["flows"]]


def test_shares_of_air_time_are_shares_of_what_each_has_alone() -> None:
    """Who has a share of the air has that share of what goes at its rate: the closed form of sharing by air time."""
    alone = [goodputs("round", **{f"flow.{other}.start": "4.99 s"})[n] for n, other in enumerate((1, 0))]
    assert alone[0] > 5 * alone[1]
    for turns, shares in (("round", (1 / 2, 1 / 2)), ("even", (1 / 2, 1 / 2)), ("weighted", (3 / 4, 1 / 4))):
        found = [each / full for each, full in zip(goodputs(turns), alone, strict=True)]
        assert found == pytest.approx(shares, rel=0.06), turns


def test_the_fastest_first_leaves_the_other_what_is_over() -> None:
    @airloom.scheduler("fastest")
    class Fastest:
        def next(self, rates: list[float]) -> int:
            return rates.index(max(rates))

    near, far = goodputs("fastest")
    assert near > 40 * far


def test_a_hook_is_told_what_it_names() -> None:
    asked: list[dict[str, Any]] = []
    aired: list[dict[str, Any]] = []

    @airloom.scheduler("noting")
    class Noting:
        def next(self, now: float, stations: list[str], tids: list[int], rates: list[float]) -> int:
            asked.append({"now": now, "stations": stations, "tids": tids, "rates": rates})
            return 0

        def aired(self, now: float, station: str, tid: int, airtime: float, up: bool) -> None:
            aired.append({"now": now, "station": station, "tid": tid, "airtime": airtime, "up": up})

    made = run("noting", {"discipline": "fq_codel"})
    assert {tuple(sorted(one["stations"])) for one in asked} == {("far",), ("near",), ("far", "near")}
    assert all(len(one["stations"]) == len(one["tids"]) == len(one["rates"]) for one in asked)
    assert all(6 <= rate <= 300 for one in asked for rate in one["rates"])
    assert [one["now"] for one in aired] == sorted(one["now"] for one in aired)
    assert {one["station"] for one in aired} == {"near", "far"}
    assert {one["up"] for one in aired} == {True, False}
    assert all(0 < one["airtime"] < 0.01 for one in aired)
    [access_point] = [node for node in made["nodes"] if node["name"] == "ap"]
    assert sum(not one["up"] for one in aired) == access_point["frames"]["data"]
    aired.clear()
    made = run("noting", {"discipline": "fq_codel"}, **UDP)
    [access_point] = [node for node in made["nodes"] if node["name"] == "ap"]
    total = sum(one["airtime"] for one in aired)
    assert total == pytest.approx(access_point["airtime_share"] * 5, rel=0.01), "beacons and requests besides"


def test_the_same_seed_gives_the_same_run() -> None:
    once, again, other = (run("weighted", {"discipline": "mac80211"}, seed=seed) for seed in (1, 1, 2))
    assert once == again
    assert once["flows"] != other["flows"]
    [told] = airloom.check(SCENARIO, set={"ap.0.adapter.turns": "weighted"}).settings["ap"]
    assert told["adapter"]["turns"] == "weighted"
    assert "python-round" in json.dumps(airloom.schema())


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ("python-ruond", "did you mean `python-round`?"),
        ("nobodys", "--with MODULE"),
        ("airtime", "shares of air time are `airtime`"),
        ("rr", "did you mean `round`?"),
    ],
)
def test_a_scenario_that_names_no_scheduler_is_refused(turns: str, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        airloom.check(SCENARIO, set={"ap.0.adapter.turns": turns})
    assert said in str(refused.value)


def test_a_class_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(OwnClassError, match="nothing gives turns"):
        airloom.scheduler("idle")(type("Idle", (), {"aired": lambda _: None}))
    with pytest.raises(OwnClassError, match="`round` is built in"):
        airloom.scheduler("round")(First)
    with pytest.raises(OwnClassError, match="`next` cannot be told `airtime`"):
        airloom.scheduler("early")(type("Early", (), {"next": lambda _, airtime: airtime}))


@pytest.mark.parametrize("answer", [2, -1, "near"])
def test_a_wrong_answer_ends_the_run_with_where_it_was(answer: object) -> None:
    airloom.scheduler("odd")(type("Odd", (), {"next": lambda _: answer}))
    with pytest.raises(
        OwnClassError, match=r"`next` of `odd`, 0\.\d+ s into the run: .*a turn is a place in the list, from 0 to"
    ):
        run("odd", {"discipline": "fifo"})


def test_what_a_hook_raises_ends_the_run_with_place_and_time() -> None:
    @airloom.scheduler("tired")
    class Tired:
        def next(self) -> int:
            return 0

        def aired(self, now: float) -> None:
            self.last = 1 / (now < 1.5)

    with pytest.raises(OwnClassError, match=r"`aired` of `tired`, 1\.5\d+ s into the run: ZeroDivisionError") as raised:
        run("tired", {"discipline": "fifo"})
    assert "self.last = 1 / (now < 1.5)" in str(raised.value)


def test_a_sweep_in_processes_knows_the_classes_of_a_module(tmp_path: Path) -> None:
    module = (
        "@airloom.scheduler('mine')\nclass Mine:\n    def next(self, rates):\n        return rates.index(max(rates))\n"
    )
    said = swept(tmp_path, module, SCENARIO, '{ duration = "3 s" }', '"ap.0.adapter.turns" = ["round", "mine"]')
    assert "2 cells: 2 done" in said
