"""Where names and times stand in a picture, so that they can be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

LETTER, HIGH = 7.0, 12.0
"""Pixels of a letter of a name: its width and its height."""

BESIDE = 22.0
"""Pixels from an access point to a name beside it."""

THICK = 6.0
"""Pixels of the thickest wall, as `style.css` draws it."""

Point = tuple[float, float]
"""In pixels."""

Line = tuple[Point, Point]
"""From one end to the other."""


@dataclass(frozen=True)
class Label:
    """A name or a time in a picture.

    Attributes:
        x: Where it begins, has its middle or ends, as `anchor` says, in pixels.
        y: The foot of its first line.
        anchor: `start`, `middle` or `end`.
        lines: What stands in it.
    """

    x: float
    y: float
    anchor: str
    lines: tuple[str, ...]

    def box(self) -> Line:
        """Two corners of what it takes, with room for half a wall, and with the way to what it stands beside."""
        wide = LETTER * max(map(len, self.lines))
        before, behind = {
            "start": (BESIDE, wide + THICK / 2),
            "middle": ((wide + THICK) / 2, (wide + THICK) / 2),
            "end": (wide + THICK / 2, BESIDE),
        }[self.anchor]
        foot = self.y + HIGH * (len(self.lines) - 1)
        return (self.x - before, self.y - HIGH - THICK / 2), (self.x + behind, foot + THICK / 2)

    def drawn(self, kind: str = "") -> Markup:
        """It as SVG, a line below the other."""
        anchor = "" if self.anchor == "middle" else Markup(' style="text-anchor: {}"').format(self.anchor)
        of = Markup(' class="{}"').format(kind) if kind else ""
        each = Markup('<text{} x="{}" y="{}"{}>{}</text>')
        return Markup().join(
            each.format(of, self.x, self.y + HIGH * row, anchor, line) for row, line in enumerate(self.lines)
        )


@dataclass
class Labels:
    """The labels of a picture: each takes, of the places that it may have, one without a line or anything else in it.

    Attributes:
        lines: What no label should lie on.
        taken: Boxes, each between two corners, in which something else is.
    """

    lines: Sequence[Line]
    taken: list[Line] = field(default_factory=list)

    def place(self, places: Sequence[Label]) -> Label:
        """The first of the places, best first, in which the least lies."""
        best = min(places, key=self._met)
        self.taken.append(best.box())
        return best

    def _met(self, label: Label) -> int:
        box = label.box()
        lines = sum(crosses(line, *box) for line in self.lines)
        return lines + sum(overlap(box, other) for other in self.taken)


def overlap(box: Line, other: Line) -> bool:
    """Whether two boxes, each between two corners, have something in common."""
    return all(box[0][axis] < other[1][axis] and other[0][axis] < box[1][axis] for axis in (0, 1))


def crosses(line: Line, corner: Point, other: Point) -> bool:
    """Whether a line passes through the box between two corners (Liang and Barsky's clipping)."""
    first, last = 0.0, 1.0
    for start, end, low, high in zip(*line, corner, other, strict=True):
        if start == end:
            if not low <= start <= high:
                return False
            continue
        enters, leaves = sorted(((low - start) / (end - start), (high - start) / (end - start)))
        first, last = max(first, enters), min(last, leaves)
    return first <= last
