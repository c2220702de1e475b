"""Tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.styled import Styled
from rich.table import Table

from airloom.support.formatting import interval, quantity

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
    """What became of a paper's claims."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim", no_wrap=True)
    table.add_column("published", justify="right", no_wrap=True)
    table.add_column("ours", justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for row in rows:
        verdict = Styled(row.verdict, STYLES[row.verdict])
        table.add_row(row.id, quantity(row.published), quantity(row.ours), row.unit, verdict)
    return table
