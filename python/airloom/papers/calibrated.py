"""The values of a paper's testbed that no source gives: what each is, and which claims it was fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from airloom.errors import PaperError
from airloom.papers.paper import parse

if TYPE_CHECKING:
    from airloom.papers.paper import Paper


class CalibratedEntry(TypedDict, total=False):
    """A `[[value]]` of `calibrated.toml`."""

    what: str
    key: str
    value: Any
    claims: list[str]
    steps: list[Any]
    because: str


class CalibratedFile(TypedDict, total=False):
    """`calibrated.toml`."""

    value: list[CalibratedEntry]


@dataclass(frozen=True)
class Calibrated:
    """One calibrated value.

    Attributes:
        what: What it is, in words.
        key: The scenario's key that sets it, or `axis.NAME.CHOICE.KEY` for what a choice of the paper's axes sets.
        value: The value.
        claims: The claims that were looked at as it was chosen: they are fitted, and no evidence.
        steps: Values on either side of it, to see what it decides.
        because: Why no source gives it.
    """

    what: str
    key: str
    value: object
    claims: tuple[str, ...]
    steps: tuple[object, ...]
    because: str


def read_calibrated(paper: Paper) -> list[Calibrated]:
    """The calibrated values of a paper, in the order of its file; none without one."""
    file = paper.folder / "calibrated.toml"
    if not file.exists():
        return []
    try:
        return [
            Calibrated(
                entry["what"],
                entry["key"],
                entry["value"],
                tuple(entry["claims"]),
                tuple(entry.get("steps", ())),
                entry["because"],
            )
            for entry in parse(file, CalibratedFile).get("value", [])
        ]
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None
