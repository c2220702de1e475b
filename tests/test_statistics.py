"""Means and percentiles, on numbers with a known answer."""

from __future__ import annotations

import math

import pytest

from airloom.results.aggregates import half_bin
from airloom.support.statistics import Spread, mean, percentile


def test_percentiles_are_of_the_sorted_values() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert (percentile(values, 0.1), percentile(values, 0.9), percentile(values, 1)) == (11.0, 91.0, 100.0)


def test_a_mean_takes_any_iterable_and_adds_exactly() -> None:
    assert mean(value for value in [1e100, 3.0, -1e100]) == 1.0


def test_of_no_values_there_is_no_mean_and_no_percentile() -> None:
    assert math.isnan(mean([]))
    assert math.isnan(percentile([], 0.5))


def test_equal_values_have_no_spread_whatever_their_sum_is_rounded_to() -> None:
    spread = Spread.of([2.8913664] * 3)
    assert (spread.mean, spread.margin) == (2.8913664, 0.0)
    assert math.isnan(Spread.of([2.8913664]).margin)


def test_no_interval_is_narrower_than_what_its_values_are_known_within() -> None:
    alike = Spread.of([64.0] * 3, half_bin("rtt_p95_ms"))
    assert (alike.mean, alike.margin) == (64.0, 0.25)
    assert half_bin("goodput_mbps") == 0
    assert Spread.of([60.0, 64.0], 1 / 256).margin == pytest.approx(Spread.of([60.0, 64.0]).margin + 62 / 256)
