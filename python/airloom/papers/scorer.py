"""Holds our results against the published ones, over several sets of seeds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, get_args

from airloom.errors import AirloomError
from airloom.papers.claim import read_claims
from airloom.papers.evidence import EVIDENCE, Evidence, Kind, evidence
from airloom.papers.fitted import read_fitted
from airloom.papers.measure import failed, file_of, measures_of
from airloom.papers.value import Value, ends_of
from airloom.papers.views import views_of
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.papers.claim import Claim
    from airloom.papers.measure import Measure, Ours
    from airloom.papers.paper import Paper
    from airloom.results.bundle import Run

Verdict = Literal["holds", "misses", "not run"]

PREDICTED = Evidence("predicted")
"""Of a claim that nothing was fitted to."""

MIN_SHARE_OF_SETS = 0.8
"""The share of the sets of seeds in which a claim has to hold."""


@dataclass(frozen=True)
class Score:
    """One claim and what became of it.

    Attributes:
        id: The claim's name.
        published: What was published.
        ours: The mean of ours over the sets of seeds, of each end of a range; whether a statement holds.
        spread: The least and the most of ours over the sets; none of a statement.
        unit: The unit of all of these.
        verdict: Whether the claim holds in enough of the sets.
        kind_of_evidence: What it is evidence of if it holds.
        because: What was fitted to it, why no run could fail it, or what a fit said.
        holds_in: The share of the sets in which it holds; none if it was not run.
        where: Where it stands in the paper.
        what: What it says.
        note: The figures behind ours, of the first set with this verdict.
        accepted: The values that would hold; none of a statement.
    """

    id: str
    published: Value
    ours: Value | None
    spread: tuple[float, float] | None
    unit: str
    verdict: Verdict
    kind_of_evidence: Kind
    because: str
    holds_in: float | None
    where: str
    what: str
    note: str
    accepted: tuple[float, float] | None

    def as_json(self) -> dict[str, object]:
        """As one object of `papers score --json`."""
        return asdict(self)


def claims_by_id(paper: Paper) -> dict[str, Claim]:
    """The paper's claims by their names, for the figures, which show published values beside ours."""
    return {claim.id: claim for claim in read_claims(paper)}


def needed(paper: Paper) -> list[str]:
    """The runs and grids that the paper's claims are computed from."""
    return sorted({name for measure in measures_of(paper).values() for name in measure.needs})


def score(sets: Sequence[tuple[Paper, Mapping[str, Run]]]) -> list[Score]:
    """Scores every claim of a paper; those that need a run that is not given are not run.

    Args:
        sets: The paper with each set of seeds, and its runs.
    """
    paper = sets[0][0]
    measures = measures_of(paper)
    found = [results(one, runs, measures) for one, runs in sets]
    fitted = read_fitted(paper)
    scores = []
    for claim in read_claims(paper):
        measure = measures.get(claim.id)
        ours = [result for part in found if (result := part.get(claim.id)) is not None]
        without = "no experiment for it yet" if measure is None else f"needs {', '.join(lacking(measure, *sets[0]))}"
        scores.append(verdict(claim, ours, evidence(claim, fitted), without))
    return scores


def results(
    paper: Paper, runs: Mapping[str, Run], measures: Mapping[str, Measure], without: tuple[type[Exception], ...] = ()
) -> dict[str, Ours]:
    """Our results with one set of seeds, by claim: of those whose runs are there.

    Args:
        paper: The paper.
        runs: Its runs.
        measures: Its measures.
        without: Errors upon which a measure has no result.

    Raises:
        PaperError: A measure failed otherwise.
    """
    views = views_of(paper, runs)
    found = {}
    for claim, measure in measures.items():
        if not lacking(measure, paper, runs):
            try:
                found[claim] = measure(views)
            except AirloomError:
                raise
            except without:
                continue
            except Exception as error:
                raise failed(error, file_of(paper), f"claim {claim}: ") from error
    return found


def lacking(measure: Measure, paper: Paper, runs: Mapping[str, Run]) -> list[str]:
    """What a measure needs and these runs do not have."""
    return [name for name in measure.needs if not runs.keys() >= set(paper.runs_of(name))]


def verdict(claim: Claim, ours: Sequence[Ours], evidence: Evidence = PREDICTED, without: str = "") -> Score:
    """One claim's score.

    Args:
        claim: The claim.
        ours: Our result with each set of seeds.
        evidence: What it is evidence of if it holds.
        without: What to say if there is no result.
    """
    held = [one.known and one.sound and claim.holds(one.value) for one in ours]
    share = sum(held) / len(held) if held else None
    holds = share is not None and share >= MIN_SHARE_OF_SETS
    outcome: Verdict = "not run" if share is None else "holds" if holds else "misses"
    notes = [one.note for one, well in zip(ours, held, strict=True) if well is holds]
    ends = [found for one in ours if one.known and (found := ends_of(one.value))]
    return Score(
        id=claim.id,
        published=claim.published,
        ours=mean_of_ends(ends) if ends else holds if isinstance(claim.published, bool) and share is not None else None,
        spread=(significant(min(low for low, _ in ends)), significant(max(high for _, high in ends))) if ends else None,
        unit=claim.unit,
        verdict=outcome,
        kind_of_evidence=evidence.kind,
        because=evidence.because,
        holds_in=share,
        where=claim.where,
        what=claim.what,
        note=notes[0] if notes else without,
        accepted=claim.accepted(),
    )


def mean_of_ends(ends: Sequence[tuple[float, float]]) -> float | tuple[float, float]:
    """The mean of each end; a single number where both are the same in all."""
    low, high = (significant(mean(of_all)) for of_all in zip(*ends, strict=True))
    return low if all(first == last for first, last in ends) else (low, high)


def significant(value: float) -> float:
    """A number of six digits: more than any measurement has."""
    return float(f"{value:.6g}")


@dataclass(frozen=True)
class Tally:
    """How many claims hold, by what they are evidence of.

    Attributes:
        held: How many that are evidence of each kind.
        of: How many claims there are.
    """

    held: Mapping[Kind, int]
    of: int

    @property
    def evidence(self) -> int:
        """How many of those that hold say something of the model."""
        return sum(self.held[kind] for kind in EVIDENCE)

    @property
    def missed(self) -> int:
        """How many do not hold, or were not run."""
        return self.of - sum(self.held.values())

    def __str__(self) -> str:
        """In words."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in self.held.items() if number)
        return f"{self.of - self.missed} of {self.of} claims hold" + (f": {kinds}" if kinds else "")


def tally(scores: Sequence[Score]) -> Tally:
    """Counts the claims that hold."""
    held = [score.kind_of_evidence for score in scores if score.verdict == "holds"]
    return Tally({kind: held.count(kind) for kind in get_args(Kind)}, len(scores))
