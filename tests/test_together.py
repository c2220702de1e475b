"""The numbers of one run are off together, and count so: what is known of them is known in closed form."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from airloom.fitting import fit as fitting
from airloom.fitting.emulator import Emulator
from airloom.fitting.measurement import Measurement
from airloom.fitting.surprise import surprise
from airloom.fitting.together import Together, correlation
from test_fit import Formula, of_formula

if TYPE_CHECKING:
    from collections.abc import Sequence

NOISE, ERROR = 0.5, 0.1
"""Standard deviations of a seed, and of a reading."""

PLACES = np.linspace(0.0, 1.0, 40)[:, None]
"""Of one unknown."""


def learned(strokes: np.ndarray, value: float = 5.0) -> Emulator:
    """An emulator of runs that have ten times the unknown, and these strokes of luck, by place and seed."""
    one = Measurement("m", "all", "m", "run", None, value, ERROR, 0.0)
    return Emulator(one, PLACES, 10 * PLACES + strokes)


def strokes(draw: int) -> np.ndarray:
    """Those of twenty seeds: enough to know how they go together."""
    return np.random.default_rng(draw).normal(scale=NOISE, size=(len(PLACES), 20))


class OneStroke(Formula):
    """Runs in which one stroke of luck moves all numbers alike."""

    def values(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> np.ndarray:
        """What runs have, the same whenever it is asked for."""
        bits = [np.array(point).view(np.uint64).tolist() for point in points]
        luck = np.array([[np.random.default_rng([seed, *of]).normal() for seed in seeds] for of in bits])
        means = np.array([self.mean(np.array(point)) for point in points])
        return means[:, :, None] + self.noise * luck[:, None, :]


def test_one_stroke_of_luck_counts_once() -> None:
    """Four numbers that one stroke moves say as much as one of them does, read four times."""
    problem = of_formula([5.0] * 4, ERROR, 1)
    found = fitting.fit(problem, OneStroke(lambda x: np.repeat(10 * x[0], 4), NOISE))  # type: ignore[arg-type]
    assert found.draws is not None
    stroke = max(math.sqrt(one.noise) * one.scale for one in found.emulators)
    expected = math.hypot(stroke, ERROR / 2) / 10  # not half of it, as of four strokes
    assert found.draws[:, 0].std() == pytest.approx(expected, rel=0.2)


def test_how_numbers_go_together_is_learned() -> None:
    """As the luck of one is that of the other, turned round, or another one."""
    one, other = strokes(1), strokes(2)
    found = correlation([learned(one), learned(-one), learned(0.6 * one + 0.8 * other), learned(other)])
    assert np.diag(found) == pytest.approx(1.0)
    assert found[0] == pytest.approx([1.0, -1.0, 0.6, 0.0], abs=0.1)


def test_experiments_were_measured_at_two_times() -> None:
    """Their seeds are the same, and their luck was not."""
    numbers = [learned(strokes(1)), learned(strokes(1))]
    assert Together(numbers, ["a", "b"]).chance[0, 1] == 0
    assert Together(numbers, ["a", "a"]).chance[0, 1] == pytest.approx(numbers[0].noise, rel=0.05)


def test_one_seed_tells_nothing_of_it() -> None:
    """Numbers count as independent then."""
    assert np.array_equal(correlation([learned(strokes(1)[:, :1]), learned(strokes(1)[:, :1])]), np.eye(2))


def test_numbers_that_go_together_surprise_where_they_part() -> None:
    """Both high are one stroke of luck; one high and one low are none."""
    luck, middle = strokes(1), np.full((100, 1), 0.5)

    def off(first: float, second: float) -> float:
        return surprise(Together([learned(luck, first), learned(luck, second)], ["all", "all"]), middle)

    assert off(5.6, 5.6) > 0.2
    assert off(5.6, 4.4) < 0.001
