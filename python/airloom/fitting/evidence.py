"""What the claims of a paper that hold are evidence of, by experiment: each is held out once, and predicted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from airloom.fitting.claims import FOLDS, HOLDS, WHOLE, folds
from airloom.fitting.fit import fit
from airloom.fitting.worlds import seeds_of, worlds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.fitting.paper_problem import PaperProblem
    from airloom.fitting.paper_runs import PaperRuns
    from airloom.fitting.runs import Runs
    from airloom.fitting.worlds import Worlds
    from airloom.papers.fitted import ByFit

THROUGHOUT = 0.95
"""From this share of the admissible worlds on, a claim holds throughout."""

MOSTLY = 0.5
"""From this share on, it holds."""


def evidence(
    problem: PaperProblem, runs: PaperRuns, made: Worlds | None, compared: Sequence[tuple[float, ...]] = ()
) -> tuple[list[dict[str, Any]], float | None]:
    """For each claim the share of the worlds in which it holds: fitted to all claims, and to the other half alone.

    And as how many worlds of one weight those of a fit count at least; none where no fit has any. No fit knows a
    statement, so that the least share of all of them counts.

    Args:
        problem: The fit to all claims.
        runs: Its runs; those of the two other fits are added.
        made: Its worlds.
        compared: Its points that were run in full, where waves are shorter.
    """
    fold = folds(problem.claims)
    fitted, anywhere = shares(problem, runs, made), before(problem, runs)
    held_out: dict[str, float] = {}
    least = fitted
    effective = [made.effective] if made else []
    for name in FOLDS:
        part = replace(problem, hold_out=name)
        own = replace(runs, problem=part)
        if part.fitted:
            of_half = worlds(fit(part, own, compared=compared), own)
            effective += [of_half.effective] if of_half else []
            found = shares(part, own, of_half)
            least = least if of_half is None else {claim: min(share, found[claim]) for claim, share in least.items()}
        else:
            found = unfitted(problem, runs)
        held_out |= {claim: share for claim, share in found.items() if fold[claim] == name}
    # No fit knows a statement: each holds it out.
    statements = {one.id: least[one.id] for one in problem.claims if one.accepted() is None}
    held_out, fitted = held_out | statements, fitted | statements
    said = [
        {
            "claim": one.id,
            "fold": fold[one.id],
            "anywhere": anywhere[one.id],
            "held_out": held_out[one.id],
            "fitted": fitted[one.id],
            "kind_of_evidence": "input" if one.input else kind(held_out[one.id], fitted[one.id]),
        }
        for one in problem.claims
    ]
    return said, min(effective, default=None)


def kind(held_out: float, fitted: float) -> ByFit:
    """What a claim is evidence of, by the shares of worlds in which it holds when it was held out and when not.

    Both count: worlds that the other half leaves and all claims together exclude predict nothing.
    """
    least = min(held_out, fitted)
    if least >= MOSTLY:
        return "robust" if least >= THROUGHOUT else "predicted"
    return "fitted" if fitted >= MOSTLY else "missed"


def shares(problem: PaperProblem, runs: PaperRuns, made: Worlds | None) -> dict[str, float]:
    """The share of worlds, by their weights, in which each claim holds; of no worlds it is none."""
    if made is None:
        return dict.fromkeys((one.id for one in problem.claims), 0.0)
    weighed = zip(made.points, made.weights, strict=True)
    return shares_of(problem, runs, [(point, float(weight)) for point, weight in weighed], seeds_of(problem))


def before(problem: PaperProblem, runs: PaperRuns) -> dict[str, float]:
    """The same of all that was thought possible before anything was fitted: the first wave's points, as it ran them."""
    points, short = runs.journal.waves["", 1], runs.of_waves
    return shares_of(
        problem, short, [(point, 1 / len(points)) for point in points], range(1, problem.of_waves.seeds + 1)
    )


def unfitted(problem: PaperProblem, runs: PaperRuns) -> dict[str, float]:
    """The same of worlds to which nothing was fitted: some of those points, run as worlds are."""
    points = runs.journal.waves["", 1][: problem.worlds]
    runs.make(points, seeds_of(problem))
    return shares_of(problem, runs, [(point, 1 / len(points)) for point in points], seeds_of(problem))


def shares_of(
    problem: PaperProblem, runs: Runs, points: list[tuple[tuple[float, ...], float]], seeds: range
) -> dict[str, float]:
    """The same of points with their weights; a run that failed holds no claim."""
    found = {}
    for one in problem.claims:
        held = 0.0
        for point, weight in points:
            of_seeds = [runs.journal.values.get((point, WHOLE, seed), {}).get(one.id + HOLDS) or 0.0 for seed in seeds]
            held += weight * float(np.mean(of_seeds))
        found[one.id] = held
    return found
