"""The measures of the anomaly paper, on numbers whose answer is known."""

from __future__ import annotations

import math

import pytest

from airloom.papers.grid_runs import GridRuns
from airloom.papers.measure import module_of
from airloom.results.series import Series
from conftest import ROOT

anomaly = module_of(ROOT / "papers" / "anomaly" / "measures.py")


def test_a_trend_falls_also_where_neighbours_change_places() -> None:
    assert anomaly.falls([57, 50, 46, 31, 33, 23, 24, 22])
    assert not anomaly.falls([50, 51, 49, 50, 52, 48, 50, 51])
    assert not anomaly.falls([22, 24, 23, 33, 31, 46, 50, 57])
    assert not anomaly.falls([57, 50, 46, 12, 13, 23, 24, 22])
    assert anomaly.falls([57, 50, 46, 31, 33, 23, 18, 26]), "6 and 7 have the same data rate"
    assert not anomaly.falls([57, 50, 46, 31, 33, 23, 18, 27]), "7 alone is above 5"
    assert not anomaly.falls([57, 50, 51, 50, 50, 49, 40, 52]), "7 alone has not fallen"


RATES = [260, 200, 150, 100, 90, 50, 16, 24]


@pytest.mark.parametrize(
    ("changed", "steps"),
    [
        ({}, True),
        ({5: 80}, True),
        ({5: 82}, False),
        ({4: 85}, False),
        ({7: 26}, False),
        ({1: 230}, True),
        ({1: 252}, False),
    ],
    ids=["as published", "5 a line below 4", "5 as 4", "3 and 4 not alike", "6 and 7 ten apart", "1 below 0", "1 as 0"],
)
def test_data_rates_step_down_but_for_two_pairs(changed: dict[int, float], steps: bool) -> None:
    assert anomaly.steps_down([changed.get(at, rate) for at, rate in enumerate(RATES)]) is steps


@pytest.mark.parametrize(
    ("window", "small"),
    [
        ([445, 442, 523, 524, 471, 580, 40, 33], True),
        ([445, 442, 523, 524, 471, 580, 845, 33], False),
        ([445, 442, 523, 524, 471, 30, 40, 33], False),
        ([100, 100, 100, 100, 100, 100, 70, 80], False),
    ],
    ids=["clearly", "large at 6", "smaller at 5", "not clearly"],
)
def test_a_window_is_small_where_it_is_below_all_others(window: list[float], small: bool) -> None:
    assert anomaly.small(window) is small


def test_fifo_exceeds_the_others_by_a_factor_where_that_is_said() -> None:
    by = {"fifo": [130, 100, 100], "sfq": [100, 90, 110], "codel": [50, 50, 50]}
    assert anomaly.exceeds(by, 1.25, [0])
    assert not anomaly.exceeds(by, 1.25, [0, 1])
    assert not anomaly.exceeds(by, 1.0, [2]), "alike is not larger"


def test_codel_and_fq_codel_are_lower_still_than_sfq() -> None:
    by = {"fifo": [400.0] * 8, "sfq": [100.0] * 8, "codel": [90.0] * 8, "fq_codel": [80.0] * 8}
    assert anomaly.lower_still(by)
    assert not anomaly.lower_still(by | {"fq_codel": [80.0] * 6 + [110.0] * 2})
    assert not anomaly.lower_still(by | {"codel": [90, 90, 101, 90, 90, 90, 90, 90]})
    assert anomaly.is_below(by["sfq"], by["fifo"])
    assert not anomaly.is_below([100.0] * 7 + [400.0], by["fifo"])


def test_disciplines_are_alike_within_a_share() -> None:
    assert anomaly.alike([50, 55, 48])
    assert not anomaly.alike([50, 56, 44]), "two of them differ by 27 %, though each is near the mean"
    assert not anomaly.alike([0.5, 0.6, 0.5]), "nor where both are next to nothing"


def test_the_near_station_is_above_the_far_one_by_what_each_position_asks() -> None:
    far = [50.0, 40, 30, 20, 20, 10, 2, 2]
    assert anomaly.near_above([54, 41, 31, 21, 24, 11, 3, 3], far)
    assert not anomaly.near_above([54, 41, 29, 21, 24, 11, 3, 3], far), "below at 2"
    assert not anomaly.near_above([54, 41, 31, 21, 22, 11, 3, 3], far), "not clearly above at 4"
    assert not anomaly.near_above([54, 41, 31, 19, 24, 11, 3, 3], far), "below at 3"


def test_a_time_frame_is_the_seconds_around_the_best_one() -> None:
    assert anomaly.frame([5, 50, 80, 60, 5, 70]) == 3
    assert anomaly.frame([5, 30, 80, 30]) == 1
    assert anomaly.frame([5, 30]) == 0


def test_a_rate_is_constant_while_a_throughput_fluctuates() -> None:
    rate, goodput = [240.0, 250.0, 260.0] * 20, [5.0, 10.0, 60.0] * 20
    assert anomaly.almost_constant(rate)
    assert not anomaly.almost_constant(goodput)
    assert anomaly.fluctuates(goodput)
    assert anomaly.fluctuates([40.0, 60.0, 80.0] * 20)
    almost = [46.0, 60.0, 74.0] * 20
    assert anomaly.almost_constant(almost)
    assert not anomaly.fluctuates(almost), "no series is both"
    assert not anomaly.almost_constant([20.0, 40.0, 60.0] * 20)


def over_time(values: list[float]) -> Series:
    """A series of a second each."""
    return Series("to-near", "goodput", "Mbit/s", [float(time) for time in range(len(values))], values)


def test_a_course_falls_then_grows_then_gets_smaller() -> None:
    published = [5.0] + [50.0] * 9 + [20.0] * 10 + [80.0] * 20 + [40.0] * 20 + [18.0] * 20
    ends = {
        "published": anomaly.after(over_time(published), 0.75, anomaly.SPELL),
        "never falls": anomaly.after(over_time([50.0] * 20 + published[20:]), 0.75, anomaly.SPELL),
        "falls late": anomaly.after(over_time([50.0] * 30 + published[10:]), 0.75, anomaly.SPELL),
        "grows too little": anomaly.after(over_time([min(value, 50.0) for value in published]), 0.75, anomaly.SPELL),
        "stays": anomaly.after(over_time(published[:40]), 0.75, anomaly.SPELL),
    }
    found = {name: anomaly.lowest_decade(series) for name, series in ends.items()}
    assert found.pop("published") == 18.0
    assert found.pop("stays") == 80.0
    assert all(map(math.isnan, found.values()))


def test_each_of_two_stations_is_ahead_in_turn() -> None:
    near, far = [60.0] * 20 + [40.0] * 20, [40.0] * 20 + [60.0] * 20
    assert anomaly.takes_turns(over_time(near), over_time(far))
    assert not anomaly.takes_turns(over_time([60.0] * 40), over_time([40.0] * 40))
    assert not anomaly.takes_turns(over_time([60.0, 40.1] * 20), over_time([50.0] * 40)), "no single seconds"
    short = [60.0] * 20 + [45.0] * 4 + [60.0] * 20
    assert not anomaly.takes_turns(over_time(short), over_time([50.0] * 44)), "four seconds are no time frame"


def test_a_window_falls_sharply_and_grows_again() -> None:
    assert anomaly.falls_and_grows(over_time([200.0] * 20 + [80.0] * 5 + [120.0] * 20))
    assert not anomaly.falls_and_grows(over_time([200.0] * 20 + [120.0] * 5 + [180.0] * 20)), "not sharply"
    assert not anomaly.falls_and_grows(over_time([200.0] * 20 + [80.0] * 30)), "stays down"
    assert not anomaly.falls_and_grows(over_time([200.0] * 40 + [80.0] * 5 + [120.0] * 20)), "falls late"


@pytest.mark.parametrize(
    ("seconds", "around"),
    [([200.0] * 20, True), ([180.0] * 10 + [220.0] * 10, True), ([80.0] * 10 + [320.0] * 10, False)],
    ids=["held", "about", "its mean alone"],
)
def test_a_window_is_around_200_in_its_seconds_too(seconds: list[float], around: bool) -> None:
    assert anomaly.around_200(over_time(seconds)) is around


def test_the_near_station_has_less_at_7_than_in_the_other_cases() -> None:
    assert anomaly.lower_at_7([50, 40, 40, 30, 30, 20, 20, 20])
    assert not anomaly.lower_at_7([50, 40, 40, 30, 30, 20, 20, 33])


def test_one_and_the_same_station_is_excused() -> None:
    excused, rest = anomaly.but_one({"near1": [260, 240], "near2": [160, 250], "near3": [250, 260]})
    assert (excused, rest) == ("near2", [[260, 240], [250, 260]])
    assert anomaly.sometimes_low([155, 250, 195])
    assert not anomaly.sometimes_low([175, 250]), "neither 150 nor 200"
    assert not anomaly.sometimes_low([260, 250]), "never low"
    assert not anomaly.sometimes_low([155, 195]), "low everywhere"
    assert not anomaly.sometimes_low([130, 250])


def test_data_rates_decrease_along_with_the_location_at_each_step() -> None:
    assert anomaly.decrease(RATES)
    assert not anomaly.decrease([260, 259, 258, 100, 90, 50, 16, 24]), "0 to 2 look alike"


def test_the_seconds_of_the_far_station_are_around_1_too() -> None:
    assert anomaly.between([0.5, 1.0, 1.5] * 20, anomaly.AROUND_1)
    assert not anomaly.between([0.0, 0.0, 3.0] * 20, anomaly.AROUND_1)


WINDOWS = {"to-near1": [300, 300, 300], "to-near2": [310, 290, 300], "to-near3": [290, 310, 300]}
"""Of a position at which the far station is fast, and two at which it is slow."""


@pytest.mark.parametrize(
    ("far", "similar", "slightly"),
    [
        ([305, 270, 280], True, True),
        ([200, 270, 280], False, True),
        ([335, 270, 280], False, True),
        ([305, 310, 280], True, False),
        ([305, 310, 250], True, False),
        ([305, 200, 280], True, False),
    ],
    ids=["slightly", "not alike where fast", "16 % apart", "larger where slow", "only as a mean", "a third smaller"],
)
def test_windows_are_similar_and_the_far_one_slightly_smaller_on_slow_links(
    far: list[float], similar: bool, slightly: bool
) -> None:
    windows = {**WINDOWS, "to-far": far}
    slow = [False, True, True]
    assert (anomaly.similar(windows, slow), anomaly.slightly_smaller(windows, slow)) == (similar, slightly)


def test_near_windows_are_alike_also_where_the_far_station_is_slow() -> None:
    windows = {**WINDOWS, "to-near3": [290, 310, 340], "to-far": [305, 270, 280]}
    assert anomaly.similar(windows, [False, True, True])
    assert not anomaly.similar({**windows, "to-near3": [290, 310, 400]}, [False, True, True]), "a third above"


class Seconds:
    """A run in which each flow's throughput takes these values, second by second."""

    def __init__(self, goodput: dict[str, list[float]]) -> None:
        """In Mbit/s."""
        self.goodput = goodput
        self.run = self.table = self

    def get(self, flow: str, _: str) -> Series:
        """A flow's series."""
        return over_time(self.goodput[flow])

    def total(self, flow: str, _: str) -> float:
        """Its mean."""
        return sum(self.goodput[flow]) / len(self.goodput[flow])


def test_position_0_holds_with_seconds_that_fluctuate_largely() -> None:
    """As `rate.steady` asks of the same seconds: no bound of one excludes the other."""
    high, low = [80.0, 50.0, 30.0] * 10, [70.0, 45.0, 25.0] * 10
    run = Seconds({"to-near": high + low, "to-far": low + high})
    place = {"discipline": "fifo", "position": "0"}
    ours = anomaly.both_at_position_0(GridRuns([(place, run)]))  # type: ignore[list-item]
    assert ours.sound
    assert anomaly.fluctuates(high + low)


def test_position_0_has_high_throughput_throughout() -> None:
    high, low = [80.0, 50.0, 30.0] * 10, [70.0, 45.0, 15.0] * 10
    run = Seconds({"to-near": high + low, "to-far": low + high})
    place = {"discipline": "fifo", "position": "0"}
    assert not anomaly.both_at_position_0(GridRuns([(place, run)])).sound  # type: ignore[list-item]


def test_a_near_station_is_pulled_down_to_a_value_that_is_alike() -> None:
    assert anomaly.pulled_down([(17.7, 15.4), (5.0, 5.2)])
    assert not anomaly.pulled_down([(17.7, 15.4), (5.9, 4.5)]), "a third more is not alike"


def test_what_goes_together_is_correlated() -> None:
    assert anomaly.correlation([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1)
    assert anomaly.correlation([(1, 1), (2, 0), (3, 1)]) == pytest.approx(0)
