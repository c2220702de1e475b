"""Which measurements exclude each other where no place is plausible: the smallest sets that no world meets."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import qmc

from airloom.fitting.region import FIRST, implausibility, region, worst_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.emulator import Emulator, Places

LARGEST = 3
"""Measurements of the largest set that is looked for: what more of them say together is hard to follow."""

MOST = 12
"""Measurements among which sets are looked for: those that the least implausible place is furthest from."""


def excluding(
    emulators: Sequence[Emulator], near: Places, bound: float, seed: int
) -> list[tuple[tuple[int, ...], float]]:
    """The smallest sets of measurements that exclude each other, with the least implausibility that all of them have.

    Args:
        emulators: One for each measurement.
        near: The least implausible places that were found.
        bound: The implausibility up to which a place is allowed.
        seed: The seed of the draw.
    """
    size = near.shape[1]
    places = np.vstack([qmc.Sobol(size, rng=seed).random_base2(FIRST), near])
    values = implausibility(emulators, places)
    found: list[tuple[tuple[int, ...], float]] = []
    best = values[values.max(axis=1).argmin()]
    suspects = sorted(np.argsort(-best)[:MOST].tolist())
    for count in range(1, LARGEST + 1):
        for chosen in combinations(suspects, count):
            if any(set(smaller) <= set(chosen) for smaller, _ in found):
                continue
            if float(values[:, chosen].max(axis=1).min()) <= bound:
                continue
            alone = region(worst_of([emulators[at] for at in chosen]), size, bound, seed)
            if alone.empty:
                found.append((chosen, alone.least))
        if found:
            break
    return found
