"""Flows whose packets overtake each other, in words: a fact, and no fault while nothing is sent again for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MOST, ends
from airloom.diagnosis.reading import named
from airloom.support.formatting import number

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis


def overtaken(found: Diagnosis) -> list[str]:
    """A line for each large flow of which packets came to a host's capture behind later ones: how many, and where."""
    lines: dict[str, str] = {}
    for one in sorted(found["connections"], key=lambda one: -one["bytes"]):
        if not (seen := one["overtaken"]) or ends(one) in lines:
            continue
        where = ""
        if seen["in_order_at"] is not None:
            other = named(found["captures"][seen["in_order_at"]])
            where = f"; {other} has them in order, so that they overtake each other between the two"
        far = (
            f"by {seen['segments']} segments mostly and {seen['most']} at most, up to {number(seen['late_ms'])} ms late"
        )
        lines[ends(one)] = (
            f"{ends(one)}: {number(100 * seen['packets'] / max(one['packets'], 1))} % of the packets came to "
            f"{named(found['captures'][one['capture']])} behind later ones, {far}{where}"
        )
    return list(lines.values())[:MOST]
