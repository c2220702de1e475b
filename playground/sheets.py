"""The sheets of `airloom lab` as the page has them: all that can be done without other programs."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.lab import sheet
from airloom.lab.draw import filled
from airloom.lab.grade import LEAST
from airloom.lab.task import LETTERS, TOLERANCE
from airloom.lab.truth import airtimes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.lab.sheet import Sheet


def sheets() -> dict[str, Any]:
    """The sheets in their order, and by which rules they are graded."""
    read = {name: sheet.read(name) for name in sheet.ORDER}
    return {
        "sheets": [{"name": name, **one, "airtimes": list(airtimes(one))} for name, one in read.items() if alone(one)],
        "letters": LETTERS,
        "tolerance": TOLERANCE,
        "least": LEAST,
        "results": _engine.results(),
    }


def alone(of: Sheet) -> bool:
    """Whether its runs take nothing but the engine."""
    return not any(run.get("then") for run in of["run"].values())


def airtimes(of: Sheet) -> Iterator[dict[str, Any]]:
    """What its airtimes are made of, for all that can be drawn: the page computes none."""
    if asked := of.get("airtime"):
        for values in product(*of["draw"].values()):
            drawn = dict(zip(of["draw"], values, strict=True))
            yield {"drawn": drawn, "parts": airtimes_of(filled(asked, drawn))}
