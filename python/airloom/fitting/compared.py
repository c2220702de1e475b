"""Some points of each wave are run in full, too: how far short runs are off is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from airloom.fitting.emulator import LEAST_COMPARED, Emulator
from airloom.fitting.region import implausibility

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from airloom.fitting.emulator import Places
    from airloom.fitting.problem import Problem

EACH = 5
"""Points of a wave that are run in full."""


def nearest(emulators: Sequence[Emulator], places: Places) -> list[int]:
    """Which of some places are run in full: those with most of what was measured.

    How far off a number is counts by its logarithm, so that one that no place has decides next to nothing.
    """
    off = implausibility(emulators, places)
    chosen: list[int] = np.argsort(np.log1p(off**2).sum(axis=1), kind="stable")[:EACH].tolist()
    return chosen


def places_of(problem: Problem, points: Sequence[tuple[float, ...]]) -> Places:
    """Points as places between 0 and 1."""
    pairs = zip(problem.parameters, np.array(points).T, strict=True)
    return np.stack([[one.place(value) for value in column] for one, column in pairs], axis=1)


def enough(values: NDArray[np.float64]) -> bool:
    """Whether enough of the full runs have a number, by place and seed, to say how far short ones are off."""
    return int((~np.isnan(values).any(axis=1)).sum()) >= LEAST_COMPARED


def corrected(learned: Mapping[int, Emulator], places: Places, values: NDArray[np.float64]) -> dict[int, Emulator]:
    """Emulators of full runs, by their measurement's place: of those numbers that enough of the full runs have.

    Args:
        learned: Those of short runs.
        places: Where full runs were made.
        values: What they have, by place, measurement and seed.
    """
    return {at: one.corrected(places, values[:, at]) for at, one in learned.items() if enough(values[:, at])}
