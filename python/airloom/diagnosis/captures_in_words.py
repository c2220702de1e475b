"""The captures of a diagnosis in words: what is in a file, and how its clock goes with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from airloom.diagnosis.reading import named
from airloom.diagnosis.words import ends_in, number
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import CaptureSeen, Diagnosis

MOST_INTERFACES = 32
"""Interfaces of a file that are read (`crates/captures/diagnose/src/evidence.rs`)."""

COUNTED: dict[Literal["not_ip", "unread", "in_tunnels", "cut_headers", "cut_amsdus", "misplaced", "copies"], str] = {
    "not_ip": "not IP",
    "unread": "cannot be read",
    "in_tunnels": "within a tunnel (GRE, IP in IP)",
    "cut_headers": "cut within their headers",
    "cut_amsdus": "A-MSDUs cut before their later packets",
    "misplaced": "out of order",
    "copies": "twice",
}
"""Records that a capture's line counts."""

SAME = 0.05
"""Clocks that differ by less, in ms, are the same to one decimal."""


def described(capture: CaptureSeen) -> str:
    """A file in a line."""
    return f"{named(capture)}: {', '.join(parts(capture))}"


def parts(capture: CaptureSeen) -> list[str]:
    """What is in a file: how many records from where, over what time, and what is wrong with them."""
    place = {"air": "from the air", "host": "of a host"}.get(capture["place"] or "", "of no network that is known here")
    span = capture["span_s"]
    if capture["beyond"]:
        return [f"{count(capture['records'], 'record')}, not read: only {MOST_INTERFACES} interfaces of a file are"]
    said = [f"{count(capture['records'], 'record')} {place}{channel(capture)}"]
    if span:
        said.append(f"{span[1] - span[0]:,.1f} s")
    said += [f"{capture[kind]:,} {words}" for kind, words in COUNTED.items() if capture[kind]]
    if capture["copies_elsewhere"]:
        said.append(f"{capture['copies_elsewhere']:,} of these with another TTL, on the other side of a router")
    if capture["leaps"]:
        said.append(f"{count(capture['leaps'], 'gap')} of more than 30 days")
    said += left_out(capture)
    if capture["aside"]:
        said.append("which rules leave aside: another capture is of the same channel, or a channel is not named")
    if len(capture["stations"]) == 1:
        said.append(f"its station is {capture['stations'][0]}")
    if capture["stopped"]:
        said.append(capture["stopped"])
    if capture["also"]:
        said.append(f"{' and '.join(capture['also'])} left out, with the same records")
    return said


def channel(capture: CaptureSeen) -> str:
    """The channel of one of several monitors of a file, if it is named."""
    return f" at {capture['channel_mhz']} MHz" if capture["interface"] and capture["channel_mhz"] else ""


def left_out(capture: CaptureSeen) -> list[str]:
    """What of a file is not followed, since there is too much of it."""
    said, small = [], capture["left_out"]
    if small["connections"]:
        again = count(small["retransmissions"], "retransmission")
        said.append(
            f"{count(small['connections'], 'small connection')} left out ({small['bytes'] / 1e6:,.1f} MB, {again})"
        )
    if capture["datagrams_left_out"]:
        said.append(f"{count(capture['datagrams_left_out'], 'packet')} of small UDP streams left out")
    if capture["pings_left_out"]:
        said.append(f"{count(capture['pings_left_out'], 'ICMP echo packet')} of further hosts left out")
    return said


def is_unheard(found: Diagnosis, place: int) -> bool:
    """Whether monitors can read some of what they hear, and none of what a host's capture has."""
    monitors = [other for other, capture in enumerate(found["captures"]) if capture["place"] == "air"]
    own = ends_in(found, place)
    heard = set[frozenset[str]]().union(*(ends_in(found, other) for other in monitors))
    return place not in monitors and bool(own and heard) and not own & heard


def compared(found: Diagnosis, place: int) -> str:
    """A capture's clock in words; or that it has nothing of what the others have."""
    clock = found["captures"][place]["clock"]
    if not clock:
        own = ends_in(found, place)
        others = set[frozenset[str]]().union(
            *(ends_in(found, other) for other in range(len(found["captures"])) if other != place)
        )
        if own and others and not own & others:
            said = "it shares no connection with the others, as of another run or network"
            also = ", or of a station that no monitor heard or could read" if is_unheard(found, place) else ""
            return f"{said}{also}; its clock is taken as it is"
        why = "too few packets are in both captures, or in one direction only, or cannot be told apart"
        return f"its clock is taken as it is: {why}"
    by = f", by the lengths and the order of encrypted frames of {clock['station']}" if clock["station"] else ""
    way = f", by way of {clock['through']}" if clock["through"] else ""
    within = f"within {clock['within_ms']:.2g} ms{by}{way}"
    if clock["through"] and is_unheard(found, place):
        within += (
            "; no monitor could read any of its connections: its station may be on another channel, too far away, or "
            "in a network whose keys are not known"
        )
    if abs(clock["ahead_ms"]) < SAME and not clock["drift_ppm"]:
        return f"its clock is right {within}"
    side = "ahead" if clock["ahead_ms"] > 0 else "behind"
    drift = f" and runs {abs(clock['drift_ppm']):.1f} ppm {'fast' if clock['drift_ppm'] > 0 else 'slow'}"
    moved = f"its clock is {number(abs(clock['ahead_ms']))} ms {side}{drift if clock['drift_ppm'] else ''}"
    return f"{moved}; corrected, {within}"
