"""The measures of the scan paper, on numbers whose answer is known."""

from __future__ import annotations

import pytest

from airloom.analysis.power_save import NullFrameTrain
from airloom.papers.measure import module_of
from airloom.results.frames import AirFrame
from airloom.results.series import Series
from conftest import ROOT

scan = module_of(ROOT / "papers" / "scan" / "measures.py")


@pytest.mark.parametrize(
    ("changes", "dip"),
    [([-0.07, -0.06], True), ([-0.07, 0.0], True), ([-0.02, -0.01], False), ([-0.07, -0.2], False)],
    ids=["300 to 280 Mbit/s", "in one of two", "scatter", "too much"],
)
def test_a_data_rate_dips_in_some_scan_and_by_much_in_none(changes: list[float], dip: bool) -> None:
    assert scan.dips(changes) is dip


@pytest.mark.parametrize(
    ("ends", "through"),
    [((398.0, 430.0), True), ((410.0, 430.0), False), ((350.0, 420.0), False)],
    ids=["near both", "not down", "not up"],
)
def test_a_window_goes_through_what_it_is_between(ends: tuple[float, float], through: bool) -> None:
    assert scan.gone_through(ends, (350.0, 500.0)) is through


def test_spells_below_a_bar_recur_when_two_begin_a_period_apart() -> None:
    values = [0.5 if second in (10, 11, 50, 140) else 1.0 for second in range(200)]
    series = Series("flow", "goodput", "Mbit/s", [float(second) for second in range(200)], values)
    assert scan.groups(series, 0.8) == [10.0, 50.0, 140.0]
    assert scan.recur([10.0, 50.0, 140.0])
    assert not scan.recur([10.0, 50.0])
    assert not scan.recur([10.0, 160.0])


def heard(kind: str, start_us: int, end_us: int, *, retry: bool = False) -> AirFrame:
    """A frame of a train."""
    return AirFrame(
        1000 * end_us,
        start_us,
        kind,
        None,
        None,
        None,
        retry,
        sleep=True,
        ampdu=None,
        indicates=False,
        length=28,
        channel_mhz=None,
    )


@pytest.mark.parametrize(
    ("retries", "asked", "length_us", "likewise"),
    [(8, True, 1800, True), (3, True, 1800, False), (8, False, 1800, False), (8, True, 2400, False)],
    ids=["as printed", "few retries", "no RTS before the last", "long"],
)
def test_a_train_opens_as_the_printed_one(retries: int, asked: bool, length_us: int, likewise: bool) -> None:
    frames = [heard("null", 100 * number, 100 * number + 50, retry=number > 0) for number in range(retries)]
    frames += [heard(kind, 900, 950) for kind in ("rts", "cts") if asked]
    frames += [heard("null", 1000, length_us, retry=True)]
    assert scan.opens_likewise(NullFrameTrain(True, frames)) is likewise
