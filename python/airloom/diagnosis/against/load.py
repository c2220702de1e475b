"""What there was to be sent, and from where it was seen: what follows from that cannot be compared if it differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.support.formatting import count
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.told import Diagnosis, FlowSeen

SMALL = 0.05
"""A flow with a smaller part of the octets is none of the load."""

HELD = 0.25
"""Of this share of its time on, a flow is as fast as the program that sends."""


@dataclass(frozen=True)
class Load:
    """What there was to be sent in captures of one time.

    Attributes:
        flows: The flows with a part of the octets.
        program: The share of their time in which the programs had nothing to send; none if that does not show.
        seen_from: From where on their way the flows were seen.
        air: Whether there is a capture of the air.
    """

    flows: int
    program: float | None
    seen_from: tuple[str, ...]
    air: bool


def load(found: Diagnosis) -> Load:
    """The load of captures of one time."""
    every = [one for one in found["connections"] if one["tells_most"]]
    whole = sum(one["bytes"] for one in every)
    flows = [one for one in every if one["bytes"] >= SMALL * whole]
    shown = bool(flows) and all(one["near_sender"] for one in flows)
    return Load(
        flows=len(flows),
        program=sum(one["bytes"] * idle(one) for one in flows) / sum(one["bytes"] for one in flows) if shown else None,
        seen_from=tuple(sorted({one["seen_from"] for one in flows})),
        air=any(capture["place"] == "air" for capture in found["captures"]),
    )


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
        return "no TCP flow shows, so what there was to be sent is not known"
    if round(flows[0]) != round(flows[1]):
        return f"the load differs: {count(round(flows[0]), 'flow')} before, {round(flows[1])} after"
    if as_fast:
        return None
    shown = [[one.program for one in loads if one.program is not None] for loads in (before, after)]
    if not all(shown):
        return "seen so far from the senders, it does not show whether the programs had as much to send"
    shares = [mean(values) for values in shown]
    if max(shares) >= HELD:
        idle_for = f"{shares[0]:.0%} of the time before, {shares[1]:.0%} after"
        return f"the load may differ: the programs had nothing to send {idle_for}"
    return None


def of_another_kind(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """Why round trips cannot be compared: they were seen from elsewhere; none if they can."""
    seen = [{one.seen_from for one in loads} for loads in (before, after)]
    if seen[0] == seen[1]:
        return None
    words = [" or ".join(sorted({place for places in kinds for place in places})) or "nowhere" for kinds in seen]
    return f"the view differs: packets were seen from the {words[0]} before, from the {words[1]} after"


def without_air(before: Sequence[Load], after: Sequence[Load]) -> str | None:
    """Which side lacks a capture of the air; none if neither does."""
    lacking = [side for side, loads in (("before", before), ("after", after)) if not all(one.air for one in loads)]
    return f"no capture of the air {' and none '.join(lacking)}" if lacking else None
