"""Worlds of the posterior, run for themselves: what they predict, and how much each of them weighs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from airloom.fitting.fit import SEED
from airloom.fitting.posterior import TAILS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from airloom.fitting.fit import Fit
    from airloom.fitting.measurement import Measurement
    from airloom.fitting.problem import Problem
    from airloom.fitting.runs import Runs
    from airloom.fitting.together import Together

MOST = 10.0
"""No world weighs more than this many times the median: a single lucky run must not decide."""

DRAWS = 4000
"""Draws of what would be measured once more."""


@dataclass(frozen=True)
class Prediction:
    """What the worlds say would be measured once more.

    Attributes:
        low: 5 % of it is below this.
        median: Its middle.
        high: 5 % is above.
    """

    low: float
    median: float
    high: float

    def holds(self, one: Measurement) -> bool:
        """Whether what was measured is within; of a span, any of it."""
        return self.low <= one.value + one.half and one.value - one.half <= self.high


@dataclass(frozen=True)
class Worlds:
    """Worlds of a posterior.

    Attributes:
        points: The values of their unknowns.
        weights: How much each weighs; their sum is 1.
        likelihoods: The logarithm of how likely what was measured is in each, by its own runs, but for a constant.
        predictions: One for each measurement, those that were held out too; none where no world has the number.
    """

    points: Sequence[tuple[float, ...]]
    weights: NDArray[np.float64]
    likelihoods: NDArray[np.float64]
    predictions: Sequence[Prediction | None]

    def likeliest(self, within: Callable[[tuple[float, ...]], bool]) -> tuple[float, ...]:
        """The point of the world in which what was measured is most likely, of those within bounds if there are any."""
        inside = np.array([within(point) for point in self.points])
        likelihoods = np.where(inside, self.likelihoods, -np.inf) if inside.any() else self.likelihoods
        return self.points[int(likelihoods.argmax())]

    @property
    def effective(self) -> float:
        """As how many worlds of one weight they count (Kish 1965)."""
        return float(1 / np.sum(self.weights**2))


def worlds(found: Fit, runs: Runs) -> Worlds | None:
    """Runs some of the posterior's worlds; none where it has none."""
    if found.draws is None:
        return None
    problem = found.problem
    draw = np.random.default_rng(SEED)
    places = found.draws[draw.choice(len(found.draws), min(problem.worlds, len(found.draws)), replace=False)]
    points = [problem.point(place) for place in places.tolist()]
    seeds = seeds_of(problem)
    runs.make(points, seeds)
    values = runs.values(points, seeds)
    together = found.together
    likelihoods = own_likelihoods(found, together, values)
    weights = weighed(likelihoods - together.log_likelihood(places))
    return Worlds(
        points, weights, likelihoods, [predicted(found, values, weights, at, draw) for at in range(values.shape[1])]
    )


def seeds_of(problem: Problem) -> range:
    """The seeds of these runs, which no emulator has seen."""
    seen = max(problem.seeds, problem.of_waves.seeds)
    return range(seen + 1, seen + problem.seeds + 1)


def own_likelihoods(found: Fit, together: Together, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of how likely what was measured is in each world, by what its own runs have."""
    pairs = zip(found.emulators, found.fitted, strict=True)
    distances = np.stack([emulator.distance(values[:, at]) for emulator, at in pairs], axis=1)
    lacking = np.isnan(distances).any(axis=(1, 2))
    means = np.nan_to_num(distances).mean(axis=2)
    readings = np.full(means.shape, [one.reading for one in found.emulators])
    # That of what was measured, and of the mean over the world's own seeds.
    chance = 1 + 1 / distances.shape[2]
    return np.where(lacking, -np.inf, together.log_density(means, readings, chance))


def weighed(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each world weighs: by how much likelier its own runs are than what the emulators said of it."""
    if not np.isfinite(logarithms).any():
        return np.full(len(logarithms), 1 / len(logarithms))
    weights: NDArray[np.float64] = np.exp(logarithms - logarithms.max())
    weights = np.minimum(weights, MOST * np.median(weights)) if np.median(weights) > 0 else weights
    total: NDArray[np.float64] = weights / weights.sum()
    return total


def predicted(
    found: Fit, values: NDArray[np.float64], weights: NDArray[np.float64], at: int, draw: np.random.Generator
) -> Prediction | None:
    """What would be measured once more: a world by its weight, one of its runs, and what is uncertain of a reading."""
    one = found.problem.measurements[at]
    known = ~np.isnan(values[:, at])
    each = np.repeat(weights[:, None], values.shape[2], axis=1)[known]
    if not known.any() or each.sum() <= 0:
        return None
    drawn = draw.choice(values[:, at][known], size=DRAWS, p=each / each.sum())
    drawn = drawn + draw.normal(scale=one.tolerance, size=DRAWS)
    low, median, high = np.quantile(drawn, (TAILS[0], 0.5, TAILS[1]))
    return Prediction(float(low), float(median), float(high))
