"""Where the unknowns may lie: history matching.

A place is implausible if, for any measurement, what runs would have there is further from what was measured than all
that is uncertain about it allows (Craig et al. 1997; Vernon, Goldstein and Bower 2010).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import emcee
import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import norm, qmc

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from airloom.fitting.emulator import Emulator, Places

    Worst = Callable[[Places], NDArray[np.float64]]
    """The implausibility of places by the measurement that says most."""

SIGMAS = 3.0
"""Standard deviations beyond which one measurement excludes a place: 95 % of anything with one peak lies within them
(Pukelsheim 1994)."""

FIRST = 13
"""The binary logarithm of the places that are looked at first."""

FEWEST_PLACES = 400
"""Places within a region that stand for it."""

WALKERS, STEPS = 200, 100
"""Walkers of a stage, and steps of each."""

KEPT = 0.2
"""Share of places that a stage goes on with."""

STALLED = 0.97
"""A stage whose bound is more than this part of the one before has come to where the function is least."""

STAGES = 14
"""Stages before a region counts as empty: it would be a part of 10^-10 of what was thought possible."""


@dataclass(frozen=True)
class Region:
    """The places that are not implausible.

    Attributes:
        places: Some of them, spread evenly; where there are none, those that are least implausible.
        share: The part of all places that they are.
        least: The least implausibility that was found, in standard deviations.
        bound: The implausibility up to which a place is in it.
    """

    places: Places
    share: float
    least: float
    bound: float

    @property
    def empty(self) -> bool:
        """Whether there are none."""
        return self.least > self.bound


def bound_of(count: int) -> float:
    """The bound of a region for this many measurements: they are together as sure as one is at `SIGMAS`."""
    alone = 2 * norm.sf(SIGMAS)
    return float(norm.isf((1 - (1 - alone) ** (1 / count)) / 2))


def worst_of(emulators: Sequence[Emulator]) -> Worst:
    """The implausibility of places by these emulators, the worst of each."""
    return lambda places: implausibility(emulators, places).max(axis=1)


def implausibility(emulators: Sequence[Emulator], places: Places) -> NDArray[np.float64]:
    """How implausible each place is by each measurement, in standard deviations."""
    found = []
    for emulator in emulators:
        mean, variance = emulator.at(places)
        found.append(emulator.off(mean) / np.sqrt(variance + emulator.besides))
    return np.stack(found, axis=1)


def region(worst: Worst, size: int, bound: float, seed: int) -> Region:
    """Finds the places at which a function is below a bound, however few they are.

    In stages, each of which goes on from the best places of the one before and spreads them evenly where the function
    is below its own bound (subset simulation, Au and Beck 2001).

    Args:
        worst: The implausibility of places.
        size: The number of unknowns.
        bound: The bound.
        seed: The seed of the draw.
    """
    places = qmc.Sobol(size, rng=seed).random_base2(FIRST)
    share, before = 1.0, math.inf
    draw = np.random.default_rng(seed)
    for _ in range(STAGES):
        values = worst(places)
        within = values <= bound
        if within.sum() >= FEWEST_PLACES:
            return Region(places[within], share * float(within.mean()), float(values.min()), bound)
        level = max(bound, float(np.quantile(values, KEPT)))
        best = places[values <= level]
        if level > bound and (level > STALLED * before or len(best) < 2 * size):
            break
        before = level
        share *= float((values <= level).mean())
        moved = spread(partial(within_level, worst, level), best, draw)
        if level <= bound:
            return Region(moved, share, float(min(values.min(), worst(moved).min())), bound)
        places = moved
    values = worst(places)
    within = values <= bound
    chosen = np.flatnonzero(within) if within.any() else np.argsort(values)[:FEWEST_PLACES]
    return Region(places[chosen], share * float(within.mean()), float(values.min()), bound)


def within_level(worst: Worst, level: float, places: Places) -> NDArray[np.float64]:
    """The logarithm of a density that is even where a function is at most this, and zero elsewhere."""
    return np.where(worst(places) <= level, 0.0, -np.inf)


def spread(
    density: Callable[[Places], NDArray[np.float64]],
    start: Places,
    draw: np.random.Generator,
    steps: int = STEPS,
    weights: NDArray[np.float64] | None = None,
) -> Places:
    """Places drawn by a density, by walkers that stretch towards each other (Goodman and Weare 2010), with emcee.

    Args:
        density: Its logarithm.
        start: Places where it is not zero, among which the walkers begin.
        draw: What is drawn from.
        steps: Steps of each walker; the second half of them counts.
        weights: How likely a walker begins at each place, in sum 1; alike without them.
    """
    size = start.shape[1]
    walkers = max(WALKERS, 4 * size)
    first = start[draw.choice(len(start), size=walkers, p=weights)]
    # Two walkers at one place would never part.
    jitter = np.clip(first + draw.normal(scale=1e-4, size=first.shape), 0.0, 1.0)
    first = np.where((density(jitter) > -np.inf)[:, None], jitter, first)

    def inside(places: Places) -> NDArray[np.float64]:
        ok = np.all((places >= 0) & (places <= 1), axis=1)
        found = np.full(len(places), -np.inf)
        if ok.any():
            found[ok] = density(places[ok])
        return found

    sampler = emcee.EnsembleSampler(walkers, size, inside, vectorize=True)
    sampler.random_state = np.random.RandomState(draw.integers(1 << 31)).get_state()
    sampler.run_mcmc(first, steps, skip_initial_state_check=True)
    chain = sampler.get_chain(discard=steps // 2, thin=5)
    found: Places = chain.reshape(-1, size)  # a walker that stays counts each time
    return found


def apart(places: Places, count: int, taken: Places) -> Places:
    """Those of some places that lie farthest from each other and from places that are taken."""
    chosen: list[int] = []
    distance = np.full(len(places), np.inf)
    if len(taken):
        distance = cdist(places, taken).min(axis=1)
    for _ in range(min(count, len(places))):
        at = int(np.argmax(distance))
        chosen.append(at)
        distance = np.minimum(distance, np.linalg.norm(places - places[at], axis=1))
        distance[at] = -1.0
    return places[chosen]
