"""Where a station that roams is: its associations over time, from the roams of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.report.colours import NODE, Colours
from airloom.results.summary import access_points, causes
from airloom.support.formatting import number

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView
    from airloom.results.summary import Roam, Summary


@dataclass(frozen=True)
class Association:
    """A time at an access point, in seconds."""

    station: str
    point: str
    start: float
    end: float


def associations(summary: Summary) -> list[Association]:
    """The associations of all stations that roam, of each in their order."""
    found = []
    first = access_points(summary)
    for station in dict.fromkeys(roam["station"] for roam in summary.get("roams", [])):
        at: str | None = first.get(station)
        since = 0.0
        for roam in summary.get("roams", []):
            if roam["station"] != station:
                continue
            if at is not None and roam["left_s"] is not None:
                found.append(Association(station, at, since, roam["left_s"]))
                at = None
            if roam["associated_s"] is not None and roam["to"] is not None:
                at, since = roam["to"], roam["associated_s"]
        if at is not None:
            found.append(Association(station, at, since, summary["duration_s"]))
    return found


def hue_of(view: RunView, point: str) -> str:
    """The colour of an access point."""
    return Colours.of(view).nodes.get(point, NODE)


@dataclass(frozen=True)
class RoamRow:
    """A roam as the cells of a row: times in seconds, lengths in ms."""

    station: str
    way: str
    decided: str
    late: str
    left: str
    associated: str
    gap: str
    stall: str
    lost: str


def rows(summary: Summary) -> list[RoamRow]:
    """The roams of a run."""
    return [row(roam) for roam in summary.get("roams", [])]


def row(roam: Roam) -> RoamRow:
    """One of them."""
    left, associated = roam["left_s"], roam["associated_s"]
    taken = None if left is None or associated is None else 1e3 * (associated - left)
    return RoamRow(
        station=roam["station"],
        way=", ".join([f"{roam['from']} to {roam['to'] or 'none'}", *causes(roam)]),
        decided=at(roam["decided_s"]),
        late=length(roam.get("decided_late_ms")),
        left=at(left),
        associated=length(taken),
        gap=length(roam["gap_ms"]),
        stall=length(roam["tcp_stall_ms"]),
        lost=f"{roam['lost_in_buffer']:,}",
    )


def at(time: float | None) -> str:
    """A time; a dash where there is none."""
    return "-" if time is None else f"{time:.3f}"


def length(ms: float | None) -> str:
    """A length; a dash where there is none."""
    return "-" if ms is None else number(ms)
