"""Which keys the points of a sweep do not have alike, as those of a sample: what lies between two may be theirs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    Point = Sequence[Sequence[Mapping[str, Any]]]
    """The rows of a point, by seed."""

CELL = "cell"
"""The key by which every point is a cell of its own, and is meant to be."""


def unlike(axes: Mapping[str, Collection[str]], told: Collection[str], points: Sequence[Point]) -> list[str]:
    """The keys whose values are not the same at all points, or not equally often.

    Those whose values are, but not together with each other's, are named too where there is nothing else.

    Args:
        axes: What was varied, each with the keys that it sets.
        told: The keys of the question: each point has one value of each.
        points: The rows of each.
    """
    if CELL in told:
        return []
    keys = untold(axes, told)
    found = [key for key in keys if differ([key], points)]
    if not found and differ(keys, points):
        return [key for key in keys if len({row[key] for seeds in points for rows in seeds for row in rows}) > 1]
    return found


def untold(axes: Mapping[str, Collection[str]], told: Collection[str]) -> list[str]:
    """The other keys, of which a point may mix values: axes, or what one sets beside a key of the question."""
    found: dict[str, None] = {}
    for axis, sets in axes.items():
        if axis not in told:
            found |= dict.fromkeys(sets if set(sets) & set(told) else [axis])
    return [key for key in found if key not in told]


def differ(keys: Sequence[str], points: Sequence[Point]) -> bool:
    """Whether points differ in which values they have of some keys together, or how much each counts."""
    shares = [weights(keys, point) for point in points]
    return any(one != shares[0] for one in shares[1:])


def weights(keys: Sequence[str], point: Point) -> dict[tuple[object, ...], Fraction]:
    """How much each combination of values counts in a point: a seed's mean is over its rows, the point's over seeds."""
    found: dict[tuple[object, ...], Fraction] = {}
    for rows in point:
        for values, many in Counter(tuple(row[key] for key in keys) for row in rows).items():
            found[values] = found.get(values, Fraction(0)) + Fraction(many, len(rows) * len(point))
    return found
