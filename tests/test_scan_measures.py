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


def exchange(at_us: int, *, retry: bool, asked: bool = False, acked: bool = False) -> list[AirFrame]:
    """A null frame, with RTS and CTS before it and an ACK after it."""
    kinds = [*(("rts", "cts") if asked else ()), "null", *(("ack",) if acked else ())]
    return [
        heard(kind, at_us + 10 * at, at_us + 10 * at + 10, retry=retry and kind == "null")
        for at, kind in enumerate(kinds)
    ]


@pytest.mark.parametrize(
    ("retries", "asked_from", "apart_us", "likewise"),
    [(8, 4, 221, True), (6, 4, 300, False), (8, 9, 221, False), (8, 3, 221, False), (8, 4, 300, False)],
    ids=["as printed", "few retries", "no RTS", "RTS from the third", "long"],
)
def test_a_train_opens_as_the_printed_one(retries: int, asked_from: int, apart_us: int, likewise: bool) -> None:
    frames: list[AirFrame] = []
    for number in range(retries + 1):
        last = number == retries
        frames += exchange(number * apart_us, retry=number > 0, asked=number >= asked_from, acked=last)
    assert scan.opens_likewise(NullFrameTrain(True, frames)) is likewise


@pytest.mark.parametrize(
    ("retries", "acked", "another", "apart_us", "likewise"),
    [
        (4, True, True, 256, True),
        (2, True, True, 426, False),
        (4, False, True, 256, False),
        (4, True, False, 318, False),
        (4, True, True, 400, False),
    ],
    ids=["as printed", "few retries", "no ACK heard", "no other frame", "long"],
)
def test_a_train_closes_as_the_printed_one(
    retries: int, acked: bool, another: bool, apart_us: int, likewise: bool
) -> None:
    frames: list[AirFrame] = []
    for number in range(retries + 1):
        frames += exchange(number * apart_us, retry=number > 0, acked=acked or number == retries)
    if another:
        frames += exchange((retries + 1) * apart_us, retry=False, acked=True)
    assert scan.closes_likewise(NullFrameTrain(False, frames)) is likewise


@pytest.mark.parametrize(
    ("climb", "even", "slowest"),
    [
        ([0, 300, 340, 370, 385, 390, 395, 410, 440, 500], 5 / 40, 0.5),
        ([0, 300, 340, 370, 390, 400, 405, 500], 5 / 40, 0.9),
        ([0, 300, 320, 340, 360, 380, 400, 500], 1.0, 0.1),
    ],
    ids=["cubic", "flattening", "linear"],
)
def test_a_cubic_is_slowest_in_the_middle(climb: list[float], even: float, slowest: float) -> None:
    assert scan.shape(climb) == pytest.approx((even, slowest), abs=0.1)


def test_a_short_climb_has_no_shape() -> None:
    assert scan.shape([300, 310, 320, 330]) is None
    assert scan.climbs(Series("f", "cwnd", "packets", [0.0, 1.0, 2.0, 3.0], [5.0, 6.0, 4.0, 5.0])) == [[5, 6], [4, 5]]


@pytest.mark.parametrize(
    ("smallest", "holds"),
    [([340.0, 320.0], True), ([340.0, 290.0], False)],
    ids=["as low as between scans", "far lower"],
)
def test_a_window_holds_where_a_scan_takes_it_no_lower_than_others_do(smallest: list[float], holds: bool) -> None:
    """From 500 to 320 is 36 %, and what this window does without a scan."""
    assert scan.window_holds(smallest, scan.CUBIC_BETWEEN[0]) is holds


class Stub:
    """A run of one flow that sends this much in normal seconds and in scans."""

    def __init__(self, in_scans: float) -> None:
        """With 100 Mbit/s in normal seconds."""
        self.flow = {"retransmissions": 0}
        self.in_scans = in_scans

    def tcp(self, metric: str) -> str:
        """Which series is meant."""
        return metric

    def normal(self, metric: str) -> Series:
        """A series of the normal seconds."""
        return Series("flow", metric, "", [0.0], [100.0])

    def degraded(self, metric: str) -> Series:
        """A series of the seconds of scans."""
        return Series("flow", metric, "", [0.0], [self.in_scans])


@pytest.mark.parametrize(("newreno", "alike"), [(35.0, True), (20.0, False)])
def test_congestion_controls_that_differ_in_scans_make_a_difference(newreno: float, alike: bool) -> None:
    runs = [Stub(70.0), Stub(70.0), Stub(30.0), Stub(newreno)]
    tsq, tsq_newreno, no_tsq, no_tsq_newreno = runs
    assert scan.congestion_control(tsq, tsq_newreno, no_tsq, no_tsq_newreno).value is alike
