"""Tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.styled import Styled
from rich.table import Table

from airloom.support.formatting import plain, quantity, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.self_test import CostRow, RuleRow
    from airloom.lab.grade import Answered, Graded
    from airloom.papers.scorer import Score
    from airloom.sweep.query import Shown

WIDE = 110
"""Columns of a terminal on which a score's spread has room."""

STYLES = {"holds": "green", "misses": "bold red", "not run": "dim"}


def swept(shown: Shown) -> Table:
    """A metric of a sweep: a row for each place, a column for each line."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    first, *others = shown.columns
    table.add_column(first)
    for column in others:
        table.add_column(column, justify="right")
    for row in shown.rows:
        table.add_row(*row)
    return table


def scores(rows: Sequence[Score], width: int) -> Table:
    """What became of a paper's claims, on a terminal of this width.

    Ours is a mean over sets of seeds; where there is room, the least and the most stand beside it.
    """
    wide = width >= WIDE
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim")
    for title in ("published", "ours", *(["spread"] if wide else [])):
        table.add_column(title, justify="right")
    table.add_column("unit")
    table.add_column("in sets", justify="right")
    table.add_column("")
    table.add_column("")
    for row in rows:
        values = [quantity(row.published), quantity(row.ours)]
        if wide:
            values.append("" if row.spread is None else quantity(row.spread))
        holds_in = "" if row.holds_in is None else share(row.holds_in, 1)
        table.add_row(
            row.id,
            *values,
            row.unit,
            holds_in,
            Styled(row.verdict, STYLES[row.verdict]),
            Styled(row.kind_of_evidence, "dim"),
        )
    return table


def judged(rows: Sequence[RuleRow]) -> Table:
    """How right each rule of a diagnosis was."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule")
    for title in ("one cause", "precision", "recall", "two causes", "precision", "recall", "unsure"):
        table.add_column(title, justify="right")
    for row in rows:
        parts = (row["one"], row["two"])
        cells = [cell for part in parts for cell in (part["right"] + part["missed"], part["precision"], part["recall"])]
        shown = ["-" if cell is None else f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells]
        table.add_row(row["rule"], *shown, str(sum(part["abstained"] for part in parts)))
    return table


def priced(rows: Sequence[CostRow]) -> Table:
    """How right the costs of each rule of a diagnosis were."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule")
    for title in ("costs", "error", "90 %", "at least", "over", "90 %", "up to", "short", "90 %"):
        table.add_column(title, justify="right")
    for row in rows:
        cells = [cell for part in (row["about"], row["at_least"], row["at_most"]) for cell in part.values()]
        shown = ["-" if cell is None else f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells]
        table.add_row(row["rule"], *shown)
    return table


def pieces(of: str, rows: Sequence[tuple[str, int, float, float]], whole_us: float) -> Table:
    """What a time in microseconds is made of: of each piece its name, how many, the time of one and of all."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_footer=True, footer_style="bold")
    table.add_column(of, "together")
    table.add_column("us", f"{whole_us:,.1f}", justify="right")
    table.add_column("")
    for name, times, each, together in rows:
        table.add_row(name, f"{together:,.1f}", Styled(f"{times:,} x {each:,.4g}" if times > 1 else "", "dim"))
    return table


def answers(rows: Sequence[Answered]) -> Table:
    """What was answered to each question of a sheet: what was expected beside what is."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("question")
    for title in ("predicted", "answered", "right", "", "point"):
        table.add_column(title, justify="left" if not title else "right")
    for row in rows:
        right = row["right"].removesuffix(row["unit"]).strip() if row["unit"] else row["right"].partition(")")[0]
        table.add_row(row["id"], shown(row["predicted"]), shown(row["given"]), right, row["unit"], str(row["points"]))
    return table


def shown(given: float | str | None) -> str:
    """An answer; a dash where there is none."""
    return "-" if given is None else given if isinstance(given, str) else plain(given)


def hand_ins(found: Sequence[Graded]) -> Table:
    """The points of many hand-ins, and the questions that cost points."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("folder", "sheet", "student"):
        table.add_column(title)
    table.add_column("points", justify="right")
    table.add_column("none for")
    for one in found:
        lost = ", ".join(row["id"] for row in one["questions"] if row["said"])
        table.add_row(one["folder"], one["sheet"], one["student"], f"{one['points']} of {one['of']}", lost)
    return table
