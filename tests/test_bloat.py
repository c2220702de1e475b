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
        ({"1": 281.0, "2": 261.0, "3": 90.0}, True),
    ],
    ids=["at each place", "worst against worst alone", "slow at one", "slow where the others are not"],
)
def test_pings_without_restraint_are_clearly_longer_at_each_slow_place(windows: dict[str, float], longer: bool) -> None:
    assert bloat.longer({**HELD, "none": {"1": 800.0, "2": 700.0}, "windows": windows}) is longer


def test_a_gain_is_clear_for_each_sender_at_each_place() -> None:
    before = {"tsq": {"1": 65.0}, "none": {"1": 800.0, "2": 700.0}}
    assert bloat.gains(before, {"tsq": {"1": 60.0}, "none": {"1": 60.0, "2": 340.0}})
    assert not bloat.gains(before, {"tsq": {"1": 20.0}, "none": {"1": 60.0, "2": 360.0}})
