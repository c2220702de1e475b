"""A published result, as a fact to be held against a run of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from airloom.errors import PaperError
from airloom.papers.paper import parse
from airloom.papers.value import ends_of

if TYPE_CHECKING:
    from airloom.papers.paper import Paper
    from airloom.papers.value import Value

Kind = Literal["value", "range", "shape", "order"]


class ClaimEntry(TypedDict, total=False):
    """A `[[claim]]` of `claims.toml`."""

    id: str
    where: str
    what: str
    kind: Kind
    value: float
    lo: float
    hi: float
    tol: float
    unit: str
    read: str
    input: str
    looked_at: str
    follows: str | list[str]


class ClaimFile(TypedDict, total=False):
    """`claims.toml`."""

    claim: list[ClaimEntry]


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes:
        id: Its name: paper, experiment, quantity.
        where: The section, figure or table that it stands in.
        what: What is claimed, in words.
        kind: `value` with a relative tolerance, `range`, or a statement (`shape`, `order`) that is true or false.
        published: The value, the range's ends, or true.
        tol: The tolerance of a value, or of each end of a range, relative to it.
        unit: The unit of the value or range; empty for a statement.
        read: Whether the number stands in the text, or was read off a figure's axis.
        input: Why no run could fail it: what is read back was put in, or follows from it by construction. Empty for
            all other claims.
        looked_at: Which value of the testbed was computed from what the claim's own table prints; empty for all others.
        follows: The claims that it follows from, wholly or nearly, such as a gain from two sums; none for most.
    """

    id: str
    where: str
    what: str
    kind: Kind
    published: Value
    tol: float
    unit: str
    read: str
    input: str
    follows: tuple[str, ...] = ()
    looked_at: str = ""

    def accepted(self) -> tuple[float, float] | None:
        """The values that would hold; none for a statement."""
        ends = ends_of(self.published)
        return ends and (ends[0] - abs(ends[0]) * self.tol, ends[1] + abs(ends[1]) * self.tol)

    def holds(self, ours: Value) -> bool:
        """Whether a result of ours agrees: a range does if both its ends do."""
        accepted = self.accepted()
        if accepted is None:
            return ours is True
        ends = ends_of(ours)
        return ends is not None and accepted[0] <= ends[0] <= ends[1] <= accepted[1]


def read_claims(paper: Paper) -> list[Claim]:
    """The claims of a paper, in the order of its file."""
    file = paper.folder / "claims.toml"
    try:
        found = parse(file, ClaimFile)
    except PaperError as error:
        kinds = f"; `kind` is {', '.join(get_args(Kind))}" if str(error).endswith(".kind`") else ""
        raise PaperError(f"{error}{kinds}") from None
    try:
        claims = [claim(entry) for entry in found["claim"]]
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None
    firsts = {one.id for one in claims if not one.follows}
    for one in claims:
        if strange := [name for name in one.follows if name not in firsts]:
            raise PaperError(f"{file}: {one.id} follows {strange[0]!r}, which is no claim, or follows another itself")
    return claims


def claim(entry: ClaimEntry) -> Claim:
    """One `[[claim]]` of `claims.toml`."""
    kind = entry["kind"]
    published: Value
    match kind:
        case "value":
            published = entry["value"]
        case "range":
            published = (entry["lo"], entry["hi"])
        case _:
            published = True
    return Claim(
        id=entry["id"],
        where=entry["where"],
        what=entry["what"],
        kind=kind,
        published=published,
        tol=entry["tol"] if kind == "value" else entry.get("tol", 0.0),
        unit=entry.get("unit", ""),
        read=entry["read"],
        input=entry.get("input", ""),
        follows=(given,) if isinstance(given := entry.get("follows", []), str) else tuple(given),
        looked_at=entry.get("looked_at", ""),
    )
