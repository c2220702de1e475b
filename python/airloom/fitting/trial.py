"""The first runs of a fit: each unknown at its ends, or each choice, so that one without effect is found at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from airloom.errors import GridError
from airloom.support.formatting import enumerated

if TYPE_CHECKING:
    from airloom.fitting.problem import Problem
    from airloom.fitting.runs import Runs

SEED = 1
"""The seed of these runs."""


def refuse_idle(problem: Problem, runs: Runs) -> None:
    """Makes these runs, and refuses an unknown that changes no number that was measured.

    Raises:
        GridError: There is one.
    """
    ends = problem.ends()
    runs.of_waves.make([point for of_one in ends for point in of_one], [SEED])
    idle = [
        one.name
        for one, points in zip(problem.parameters, ends, strict=True)
        if alike(runs.of_waves.values(points, [SEED]))
    ]
    if idle:
        raise GridError(
            f"{problem.file}: {enumerated(idle)} {'has' if len(idle) == 1 else 'have'} no effect: "
            "what was measured is the same to the last digit at its ends, or for each of its choices, and all others "
            "in the middle",
            "leave it out, or measure something that it changes"
            + (", or make the runs of [short] so long that they show it" if problem.short else ""),
        )


def alike(values: np.ndarray) -> bool:
    """Whether some points have the same numbers, of which there are some."""
    return not np.isnan(values[0]).all() and all(np.array_equal(values[0], one, equal_nan=True) for one in values[1:])
