"""The tables of `airloom fit` on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.styled import Styled
from rich.table import Table

from airloom.fitting.words import known_of, measured, possible

if TYPE_CHECKING:
    from collections.abc import Mapping


def empty(first: str, *numbers: str) -> Table:
    """A table of these columns, and of one for a verdict."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first)
    for title in numbers:
        table.add_column(title, justify="right")
    table.add_column("")
    return table


def known(said: Mapping[str, Any]) -> Table:
    """The unknowns: where each may lie, and where it does."""
    table = empty("unknown", "thought possible", "median", "90 % interval")
    for one in said["parameters"]:
        dim = one["name"] in said["unidentified"]
        table.add_row(one["name"], possible(one), *known_of(one), Styled("not known by this", "dim") if dim else "")
    return table


def predicted(said: Mapping[str, Any]) -> Table:
    """What was measured, beside what the worlds that are left have."""
    table = empty("measurement", "measured", "these worlds", "90 % interval")
    for one in said["predictions"]:
        if one["holds"] is None:
            row, verdict = ("-", "-"), Styled("no world has it", "bold red")
        else:
            row = (f"{one['median']:.3g}", f"{one['low']:.3g} to {one['high']:.3g}")
            verdict = Styled("predicted" if one["held_out"] else "met", "green")
            if one["aside"]:
                verdict = Styled("set aside", "bold red")
            elif not one["holds"]:
                verdict = Styled("not predicted" if one["held_out"] else "missed", "bold red")
        table.add_row(one["name"], measured(one), *row, verdict)
    return table


def evidence(said: Mapping[str, Any]) -> Table:
    """The claims of a paper: in which share of the worlds each holds, and what that is evidence of."""
    table = empty("claim", "anywhere", "held out", "fitted")
    for one in said["evidence"]:
        shares = (f"{100 * one[key]:.0f} %" for key in ("anywhere", "held_out", "fitted"))
        kind = one["kind_of_evidence"]
        colour = {"robust": "green", "predicted": "green", "missed": "bold red"}.get(kind, "")
        table.add_row(one["claim"], *shares, Styled(kind, colour))
    return table
