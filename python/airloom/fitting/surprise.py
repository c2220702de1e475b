"""Whether what was measured would surprise even in worlds that were fitted to it: then the model lacks something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from airloom.fitting.emulator import Places
    from airloom.fitting.together import Together

READINGS = 20
"""Readings that are drawn of each world."""

SEED = 1
"""Of their draws."""


def surprise(together: Together, draws: Places) -> float:
    """In what share of readings of these worlds all measurements together would be as far off as they are.

    How far they are is the sum of the squares of their distances, in parts of all that is uncertain about them, at each
    place of the posterior (Gelman, Meng and Stern 1996); of a span, beyond its ends. The places were fitted to the
    same numbers, so that where the model is right a small share is rarer than it says.

    Args:
        together: What was measured and is fitted.
        draws: Places drawn from the posterior.
    """
    random = np.random.default_rng(SEED)
    means, variances = together.said(draws)
    whitened, _ = together.whitened(means, variances)
    there, numbers = np.square(whitened).sum(axis=1), whitened.shape[1]
    drawn = random.chisquare(numbers, (READINGS, len(draws))) if numbers else np.zeros((READINGS, len(draws)))
    for at in together.spans:
        emulator, mean = together.emulators[at], means[:, at]
        deviation = np.sqrt(variances[:, at] + emulator.noise)
        # A reading of a world lies about its mean, and what was measured lay in the span: somewhere, nobody knows.
        middle = np.clip(mean, -emulator.half, emulator.half)
        read = middle + deviation * random.normal(size=drawn.shape)
        there += (emulator.off(mean) / deviation) ** 2
        drawn += (emulator.off(read) / deviation) ** 2
    return float((drawn >= there).mean())
