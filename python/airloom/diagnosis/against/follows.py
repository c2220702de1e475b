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
    "other stations": ("rate", *FRAMES, *ENDS),
    "rate": (*FRAMES, *ENDS),
    "aggregation": ("retries", "air time", *ENDS),
    "retries": ("rate", "aggregation", "air time", *ENDS),
    WAITS: (*FRAMES, LONGEST, *PINGS, "retransmissions", "goodput"),
    LONGEST: (*FRAMES, LONGEST_PING, "goodput"),
    PING: (LONGEST_PING,),
    "retransmissions": (*FRAMES, WAITS, LONGEST, SILENT, "goodput"),
    "air time": ("goodput",),
    LOST: (CAME,),
    "goodput": (*FRAMES, WAITS, LONGEST),
}
"""What may follow from a change, by its measure; the first cause that explains a change has it."""

ABOUT = math.log(1.15)
"""Two changes by factors that differ by less are about equal."""

IDLE = 0.6
"""Where data takes less than this part of the air that it takes on the other side, the air is not what limits it."""

LEAST_WAIT = 0.1
"""What waits for less, in ms, does not wait."""

TAKES = ("absences", "other networks", "other stations", "retries")
"""Measures that are parts of the time: the last of what the air carries."""

MOST = 2.0
"""Time that is lost takes no more than so many times its part of the goodput: who backs off or times out loses more."""

WAY = 0.5
"""Where so much of a longer round trip is in the shortest, too, the way is longer, and not the queue."""


@dataclass(frozen=True)
class Changed:
    """How a measure changed.

    Attributes:
        better: Whether for the better.
        by: The logarithm of the ratio; infinite if it came or went.
    """

    better: bool
    by: float


@dataclass(frozen=True)
class Trips:
    """What shows of the round trips of one side.

    Attributes:
        shortest: The shortest in ms, in which nothing waits.
        usual: The median in ms.
        goodput: Mbit/s meanwhile.
    """

    shortest: float
    usual: float
    goodput: float

    @property
    def waiting(self) -> float:
        """What waits in the queue, in kbit: goodput times how long it waits (Little's law)."""
        return self.goodput * max(self.usual - self.shortest, LEAST_WAIT)


@dataclass(frozen=True)
class Queue:
    """How the queue changed.

    Attributes:
        by: The logarithm of the ratio of what waits in it.
        way: Whether it is the way that takes longer or less long, and not the queue; none where that does not show.
    """

    by: float
    way: bool | None = None


def queue_change(before: Trips, after: Trips) -> Queue | None:
    """How the queue changed; none without goodput."""
    if not before.waiting or not after.waiting:
        return None
    way, all_of_it = after.shortest - before.shortest, after.usual - before.usual
    return Queue(math.log(after.waiting / before.waiting), way / all_of_it >= WAY if all_of_it else None)


def logarithm(ratio: float | None) -> float:
    """The logarithm of a ratio, which none is where something came."""
    if ratio is None:
        return math.inf
    return math.log(ratio) if ratio > 0 else -math.inf


def left(before: float, after: float) -> float:
    """The size of the logarithm of what two losses of a part of the time leave of it, in percent."""
    parts = [max(1 - lost / 100, 0.0) for lost in (before, after)]
    return abs(math.log(parts[1] / parts[0])) if all(parts) else math.inf


def follows(
    changed: Mapping[str, Changed],
    air_ratio: float,
    queue: Queue | None = None,
    takes: Mapping[str, float] | None = None,
) -> dict[str, str]:
    """The measure that explains a change, by the measure that it explains.

    Args:
        changed: The measures that changed.
        air_ratio: The air time that data takes on the side with less of it, as a part of that on the other.
        queue: How the queue changed; none where its part of the round trips does not show.
        takes: How much of the time the change of a measure takes (`left`), of those of which that shows.
    """
    found: dict[str, str] = {}
    queue = queue or whole_trips(changed)
    for cause, effects in CAUSES.items():
        if cause not in changed or cause in found:
            continue
        for effect in effects:
            if (
                effect in changed
                and effect not in found
                and explains(cause, effect, changed, queue, idle=air_ratio < IDLE)
                and is_enough(effect, changed, (takes or {}).get(cause, math.inf))
            ):
                found[effect] = cause
    return found


def explains(cause: str, effect: str, changed: Mapping[str, Changed], queue: Queue, *, idle: bool) -> bool:
    """Whether a change of one measure explains that of another.

    What fares better makes nothing fare worse, but: faster rates bring more retries, and where less waits there is less
    to put into a PPDU. Where the air is idle, frames are few for want of data. A rate that falls by a part takes no
    larger part of the goodput. What waits longer in a queue that holds no more is served more slowly: that is no cause
    of less goodput.
    """
    # More retries are of frames that are fewer only where these are shorter, too.
    of_load = cause in ENDS and effect == "retries"
    if of_load and not changed[effect].better and "aggregation" not in changed:
        return False
    alike = changed[cause].better == changed[effect].better
    slower = smaller(WAITS, "goodput", changed) if effect in (WAITS, LONGEST) else alike
    # A rate control that answers a signal has more retries, or fewer.
    answered = effect == "retries" and "rate" in changed and changed["rate"].better == changed[cause].better
    # The probes of a rate control are as many whatever goes together, and so another part of the MPDUs.
    probed = size("retries", changed) <= ABOUT < size("aggregation", changed)
    explained = {
        "signal": (slower and alike) or answered,
        "absences": alike,
        "other networks": alike,
        "other stations": alike,
        # More of both is of a rate that was set; less of one and more of the other, of a rate control that answers.
        "rate": not alike
        if effect == "retries"
        else slower and (effect != "goodput" or smaller(effect, "rate", changed)),
        # Fewer retries beside less goodput are of frames that are fewer.
        "retries": slower
        and not (idle and effect in ENDS)
        and ("goodput" not in changed or changed["goodput"].better == changed[cause].better),
        "aggregation": not idle and not queued(changed, queue) and (probed if effect == "retries" else slower),
        "air time": not idle and alike,
        "retransmissions": not alike if effect == WAITS else alike or effect not in ("goodput", SILENT),
        "goodput": (alike or effect == "retries")
        and (served(queue) if effect in (WAITS, LONGEST) else idle or queued(changed, queue)),
        LOST: alike,
        PING: alike,
        LONGEST: alike or effect != LONGEST_PING,
    }
    # A longer queue overflows; one that losses keep short does not. Longer beside more goodput it is a larger window's.
    of_queue = dict.fromkeys(("retransmissions", *PINGS), alike) | dict.fromkeys(FRAMES, idle or queued(changed, queue))
    of_queue["goodput"] = alike and queue.way is not False
    return of_queue.get(effect, True) if cause == WAITS else explained.get(cause, True)


def is_enough(effect: str, changed: Mapping[str, Changed], takes: float) -> bool:
    """Whether what takes a part of the time takes enough of it for what is said to follow, with what frames take more.

    Where it does not explain the goodput, it explains no round trips that are longer for that.
    """
    bound = effect if effect in ("goodput", CAME) else "goodput" if effect in (WAITS, LONGEST) else None
    if bound is None or bound not in changed:
        return True
    fare = sum(size(name, changed) for name in ("rate", "aggregation", "air time") if name in changed)
    return size(bound, changed) <= MOST * takes + fare + ABOUT


def smaller(one: str, other: str, changed: Mapping[str, Changed]) -> bool:
    """Whether one changed by no larger a factor than another, or about.

    What waits in the same queue waits as much longer as it goes slower (Little's law).
    """
    return size(one, changed) <= size(other, changed) + ABOUT


def whole_trips(changed: Mapping[str, Changed]) -> Queue:
    """How the queue changed, as far as whole round trips tell, which have the way in them."""
    return Queue(signed(WAITS, changed) + signed("goodput", changed) if WAITS in changed else 0.0)


def queued(changed: Mapping[str, Changed], queue: Queue) -> bool:
    """Whether PPDUs changed as what waits for them did, and no more: what is in a PPDU waits, too.

    Whole round trips have the way in them, so that what waits changes by more than they tell.
    """
    if "aggregation" not in changed:
        return False
    shrinks, more = signed("aggregation", changed) < 0, ABOUT if queue.way is None else 0.0
    return size("aggregation", changed) <= abs(queue.by) + more and shrinks == (queue.by < 0)


def served(queue: Queue) -> bool:
    """Whether the queue holds no more than before, so that what waits longer is served more slowly."""
    return queue.way is False and abs(queue.by) <= ABOUT


def signed(name: str, changed: Mapping[str, Changed]) -> float:
    """The logarithm of a ratio; 0 of what did not change."""
    return changed[name].by if name in changed else 0.0


def size(name: str, changed: Mapping[str, Changed]) -> float:
    """The same without its sign."""
    return abs(signed(name, changed))
