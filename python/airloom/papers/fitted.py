"""What a fit to a paper's claims found, as `airloom fit FILE --write` leaves it beside them: `fitted.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from airloom.papers.paper import parse

if TYPE_CHECKING:
    from airloom.papers.paper import Paper

FILE = "fitted.toml"

ByFit = Literal["input", "robust", "predicted", "fitted", "missed"]
"""What a fit says of a claim: docs/fit.md has what each means."""


class FittedUnknown(TypedDict):
    """An `[unknown.NAME]`: the keys that it sets, its 90 % interval or what it may be, and its likeliest value."""

    sets: list[str]
    low: NotRequired[str]
    high: NotRequired[str]
    choices: NotRequired[list[str]]
    likeliest: str


class FittedClaim(TypedDict):
    """A line of `[evidence]`: the claim's half, and in which share of the worlds it holds.

    Of all that were thought possible at first, of those left when it was held out, and of those left when it was not.
    """

    kind: ByFit
    fold: str
    anywhere: float
    held_out: float
    fitted: float


class Fitted(TypedDict):
    """The file: the problem's name beside it, the results version of its runs, and what was found.

    There are no unknowns where no world is left.
    """

    problem: str
    results_version: int
    unknown: dict[str, FittedUnknown]
    evidence: dict[str, FittedClaim]


def read_fitted(paper: Paper) -> Fitted | None:
    """What a fit found of a paper; nothing where there was none.

    Raises:
        PaperError: The file is not what a fit writes.
    """
    file = paper.folder / FILE
    return parse(file, Fitted) if file.exists() else None
