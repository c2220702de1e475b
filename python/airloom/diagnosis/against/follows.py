"""Which change follows from which, so that what differs is named once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

WAITS, LONGEST = "round trip (median)", "round trip (95 % of the longest)"

FRAMES = ("retries", "aggregation", "air time")
"""How frames fare, which follows from how many there are to be sent, too."""

LOST, JITTER, CAME = "loss of UDP", "jitter of UDP", "goodput of UDP"

PING, LONGEST_PING, SILENT = "ping (median)", "ping (95 % of the means)", "loss of pings"

PINGS = (PING, LONGEST_PING, SILENT)

ENDS = (WAITS, LONGEST, *PINGS, "retransmissions", "goodput", LOST, JITTER, CAME)
"""What TCP, UDP and ICMP echo see of it."""

CAUSES: Mapping[str, tuple[str, ...]] = {
    "signal": ("rate", *FRAMES, *ENDS),
    "absences": ("rate", *FRAMES, *ENDS),
    "other networks": ("rate", *FRAMES, *ENDS),
    "rate": (*FRAMES, *ENDS),
    "aggregation": ("retries", "air time", *ENDS),
    "retries": ("rate", "aggregation", "air time", *ENDS),
    WAITS: (*FRAMES, LONGEST, *PINGS, "retransmissions", "goodput"),
    LONGEST: (*FRAMES, LONGEST_PING, "goodput"),
    PING: (LONGEST_PING,),
    "retransmissions": (*FRAMES, WAITS, LONGEST, SILENT, "goodput"),
    "air time": ("goodput",),
    LOST: (CAME,),
    "goodput": FRAMES,
}
"""What may follow from a change, by its measure; the first cause that explains a change has it."""

ABOUT = math.log(1.15)
"""Two changes by factors that differ by less are about equal."""

IDLE = 0.6
"""Where data takes less than this part of the air that it takes on the other side, the air is not what limits it."""


@dataclass(frozen=True)
class Changed:
    """How a measure changed.

    Attributes:
        better: Whether for the better.
        by: The logarithm of the ratio; infinite if it came or went.
    """

    better: bool
    by: float


def logarithm(ratio: float | None) -> float:
    """The logarithm of a ratio, which none is where something came."""
    if ratio is None:
        return math.inf
    return math.log(ratio) if ratio > 0 else -math.inf


def follows(changed: Mapping[str, Changed], air_ratio: float) -> dict[str, str]:
    """The measure that explains a change, by the measure that it explains.

    Args:
        changed: The measures that changed.
        air_ratio: The air time that data takes on the side with less of it, as a part of that on the other.
    """
    found: dict[str, str] = {}
    for cause, effects in CAUSES.items():
        if cause not in changed or cause in found:
            continue
        for effect in effects:
            if effect in changed and effect not in found and explains(cause, effect, changed, idle=air_ratio < IDLE):
                found[effect] = cause
    return found


def explains(cause: str, effect: str, changed: Mapping[str, Changed], *, idle: bool) -> bool:
    """Whether a change of one measure explains that of another.

    What fares better makes nothing fare worse, but: faster rates bring more retries, and where less waits there is less
    to put into a PPDU. Where the air is idle, frames are few for want of data.
    """
    alike = changed[cause].better == changed[effect].better
    slower = smaller(WAITS, "goodput", changed) if effect in (WAITS, LONGEST) else alike
    # A rate control that answers a signal has more retries, or fewer.
    answered = effect == "retries" and "rate" in changed and changed["rate"].better == changed[cause].better
    # The probes of a rate control are as many whatever goes together, and so another part of the MPDUs.
    probed = size("retries", changed) <= ABOUT < size("aggregation", changed)
    explained = {
        "signal": slower or answered,
        "absences": alike,
        "other networks": alike,
        # More of both is of a rate that was set; less of one and more of the other, of a rate control that answers.
        "rate": not alike if effect == "retries" else slower,
        "retries": slower,
        "aggregation": not idle and not queued(changed) and (probed if effect == "retries" else slower),
        "air time": not idle and alike,
        "retransmissions": not alike if effect == WAITS else alike or effect not in ("goodput", SILENT),
        "goodput": idle,
        LOST: alike,
        PING: alike,
        LONGEST: alike or effect != LONGEST_PING,
    }
    # A longer queue overflows; one that losses keep short does not. Longer beside more goodput it is a larger window's.
    of_queue = dict.fromkeys(("retransmissions", "goodput", *PINGS), alike) | dict.fromkeys(
        FRAMES, idle or queued(changed)
    )
    return of_queue.get(effect, True) if cause == WAITS else explained.get(cause, True)


def smaller(one: str, other: str, changed: Mapping[str, Changed]) -> bool:
    """Whether one changed by no larger a factor than another, or about.

    What waits in the same queue waits as much longer as it goes slower (Little's law).
    """
    return size(one, changed) <= size(other, changed) + ABOUT


def queued(changed: Mapping[str, Changed]) -> bool:
    """Whether PPDUs changed no more than what waits for them, which is goodput times round trip (Little's law)."""
    waiting = signed(WAITS, changed) + signed("goodput", changed)
    return WAITS in changed and size("aggregation", changed) <= abs(waiting) + ABOUT


def signed(name: str, changed: Mapping[str, Changed]) -> float:
    """The logarithm of a ratio; 0 of what did not change."""
    return changed[name].by if name in changed else 0.0


def size(name: str, changed: Mapping[str, Changed]) -> float:
    """The same without its sign."""
    return abs(signed(name, changed))
