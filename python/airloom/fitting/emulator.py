"""An emulator: what runs would have at places where none was made, and how far off that may be.

A Gaussian process with a length of its own for each unknown (Rasmussen and Williams 2006), by scikit-learn. It works on
distances (`Measurement.distance`), so that it is exact near what was measured and coarse far from it.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.float64]
    """Points of the unit cube, one a row."""

SHORTEST, LONGEST = 0.05, 50.0
"""Bounds of a length, in parts of an unknown's range: below the first nothing is learned from a neighbour, above the
last an unknown has no effect."""

SMOOTHNESS = 2.5
"""The Matern covariance of functions that can be differentiated twice: usual for computer models."""


class Emulator:
    """What runs have at any place.

    Attributes:
        noise: The variance of one run from the mean over seeds.
        excess: By how much its variance was too small where one of its runs was left out, at least 1.
    """

    def __init__(self, places: Places, distances: NDArray[np.float64], seeds: int, noise: float | None) -> None:
        """Learns from runs.

        Args:
            places: Where they were made.
            distances: The mean of each over its seeds.
            seeds: How many those were.
            noise: The variance between runs that differ in their seed alone; without it, all that the process cannot
                follow counts as such.
        """
        size = places.shape[1]
        lengths = Matern(np.full(size, 0.5), (SHORTEST, LONGEST), nu=SMOOTHNESS)
        kernel = ConstantKernel(1.0, (1e-2, 1e3)) * lengths + WhiteKernel(0.05, (1e-8, 1.0))
        self.process = GaussianProcessRegressor(kernel, normalize_y=True, n_restarts_optimizer=1, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a length at its bound is an answer
            self.process.fit(places, distances)
        scale = float(np.std(distances)) or 1.0  # as the process makes them alike
        nugget = float(self.process.kernel_.k2.noise_level) * scale**2
        self.noise = nugget * seeds if noise is None else noise
        self.excess = self.surprise()
        self.of_seeds = min(nugget, self.noise / seeds)

    def at(self, places: Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean over seeds that runs would have at some places, and the variance of what is not known of it.

        That is all that the process is unsure of, but for what the seeds of its runs explain.
        """
        mean, deviation = self.process.predict(places, return_std=True)
        return mean, np.maximum(self.excess * deviation**2 - self.of_seeds, 0.0)

    def surprise(self) -> float:
        """The mean square of its errors at its own runs, each left out in turn, in parts of the variance it claims.

        Rasmussen and Williams 2006, equations 5.12; 1 where it was as sure as it could be.
        """
        inverse = np.linalg.inv(self.process.L_ @ self.process.L_.T)
        errors = self.process.alpha_.ravel() / np.sqrt(np.diag(inverse))
        return max(1.0, float(np.mean(np.square(errors))))
