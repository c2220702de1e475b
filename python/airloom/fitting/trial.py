"""The first runs of a fit: each unknown at both its ends, so that one without effect is found before the waves."""

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
    points = problem.ends()
    runs.of_waves.make(points, [SEED])
    values = runs.of_waves.values(points, [SEED])
    pairs = zip(problem.parameters, values[::2], values[1::2], strict=True)
    idle = [
        one.name for one, low, high in pairs if np.array_equal(low, high, equal_nan=True) and not np.isnan(low).all()
    ]
    if idle:
        raise GridError(
            f"{problem.file}: {enumerated(idle)} {'has' if len(idle) == 1 else 'have'} no effect: "
            "what was measured is the same to the last digit at both ends, all others in the middle",
            "leave it out, or measure something that it changes"
            + (", or make the runs of [short] so long that they show it" if problem.short else ""),
        )
