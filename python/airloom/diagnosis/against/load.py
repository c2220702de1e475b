"""What there was to be sent, and from where it was seen: what follows from that cannot be compared if it differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.diagnosis.against.datagrams import SMALL, compared, octets, sent
from airloom.diagnosis.against.echoes import echoed
from airloom.diagnosis.against.who import Names
from airloom.support.formatting import count, number
from airloom.support.statistics import mean, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airloom.diagnosis.against.ways import Way
    from airloom.diagnosis.shapes import Diagnosis, FlowSeen

HELD = 0.25
"""Of this share of its time on, a flow is as fast as the program that sends."""

AS_MUCH = 0.1
"""Rates that differ by a smaller part are the same load."""


@dataclass(frozen=True)
class Load:
    """What there was to be sent in captures of one time.

    Attributes:
        flows: The flows with a part of the octets.
        program: The share of their time in which the programs had nothing to send; none if that does not show.
        seen_from: From where on their way the flows were seen.
        air: Whether there is a capture of the air.
        large_streams: The streams of UDP with a part of all octets, which TCP has to share the link with.
        streams: The streams of UDP that are compared.
        sent: Mbit/s that were sent by these; none if that does not show.
        pings: The pairs of hosts whose ICMP echo is compared.
        shortest: The shortest round trip in ms, the mean of the flows; none if it does not show.
        ways: From where to where the flows with a part of the octets go.
    """

    flows: int
    program: float | None
    seen_from: tuple[str, ...]
    air: bool
    large_streams: int = 0
    streams: int = 0
    sent: float | None = None
    pings: int = 0
    shortest: float | None = None
    ways: frozenset[Way] = frozenset()


def load(found: Diagnosis, who: Names | None = None, ways: Iterable[Way] = ()) -> Load:
    """The load of captures of one time, in which these ways are compared."""
    streams = compared(found)
    flows = counted(found, who or Names(), ways)
    shown = bool(flows) and all(one["near_sender"] for one in flows)
    return Load(
        flows=len(flows),
        program=sum(one["bytes"] * idle(one) for one in flows) / sum(one["bytes"] for one in flows) if shown else None,
        seen_from=tuple(sorted({one["seen_from"] for one in flows})),
        air=any(capture["place"] == "air" for capture in found["captures"]),
        large_streams=sum(one["bytes"] >= SMALL * octets(found) for one in streams),
        streams=len(streams),
        sent=sent(streams),
        pings=len(echoed(found)),
        shortest=shortest(flows),
        ways=frozenset((who or Names()).way((one["from"], one["to"])) for one in flows),
    )


def counted(found: Diagnosis, who: Names, ways: Iterable[Way]) -> list[FlowSeen]:
    """The flows with a part of the octets, and of ways that are compared and have none, being starved, the largest."""
    every = [one for one in found["connections"] if one["tells_most"]]
    whole = sum(one["bytes"] for one in every)
    flows = [one for one in every if one["bytes"] >= SMALL * whole]
    small = set(ways) - {who.way((one["from"], one["to"])) for one in flows}
    starved = ([one for one in every if who.way((one["from"], one["to"])) == way] for way in sorted(small))
    return flows + [max(of, key=lambda one: one["bytes"]) for of in starved if of]


def shortest(flows: Sequence[FlowSeen]) -> float | None:
    """The shortest round trip of flows in ms, their mean by octets; none where a flow has none."""
    known = [(one["rtt_ms"]["min"], one["bytes"]) for one in flows if "min" in one["rtt_ms"]]
    return weighted_mean(known) if len(known) == len(flows) else None


def idle(flow: FlowSeen) -> float:
    """The share of a flow's time in which its program had nothing to send."""
    return flow["limits"].get("application", 0.0)


def differs(before: Sequence[Load], after: Sequence[Load], *, as_fast: bool) -> str | None:
    """Why what follows from the load cannot be compared; none if it can.

    Args:
        before: The earlier loads.
        after: The later ones.
        as_fast: Whether both have the same goodput.
    """
    flows = [mean(one.flows for one in loads) for loads in (before, after)]
    if not all(flows):
        return "no TCP flow is on both sides, so what there was to be sent is not known"
    many = (
        turned(before, after)
        or in_number(flows, "flow")
        or in_number([mean(one.large_streams for one in loads) for loads in (before, after)], "large UDP stream")
    )
    if many or as_fast:
        return many
    return programs_differ(before, after)


def turned(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """Why loads differ whose data goes the other way; none if they do not."""
    first, second = (set.union(*(set(one.ways) for one in loads)) for loads in (before, after))
    back = {(other, one) for one, other in first} & second - first
    if not back:
        return None
    one, other = min(back)
    return f"the load differs: data goes from {other} to {one} before, from {one} to {other} after"


def in_number(many: Sequence[float], what: str) -> str | None:
    """Why loads differ of which there is another number; none if they do not."""
    before, after = map(round, many)
    return f"the load differs: {count(before, what)} before, {after} after" if before != after else None


def programs_differ(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """Why programs may have had more to send on one side; none if they had all the time, or if that does not show."""
    shown = shares_shown(before, after)
    if shown and max(shown) >= HELD:
        return (
            "the load may differ: the programs had nothing to send "
            f"{shown[0]:.0%} of the time before, {shown[1]:.0%} after"
        )
    return None


def programs_unseen(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """What else would change what follows from the load, and does not show; none if that shows."""
    if shares_shown(before, after):
        return None
    return "unless the programs had more or less to send, which does not show so far from the senders"


def shares_shown(before: Sequence[Load], after: Sequence[Load]) -> list[float] | None:
    """The shares of their time in which programs had nothing to send, of each side; none if a side does not show it."""
    shown = [[one.program for one in loads if one.program is not None] for loads in (before, after)]
    return [mean(values) for values in shown] if all(shown) else None


def streams_differ(before: Sequence[Load], after: Sequence[Load], *, as_fast: bool) -> str | None:
    """Why streams of UDP cannot be compared; none if they can. Their senders go at a pace of their own.

    Args:
        before: The earlier loads.
        after: The later ones.
        as_fast: Whether as much of UDP came on both sides.
    """
    many = in_number([mean(one.streams for one in loads) for loads in (before, after)], "UDP stream")
    if many or as_fast:
        return many
    known = [[one.sent for one in loads if one.sent is not None] for loads in (before, after)]
    if any(len(rates) < len(loads) for rates, loads in zip(known, (before, after), strict=True)):
        return "what was sent of UDP does not show: it takes RTP in a host's capture, or captures of both hosts"
    rates = [mean(of) for of in known]
    if abs(rates[1] - rates[0]) > AS_MUCH * max(rates):
        return f"the load differs: {number(rates[0])} Mbit/s of UDP were sent before, {number(rates[1])} after"
    return None


def echoes_differ(before: Sequence[Load], after: Sequence[Load], load: str | None) -> str | None:
    """Why ICMP echo cannot be compared; none if it can. It waits behind what else is sent, if anything is.

    Args:
        before: The earlier loads.
        after: The later ones.
        load: Why what follows from the load of TCP cannot be compared.
    """
    every = (*before, *after)
    if many := in_number([mean(one.pings for one in loads) for loads in (before, after)], "pair of hosts with pings"):
        return many
    if any(one.flows for one in every):
        return load
    return in_number([mean(one.large_streams for one in loads) for loads in (before, after)], "large UDP stream")


def of_another_kind(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """Why round trips cannot be compared: they were seen from elsewhere; none if they can, or a side has none."""
    seen = [{one.seen_from for one in loads} for loads in (before, after)]
    words = [" or ".join(sorted({place for places in kinds for place in places})) for kinds in seen]
    if seen[0] == seen[1] or not all(words):
        return None
    return f"the view differs: packets were seen from the {words[0]} before, from the {words[1]} after"


def without_air(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """Which side lacks a capture of the air; none if neither does."""
    lacking = [side for side, loads in (("before", before), ("after", after)) if not all(one.air for one in loads)]
    return f"no capture of the air {' and none '.join(lacking)}" if lacking else None
