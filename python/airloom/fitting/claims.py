"""What a fit to a paper measures: the numbers of its claims, in two folds drawn without a look at verdicts."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from airloom.fitting.measurement import Measurement
from airloom.papers.value import ends_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.papers.claim import Claim
    from airloom.papers.measure import Ours

WHOLE = "paper"
"""The one experiment of such a fit: all runs that the paper's measures need."""

FOLDS = ("a", "b")
"""The halves into which claims are split."""

LOWEST, HIGHEST, HOLDS = ", lowest", ", highest", " holds"
"""What follows a claim's id in the name of an end of ours, and of whether it holds."""


def folds(claims: Sequence[Claim]) -> dict[str, str]:
    """The fold of each claim: within each section of the paper every other one, in the order of a hash of their ids.

    A claim that follows from another lies in its fold: fitted to the one, the other would be no prediction.
    """
    firsts = first_of_each(claims)
    by_name = {one.id: one for one in claims}
    order = sorted(set(firsts.values()), key=lambda name: (section(by_name[name]), digest(name)))
    of_firsts = {name: FOLDS[at % len(FOLDS)] for at, name in enumerate(order)}
    return {name: of_firsts[first] for name, first in firsts.items()}


def first_of_each(claims: Sequence[Claim]) -> dict[str, str]:
    """For each claim the first, by hash, of all that it is tied to: what it follows from, and what else does."""
    groups = {one.id: {one.id} for one in claims}
    for one in claims:
        tied = set[str]().union(*(groups[name] for name in (one.id, *one.follows)))
        groups |= dict.fromkeys(tied, tied)
    free = {one.id for one in claims if not one.follows}
    return {name: min(tied & free, key=digest) for name, tied in groups.items()}


def digest(name: str) -> str:
    """What decides the order of claims."""
    return hashlib.sha256(name.encode()).hexdigest()


def section(claim: Claim) -> str:
    """The section of the paper that a claim stands in, or its figure where no section is named."""
    return claim.where.split(",")[0].strip()


def measurements(claims: Sequence[Claim], discrepancy: float) -> list[Measurement]:
    """The numbers of claims, as spans of what would hold.

    Statements have no number, a claim that no run could fail says nothing, and one that holds at a single value cannot
    be met.

    Args:
        claims: The claims of a paper.
        discrepancy: How far a true world of ours may be off, in parts of the published value.
    """
    fold = folds(claims)
    found = []
    for one in claims:
        span = one.accepted()
        if span is None or one.input:
            continue
        middle, half = (span[0] + span[1]) / 2, (span[1] - span[0]) / 2
        off = discrepancy * abs(middle)
        if half + off > 0:
            rest = (WHOLE, one.id, WHOLE, None, middle, 0.0, off, fold[one.id], one.where, half)
            found += [Measurement(name, *rest) for name in of_ends(one)]
    return found


def of_ends(claim: Claim) -> tuple[str, ...]:
    """The names of a claim's numbers: one of a value, and of a range both of its ends."""
    return (claim.id,) if claim.kind == "value" else (claim.id + LOWEST, claim.id + HIGHEST)


def values(claims: Sequence[Claim], ours: Mapping[str, Ours]) -> dict[str, float | None]:
    """What the runs of a paper have in the place of these measurements, and whether each claim holds."""
    found: dict[str, float | None] = {}
    for one in claims:
        if (result := ours.get(one.id)) is None:
            continue
        found[one.id + HOLDS] = float(result.known and result.sound and one.holds(result.value))
        if one.accepted() is not None:
            ends = ends_of(result.value) if result.known else None
            for at, name in enumerate(of_ends(one)):
                found[name] = None if ends is None else float(ends[at] if len(of_ends(one)) > 1 else farther(one, ends))
    return found


def farther(claim: Claim, ends: tuple[float, float]) -> float:
    """The end that is farther off where one value was published and ours is a range: the claim holds if it does."""
    span = claim.accepted() or ends
    return max(ends, key=lambda end: abs(end - (span[0] + span[1]) / 2))
