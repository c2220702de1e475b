"""A comparison in words, for people."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from airloom.diagnosis.against.changes import VARIES, changed
from airloom.diagnosis.against.explained import KINDS, amiss, is_worse, may_differ
from airloom.diagnosis.against.follows import TAKES
from airloom.diagnosis.reading import rules
from airloom.support.formatting import capital, count, enumerated, number
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from airloom.diagnosis.against.changes import Change
    from airloom.diagnosis.against.common import Alone
    from airloom.diagnosis.against.told import Comparison, SideSeen


FELT = ("goodput", "round trip (median)", "goodput of UDP", "ping (median)")
"""Measures of which a reader asks first why they are not compared."""

MOST_ALONE = 3
"""The most stations or ways of one side alone that are listed one by one; more are counted."""


def side(name: str, seen: SideSeen) -> list[str]:
    """The captures of a side: a line for each time."""
    return [f"{name}: {' and '.join(one['files'])}, {one['data_s']:,.1f} s with data" for one in seen["times"]]


def lead(found: Comparison) -> str:
    """What differs for users and by which finding, then what changed; what only follows from it is told as that."""
    moved = [one for one in found["changes"] if changed(one)]
    if not moved:
        return unmoved(found)
    told = felt(found)
    named = [one for one in moved if not one["follows_from"]]
    hidden = hidden_first(found, told)
    first = [*hidden, *(supposed(found) if hidden else []), *differs(found, told)] or supposed(found)
    said = [*first, *apart(found), f"What changed: {'; '.join(brief(one, told) for one in named)}."]
    said += too_little(named)
    effects = [brief(one, told) for one in moved if one["follows_from"]]
    if effects:
        said.append(f"What follows from {'it' if len(named) == 1 else 'them'}: {'; '.join(effects)}.")
    doubted = [one for one in moved if one["unless"]]
    if doubted:
        said.append(f"{capital(enumerated([one['measure'] for one in doubted]))}: {doubted[0]['unless']}.")
    return " ".join(said) + untold(found) + more(found)


def too_little(named: list[Change]) -> list[str]:
    """That parts of the time which changed beside the goodput, for the worse or for the better, do not explain it."""
    goodput = next((one for one in named if one["measure"] == "goodput"), None)
    beside = [one["measure"] for one in named if goodput and one["verdict"] == goodput["verdict"]]
    parts = [name for name in beside if name in TAKES]
    return [f"{capital(enumerated(parts))} alone do not explain the goodput."] if parts else []


def apart(found: Comparison) -> list[str]:
    """What one side has and the other has not: a sentence for each side that has any, and one of another channel."""
    sides = {name: found[name].get("alone", []) for name in ("before", "after")}
    common = set(map(identity, sides["before"])) & set(map(identity, sides["after"]))
    told = {f"Only {name}": [one for one in of if identity(one) not in common] for name, of in sides.items()}
    told["Not in all captures"] = [one for of in sides.values() for one in of if identity(one) in common]
    said = [f"{where}, and not compared: {enumerated(apart_of(of))}." for where, of in told.items() if of]
    before, after = (found[name].get("channel_mhz") for name in ("before", "after"))
    if before and after and before != after:
        said.append(f"The network was on {before:,} MHz before, and on {after:,} MHz after.")
    return said


def identity(one: Alone) -> tuple[str, str]:
    """What is the same on both sides: of the same hosts, TCP is not UDP."""
    return one["what"], one["who"]


def apart_of(every: list[Alone]) -> list[str]:
    """Stations and data that one side has alone, of a kind by themselves if they are few."""
    said: list[str] = []
    for what, unit in (("station", "% of the air"), ("TCP", "Mbit/s"), ("UDP", "Mbit/s")):
        known: dict[str, list[float]] = {}
        for one in every:
            if one["what"] == what:
                known.setdefault(one["who"], []).append(one.get("air_share", one.get("mbps", 0.0)))
        much = {who: mean(values) for who, values in known.items()}
        if len(much) > MOST_ALONE:
            several = "stations" if what == "station" else f"ways of {what}"
            said.append(f"{len(much)} {several} ({number(sum(much.values()))} {unit} together)")
        else:
            name = "station" if what == "station" else f"{what} from"
            said += [f"{name} {who} ({number(value)} {unit})" for who, value in much.items()]
    return said


def felt(found: Comparison) -> list[Change]:
    """The changes that users of a network see: of goodput, of delay and of loss one each."""
    moved = {one["measure"]: one for one in found["changes"] if changed(one)}
    kinds = ([moved[name] for name in measures if name in moved] for measures in KINDS.values())
    return [ones[0] for ones in kinds if ones]


def hidden_first(found: Comparison, told: list[Change]) -> list[str]:
    """The changes that chance may have made, of what matters more to users than the sure ones: a sentence, or none.

    Shorter round trips are no good news where the goodput may have fallen.
    """
    far = {one["measure"]: one for one in hiding(found) if may_differ(one) and one["because"].startswith(VARIES)}
    sure = {one["measure"] for one in told}
    hidden: list[Change] = []
    for measures in KINDS.values():
        if sure.intersection(measures):
            break
        hidden += [far[name] for name in measures if name in far][:1]
    return (
        [f"Whether there is a change cannot be told of {enumerated([valued(one) for one in hidden])}."]
        if hidden
        else []
    )


def differs(found: Comparison, told: list[Change]) -> list[str]:
    """What users see differ, with the findings of one side alone that explain it: a sentence for what these explain."""
    groups: dict[tuple[str, ...], list[Change]] = {}
    for one in told:
        groups.setdefault((one["verdict"], *one["explained_by"], "", *one["may_explain"]), []).append(one)
    return [
        f"{capital(ones[0]['verdict'])}: {enumerated([valued(one) for one in ones])}; {reasons(found, ones)}."
        for ones in groups.values()
    ]


def reasons(found: Comparison, ones: list[Change]) -> str:
    """The findings of one side alone that explain changes which the same ones do; or that none does."""
    one, it = ones[0], "it" if len(ones) == 1 else "them"
    side = "after" if is_worse(one) else "before"
    if by := one["explained_by"]:
        return f"what explains {it} was found only {side}: {enumerated([called(code) for code in by])}"
    if one["may_explain"]:
        return f"what may explain {it} {suspected(found, one)}"
    unknown = sorted({code for one in ones for code in amiss(one, found["before"]["times"], found["after"]["times"])})
    rules_amiss = enumerated([called(code) for code in unknown]) if unknown else ""
    looked = f"; something is amiss only {side}, and what cannot be told: {rules_amiss}" if unknown else ""
    return f"none of the findings explains {it}{looked}"


def suspected(found: Comparison, one: Change) -> str:
    """What may explain a change, and why it only may: the other side cannot be told, or its cost is an upper bound."""
    side, other, better = ("after", "before", found["before"]) if is_worse(one) else ("before", "after", found["after"])
    unsure = {code for time in better["times"] for code in time["unsure"]}
    silent = [called(code) for code in one["may_explain"] if code in unsure]
    bound = [called(code) for code in one["may_explain"] if code not in unsure]
    parts = {f"{side}, and cannot be told {other}": silent, f"only {side}, and may cost less than is told": bound}
    return ", or ".join(f"was found {where}: {enumerated(of)}" for where, of in parts.items() if of)


def supposed(found: Comparison) -> list[str]:
    """What findings of one side alone would explain of what is far apart and may yet be chance: a sentence, or none."""
    told: dict[str, list[str]] = {}
    for one in filter(may_differ, found["changes"]):
        if one["explained_by"]:
            side = "after" if is_worse(one) else "before"
            which = enumerated([called(code) for code in one["explained_by"]])
            told.setdefault(f"Found only {side}: {which}", []).append(one["measure"])
    return [f"{found_there}, which would explain {enumerated(of)}." for found_there, of in told.items()]


def called(code: str) -> str:
    """A rule by its name and its code."""
    return f"{next(rule['name'] for rule in rules() if rule['code'] == code)} ({code})"


def unmoved(found: Comparison) -> str:
    """What is said where no change is sure: of what that cannot be told, with both values, and what stayed."""
    hidden = hiding(found)
    stayed = [one["measure"] for one in found["changes"] if one["verdict"] == "same"]
    same = enumerated(stayed) if stayed else ""
    only = "".join(f" {one}" for one in apart(found))
    if hidden:
        far = [valued(one) for one in hidden if may_differ(one)]
        less = len(hidden) - len(far)
        near = [count(less, "more measure" if far else "measure")] if less else []
        rest = f" The same: {same}." if same else ""
        why = "".join(f" {one}" for one in supposed(found))
        said = f"Whether there is a change cannot be told of {enumerated([*far, *near])}.{why}{only}{untold(found)}"
        return f"{said}{rest}{more(found)}"
    return (
        f"No change shows: the same {same}.{only}" if same else f"Nothing can be compared, for the reasons below.{only}"
    )


def untold(found: Comparison) -> str:
    """Why goodput or delay is not compared, where more captures would not tell; a sentence, or nothing."""
    changes = {one["measure"]: one for one in hiding(found)}
    for one in (changes[name] for name in FELT if name in changes):
        if not one["because"].startswith(VARIES):
            return f" {capital(valued(one))} is not compared: {one['because']}."
    return ""


def hiding(found: Comparison) -> list[Change]:
    """The measures with a value on both sides of which cannot be told whether they changed."""
    return [
        one
        for one in found["changes"]
        if one["verdict"] == "cannot tell" and one["before"] is not None and one["after"] is not None
    ]


def both(one: Change) -> str:
    """Both values of a measure."""
    return ranged(one["before"], one["after"], one["unit"])


def ranged(before: float | None, after: float | None, unit: str) -> str:
    """Two values of a measure."""
    return f"{number(before)} to {number(after)} {unit}"


def valued(one: Change) -> str:
    """A measure with both values."""
    return f"{one['measure']} ({both(one)})"


def more(found: Comparison) -> str:
    """What would tell more, where a side has a single capture."""
    many = [len(found[side]["times"]) for side in ("before", "after")]
    if min(many) != 1 or not any(one["because"].startswith(VARIES) for one in found["changes"]):
        return ""
    have = "There is one capture a side" if max(many) == 1 else "One side has a single capture"
    return f" {have}; at least three of each side would tell."


def brief(one: Change, told: list[Change]) -> str:
    """A change in a few words; its name alone if its values were told before."""
    if one in told:
        return one["measure"]
    if len(one["stations"]) == 1:
        (who,), ((before, after),) = one["stations"], one["station_values"]
        return f"{one['measure']} of {who} alone, {one['verdict']} ({ranged(before, after, one['unit'])})"
    return f"{one['measure']}, {one['verdict']} ({both(one)}{whose(one)})"


def whose(one: Change) -> str:
    """Of which of several stations a change is; nothing if of all, or of none by itself."""
    if not one["stations"]:
        return ""
    return f"; the mean of all stations, of which {enumerated(one['stations'])} alone changed so"


def values(one: Change) -> str:
    """Both values of a measure and the size of their difference; nothing if there are none."""
    if one["before"] is None or one["after"] is None:
        return ""
    return ", ".join(filter(None, (both(one), effect(one))))


def effect(one: Change) -> str:
    """The size of a change: a ratio, or a difference where there is none, with its interval."""
    if one["difference"] is None or one["difference_interval"] is None:
        return ""
    if one["ratio"] is not None and one["interval"] is not None:
        low, high = one["interval"]
        return f"x {one['ratio']:.2f} ({low:.2f} to {high:.2f})"
    low, high = one["difference_interval"]
    return f"{signed(one['difference'])} ({signed(low)} to {signed(high)})"


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{'+' if value > 0 else ''}{number(value)}"


def because(one: Change) -> str:
    """Why the verdict is what it is."""
    follows = f"; follows from {one['follows_from']}" if one["follows_from"] else ""
    unless = f"; {one['unless']}" if one["unless"] else ""
    return f"{one['because']}{whose(one)}{follows}{unless}"


def unknown(found: Comparison) -> list[str]:
    """What cannot be told, each reason once with its measures and what was measured of them."""
    measures: dict[str, list[str]] = {}
    for one in found["changes"]:
        if one["verdict"] == "cannot tell":
            seen = values(one)
            measures.setdefault(one["because"], []).append(f"{one['measure']} {seen}" if seen else one["measure"])
    return [f"{'; '.join(of)}: {because}" for because, of in measures.items()]


def alike(found: Comparison) -> str:
    """What did not change, and how large a change would have shown; nothing if there is none."""
    same = [f"{one['measure']} ({one['because']})" for one in found["changes"] if one["verdict"] == "same"]
    return f"the same: {'; '.join(same)}" if same else ""


def found_by_rules(found: Comparison) -> list[str]:
    """What rules found on one side and not on the other: in how many of its times, and of how many they cannot tell."""
    sides = [found["before"]["times"], found["after"]["times"]]
    counts = [Counter(code for one in times for code in one["findings"]) for times in sides]
    unsure = [Counter(code for one in times for code in one["unsure"]) for times in sides]
    many = [len(times) for times in sides]

    def seen(side: int, code: str) -> str:
        silent = unsure[side][code]
        return f"{counts[side][code]} of {many[side]}{f' (it cannot tell of {silent})' if silent else ''}"

    return [
        f"{code} {name}: {seen(0, code)} before, {seen(1, code)} after"
        for code, name in ((rule["code"], rule["name"]) for rule in rules())
        if counts[0][code] * many[1] != counts[1][code] * many[0]
    ]


def sure(found: Comparison) -> str:
    """What the intervals are about."""
    many = [len(found["before"]["times"]), len(found["after"]["times"])]
    together = "Pairs that do not differ have no better and no worse in 95 of 100 comparisons, all measures together."
    if min(many) > 1:
        return f"Intervals are of what varies from capture to capture, of {many[0]} and {many[1]}. {together}"
    if max(many) > 1:
        return (
            f"One side has a single capture, which is taken to vary as much as the other side's {max(many)}. {together}"
        )
    return (
        "Intervals are of what varies within two single captures, not of what varies from one hour to the next, which "
        f"three and more of each side tell. {together}"
    )


def title(found: Comparison) -> str:
    """The comparison in a few words."""
    named = [one for one in found["changes"] if changed(one) and not one["follows_from"]]
    if not named:
        return "Whether there is a change cannot be told" if hiding(found) else "No change shows"
    more = len(named) - 1
    return capital(f"{named[0]['measure']}: {named[0]['verdict']}") + (
        f", and {count(more, 'more change')}" if more else ""
    )
