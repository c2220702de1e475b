"""The measures of the anomaly paper, on numbers whose answer is known."""

from __future__ import annotations

import pytest

from airloom.papers.measures import anomaly


def test_a_trend_falls_also_where_neighbours_change_places() -> None:
    assert anomaly.falls([57, 50, 46, 31, 33, 23, 24, 22])
    assert not anomaly.falls([50, 51, 49, 50, 52, 48, 50, 51])
    assert not anomaly.falls([22, 24, 23, 33, 31, 46, 50, 57])
    assert not anomaly.falls([57, 50, 46, 12, 13, 23, 24, 22])
    assert anomaly.falls([57, 50, 46, 31, 33, 23, 18, 26]), "6 and 7 have the same data rate"


def test_what_is_lost_is_lost_from_the_first_position_to_the_last_two() -> None:
    assert anomaly.loss([100, 0, 0, 0, 0, 0, 30, 10]) == pytest.approx(0.8)


def test_what_goes_together_is_correlated() -> None:
    assert anomaly.correlation([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1)
    assert anomaly.correlation([(1, 1), (2, 0), (3, 1)]) == pytest.approx(0)
