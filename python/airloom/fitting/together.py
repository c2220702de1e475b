"""How likely all that was measured is together: the numbers of one run go up and down with each other.

A run that fading was kind to has more throughput, shorter round trips and more idle air. Who takes its numbers for
independent counts one stroke of luck as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.covariance import ledoit_wolf

from airloom.fitting.emulator import LEAST_DEVIATION, NEAREST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from airloom.fitting.emulator import Emulator, Places


FEWEST_PLACES = 40
"""Places at least by which it is known how numbers go together: there are more pairs than numbers."""


class Together:
    """What was measured, all of it.

    Attributes:
        emulators: One for each measurement.
        numbers: The place of each that is a number.
        spans: The place of each that is a span: how far those are off counts for each alone.
        chance: The covariance of the numbers' distances in one run from their means over seeds.
    """

    def __init__(self, emulators: Sequence[Emulator], experiments: Sequence[str]) -> None:
        """Learns how numbers go together from the runs that the emulators learned from.

        Args:
            emulators: One for each measurement.
            experiments: The experiment of each: two of them were not measured at one time.
        """
        self.emulators = emulators
        self.numbers = [at for at, one in enumerate(emulators) if one.half == 0]
        self.spans = [at for at, one in enumerate(emulators) if one.half > 0]
        numbers = [emulators[at] for at in self.numbers]
        of = np.array(experiments)[self.numbers]
        deviations = np.sqrt([one.noise for one in numbers])
        self.chance = correlation(numbers) * np.equal.outer(of, of) * np.outer(deviations, deviations)

    def said(self, places: Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean distance of each measurement, by place, and its variance but for what a seed does."""
        moments = [one.at(places) for one in self.emulators]
        readings = [one.reading for one in self.emulators]
        return np.stack([mean for mean, _ in moments], 1), np.stack([of for _, of in moments], 1) + readings

    def log_likelihood(self, places: Places) -> NDArray[np.float64]:
        """The logarithm of the probability of what was measured, at each place, but for a constant."""
        return self.log_density(*self.said(places))

    def log_density(
        self, means: NDArray[np.float64], variances: NDArray[np.float64], chance: float = 1.0
    ) -> NDArray[np.float64]:
        """The logarithm of how likely what was measured is where distances have these moments, but for a constant.

        Args:
            means: The mean of each distance, by place.
            variances: Its variance but for what a seed does.
            chance: The variance that a seed makes, in parts of that of one run.
        """
        whitened, volume = self.whitened(means, variances, chance)
        total: NDArray[np.float64] = -0.5 * np.square(whitened).sum(axis=1) - volume
        for at in self.spans:
            one = self.emulators[at]
            total += one.log_density(means[:, at], variances[:, at] + chance * one.noise)
        return total

    def whitened(
        self, means: NDArray[np.float64], variances: NDArray[np.float64], chance: float = 1.0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The numbers' distances made independent, in standard deviations, and the logarithm of their volume."""
        own = np.maximum(variances[:, self.numbers], LEAST_DEVIATION**2)
        root = np.linalg.cholesky(chance * self.chance + own[:, :, None] * np.eye(len(self.numbers)))
        found = np.linalg.solve(root, means[:, self.numbers, None])[:, :, 0].astype(np.float64)
        volume: NDArray[np.float64] = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        return found, volume


def correlation(emulators: Sequence[Emulator]) -> NDArray[np.float64]:
    """How what one seed does to some numbers goes together, at the places that are nearest to all of them.

    Shrunk as few places demand (Ledoit and Wolf 2004). Of one seed, nothing is known of it: they count as independent.
    """
    size = len(emulators)
    if size == 0 or emulators[0].strayed.size == 0:
        return np.eye(size)
    off = np.stack([(one.means + one.shift) / np.sqrt(one.allowed) for one in emulators], 1)
    # By logarithms, so that one number that no place has decides next to nothing.
    order = np.argsort(np.log1p(np.square(off)).sum(axis=1), kind="stable")
    near = order[: max(FEWEST_PLACES, int(NEAREST * len(order)))]
    strayed = np.stack([one.strayed[near].ravel() for one in emulators], 1)
    deviations = np.maximum(np.sqrt(np.square(strayed).mean(axis=0)), LEAST_DEVIATION)
    shrunk, _ = ledoit_wolf(strayed / deviations, assume_centered=True)
    scale = np.sqrt(np.maximum(np.diag(shrunk), LEAST_DEVIATION**2))
    found: NDArray[np.float64] = shrunk / np.outer(scale, scale)
    np.fill_diagonal(found, 1.0)
    return found
