"""Tables of any width on a terminal of any width: no cell is cut, and no column is left out."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.measure import Measurement

from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, RenderableType  # noqa: TID251 - it only measures here
    from rich.table import Column, Table

LONGEST = 28
"""Characters of a name that stay on one line."""

LONGEST_HEADING = 16
"""Characters of a heading's word that stay on one line."""

SHORTEST = 6
"""Characters of a name that stay on one line however narrow the terminal is."""


@dataclass(frozen=True)
class Width:
    """How wide a column is: at least, so that no number is folded and no name at every word; and at most."""

    least: int
    most: int


def blocks(table: Table, console: Console, labels: int = 1) -> Iterator[Table]:
    """A table as a console has room for it: whole, or some columns at a time, each block to stand below the last.

    Args:
        table: A table without a box.
        console: Where it is shown.
        labels: How many of its first columns say what a row is; each block has them.
    """
    gap = sum(table.padding[side] for side in (1, 3))
    room = console.width + (0 if table.pad_edge else gap)
    widths = [width(table, column, console) for column in table.columns]
    lead = sum(gap + one.least for one in widths[:labels])
    starts, taken = [labels], lead
    for place in range(labels, len(widths)):
        if taken + gap + widths[place].least > room and place > starts[-1]:
            starts.append(place)
            taken = lead
        taken += gap + widths[place].least
    for start, end in pairwise([*starts, max(labels, len(widths))]):
        places = [*range(min(labels, len(widths))), *range(start, end)]
        yield part(table, places, shared([widths[place] for place in places], room - gap * len(places)))


def width(table: Table, column: Column, console: Console) -> Width:
    """How wide a column is. What stands at the right is a number, which stays on one line."""
    heads: list[RenderableType] = [column.header] if table.show_header else []
    rows = [*column.cells, *([column.footer] if table.show_footer else [])]
    of_heads, of_rows = ([Measurement.get(console, console.options, one) for one in some] for some in (heads, rows))
    heading = min(max((one.minimum for one in of_heads), default=1), LONGEST_HEADING)
    most = max((one.maximum for one in (*of_heads, *of_rows)), default=1)
    if column.justify == "right":
        return Width(max([heading, *(one.maximum for one in of_rows)]), most)
    words = min(max((one.minimum for one in of_rows), default=1), LONGEST)
    return Width(max(heading, words), most)


def shared(widths: Sequence[Width], room: int) -> list[int]:
    """As wide as columns can be: the widest gives way first, none below what it needs while there is room for that."""
    found = [max(one.least, one.most) for one in widths]
    for least in ([one.least for one in widths], [min(one.least, SHORTEST) for one in widths]):
        while sum(found) > room and any(now > own for now, own in zip(found, least, strict=True)):
            widest = max((place for place, own in enumerate(least) if found[place] > own), key=found.__getitem__)
            found[widest] -= 1
    return found


PIECE = re.compile(r"[^-/_.:]*[-/_.:]+|[^-/_.:]+")
"""A piece of a name, such as a path, with what ends it: a line may end there."""


def folded(heading: RenderableType, width: int) -> RenderableType:
    """A heading of a word that is too wide, with blanks between pieces that fill a line each, if it has any."""
    if not isinstance(heading, str) or " " in heading or len(visible(heading)) <= width:
        return heading
    lines = [""]
    for piece in PIECE.findall(visible(heading)):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return " ".join(lines)


def part(table: Table, places: Sequence[int], widths: Sequence[int]) -> Table:
    """Some columns of a table, each as wide as it is told; what is longer is folded."""
    some = copy(table)
    some.caption = None
    some.columns = [
        replace(column, header=folded(column.header, own), _index=index, width=own, no_wrap=False, overflow="fold")
        for index, (column, own) in enumerate(zip([table.columns[place] for place in places], widths, strict=True))
    ]
    return some
