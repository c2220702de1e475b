"""What is compared: each measure is a number of a stretch of time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from airloom.diagnosis.against.columns import by_mpdus
from airloom.support.statistics import mean, percentile, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from airloom.diagnosis.against.columns import Columns
    from airloom.diagnosis.against.ways import Way
    from airloom.diagnosis.shapes import Line

    Silent = frozenset[str | Way]

MEGABIT = 125_000
"""Octets."""

MS = 1000
"""Milliseconds of a second."""


@dataclass(frozen=True)
class Measure:
    """Something that can be compared.

    Attributes:
        name: What it is called.
        unit: Its unit.
        of: Its value in a stretch of time, of what has no parts; none if that shows none.
        higher_is_better: Whether more of it is better.
        least: A smaller difference is of no interest, in `difference_unit`, whatever it is of the whole.
        of_load: Whether it follows from how much there is to be sent, so that it says nothing where that differs.
        of_air: Whether it takes a capture of the air.
        of_station: Whether it is a mean over stations, each of which has it.
        of_way: Whether each way of TCP between two hosts has it.
        of_direction: Whether it is of a station's data in one direction, that with more of it.
        of_others: Whether it is of what one side has alone.
        of_ping: Whether it is of ICMP echo, which waits where other data waits.
        of_udp: Whether it is of UDP, and follows from how much of that there is to be sent.
        has_ratio: Whether a part of it means anything; of decibels it does not.
        is_set: Whether it may be set, for each PPDU, or follows from what is: one value in all captures is no chance.
        step: Captures have it in steps of so much, so that means are no more exact than that.
    """

    name: str
    unit: str
    of: Callable[[Columns], float | None]
    higher_is_better: bool = False
    least: float = 0.0
    of_load: bool = True
    of_air: bool = False
    of_station: bool = False
    of_udp: bool = False
    of_ping: bool = False
    of_way: bool = False
    of_direction: bool = False
    of_others: bool = False
    has_ratio: bool = True
    is_set: bool = False
    step: float = 0.0

    def parts(self, columns: Columns) -> Mapping[str, Columns] | Mapping[Way, Columns]:
        """The several stations, or the several ways, that it is a mean of."""
        return columns.stations if self.of_station else columns.ways if self.of_way else {}

    def silent(self, times: Iterable[Columns]) -> Silent:
        """The parts that have no value at some time: without them there, the mean would be one of others."""
        return frozenset(of for one in times for of, part in self.parts(one).items() if self.of(part) is None)

    def value(self, columns: Columns, silent: Silent = frozenset()) -> float | None:
        """Its value: of several stations, or of several ways, the mean of theirs, but of those that are silent."""
        parts = self.parts(columns)
        if not parts:
            return self.of(columns)
        kept = [one for of, one in parts.items() if of not in silent]
        return weighted_mean((found, one.weight) for one in kept if (found := self.of(one)) is not None)

    @property
    def difference_unit(self) -> str:
        """The unit of a difference: that of two powers in dBm is a ratio, in dB."""
        return "dB" if self.unit == "dBm" else self.unit


def known(line: Line) -> list[float]:
    """The values of a line where it has one."""
    return [value for value in line if value is not None]


def mean_of(line: Line) -> float | None:
    """The mean of a line; none if it has no value."""
    values = known(line)
    return mean(values) if values else None


def at(line: Line, share: float) -> float | None:
    """The value of a line that this share of its values stays below."""
    values = known(line)
    return percentile(values, share) if values else None


def usual_trip(columns: Columns) -> float | None:
    """The round trip that half of the octets took no longer than; where none arrive, of the time."""
    known = [(trip, came or 0.0) for trip, came in zip(columns.rtt, columns.goodput, strict=False) if trip is not None]
    whole = sum(came for _, came in known)
    if not whole:
        return at(columns.rtt, 0.5)
    so_far = 0.0
    for trip, came in sorted(known):
        so_far += came
        if so_far > whole / 2:
            return trip
    return None


def again(columns: Columns) -> float | None:
    """Octets that were sent again, in percent of those that arrived."""
    arrived = sum(known(columns.goodput)) * columns.width * MEGABIT
    return 100 * sum(known(columns.again)) / arrived if arrived and known(columns.again) else None


def air(columns: Columns) -> float | None:
    """Air time in ms for each Mbit that arrived; where stations carry more than is compared, for each in frames."""
    came = sum(known(columns.carried)) or sum(known(columns.goodput)) + sum(known(columns.udp))
    arrived = came * columns.width
    taken = sum(known(columns.air)) / 100 * columns.width * MS
    return taken / arrived if arrived and known(columns.air) else None


def lost(columns: Columns) -> float | None:
    """Packets of UDP that are missing, in percent of those that were sent."""
    missing = sum(known(columns.udp_missing))
    sent = sum(known(columns.udp_packets)) + missing
    return 100 * missing / sent if sent > 0 else None


def unanswered(columns: Columns) -> float | None:
    """Requests of ICMP echo that no answer came to, in percent of all."""
    silent = sum(known(columns.ping_lost))
    asked = sum(known(columns.ping_answered)) + silent
    return 100 * silent / asked if asked else None


ON_THE_AIR = partial(Measure, of_load=False, of_air=True)
"""What a monitor hears, whatever there is to be sent."""

OF_A_STATION = partial(ON_THE_AIR, of_station=True)
"""How a station is heard."""

OF_ITS_DATA = partial(OF_A_STATION, of_load=True, of_direction=True)
"""How a station's data goes, which follows from how much there is."""

MEASURES = (
    OF_A_STATION("signal", "dBm", lambda of: mean_of(of.signal), True, 1.0, has_ratio=False, step=1.0),
    OF_A_STATION("absences", "% of the time", lambda of: mean_of(of.away), False, 0.5),
    ON_THE_AIR("other networks", "% of the time", lambda of: mean_of(of.foreign), False, 1.0),
    ON_THE_AIR("other stations", "% of the time", lambda of: mean_of(of.others), False, 1.0, of_others=True),
    OF_A_STATION("rate", "Mbit/s", lambda of: mean_of(of.rate), True, 0.1, of_direction=True, is_set=True),
    OF_A_STATION("retries", "% of the MPDUs", lambda of: by_mpdus(of.retries, of.mpdus), False, 1.0, of_direction=True),
    OF_ITS_DATA("aggregation", "MPDUs in a PPDU", lambda of: mean_of(of.size), True, 0.2, is_set=True),
    OF_ITS_DATA("air time", "ms for each Mbit", air, False, 0.05, is_set=True),
    Measure("round trip (median)", "ms", usual_trip, False, 1.0, of_way=True),
    Measure("round trip (95 % of the longest)", "ms", lambda of: at(of.rtt_most, 0.95), False, 2.0, of_way=True),
    Measure("ping (median)", "ms", lambda of: at(of.ping, 0.5), False, 1.0, of_load=False, of_ping=True),
    Measure("ping (95 % of the means)", "ms", lambda of: at(of.ping, 0.95), False, 2.0, of_load=False, of_ping=True),
    Measure("loss of pings", "% of the requests", unanswered, False, 0.1, of_load=False, of_ping=True),
    Measure("retransmissions", "% of the octets", again, False, 0.05, of_way=True),
    Measure("goodput", "Mbit/s", lambda of: mean_of(of.goodput), True, 0.05),
    Measure("loss of UDP", "% of the packets", lost, False, 0.1, of_load=False, of_udp=True),
    Measure("jitter of UDP", "ms", lambda of: mean_of(of.jitter), False, 1.0, of_load=False, of_udp=True),
    Measure("goodput of UDP", "Mbit/s", lambda of: mean_of(of.udp), True, 0.001, of_load=False, of_udp=True),
)
"""All measures: what others may follow from comes first."""
