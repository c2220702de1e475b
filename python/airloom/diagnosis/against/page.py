"""The page of a comparison: what changed, and each measure with its interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.diagnosis.against import words
from airloom.report.html import fill_plainly
from airloom.support.formatting import number

if TYPE_CHECKING:
    from airloom.diagnosis.against.changes import Change
    from airloom.diagnosis.against.told import Comparison

LEAST_SPAN = 1.25
"""The axis goes from one over this ratio to it, at least."""

MOST_SPAN = 20.0
"""And at most; what goes beyond is cut off at its end."""


def render(found: Comparison) -> str:
    """The page as HTML."""
    span = axis(found["changes"])
    return fill_plainly(
        "against.html.j2",
        styles=("style.css", "against.css"),
        shown={
            "version": _engine.version(),
            "title": words.title(found),
            "sides": [*words.side("before", found["before"]), *words.side("after", found["after"])],
            "lead": words.lead(found),
            "sure": words.sure(found),
            "axis": [f"x {1 / span:.2g}", "x 1", f"x {span:.3g}"],
            "rows": [row(one, span) for one in found["changes"]],
            "rules": words.found_by_rules(found),
        },
    )


def axis(changes: list[Change]) -> float:
    """The ratio at the end of the axis, which is logarithmic and has 1 in its middle."""
    ends = [abs(math.log(end)) for one in changes if one["interval"] for end in one["interval"] if end > 0]
    return min(MOST_SPAN, max(LEAST_SPAN, math.exp(1.1 * max(ends, default=0.0))))


def row(one: Change, span: float) -> dict[str, Any]:
    """A measure as the table shows it."""
    return {
        "measure": one["measure"],
        "unit": one["unit"],
        "before": number(one["before"]),
        "after": number(one["after"]),
        "effect": words.effect(one),
        "bar": bar(one, span),
        "kind": one["verdict"].replace(" ", "-"),
        "verdict": one["verdict"],
        "because": words.because(one),
    }


def bar(one: Change, span: float) -> tuple[float, float, float] | None:
    """Where the interval begins, how wide it is, and where the ratio lies, in percent of the axis."""
    if one["interval"] is None or one["ratio"] is None:
        return None

    def place(ratio: float) -> float:
        at = math.log(ratio) / math.log(span) if ratio > 0 else -1.0
        return round(50 + 50 * min(1.0, max(-1.0, at)), 2)

    low, high = map(place, one["interval"])
    return low, round(high - low, 2), place(one["ratio"])
