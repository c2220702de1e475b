"""Tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.styled import Styled
from rich.table import Table

from airloom.support.formatting import interval, quantity, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.papers.scorer import Score
    from airloom.sweep.query import Shown

STYLES = {"holds": "green", "misses": "bold red", "not run": "dim"}


def swept(shown: Shown) -> Table:
    """A metric of a sweep: a row for each place, a column for each line."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(shown.by)
    for line in shown.lines:
        table.add_column(line.label or shown.metric, justify="right")
    for place in shown.places:
        table.add_row(place, *(interval(line.points[place]) if place in line.points else "" for line in shown.lines))
    return table


def scores(rows: Sequence[Score]) -> Table:
    """What became of a paper's claims: ours is a mean over sets of seeds, with the least and the most beside it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim", no_wrap=True)
    for title in ("published", "ours", "spread"):
        table.add_column(title, justify="right", no_wrap=True)
    for title in ("unit", "evidence", "holds in", "verdict"):
        table.add_column(title, no_wrap=True)
    for row in rows:
        holds_in = "" if row.holds_in is None else share(row.holds_in, 1)
        spread = "" if row.spread is None else quantity(row.spread)
        style = "" if row.kind_of_evidence == "result" else "dim"
        table.add_row(
            row.id,
            quantity(row.published),
            quantity(row.ours),
            spread,
            row.unit,
            Styled(row.kind_of_evidence, style),
            holds_in,
            Styled(row.verdict, STYLES[row.verdict]),
        )
    return table
