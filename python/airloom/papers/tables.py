"""A paper's claims and the data of its figures, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.papers import figures_page
from airloom.papers.value import ends_of
from airloom.report.standalone import rows
from airloom.results.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.papers.figure import Figures
    from airloom.papers.paper import Paper
    from airloom.papers.scorer import Score
    from airloom.results.bundle import Run


def of_claims(scores: Sequence[Score]) -> Table:
    """A row for each claim: what was published, and what became of it.

    A single value is both ends of its range; a statement has none, for its verdict says all.
    """
    ends = {
        f"{name}_{end}": [float(ends[place]) if (ends := ends_of(getattr(score, name))) else None for score in scores]
        for name in ("published", "ours", "spread", "accepted")
        for place, end in enumerate(("from", "to"))
    }
    words = {
        name: [str(getattr(score, name)) for score in scores]
        for name in ("unit", "verdict", "kind_of_evidence", "because", "where", "what", "note")
    }
    return Table(
        [
            Column("id", "text", [score.id for score in scores]),
            *(Column(name, "number", values) for name, values in ends.items()),
            Column("holds_in", "number", [score.holds_in for score in scores]),
            *(Column(name, "text", values) for name, values in words.items()),
        ]
    )


def of_figure(paper: Paper, figures: Figures, runs: dict[str, Run]) -> Table:
    """The data of the first of some figures, as its chart has them."""
    drawn = figures_page.described(paper, figures, runs)
    columns, found = rows(drawn)
    numeric = [all(isinstance(row[place], (int, float, type(None))) for row in found) for place in range(len(columns))]
    return Table(
        [
            Column(
                title,
                "number" if numeric[place] else "text",
                [row[place] if row[place] is None else (float if numeric[place] else str)(row[place]) for row in found],
            )
            for place, title in enumerate(columns)
        ]
    )
