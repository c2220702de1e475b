"""Whether what was measured would surprise even in worlds that were fitted to it: then the model lacks something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.emulator import Emulator, Places


READINGS = 20
"""Readings that are drawn of each world."""

SEED = 1
"""Of their draws."""


def surprise(emulators: Sequence[Emulator], draws: Places) -> float:
    """In what share of readings of these worlds all measurements together would be as far off as they are.

    How far they are is the sum of the squares of their distances, each in parts of all that is uncertain about it, at
    each place of the posterior (Gelman, Meng and Stern 1996); of a span, beyond its ends. The places were fitted to the
    same numbers, so that where the model is right a small share is rarer than it says.

    Args:
        emulators: One for each fitted measurement.
        draws: Places drawn from the posterior.
    """
    random = np.random.default_rng(SEED)
    there, drawn = np.zeros(len(draws)), np.zeros((READINGS, len(draws)))
    for emulator in emulators:
        mean, variance = emulator.at(draws)
        deviation = np.sqrt(variance + emulator.besides)
        # A reading of a world lies about its mean, and what was measured lay in the span: somewhere, nobody knows.
        middle = np.clip(mean, -emulator.half, emulator.half)
        read = middle + deviation * random.normal(size=drawn.shape)
        there += (emulator.off(mean) / deviation) ** 2
        drawn += (emulator.off(read) / deviation) ** 2
    return float((drawn >= there).mean())
