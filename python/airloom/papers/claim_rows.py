"""Scores as rows of a page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from airloom.papers.value import ends_of
from airloom.report.published import ClaimRow
from airloom.support.formatting import quantity

if TYPE_CHECKING:
    from airloom.papers.scorer import Score
    from airloom.papers.value import Value


def claim_row(score: Score, sets: int = 1) -> ClaimRow:
    """A score over this many sets of seeds as a row; the accepted range is the middle third of its gauge."""
    band, marks = None, []
    ends = ends_of(score.ours)
    if score.accepted is not None and ends:
        low, high = score.accepted
        reach = max(high - low, 1e-9)
        band = (100 / 3, 100 / 3)
        marks = [100 * min(1.0, max(0.0, (end - low + reach) / (3 * reach))) for end in dict.fromkeys(ends)]
    return ClaimRow(
        what=score.what,
        where=score.where,
        note=score.note,
        unit=score.unit,
        published=statement(score.published, places(score.published)),
        ours=statement(score.ours, places(score.published)),
        verdict=score.verdict,
        held=held(score.holds_in, sets) if sets > 1 else "",
        evidence=f"{score.kind_of_evidence}: {score.because}" if score.because else "",
        band=band,
        marks=marks,
    )


def held(share: float | None, sets: int) -> str:
    """In how many of the sets of seeds a claim holds."""
    return "" if share is None else f"{round(share * sets)} of {sets}"


DIGITS = 3
"""Significant digits of a published value that are shown, if it has as many; ours has one to compare even if theirs has
fewer."""


def places(published: Value | None) -> int:
    """The digits after the point of a published value, and so of ours beside it: two significant ones at least."""
    numbers = [end for end in ends_of(published) or () if end]
    said = [len(f"{value:.{DIGITS}g}".partition(".")[2].partition("e")[0]) for value in numbers]
    needed = [1 - math.floor(math.log10(abs(value))) for value in numbers]
    return max([0, *said, *needed])


def statement(value: Value | None, digits: int) -> str:
    """A published or measured quantity with this many digits after the point."""

    def one(number: float) -> str:
        return f"{number:,.{digits}f}"

    return f"{one(value[0])} to {one(value[1])}" if isinstance(value, tuple) else quantity(value, one)
