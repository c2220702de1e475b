"""Lines about stations that are kept out of a network or thrown out, and access points that are gone or go away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.common import MOST
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Diagnosis, LeavesSeen, RefusedSeen, StationSeen, SwitchSeen

FLOOD_FRAMES = 10
"""Deauthentications of one transmitter that make a line: a station that leaves sends one, or a few."""

THROWS = 30
"""So many of them or more, and one a second or more, throw stations out of a network."""

REFUSED = 3
"""Refusals of a station that was never let in, from which on that is more than a try that was repeated."""

NOT_AUTHENTICATED = 6
"""The reason for a frame of a station that is not authenticated; 7 is for one that is not associated."""


def thrown_out(found: Diagnosis) -> list[LeavesSeen]:
    """The transmitters whose deauthentications come so often that they throw stations out."""
    return [one for one in found["leaves"] if one["frames"] >= max(THROWS, one["span_s"][1] - one["span_s"][0])]


def leaves(found: Diagnosis) -> list[str]:
    """A line for each transmitter that many deauthentications name, those with most first."""
    many = sorted((one for one in found["leaves"] if one["frames"] >= FLOOD_FRAMES), key=lambda one: -one["frames"])
    return [
        f"{count(one['frames'], 'deauthentication')} or disassociations from {one['from']}, "
        f"in {one['span_s'][0]:,.1f} to {one['span_s'][1]:,.1f} s"
        for one in many[:MOST]
    ]


def turned_away(found: Diagnosis) -> list[str]:
    """A line for each station of which an access point that does not know it answered many frames, most first."""
    every = [(one["mac"], told) for one in found["stations"] if (told := one["turned_away"])]
    many = sorted((one for one in every if one[1]["frames"] >= FLOOD_FRAMES), key=lambda one: -one[1]["frames"])
    return [
        f"the access point {told['by']} turned away {count(told['frames'], 'frame')} of {mac}, which is not "
        f"{'authenticated' if told['reason'] == NOT_AUTHENTICATED else 'associated'} there (reason {told['reason']}), "
        f"in {told['span_s'][0]:,.1f} to {told['span_s'][1]:,.1f} s"
        for mac, told in many[:MOST]
    ]


def never_in(found: Diagnosis) -> list[tuple[StationSeen, RefusedSeen]]:
    """The stations that were refused again and again and never let in, those with most refusals first."""
    every = [(one, refused) for one in found["stations"] if (refused := one["refused"])]
    return sorted((one for one in every if one[1]["times"] >= REFUSED), key=lambda one: -one[1]["times"])


def refused(found: Diagnosis) -> list[str]:
    """A line for each station that was refused again and again and never let in."""
    return [
        f"station {one['mac']}: refused {count(told['times'], 'time')} by {told['by']} ({told['why']}), "
        f"in {told['span_s'][0]:,.1f} to {told['span_s'][1]:,.1f} s, and never let in; "
        f"{count(told['asked'], 'request')} of it to associate {'was' if told['asked'] == 1 else 'were'} heard"
        for one, told in never_in(found)[:MOST]
    ]


def switches(found: Diagnosis) -> list[str]:
    """A line for each announcement of an access point that it goes to another channel: whether it went."""
    every = [(one, told) for one in found["stations"] for told in one["switches"]]
    quiet = ", and that stations are to be quiet until then"
    return [
        f"access point {one['mac']} announced from {told['span_s'][0]:,.1f} s on that it goes to channel "
        f"{told['channel']}{quiet if told['quiet'] else ''}: {went(told)}"
        for one, told in every[:MOST]
    ]


def went(told: SwitchSeen) -> str:
    """What was heard of an access point after its announcement."""
    if told["next_s"] is not None:
        return f"its next beacon without that came at {told['next_s']:,.1f} s on the channel that was captured"
    return f"no beacon of it came on its channel after {told['span_s'][1]:,.1f} s"


def outages(found: Diagnosis) -> list[str]:
    """A line for each access point that was not heard for a while after it had dismissed all its stations."""
    return [
        f"access point {one['mac']}: nothing of it was heard from {start:,.1f} to {end:,.1f} s, after it had dismissed "
        "all its stations"
        for one in found["stations"]
        for start, end in one["outages"][:MOST]
    ]
