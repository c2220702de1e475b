"""Scores as rows of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.report.published import ClaimRow
from airloom.support.formatting import quantity

if TYPE_CHECKING:
    from airloom.papers.scorer import Score


def claim_row(score: Score) -> ClaimRow:
    """A score as a row; the accepted range is the middle third of its gauge."""
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
        published=statement(score.published),
        ours=statement(score.ours),
        verdict=score.verdict,
        band=band,
        marks=marks,
    )


def statement(value: float | tuple[float, float] | bool | None) -> str:
    """A published or measured quantity, as short as a page wants it."""
    return quantity(value, lambda one: f"{one:.3g}" if abs(one) < 100 else f"{one:.0f}")  # noqa: PLR2004
