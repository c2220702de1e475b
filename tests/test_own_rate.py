"""Rate controls that are classes in Python: as the built-in one, and refused where they cannot be used."""

from __future__ import annotations

from typing import Any

import pytest

import airloom
from airloom.errors import OwnClassError, RunError, ScenarioError

SCENARIO = "examples/download.toml"


class Onoe:
    """Onoe, as `crates/engine/wifi/src/rate_control/onoe.rs` has it."""

    def __init__(self, period: float = 1.0) -> None:
        """Nothing is counted."""
        self.period, self.until = period, period
        self.rate = self.highest = self.credits = 0
        self.good = self.bad = self.retries = 0

    def started(self, rates: list[float]) -> list[tuple[int, int]]:
        """It begins at 36 Mbit/s, or at the highest rate of 802.11b."""
        self.highest = len(rates) - 1
        self.rate = self.highest if rates[-1] < 12 else max(at for at, rate in enumerate(rates) if rate <= 36)
        return self.chain()

    def chain(self) -> list[tuple[int, int]]:
        """Four attempts, then two at each of the rates below."""
        return [(max(self.rate - down, 0), attempts) for down, attempts in ((0, 4), (1, 2), (2, 2))]

    def completed(self, now: float, attempts: int, mpdus: int, succeeded: int) -> list[tuple[int, int]]:
        """Counts, and judges a period that is over."""
        self.good += succeeded
        self.bad += mpdus - succeeded
        self.retries += (attempts - 1) * mpdus
        if now >= self.until:
            self.until = now + self.period
            self.judge()
        return self.chain()

    def judge(self) -> None:
        """Down at once, up after ten periods with few retries."""
        enough, before = self.good + self.bad >= 10, self.rate
        if (self.bad > 0 and self.good == 0) or (enough and self.good < self.retries):
            self.rate, self.credits = max(self.rate - 1, 0), 0
        elif enough and self.bad == 0 and self.retries < self.good * 10 // 100:
            self.credits += 1
            if self.credits >= 10:
                self.rate, self.credits = min(self.highest, self.rate + 1), 0
        elif enough:
            self.credits = max(self.credits - 1, 0)
        if enough or self.rate != before:
            self.good = self.bad = self.retries = 0


airloom.rate_control("python-onoe")(Onoe)


def run(rate: str, **keys: str) -> airloom.Run:
    """A run with this rate control."""
    return airloom.run(SCENARIO, set={"station.0.rate": rate, **keys})


@pytest.mark.parametrize("snr", ["6 dB", "10 dB"])
def test_a_control_chooses_as_the_built_in_one(snr: str) -> None:
    keys = {"duration": "20 s", "station.0.snr": snr, "air.fading": "3 dB"}
    built_in, own = (run(name, **keys).summary for name in ("onoe", "python-onoe"))
    assert max(node.get("mpdu_retries", 0) for node in built_in["nodes"]) > 100
    assert built_in["nodes"] == own["nodes"]
    assert built_in["flows"] == own["flows"]


def test_a_hook_is_told_what_it_names_and_its_choice_holds() -> None:
    told: list[dict[str, Any]] = []

    class Notebook:
        def started(self, rates: list[float]) -> int:
            told.append({"rates": rates})
            return 3

        def completed(self, now: float, place: int, attempts: int, mpdus: int, succeeded: int) -> None:
            told.append({"now": now, "place": place, "attempts": attempts, "mpdus": mpdus, "succeeded": succeeded})

    airloom.rate_control("told")(Notebook)
    run("told", duration="3 s")
    links = [one["rates"] for one in told if "rates" in one]
    assert len(links) == 2, "one for each direction"
    assert links[0] == sorted(links[0])
    done = [one for one in told if "now" in one]
    assert {one["place"] for one in done} == {3}
    assert all(0 <= one["succeeded"] <= one["mpdus"] and one["attempts"] >= 1 for one in done)
    assert max(one["mpdus"] for one in done) > 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (1000, r"a rate is a place in the list, from 0 to \d+, not 1000"),
        (-1, "a choice is a place in the list of rates"),
        ("fast", "a choice is a place in the list of rates"),
        ([], "up to four pairs of a place and attempts"),
        ([(0, 1)] * 5, "up to four pairs of a place and attempts"),
        ([(0, 0)], "up to four pairs of a place and attempts"),
    ],
)
def test_an_answer_that_is_no_choice_is_refused(answer: object, said: str) -> None:
    class Odd:
        def completed(self) -> object:
            return answer

    airloom.rate_control("odd")(Odd)
    with pytest.raises(RunError, match=said):
        run("odd", duration="3 s")


def test_what_cannot_be_brought_is_refused() -> None:
    with pytest.raises(OwnClassError, match="`minstrel` is built in"):
        airloom.rate_control("minstrel")(Onoe)
    with pytest.raises(OwnClassError, match="nothing chooses a rate"):
        airloom.rate_control("nothing")(type("Nothing", (), {}))
    with pytest.raises(OwnClassError, match="`complete` is no hook; did you mean `completed`"):
        airloom.rate_control("near")(type("Near", (), {"complete": lambda self: self}))


def test_a_control_is_of_one_kind() -> None:
    with pytest.raises(ScenarioError, match="`congestion` cannot be"):
        airloom.check(SCENARIO, set={"flow.0.tcp.congestion": "python-onoe"})
    with pytest.raises(ScenarioError, match="`rate` cannot be"):
        airloom.check(SCENARIO, set={"station.0.rate": "nobodys"})
