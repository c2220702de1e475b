"""What changed, measure by measure: the difference, how sure that is, and what it follows from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from airloom.diagnosis.against.follows import TAKES, Changed, Queue, Trips, follows, left, logarithm, queue_change
from airloom.diagnosis.against.load import (
    differs,
    echoes_differ,
    of_another_kind,
    programs_unseen,
    streams_differ,
    turned,
    without_air,
)
from airloom.diagnosis.against.measures import MEASURES, mean_of
from airloom.support.difference import Estimate, difference, independent, sectioned, welch
from airloom.support.formatting import count, plain
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.diagnosis.against.columns import Columns
    from airloom.diagnosis.against.load import Load
    from airloom.diagnosis.against.measures import Measure, Silent

RISK = 0.05
"""How often pairs that do not differ may have any measure better or worse."""

STRETCHES = 16
"""Stretches of one capture whose means are compared where a side has no other."""

SHORTEST = 0.5
"""The shortest stretch in seconds: it is longer than TCP's timeout, and than most of what is periodic."""

MATTERS = 0.03
"""A smaller part of a measure is no change, however sure."""

SAME = 0.1
"""An interval within this part of the measure shows that nothing changed."""


BESIDE = 150e-6
"""What a PPDU takes of the air beside its own time, in seconds.

That is AIFS of best effort in 5 GHz (43 us), half of its smallest contention window (67.5 us), SIFS and a BlockAck at
24 Mbit/s (48 us): IEEE 802.11-2020 10.3.2.3, 17.4.4, table 9-155.
"""

VARIES = "what varies anyway"
"""How the reason begins where more captures would tell."""


class Change(TypedDict):
    """A measure of before and of after.

    `interval` is of the ratio, and `difference_interval` of the difference, in the unit; all measures lie within theirs
    in 95 of 100 comparisons. None stands where there is no value, no ratio, or an end that is not known.
    `stations` are those of several that changed so by themselves, and `station_values` the values of each before and
    after; none of them if all did, or if it is of no station.
    `follows_from` is the measure whose change explains this one, and `unless` what else would, and is not known.
    `explained_by` are the codes of findings of one side alone that explain it, whether or not it is sure, and
    `may_explain` those that may: of which the other side cannot tell, or whose cost is no more than an upper bound.
    """

    measure: str
    unit: str
    before: float | None
    after: float | None
    ratio: float | None
    interval: list[float] | None
    difference: float | None
    difference_interval: list[float] | None
    verdict: str
    because: str
    stations: list[str]
    station_values: list[list[float]]
    follows_from: str | None
    unless: str | None
    explained_by: list[str]
    may_explain: list[str]


@dataclass(frozen=True)
class Side:
    """Captures of before, or of after: one of each time."""

    columns: Sequence[Columns]
    loads: Sequence[Load]


def changes(before: Side, after: Side) -> list[Change]:
    """What changed of every measure."""
    before, after = alike(before, after)
    has_udp = any(load.streams for side in (before, after) for load in side.loads)
    has_pings = any(load.pings for side in (before, after) for load in side.loads)
    has_others = any(mean_of(one.others) for side in (before, after) for one in side.columns)
    measures = [
        one
        for one in MEASURES
        if (has_udp or not one.of_udp) and (has_pings or not one.of_ping) and (has_others or not one.of_others)
    ]
    estimates = {measure.name: estimated(measure, before, after) for measure in measures}
    varying = [name for name, pair in estimates.items() if pair and not pair.constant]
    risk = RISK / max(len(varying), 1)
    found = {measure.name: judged(measure, estimates[measure.name], risk) for measure in measures}
    as_fast = found["goodput"]["verdict"] == "same"
    air, view = without_air(before.loads, after.loads), of_another_kind(before.loads, after.loads)
    other_way = turned(before.loads, after.loads)
    streams = streams_differ(
        before.loads, after.loads, as_fast=has_udp and found["goodput of UDP"]["verdict"] == "same"
    )
    has_tcp = any(load.flows for side in (before, after) for load in side.loads)
    # Without TCP what there was to be sent is UDP.
    of_udp = has_udp and not has_tcp
    load = streams if of_udp else differs(before.loads, after.loads, as_fast=as_fast)
    echoes = echoes_differ(before.loads, after.loads, load)
    for measure in measures:
        one = found[measure.name]
        reasons = [
            air if measure.of_air else None,
            view if measure.name.startswith("round trip") else None,
            load if measure.of_load else None,
            streams if measure.of_udp else None,
            echoes if measure.of_ping else None,
        ]
        because = next((reason for reason in reasons if reason), None)
        if other_way and measure.of_direction:
            one["verdict"], one["because"] = "cannot tell", other_way
        elif because and one["verdict"] != "same":
            one["verdict"], one["because"] = "cannot tell", because
        if measure.of_station and changed(one):
            alone = stations(measure, before, after, one["verdict"], risk)
            one["stations"] = list(alone)
            one["station_values"] = [[pair.before.mean, pair.after.mean] for pair in alone.values()]
        if measure.of_load and changed(one):
            one["unless"] = None if of_udp else programs_unseen(before.loads, after.loads)
    moved = {
        name: Changed(one["verdict"] == "better", logarithm(one["ratio"]))
        for name, one in found.items()
        if changed(one)
    }
    of_queue = None if view else queue_of(found, before, after)
    explained = follows(moved, air_ratio(before, after), of_queue, takes(found))
    for name, cause in explained.items():
        found[name]["follows_from"] = cause
    return list(found.values())


def takes(found: Mapping[str, Change]) -> dict[str, float]:
    """How much of the time the changes take of measures that are parts of it: retries are of the air's."""
    known = {name: (found[name]["before"], found[name]["after"]) for name in TAKES if name in found}
    return {
        name: left(before, after) for name, (before, after) in known.items() if before is not None and after is not None
    }


def stations(measure: Measure, before: Side, after: Side, verdict: str, risk: float) -> dict[str, Pair]:
    """The stations that changed so by themselves, if not all did that both sides show."""
    every = [set(one.stations) for side in (before, after) for one in side.columns]
    macs = sorted(set.intersection(*every))

    def alone(side: Side, mac: str) -> Side:
        return Side([one.stations[mac] for one in side.columns], side.loads)

    pairs = {mac: pair for mac in macs if (pair := estimated(measure, alone(before, mac), alone(after, mac)))}
    found = {mac: pair for mac, pair in pairs.items() if judged(measure, pair, risk / len(macs))["verdict"] == verdict}
    return found if len(found) < len(pairs) else {}


def air_ratio(before: Side, after: Side) -> float:
    """The air time of data on the side with less of it, as a part of the other's; 1 if that does not show."""
    shares = [mean(held(one) for one in side.columns) for side in (before, after)]
    return min(shares) / max(shares) if max(shares) > 0 else 1.0


def held(columns: Columns) -> float:
    """The air that data takes in percent of the time, with what each PPDU takes beside its own: small ones much."""
    pairs = zip(columns.mpdus, columns.size, strict=False)
    ppdus = sum(many / size for many, size in pairs if many and size)
    time = columns.count * columns.width
    return (mean_of(columns.air) or 0.0) + (100 * ppdus * BESIDE / time if time else 0.0)


def queue_of(found: Mapping[str, Change], before: Side, after: Side) -> Queue | None:
    """How the queue of TCP changed; none where its part of the round trips does not show."""
    trips, goodput = found["round trip (median)"], found["goodput"]
    usual, much = (trips["before"], trips["after"]), (goodput["before"], goodput["after"])
    least = [[one.shortest for one in side.loads if one.shortest is not None] for side in (before, after)]
    if None in (*usual, *much) or not all(least):
        return None
    first, second = (
        Trips(mean(short), trip or 0.0, rate or 0.0) for short, trip, rate in zip(least, usual, much, strict=True)
    )
    return queue_change(first, second)


def changed(one: Change) -> bool:
    """Whether a measure changed."""
    return one["verdict"] in ("better", "worse")


def alike(before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides in bins of one width, which doubles with a capture's length: the longest of a bin grows with it."""
    widest = max(one.width for side in (before, after) for one in side.columns)

    def widened(side: Side) -> Side:
        return Side([one.wider(round(widest / one.width)) for one in side.columns], side.loads)

    return widened(before), widened(after)


@dataclass(frozen=True)
class Pair:
    """Both means of a measure, and degrees of freedom of the variance of their difference; 0 if that is not known."""

    before: Estimate
    after: Estimate
    freedom: float

    @property
    def constant(self) -> bool:
        """Whether it is the same always and everywhere, so that no chance can make it differ."""
        return self.before.mean == self.after.mean and self.before.variance == self.after.variance == 0


def estimated(measure: Measure, before: Side, after: Side) -> Pair | None:
    """Both means of a measure; none if a side has no value.

    Captures of a side vary as much as those of the other, as they do where nothing differs, and a single one as much as
    the other side's. Two single ones vary as their stretches do.
    """
    silent = measure.silent([*before.columns, *after.columns])
    sides = [
        [value for one in side.columns if (value := measure.value(one, silent)) is not None] for side in (before, after)
    ]
    if not all(sides):
        return None
    freedom = sum(len(values) - 1 for values in sides)
    if freedom:
        spread = sum(
            one.variance * len(values) * one.freedom for values in sides if (one := independent(values)).freedom
        )
        differ = mean(sides[0]) != mean(sides[1])
        # Where all captures of a side are rounded to the same step, their variance is that of the rounding.
        each = spread / freedom or (measure.step**2 / 12 if differ else 0.0)
        if each or not differ or not measure.is_set:
            first, second = (Estimate(mean(values), each / len(values), freedom) for values in sides)
            # Where all captures of both sides are alike but for the side, nothing shows how much they vary.
            return Pair(first, second, freedom if each or not differ else 0)
    # Where what can be set is alike in all captures of a side, the stretches of these tell.
    # They are of one length, since a quantile depends on how many values it is of.
    long = min(one.count for side in (before, after) for one in side.columns) // STRETCHES
    first, second = (within(measure, side, long, silent) for side in (before, after))
    return Pair(first, second, welch(first, second) if first.freedom and second.freedom else 0)


def within(measure: Measure, side: Side, long: int, silent: Silent) -> Estimate:
    """A measure over the captures of a side, by stretches of so many bins of each."""
    each = [stretches(measure, one, long, silent) for one in side.columns]
    freedom = sum(one.freedom for one in each) if all(one.freedom for one in each) else 0
    return Estimate(mean(one.mean for one in each), mean(one.variance for one in each) / len(each), freedom)


def stretches(measure: Measure, columns: Columns, long: int, silent: Silent) -> Estimate:
    """A measure over one capture, by stretches of so many bins; without degrees of freedom if these tell nothing.

    The variance is no number where they are too short, and infinite where one has no value.
    """
    starts = range(0, columns.count - long + 1, max(long, 1))
    parts = [measure.value(columns.part(at, at + long), silent) for at in starts]
    values = [value for value in parts if value is not None]
    of_all = measure.value(columns, silent)
    whole = math.nan if of_all is None else of_all
    if long * columns.width < SHORTEST:
        return Estimate(whole, math.nan, 0)
    if len(values) < STRETCHES:
        return Estimate(whole, math.inf, 0)
    return sectioned(values, whole)


def unsure(before: Estimate, after: Estimate) -> str:
    """Why nothing shows how much a measure varies."""
    spreads = (before.variance, after.variance)
    if any(map(math.isnan, spreads)):
        return f"too short: one capture needs somewhat more than {count(round(STRETCHES * SHORTEST), 'second')} of data"
    if any(map(math.isinf, spreads)):
        return f"{VARIES} does not show: a sixteenth of one capture or more has no value; add captures"
    # More captures of what was set would be alike too.
    return "it is the same in all captures of a side, as where it was set: how much it varies by itself does not show"


def judged(measure: Measure, pair: Pair | None, risk: float) -> Change:
    """What is known of a measure."""
    one = Change(
        measure=measure.name,
        unit=measure.unit,
        before=None,
        after=None,
        ratio=None,
        interval=None,
        difference=None,
        difference_interval=None,
        verdict="cannot tell",
        because="the captures do not show it",
        stations=[],
        station_values=[],
        follows_from=None,
        unless=None,
        explained_by=[],
        may_explain=[],
    )
    if pair is None:
        return one
    before, after = pair.before, pair.after
    one["before"], one["after"] = before.mean, after.mean
    if not pair.freedom:
        one["because"] = unsure(before, after)
        return one
    by = difference(before, after, risk, pair.freedom)
    one["difference"], one["difference_interval"] = by.difference, list(by.difference_interval)
    if measure.has_ratio:
        one["ratio"], one["interval"] = by.ratio, list(by.ratio_interval) if by.ratio_interval else None
    least = max(measure.least, MATTERS * abs(before.mean) if measure.has_ratio else 0.0)
    room = max(measure.least, SAME * abs(before.mean) if measure.has_ratio else 0.0)
    low, high = by.difference_interval
    if not low <= 0 <= high and abs(by.difference) >= least:
        rises = by.difference > 0
        one["verdict"] = "better" if rises == measure.higher_is_better else "worse"
        one["because"] = (
            f"{'rises' if rises else 'falls'} by {plain(min(abs(low), abs(high)))} {measure.difference_unit} at least"
        )
    elif -room <= low and high <= room:
        one["verdict"] = "same"
        one["because"] = f"{plain(room)} {measure.difference_unit} more or less would show"
    else:
        one["because"] = (
            f"{VARIES} hides changes of less than {plain(max(abs(low), abs(high)))} {measure.difference_unit}"
        )
    return one
