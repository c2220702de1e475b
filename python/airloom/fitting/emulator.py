"""An emulator: what runs would have at places where none was made, and how far off that may be.

A Gaussian process with a length of its own for each unknown (Rasmussen and Williams 2006), by scikit-learn. It works on
distances from what was measured, so that it is exact near that and coarse far from it.
"""

from __future__ import annotations

import math
import warnings
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import helmert
from scipy.special import log_ndtr
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel, Matern, WhiteKernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from airloom.fitting.measurement import Measurement

    Places = NDArray[np.float64]
    """Points of the unit cube, one a row."""

SHORTEST, LONGEST = 0.05, 50.0
"""Bounds of a length, in parts of an unknown's range: below the first nothing is learned from a neighbour, above the
last an unknown has no effect."""

STRETCH = 4.0
"""Standard deviations within which a distance counts as it is; beyond, only its logarithm does. Bounds are below."""

NEAREST, FEWEST = 0.25, 10
"""The part of the places that are nearest to what was measured, and how many at least: by them the noise is known. Far
from it, it may be another."""

LEAST_COMPARED = 4
"""Places at which longer runs were made below which nothing is known of how far they are off."""

LEAST_DEVIATION = 1e-9
"""A deviation, as distances have it, below which there is none: of a span alone, which no seed moves."""

SMOOTHNESS = 2.5
"""The Matern covariance of functions that can be differentiated twice: usual for computer models."""


class Emulator:
    """What runs have at any place in the place of one measurement, as distances from it.

    Attributes:
        value: What was measured.
        scale: The distance that counts as 1, in its unit: `STRETCH` standard deviations of what was measured from the
            mean that a true world has over seeds, and half of a span.
        half: Half of the span within which no distance is off.
        reading: The variance of a distance that is the measurement's own.
        noise: That of one run from the mean over seeds.
        excess: By how much its variance was too small where one of its runs was left out, at least 1.
        shift: By how much longer runs are off from what it says.
        wandering: The variance of that from place to place.
        in_units: Whether both were seen where a distance counts as it is.
        means: The mean distance at each place where runs were made.
        strayed: What its seeds differ by, as one number less than there are seeds, each with the variance of one
            run and independent of the others.
        choices: How many choices each unknown has; 0 where it lies on a range.
    """

    def __init__(
        self,
        one: Measurement,
        places: Places,
        values: NDArray[np.float64],
        before: Emulator | None = None,
        choices: Sequence[int] = (),
    ) -> None:
        """Learns from runs.

        Args:
            one: What was measured.
            places: Where the runs were made.
            values: What they have, by place and seed; NaN where a run has none.
            before: What had been learned from fewer runs: its lengths are where those of this are looked for.
            choices: How many choices each unknown has; without any, all lie on a range.
        """
        self.choices = np.array(choices or [0] * places.shape[1])
        seeds = values.shape[1]
        noise = noise_near(one.value, values)
        self.value = one.value
        self.scale = STRETCH * math.hypot(one.tolerance, noise or 0.0) + one.half
        self.half = one.half / self.scale
        self.reading = (one.tolerance / self.scale) ** 2
        distances = self.distance(values)
        known = ~np.isnan(distances)
        # A world without such a number does not have what was measured: it is as far off as any that has one.
        distances[~known] = distances[known][np.abs(distances[known]).argmax()]
        self.means = means = distances.mean(axis=1)
        self.strayed = distances @ helmert(seeds).T
        kernel = before.process.kernel_ if before else unlearned(places.shape[1])
        self.process: GaussianProcessRegressor = GaussianProcessRegressor(
            kernel, normalize_y=True, n_restarts_optimizer=0 if before else 1, random_state=0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a length at its bound is an answer
            self.process.fit(places, means)
        spread = float(np.std(means)) or 1.0  # as the process makes them alike
        nugget = float(self.process.kernel_.k2.noise_level) * spread**2
        # Of one seed, all that the process cannot follow counts as the seed's.
        self.noise = nugget * seeds if noise is None else (noise / self.scale) ** 2
        self.excess = self.surprise()
        self.of_seeds = min(nugget, self.noise / seeds)
        self.shift = self.wandering = 0.0
        self.in_units = True

    def distance(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far values are off: as it is where they are near, by its logarithm beyond."""
        off = (values - self.value) / self.scale
        size = np.maximum(np.abs(off), 1.0)
        return np.where(np.abs(off) <= 1, off, np.sign(off) * (1 + np.log(size)))

    @property
    def besides(self) -> float:
        """The variance of what is uncertain besides what it does not know itself: the reading and the seed."""
        return self.reading + self.noise

    @property
    def allowed(self) -> float:
        """The same, with the variance of a value that lies anywhere in the span."""
        return self.besides + self.half**2 / 3

    def off(self, mean: NDArray[np.float64]) -> NDArray[np.float64]:
        """By how much distances are off: those within the span by nothing."""
        return np.maximum(np.abs(mean) - self.half, 0.0)

    def log_density(self, mean: NDArray[np.float64], variance: NDArray[np.float64]) -> NDArray[np.float64]:
        """The logarithm of how likely it is that a value lies in the span, where distances have these moments."""
        deviation = np.maximum(np.sqrt(variance), LEAST_DEVIATION)
        # All that lies beyond the nearer edge, without what lies beyond the other.
        upper, lower = ((edge - np.abs(mean)) / deviation for edge in (self.half, -self.half))
        within: NDArray[np.float64] = log_ndtr(upper) + np.log1p(-np.exp(log_ndtr(lower) - log_ndtr(upper)))
        return within

    def at(self, places: Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean over seeds that runs would have at some places, and the variance of what is not known of it.

        That is all that the process is unsure of, but for what the seeds of its runs explain.
        """
        mean, deviation = self.process.predict(in_the_middle(places, self.choices), return_std=True)
        variance = np.maximum(self.excess * deviation**2 - self.of_seeds, 0.0)
        return mean + self.shift, variance + self.wandering

    def corrected(self, places: Places, values: NDArray[np.float64]) -> Emulator:
        """The same of longer runs than those that it learned from, by some that were made at both lengths.

        How far they are off from what it says has a mean and a spread, of which the next place is a further draw
        (Student's t: Gelman et al. 2013, section 3.2). The spread has the noise of the longer run, too.

        Args:
            places: Where they were made, `LEAST_COMPARED` at least that have a number.
            values: What they have, by place and seed.
        """
        found = copy(self)
        found.shift = found.wandering = 0.0
        known = ~np.isnan(values).any(axis=1)
        distances, (said, _) = self.distance(values[known]), found.at(places[known])
        errors = distances.mean(axis=1) - said
        # By what is said of them: those that came out near would have an error that brought them there.
        order = np.argsort(np.abs(said + np.median(errors)), kind="stable")
        within_reach = order[np.abs(said + np.median(errors))[order] <= 1]
        near = order[: max(FEWEST, int(NEAREST * len(order)))]
        # Beyond, distances are logarithms, and an error is none in the unit of what was measured.
        found.in_units = len(within_reach) >= LEAST_COMPARED
        near = within_reach[: len(near)] if found.in_units else near
        errors, distances = errors[near], distances[near]
        count, seeds = distances.shape
        spread = float(np.var(errors, ddof=1))
        within = float(np.mean(np.var(distances, axis=1, ddof=1))) if seeds > 1 else spread
        found.shift = float(errors.mean())
        found.noise = max(within, LEAST_DEVIATION**2)
        whole = spread * (1 + 1 / count) * (count - 1) / (count - 3) + within * (1 - 1 / seeds)
        found.wandering = max(whole - found.noise, 0.0)
        return found

    def surprise(self) -> float:
        """The mean square of its errors at its own runs, each left out in turn, in parts of the variance it claims.

        Rasmussen and Williams 2006, equations 5.12; 1 where it was as sure as it could be.
        """
        inverse = np.linalg.inv(self.process.L_ @ self.process.L_.T)
        errors = self.process.alpha_.ravel() / np.sqrt(np.diag(inverse))
        return max(1.0, float(np.mean(np.square(errors))))


def in_the_middle(places: Places, choices: NDArray[np.int_]) -> Places:
    """Places, each choice in the middle of its part: between two choices there is nothing."""
    parts = np.maximum(choices, 1)
    return np.where(choices > 0, (chosen(places, parts) + 0.5) / parts, places)


def chosen(places: Places, choices: NDArray[np.int_] | int) -> Places:
    """The number of the choice at each place, from 0."""
    return np.minimum(np.floor(places * choices), np.subtract(choices, 1))


def unlearned(size: int) -> Kernel:
    """The covariance before anything was learned, of this many unknowns."""
    lengths = Matern(np.full(size, 0.5), (SHORTEST, LONGEST), nu=SMOOTHNESS)
    return ConstantKernel(1.0, (1e-2, 1e3)) * lengths + WhiteKernel(0.05, (1e-8, 1.0))


def noise_near(value: float, values: NDArray[np.float64]) -> float | None:
    """The standard deviation between runs that differ in their seed alone, where they are near a value.

    Args:
        value: The value.
        values: What runs have, by place and seed.

    Returns:
        It; none where there is one seed alone.
    """
    whole = values[~np.isnan(values).any(axis=1)]
    if values.shape[1] == 1 or not len(whole):
        return None
    order = np.argsort(np.abs(whole.mean(axis=1) - value))
    near = whole[order[: max(FEWEST, int(NEAREST * len(whole)))]]
    return float(np.sqrt(np.mean(np.var(near, axis=1, ddof=1))))
