"""How likely each place is, given what was measured: its likelihood times the prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from airloom.fitting.emulator import chosen
from airloom.fitting.region import spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.emulator import Places
    from airloom.fitting.region import Region
    from airloom.fitting.together import Together

STEPS = 400
"""Steps of each walker; the second half of them counts."""

CONFIDENCE = 0.9
"""The share of the posterior in the intervals that are shown."""

TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
"""The quantiles at their ends."""

UNIDENTIFIED = 0.75
"""From this part of the prior's own interval on, what was measured says next to nothing about an unknown."""

FAR = 0.5
"""The part by which a choice's share has to grow or shrink until the measurement says something about that choice."""

TIED = 0.8
"""From this correlation on (Spearman's), two unknowns are known only together."""


def posterior(together: Together, region: Region, seed: int) -> Places:
    """Places drawn from the posterior; the region's places, by their likelihood, are where the walkers begin."""
    draw = np.random.default_rng(seed)
    weights = together.log_likelihood(region.places)
    weights = np.exp(weights - weights.max())
    return spread(together.log_likelihood, region.places, draw, STEPS, weights / weights.sum())


@dataclass(frozen=True)
class Known:
    """What the posterior says of one unknown, by places between 0 and 1."""

    median: float
    low: float
    high: float

    @property
    def part(self) -> float:
        """The width of its interval, in parts of the prior's."""
        return (self.high - self.low) / CONFIDENCE

    @property
    def unidentified(self) -> bool:
        """Whether what was measured says next to nothing about it."""
        return self.part > UNIDENTIFIED


def known(places: Places) -> list[Known]:
    """What a posterior says of each unknown."""
    low, high = np.quantile(places, TAILS, axis=0)
    return [Known(*map(float, one)) for one in zip(np.median(places, axis=0), low, high, strict=True)]


def shares(places: Places, count: int) -> list[float]:
    """How likely each choice of an unknown is; each has an equal part of the places."""
    of_each = np.bincount(chosen(places, count).astype(int), minlength=count)
    return [float(part) for part in of_each / len(places)]


def told_apart(likely: Sequence[float]) -> bool:
    """Whether what was measured says which of some choices it is, or is not: one is far from as likely as before."""
    return any(abs(share * len(likely) - 1) > FAR for share in likely)


def ties(places: Places) -> list[tuple[int, int, float]]:
    """The pairs of unknowns that are known only together, with their correlation."""
    ranks = np.argsort(np.argsort(places, axis=0), axis=0)
    matrix = np.atleast_2d(np.corrcoef(ranks, rowvar=False))
    size = places.shape[1]
    return [(a, b, float(matrix[a, b])) for a in range(size) for b in range(a) if abs(matrix[a, b]) >= TIED]
