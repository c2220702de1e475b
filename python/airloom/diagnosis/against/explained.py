"""Which findings of one side alone explain what users of a network see differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from airloom.diagnosis.against.changes import SAME, changed
from airloom.diagnosis.against.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.diagnosis.against.changes import Change
    from airloom.diagnosis.shapes import Cost, Diagnosis, Finding

GOODPUT, DELAY, LOSS = "goodput", "delay", "loss"

KINDS: Mapping[str, tuple[str, ...]] = {
    GOODPUT: ("goodput", "goodput of UDP"),
    DELAY: (
        "round trip (median)",
        "round trip (95 % of the longest)",
        "ping (median)",
        "ping (95 % of the means)",
        "jitter of UDP",
    ),
    LOSS: ("retransmissions", "loss of pings", "loss of UDP"),
}
"""What users of a network see of it, by the measures that have it."""

HARMS: Mapping[str, tuple[str, ...]] = {
    "W101": (GOODPUT, DELAY, LOSS),
    "W102": (GOODPUT, DELAY),
    "W103": (GOODPUT, DELAY, LOSS),
    "W104": (GOODPUT, DELAY, LOSS),
    "W105": (GOODPUT, DELAY, LOSS),
    "W106": (GOODPUT, DELAY, LOSS),
    "W107": (GOODPUT, DELAY, LOSS),
    "W108": (GOODPUT, DELAY, LOSS),
    "W109": (GOODPUT, DELAY),
    "W201": (GOODPUT, DELAY, LOSS),
    "W202": (GOODPUT, DELAY, LOSS),
    "W203": (GOODPUT, DELAY, LOSS),
    "W301": (DELAY, LOSS),
    "W302": (GOODPUT, DELAY),
    "W303": (GOODPUT, LOSS),
    "W304": (GOODPUT, DELAY, LOSS),
    "W305": (GOODPUT, DELAY),
    "W306": (GOODPUT, LOSS),
    "W307": (GOODPUT, LOSS),
    "W401": (GOODPUT,),
    "W402": (GOODPUT,),
    "W403": (GOODPUT, DELAY, LOSS),
    "W404": (GOODPUT, DELAY),
    "W405": (GOODPUT,),
    "W406": (GOODPUT,),
    "W407": (GOODPUT,),
    "W408": (GOODPUT, LOSS),
}
"""What a finding makes worse, by its rule. Those about the captures themselves explain nothing."""

SHARED = "W2"
"""How the codes of rules begin that are about what stations do to each other."""

LEAST_PART = 0.5
"""What costs a smaller part of the difference does not explain it."""


class Cause(TypedDict):
    """A rule that found something.

    `mbps` is what all that it found costs together; none if that is not known, or is more than shows. `at_most` says
    that this, or a part of it, is an upper bound. `below` are the rules whose findings all of it follows from.
    """

    code: str
    mbps: float | None
    at_most: bool
    below: list[str]


class Judged(TypedDict):
    """What rules say of captures of one time.

    `findings` are the codes of all that was found, `causes` what of it makes a network worse, the costliest first, and
    `unsure` the codes of rules that cannot tell, and `suspects` of those of them by which something is amiss.
    """

    findings: list[str]
    causes: list[Cause]
    unsure: list[str]
    suspects: list[str]


class Explained(NamedTuple):
    """The codes of findings of one side that explain a difference, and of those that may.

    A finding may where its rule cannot tell of the other side, or where its cost is no more than an upper bound.
    """

    by: list[str]
    perhaps: list[str]


def judgement(found: Diagnosis, strangers: frozenset[str] = frozenset()) -> Judged:
    """What rules say of captures of one time; what others share the air for is all that is of strangers, too."""
    every = found["findings"]
    own = [one for one in every if one["code"].startswith(SHARED) or not is_of(one["subject"], strangers)]
    codes = dict.fromkeys(one["code"] for one in own if one["code"] in HARMS)
    return Judged(
        findings=sorted({one["code"] for one in every}),
        causes=[cause(code, [one for one in own if one["code"] == code], every) for code in codes],
        unsure=sorted({one["code"] for one in found["abstained"]}),
        suspects=sorted({one["code"] for one in found["abstained"] if one["suspects"]}),
    )


def is_of(subject: str, strangers: frozenset[str]) -> bool:
    """Whether a finding concerns one of these, by itself or as an end of a link."""
    return subject in strangers or not strangers.isdisjoint(subject.replace(",", " ").split())


def cause(code: str, own: Sequence[Finding], every: Sequence[Finding]) -> Cause:
    """What a rule found of all that was found."""
    above = [every[one["below"]]["code"] for one in own if one["below"] is not None]
    return Cause(
        code=code,
        mbps=together([one["cost"] for one in own]),
        at_most=any(one["cost"]["at_most"] for one in own),
        below=sorted(set(above)) if len(above) == len(own) else [],
    )


def together(costs: Sequence[Cost]) -> float | None:
    """What some findings cost together in Mbit/s; none if that is not known of all, or if it is more than shows."""
    known = [one["unit"] == "Mbit/s" and one["unknown"] is None and not one["at_least"] for one in costs]
    return sum(one["value"] for one in costs) if all(known) else None


def explained(one: Change, before: Sequence[Judged], after: Sequence[Judged]) -> Explained:
    """The rules that explain why a measure is worse on one side: what they found there in each time, and nowhere else.

    What follows from a cause that is of one side alone, too, is not told beside it.
    """
    kind = next((kind for kind, measures in KINDS.items() if one["measure"] in measures), None)
    if kind is None or not before or not after or not (changed(one) or may_differ(one)):
        return Explained([], [])
    worse, better = (after, before) if is_worse(one) else (before, after)
    every = [{cause["code"]: cause for cause in time["causes"]} for time in worse]
    found, unsure = ({code for time in better for code in time[name]} for name in ("findings", "unsure"))
    codes = [
        code
        for code in every[0]
        if kind in HARMS.get(code, ())
        and code not in found
        and all(code in time for time in every)
        and is_enough(one, [time[code] for time in every])
    ]
    codes = [code for code in codes if not any(set(time[code]["below"]) & set(codes) for time in every)]
    perhaps = [code for code in codes if code in unsure or any(time[code]["at_most"] for time in every)]
    return Explained([code for code in codes if code not in perhaps], perhaps)


def amiss(one: Change, before: Sequence[Judged], after: Sequence[Judged]) -> list[str]:
    """The rules by which something is amiss in each time of the worse side, and nothing is on the better one.

    They cannot tell what it is: it explains nothing, and is what to look for where no finding does.
    """
    kind = next((kind for kind, measures in KINDS.items() if one["measure"] in measures), None)
    if kind is None or not before or not after:
        return []
    worse, better = (after, before) if is_worse(one) else (before, after)
    there = {code for time in better for code in (*time["suspects"], *time["findings"])}
    every = set.intersection(*(set(time["suspects"]) for time in worse))
    return sorted(code for code in every - there if kind in HARMS.get(code, ()))


def may_differ(one: Change) -> bool:
    """Whether both values of a measure are so far apart that a reader asks why, though that may be chance."""
    if one["verdict"] != "cannot tell" or one["before"] is None or one["after"] is None:
        return False
    least = next(measure for measure in MEASURES if measure.name == one["measure"]).least
    return abs(one["after"] - one["before"]) > max(least, SAME * max(abs(one["before"]), abs(one["after"])))


def is_worse(one: Change) -> bool:
    """Whether the later value of a measure is the worse one."""
    rises = (one["after"] or 0.0) > (one["before"] or 0.0)
    return rises != next(measure for measure in MEASURES if measure.name == one["measure"]).higher_is_better


def is_enough(one: Change, causes: Sequence[Cause]) -> bool:
    """Whether a cause costs as much as explains a difference, where both are known in Mbit/s."""
    known = [cause["mbps"] for cause in causes if cause["mbps"] is not None]
    if one["measure"] != "goodput" or len(known) < len(causes):
        return True
    return sum(known) / len(known) >= LEAST_PART * abs((one["after"] or 0.0) - (one["before"] or 0.0))
