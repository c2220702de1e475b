"""What lines of flows, streams and stations have in common: which matter, how they are named, how fast and how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from airloom.support.formatting import count, number

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, FlowSeen, StreamSeen

Kind = TypeVar("Kind", "FlowSeen", "StreamSeen")

MOST = 8
"""Lines of flows, and of stations."""

MATTERS = 0.02
"""The share of all octets, or of all air time, from which on one has a line."""

MOMENT_S = 0.005
"""What goes for fewer seconds has no rate."""

BRIEF_S = 0.1
"""A time is in ms below so many seconds."""


def own_stations(found: Diagnosis) -> set[str]:
    """The stations whose hosts were captured: of captures of one station each, if there are any."""
    every = [capture["stations"] for capture in found["captures"]]
    single = [stations for stations in every if len(stations) == 1]
    return {mac for stations in single or every for mac in stations}


def own_ends(found: Diagnosis) -> set[str]:
    """The flows and streams that a capture of one station has, where there is one of the air or of others too."""
    single = {place for place, capture in enumerate(found["captures"]) if len(capture["stations"]) == 1}
    flows = {ends(one) for one in found["connections"] if one["capture"] in single}
    return flows | {ends(one) for one in found["streams"] if one["capture"] in single}


def telling(every: list[Kind], found: Diagnosis) -> list[Kind]:
    """Flows or streams whose capture tells most of them: of captured hosts first, then by octets."""
    own = own_ends(found)
    return sorted((one for one in every if one["tells_most"]), key=lambda one: (ends(one) not in own, -one["bytes"]))


def ends(one: FlowSeen | StreamSeen) -> str:
    """A flow or a stream as findings name it."""
    return f"{one['from']} to {one['to']}"


def host(end: str) -> str:
    """The address of an end, without its port."""
    return end.rpartition(":")[0]


def has_time(found: Diagnosis, capture: int) -> bool:
    """Whether the stamps of a capture are those of a clock, as far as they show."""
    return not found["captures"][capture]["timeless"]


def moved(octets: int, mbps: float, span: list[float] | None) -> str:
    """How fast data went and for how long; of a moment, how much it was."""
    lasted = span[1] - span[0] if span else 0.0
    if span and lasted < MOMENT_S:
        return count(octets, "octet")
    return rate(mbps) + (f" for {long(lasted)}" if span else "")


def rate(mbps: float) -> str:
    """A rate in the unit in which it has two digits."""
    bits = round(1e6 * mbps)
    units = {100_000: (1e6, "Mbit/s"), 1_000: (1e3, "kbit/s"), 0: (1.0, "bit/s")}
    unit, name = next(unit for least, unit in units.items() if bits >= least)
    return f"{number(bits / unit)} {name}"


def long(seconds: float) -> str:
    """How long something goes on."""
    return f"{seconds:,.1f} s" if seconds >= BRIEF_S else f"{1000 * seconds:.0f} ms"


def rest(what: str, left: int, whole: float, told: float) -> list[str]:
    """A line for what has none of its own."""
    if not left:
        return []
    part = 100 * (whole - told) / whole if whole else 0.0
    of = {"flow": "octets", "stream": "octets of UDP", "station": "unicast data's air time"}[what]
    return [f"{count(left, f'other {what}')} together: {number(part)} % of the {of}"]
