"""Whether what was measured would surprise even in worlds that were fitted to it: then the model lacks something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import chi2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.emulator import Emulator, Places


def surprise(emulators: Sequence[Emulator], draws: Places) -> float:
    """In what share of readings of these worlds all measurements together would be as far off as they are.

    How far they are is the sum of the squares of their distances, each in parts of all that is uncertain about it, at
    each place of the posterior (Gelman, Meng and Stern 1996). The places were fitted to the same numbers, so that where
    the model is right a small share is rarer than it says.

    Args:
        emulators: One for each fitted measurement.
        draws: Places drawn from the posterior.
    """
    total = np.zeros(len(draws))
    for emulator in emulators:
        mean, variance = emulator.at(draws)
        total += emulator.off(mean) ** 2 / (variance + emulator.besides)
    return float(chi2.sf(total, len(emulators)).mean())
