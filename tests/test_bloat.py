"""The measures of the bloat paper, on numbers whose answer is known."""

from __future__ import annotations

import pytest

from airloom.papers import paper
from airloom.papers.claim import read_claims
from airloom.papers.grid_runs import GridRuns
from airloom.papers.measure import module_of
from conftest import ROOT

bloat = module_of(ROOT / "papers" / "bloat" / "measures.py")

HELD = {"tsq": {"1": 65.0, "2": 65.0}, "codel": {"1": 140.0, "2": 130.0}}


@pytest.mark.parametrize(
    ("windows", "longer"),
    [
        ({"1": 281.0, "2": 261.0}, True),
        ({"1": 211.0, "2": 320.0}, False),
        ({"1": 281.0}, True),
        ({}, False),
        ({"1": 281.0, "2": 261.0, "3": 90.0}, False),
    ],
    ids=[
        "at each place",
        "worst against worst alone",
        "slow at one",
        "slow nowhere",
        "bearable where the others are not slow",
    ],
)
def test_pings_without_restraint_are_long_at_each_slow_place(windows: dict[str, float], longer: bool) -> None:
    assert bloat.longer({**HELD, "none": {"1": 800.0, "2": 700.0}, "windows": windows}) is longer


def test_pings_without_restraint_are_clearly_longer_than_those_with_it() -> None:
    free = {"none": {"1": 300.0, "2": 300.0}}
    assert bloat.longer({**free, "tsq": {"1": 230.0, "2": 200.0}})
    assert not bloat.longer({**free, "tsq": {"1": 250.0, "2": 200.0}})


@pytest.mark.parametrize(
    ("after", "gains"),
    [
        ({"1": 60.0, "2": 500.0}, True),
        ({"1": 60.0, "2": 530.0}, False),
        ({"1": 410.0, "2": 60.0}, True),
        ({"1": 600.0, "2": 60.0}, False),
        ({"2": 340.0}, True),
        ({}, False),
    ],
    ids=[
        "clear at each",
        "not at 2",
        "clear, but not halved at the worst",
        "not clear at the worst",
        "1 is not slow any more",
        "no place is",
    ],
)
def test_a_gain_is_clear_for_each_sender_at_each_place(after: dict[str, float], gains: bool) -> None:
    before = {"tsq": {"1": 65.0}, "none": {"1": 800.0, "2": 700.0}}
    assert bloat.gains(before, {"tsq": {"1": 60.0}, "none": after}) is gains


def test_a_queue_grows_again_beyond_what_the_remedy_keeps() -> None:
    assert bloat.grows(40.0, 60.0)
    assert not bloat.grows(30.0, 48.0), "still as short as below"
    assert not bloat.grows(49.0, 55.0), "not clearly longer"


def test_delay_is_resolved_when_the_ping_is_bearable_and_clearly_shorter() -> None:
    assert bloat.resolved(400.0, 240.0)
    assert not bloat.resolved(700.0, 349.0), "halved, but long"
    assert not bloat.resolved(300.0, 240.0), "not clearly shorter"


def test_the_runs_of_a_cloud_lie_around_its_middle() -> None:
    assert bloat.lie([100.0, 300.0], bloat.PINGS_AROUND_200)
    assert not bloat.lie([99.0, 200.0], bloat.PINGS_AROUND_200)
    assert not bloat.lie([200.0, 301.0], bloat.PINGS_AROUND_200)
    assert not bloat.lie([], bloat.PINGS_AROUND_200), "there is none"


def test_of_the_list_s_number_and_the_words_bound_the_tighter_is_scored() -> None:
    claims = {one.id: one for one in read_claims(paper.read("bloat"))}
    worst, queue = claims["bloat.rtt.none"], claims["bloat.queue.tsq"]
    assert worst.holds(839.0)
    assert not worst.holds(841.0), "20 % of 700, not 30"
    assert queue.holds((60.0, 140.0))
    assert not queue.holds((59.0, 140.0)), "40 % of 100, not 50"
    assert pytest.approx([100 * (1 - 2 * 0.40), 100 * (1 + 2 * 0.40)]) == bloat.QUEUES_AROUND_100


class Stub:
    """A run at a data rate with a ping and a queue."""

    def __init__(self, rate: float, ping: float, queue: float) -> None:
        """In Mbit/s, ms and packets."""
        self.totals = {"ampdu_rate_mbps": rate, "rtt_mean_ms": ping}
        self.run = self
        self.summary = {"nodes": [{"name": "laptop", "queues": [{"mean_packets": queue}]}]}

    def total(self, _: str, metric: str) -> float:
        """A number of the run."""
        return self.totals[metric]


LONG, SHORT = Stub(10.0, 700.0, 600.0), Stub(10.0, 90.0, 30.0)


def matrix(on: list[Stub], *, mac_rate: float = 10.0) -> GridRuns:
    """A slow place: each sender without the remedy, and with it; those with it of Linux are given."""
    senders = ("none", "tsq", "codel", "windows", "mac")
    off = {name: LONG if name not in bloat.HELD_BACK else SHORT for name in senders}
    views = [({"remedy": "off", "place": "1", "sender": name}, view) for name, view in off.items()]
    for name in senders:
        own = on if name == "none" else [Stub(mac_rate if name == "mac" else 10.0, 90.0, 30.0)]
        views += [({"remedy": "on", "place": "1", "sender": name}, view) for view in own]
    return GridRuns(views)  # type: ignore[arg-type]


def test_each_run_with_the_remedy_is_a_point() -> None:
    worst = Stub(10.0, 300.0, 60.0)
    of_pings, of_queues = (bloat.remedied_pings, bloat.remedied_queues)
    assert of_pings(matrix([SHORT, SHORT, SHORT])).value == (90.0, 90.0)
    assert of_pings(matrix([SHORT, SHORT, worst])).value == (90.0, 300.0), "not their mean of 160"
    assert of_queues(matrix([SHORT, SHORT, worst])).value == (30.0, 60.0), "not their mean of 40"


def test_a_sender_that_is_nowhere_slow_shows_nothing() -> None:
    assert bloat.remedied_pings(matrix([SHORT])).sound
    assert not bloat.remedied_pings(matrix([SHORT], mac_rate=30.0)).sound


def test_a_ping_is_small_by_itself_and_not_beside_our_own_slow_one() -> None:
    """240 ms is small, though the slow link has 400."""
    off = [Stub(10.0, 400.0, 600.0), Stub(60.0, 240.0, 600.0)]
    on = [Stub(10.0, 90.0, 30.0), Stub(60.0, 240.0, 90.0)]
    views = [
        ({"remedy": remedy, "place": str(place), "sender": "none"}, view)
        for remedy, runs in (("off", off), ("on", on))
        for place, view in enumerate(runs)
    ]
    assert bloat.queue_grows_again(GridRuns(views)).value is True  # type: ignore[arg-type]
