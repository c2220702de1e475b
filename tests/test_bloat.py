"""The measures of the bloat paper, on numbers whose answer is known."""

from __future__ import annotations

import pytest

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
        ({"1": 281.0, "2": 261.0, "3": 90.0}, False),
    ],
    ids=["at each place", "worst against worst alone", "slow at one", "bearable where the others are not slow"],
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
        ({"1": 410.0, "2": 60.0}, False),
        ({"2": 340.0}, True),
        ({}, True),
    ],
    ids=["clear at each", "not at 2", "not halved at the worst", "1 is not slow any more", "no place is"],
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
