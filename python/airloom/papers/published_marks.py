"""Published values as marks in the figures: those that the claims have, as the scorer reads them, and others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from airloom.errors import PaperError
from airloom.report import vega
from airloom.report.line_chart import Point, Trace
from airloom.support.formatting import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.papers.claim import Claim
    from airloom.papers.figure import Axis, Published

OWN = "var(--muted)"
"""The colour of a mark that belongs to no line."""

PAPER = "var(--paper)"
"""What a text stands on."""

SHAPE, SIGN = "diamond", "\N{WHITE DIAMOND}"
"""The shape of a mark at a place, and the sign that a legend outside the chart has for it."""

ENDS = "their axis ends here"
"""What stands at the end of a published axis that ours goes beyond."""

AXIS = "axis"
"""How a claim says that its number was read off a figure's axis."""


@dataclass(frozen=True)
class Mark:
    """A published value in a figure.

    Attributes:
        of: The line that it belongs to, if it belongs to one.
        at: The place on the horizontal axis, if it has one.
        span: From where to where on that axis it was said; open ends are those of the axis.
        ends: The value, both ends of a range, or several values of one place.
        said: What a legend says.
    """

    of: str
    at: str | None
    span: tuple[float | None, float | None]
    ends: tuple[float, ...]
    said: str


def marks(published: Sequence[Published], claims: Mapping[str, Claim], units: Mapping[str, str]) -> list[Mark]:
    """The marks of a figure, whose lines have these units; one that belongs to no line has that of the first.

    Raises:
        PaperError: There is no such claim, or it is a statement and has no value.
    """
    first = next(iter(units.values()), "")
    return [mark(one, claims, units.get(one.of, first)) for one in published]


def mark(one: Published, claims: Mapping[str, Claim], unit: str) -> Mark:
    """One of them."""
    ends, read = (one.values, "") if one.values else claimed(one, claims)
    scaled = tuple(one.scale * end for end in ends)
    value = " to ".join(plain(end) for end in dict.fromkeys((min(scaled), max(scaled)))) + (f" {unit}" if unit else "")
    said = ", ".join(filter(None, (one.said, read)))
    return Mark(one.of, one.at, (one.start, one.end), scaled, f"published: {value}" + (f" ({said})" if said else ""))


def claimed(one: Published, claims: Mapping[str, Claim]) -> tuple[tuple[float, ...], str]:
    """The value of a claim, or both ends of its range, and how it was read if not in the text."""
    claim = claims.get(one.claim)
    if claim is None:
        raise PaperError(f"no claim {one.claim!r} to draw among those of the paper")
    if isinstance(claim.published, bool):
        raise PaperError(f"claim {one.claim!r} is a statement; only a value or a range can be drawn")
    ends = claim.published if isinstance(claim.published, tuple) else (claim.published,)
    return ends, "read off the axis" if claim.read == AXIS else ""


def traces(found: Sequence[Mark], ours: Sequence[Trace], named: Mapping[str, str]) -> list[Trace]:
    """The marks of a figure of a grid, in the colours of the lines that they belong to.

    Args:
        found: The marks.
        ours: The lines.
        named: The lines' labels, by what a mark calls them.
    """
    by_label = {trace.label: trace for trace in ours}
    points: dict[str, list[Point]] = {}
    level: list[Trace] = []
    for one in found:
        if one.of and one.of not in named:
            raise PaperError(f"no line {one.of!r} in the figure; there are {', '.join(named)}")
        owner = by_label[named[one.of]] if one.of else None
        if one.at is not None:
            label = f"{owner.label}, published" if owner else "published"
            points.setdefault(label, []).extend(Point(one.at, end, end, end) for end in one.ends)
        else:
            level += levels(one, ours, owner)
    owners = {f"{trace.label}, published": trace for trace in ours}
    hollow = [
        Trace(label, those, owners[label].colour if label in owners else OWN, SHAPE, apart=True)
        for label, those in points.items()
    ]
    return hollow + level


def levels(one: Mark, ours: Sequence[Trace], owner: Trace | None) -> list[Trace]:
    """A value that was said of a span of the horizontal axis: a dashed line for it, or for each end of a range."""
    there = [point.at for trace in ours for point in trace.points if point.shown]
    if not there:
        return []
    measured = all(isinstance(at, float) for at in there)
    low, high = one.span
    first, last = (min(map(float, there)), max(map(float, there))) if measured else (there[0], there[-1])
    between = (first if low is None else low, last if high is None else high)
    label = f"{owner.label}, {one.said}" if owner else one.said
    return [
        Trace(
            label, [Point(at, end, end, end) for at in between], owner.colour if owner else OWN, dashed=True, level=True
        )
        for end in one.ends
    ]


def rules(one: Mark, label: str, duration: float, x: vega.Channel, y: vega.Channel, colour: vega.Channel) -> vega.Chart:
    """A value in a figure over time: a dashed line, or one for each end of a range."""
    low, high = one.span
    ends = (0.0 if low is None else low, duration if high is None else high)
    rows: list[dict[str, Any]] = [
        {"t": time, "v": value, "k": label, "n": part} for part, value in enumerate(one.ends) for time in ends
    ]
    drawn: vega.Chart = (
        vega.charted(rows)
        .mark_line(clip=True, strokeDash=[6, 4], strokeWidth=1.25)
        .encode(x=x, y=y, color=colour, detail="n:N")
    )
    return drawn


def frame(axis: Axis, ends: tuple[float, float], y: vega.Channel, colour: str) -> list[vega.Chart]:
    """Where the published axis ends, if ours reaches beyond: a dotted line that says so."""
    beyond = [end for end, ours in ((axis.start, ends[0]), (axis.end, ends[1])) if end != ours] if axis.theirs else []
    if not beyond:
        return []
    base = vega.charted([{"v": end} for end in beyond])
    said = partial(base.mark_text, text=ENDS, align="right", dx=-4, dy=-6, fontSize=10)
    halo, text = said(color=PAPER, stroke=PAPER, strokeWidth=3), said(color=colour)
    return [
        base.mark_rule(strokeDash=[2, 3], color=colour).encode(y=y),
        *(one.encode(x=vega.value("width"), y=y) for one in (halo, text)),
    ]
