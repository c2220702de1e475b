"""What was published of the runs of a report, for those that repeat an experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from airloom.report.comparison import Names


@dataclass(frozen=True)
class ClaimRow:
    """A published result with ours beside it.

    Attributes:
        what: The claim.
        where: Where it stands in the publication.
        note: The figures behind ours.
        unit: The unit of both values.
        published: The published value.
        ours: Our value.
        verdict: Whether ours is accepted: `holds` or `misses`.
        held: In how many of several sets of seeds it is, in words.
        evidence: What it is no evidence of the model for, in words.
        band: Start and width of the accepted range, in percent of the gauge; none for a statement.
        marks: Places of our value on the gauge, likewise.
    """

    what: str
    where: str
    note: str
    unit: str
    published: str
    ours: str
    verdict: str
    held: str
    evidence: str
    band: tuple[float, float] | None
    marks: list[float]


@dataclass(frozen=True)
class Published:
    """An experiment that the first run repeats.

    Attributes:
        citation: The publication.
        names: Its names for the runs, where it has one for each of several.
        claims: Its results that these runs can answer.
    """

    citation: str
    names: Names | None
    claims: list[ClaimRow]
