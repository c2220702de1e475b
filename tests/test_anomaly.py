"""The measures of the anomaly paper, on numbers whose answer is known."""

from __future__ import annotations

import pytest

from airloom.papers.measure import module_of
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


def test_a_window_is_small_where_it_is_below_all_others() -> None:
    assert anomaly.small([445, 442, 523, 524, 471, 580, 40, 33])
    assert not anomaly.small([445, 442, 523, 524, 471, 580, 845, 33]), "large at 6"
    assert not anomaly.small([445, 442, 523, 524, 471, 30, 40, 33]), "smaller at 5"


def test_a_near_station_is_pulled_down_to_a_value_that_is_alike() -> None:
    assert anomaly.pulled_down([(17.7, 15.4), (5.0, 5.2)])
    assert not anomaly.pulled_down([(17.7, 15.4), (5.9, 4.5)]), "a third more is not alike"


def test_what_goes_together_is_correlated() -> None:
    assert anomaly.correlation([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1)
    assert anomaly.correlation([(1, 1), (2, 0), (3, 1)]) == pytest.approx(0)
