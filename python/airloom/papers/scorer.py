"""Holds our results against the published ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from airloom.analysis.run_view import RunView
from airloom.papers.claim import read_claims
from airloom.papers.grid_runs import runs_of_grids
from airloom.papers.measure import measures_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.papers.claim import Claim
    from airloom.papers.grid_runs import GridRuns
    from airloom.papers.measure import Ours
    from airloom.papers.paper import Paper
    from airloom.results.bundle import Run

Verdict = Literal["holds", "misses", "not run"]


@dataclass(frozen=True)
class Score:
    """One claim and what became of it."""

    id: str
    published: float | tuple[float, float] | bool
    ours: float | tuple[float, float] | bool | None
    unit: str
    verdict: Verdict
    where: str
    what: str
    note: str
    accepted: tuple[float, float] | None

    def as_json(self) -> dict[str, object]:
        """As one object of `papers score --json`."""
        return asdict(self)


def published(paper: Paper) -> dict[str, Claim]:
    """What the paper claims, by the claims' names: for the figures, which show the values beside ours."""
    return {claim.id: claim for claim in read_claims(paper)}


def needed(paper: Paper) -> list[str]:
    """The runs and grids that the paper's claims are computed from."""
    return sorted({name for measure in measures_of(paper.id).values() for name in measure.needs})


def score(paper: Paper, runs: Mapping[str, Run]) -> list[Score]:
    """Scores every claim of a paper; those that need a run that is not given are not run."""
    measures = measures_of(paper.id)
    views = {name: RunView(run) for name, run in runs.items()}
    seen: dict[str, RunView | GridRuns] = {**views, **runs_of_grids(paper, views)}
    scores = []
    for claim in read_claims(paper):
        measure = measures.get(claim.id)
        if measure is None:
            scores.append(verdict(claim, None, "no experiment for it yet"))
        elif missing := [name for name in measure.needs if name not in seen]:
            scores.append(verdict(claim, None, f"needs {', '.join(missing)}"))
        else:
            ours = measure(seen)
            scores.append(verdict(claim, ours, ours.note))
    return scores


def verdict(claim: Claim, ours: Ours | None, note: str) -> Score:
    """One claim's score."""
    value: float | tuple[float, float] | bool | None = None
    outcome: Verdict = "not run"
    if ours is not None:
        value = rounded(ours.value) if ours.known else None
        outcome = "holds" if ours.known and ours.sound and claim.holds(ours.value) else "misses"
    return Score(claim.id, claim.published, value, claim.unit, outcome, claim.where, claim.what, note, claim.accepted())


def rounded(value: float | tuple[float, float] | bool) -> float | tuple[float, float] | bool:
    """Six digits: more than any measurement has."""
    match value:
        case bool():
            return value
        case (low, high):
            return significant(low), significant(high)
        case _:
            return significant(value)


def significant(value: float) -> float:
    """A number of six digits."""
    return float(f"{value:.6g}")
