"""Scores as rows of a page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from airloom.report.published import ClaimRow
from airloom.support.formatting import quantity

if TYPE_CHECKING:
    from airloom.papers.scorer import Score


def claim_row(score: Score, sets: int = 1) -> ClaimRow:
    """A score over this many sets of seeds as a row; the accepted range is the middle third of its gauge."""
    band, marks = None, []
    if score.accepted is not None and score.ours is not None and not isinstance(score.ours, bool):
        low, high = score.accepted
        reach = max(high - low, 1e-9)
        ends = score.ours if isinstance(score.ours, tuple) else (score.ours,)
        band = (100 / 3, 100 / 3)
        marks = [100 * min(1.0, max(0.0, (end - low + reach) / (3 * reach))) for end in ends]
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


Value = float | tuple[float, float] | bool | None

DIGITS = 3
"""Significant digits of a published value that are shown, if it has as many; ours has one to compare even if theirs has
fewer."""


def places(published: Value) -> int:
    """The digits after the point of a published value, and so of ours beside it: two significant ones at least."""
    if published is None or isinstance(published, bool):
        return 0
    numbers = [end for end in (published if isinstance(published, tuple) else (published,)) if end]
    said = [len(f"{value:.{DIGITS}g}".partition(".")[2].partition("e")[0]) for value in numbers]
    needed = [1 - math.floor(math.log10(abs(value))) for value in numbers]
    return max([0, *said, *needed])


def statement(value: Value, digits: int) -> str:
    """A published or measured quantity with this many digits after the point."""

    def one(number: float) -> str:
        return f"{number:,.{digits}f}"

    return f"{one(value[0])} to {one(value[1])}" if isinstance(value, tuple) else quantity(value, one)
