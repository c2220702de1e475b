"""Which seconds a scan touched: the degraded and the normal periods of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, cast

from airloom.results.series import BIN

if TYPE_CHECKING:
    from airloom.results.summary import Scan, Summary

START = 5.0
"""Seconds from the start of the first flow that count as neither: connections open and windows grow."""

RECOVERY = 3.0
"""Seconds after a scan that count as neither: what it held back drains."""


DROP = 0.80
"""A second with less than this share of the normal mean is a drop."""


@dataclass(frozen=True)
class Periods:
    """The scans of a run as spans of time, in seconds from its start.

    Attributes:
        spans: The scans.
        settled: From when on seconds count as normal.
    """

    spans: list[tuple[float, float]]
    settled: float = START

    @classmethod
    def of(cls, summary: Summary, begin: float = 0.0) -> Periods:
        """The scans of a run, one that had not ended with it too; its first flow starts at `begin`."""
        return cls([(scan["start_s"], until(scan, summary)) for scan in summary["scans"]], begin + START)

    def degraded(self, time: float, width: float = BIN) -> bool:
        """Whether the bin that starts at `time` lies inside a scan."""
        return any(start <= time and time + width <= end for start, end in self.spans)

    def normal(self, time: float, width: float = BIN) -> bool:
        """Whether the bin that starts at `time` is clear of every scan and of what follows it."""
        return time >= self.settled and not any(
            time + width > start and time < end + RECOVERY for start, end in self.spans
        )


class WholeTrip(TypedDict):
    """A trip that ended within the run; see `Trip`."""

    leaving_s: float
    away_s: float
    returning_s: float
    home_s: float


def whole_trips(scan: Scan) -> list[WholeTrip]:
    """The trips of a scan but one that the run did not see the end of."""
    return [cast("WholeTrip", trip) for trip in scan["trips"] if None not in trip.values()]


def until(scan: Scan, summary: Summary) -> float:
    """When a scan ends: with the run, if that ended first."""
    end = scan.get("end_s")
    return summary["duration_s"] if end is None else end


def completed(summary: Summary) -> list[tuple[Scan, float]]:
    """The scans that ended within the run, each with its end."""
    return [(scan, end) for scan in summary["scans"] if (end := scan.get("end_s")) is not None]
