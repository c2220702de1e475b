"""What our runs say about access-point scanning and TCP uploads."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours

if TYPE_CHECKING:
    from airloom.papers.view import View
from airloom.periods import DROP, START

MEASURES = Measures()
claim = MEASURES.claim

SETTLED = 20.0
"""Seconds until an upload's window has stopped growing."""

LEVEL = 0.10
"""A window is level when no second strays further from its mean than this, relative to it."""

TSQ = "up-tsq-cubic"
TSQ_NEWRENO = "up-tsq-newreno"
NO_TSQ = "up-notsq-cubic"
NO_TSQ_NEWRENO = "up-notsq-newreno"
FIX_OFF = "fix-off"
FIX_ON = "fix-on"


def percent(ratio: float) -> str:
    """A relative change, for people."""
    return f"{ratio:+.0%}"


def mean(values: list[float]) -> float:
    """The mean; not a number of nothing."""
    return math.fsum(values) / len(values) if values else math.nan


# ------------------------------------------------------------------------------------------------ throughput


@claim("scan.up.tsq.goodput", TSQ)
@claim("scan.up.notsq.goodput", NO_TSQ)
def goodput(view: View) -> Ours:
    """Mean goodput of the normal seconds, in Mbit/s."""
    series = view.normal(view.tcp("goodput"))
    return Ours(series.mean(), f"{len(series.values)} normal seconds")


@claim("scan.up.tsq.floor", TSQ)
@claim("scan.up.notsq.floor", NO_TSQ)
def floor(view: View) -> Ours:
    """Lowest degraded second over the normal mean."""
    series = view.tcp("goodput")
    low, normal = view.degraded(series).min(), view.normal(series).mean()
    return Ours(low / normal, f"{low:.1f} of {normal:.1f} Mbit/s")


# --------------------------------------------------------------------------------------------------- periods


@claim("scan.period.degraded", TSQ)
def degraded(view: View) -> Ours:
    """Mean length of a scan, in s."""
    lengths = [end - scan["start_s"] for scan, end in view.scans]
    return Ours(mean(lengths), f"{len(lengths)} scans")


@claim("scan.period.cycle", TSQ)
def cycle(view: View) -> Ours:
    """Mean time from a scan's start to the next one's, in s, once the scheduler's interval has stopped growing."""
    starts = [scan["start_s"] for scan in view.run.summary["scans"]]
    spacings = [after - before for before, after in pairwise(starts)]
    steady = [spacing for spacing in spacings if spacing >= 0.9 * max(spacings)]
    return Ours(mean(steady), f"{len(steady)} of {len(spacings)} spacings")


@claim("scan.period.sleep", TSQ)
def sleep(view: View) -> Ours:
    """Mean time that the access point takes the station to be asleep, in ms."""
    return Ours(mean([1e3 * (trip["home_s"] - trip["leaving_s"]) for trip in view.trips]))


@claim("scan.period.awake", TSQ)
def awake(view: View) -> Ours:
    """Mean time at home between two trips of one scan, in ms."""
    return Ours(
        mean(
            [
                1e3 * (after["leaving_s"] - before["home_s"])
                for scan, _ in view.scans
                for before, after in pairwise(scan["trips"])
            ]
        )
    )


@claim("scan.period.pairs", TSQ)
def pairs(view: View) -> Ours:
    """Trips in a scan."""
    return Ours(mean([float(len(scan["trips"])) for scan, _ in view.scans]))


# ------------------------------------------------------------------------------------- with TCP small queues


@claim("scan.up.tsq.cwnd", TSQ)
def level_cwnd(view: View) -> Ours:
    """Mean window in packets; sound only if it is level."""
    series = view.tcp("cwnd").where(lambda time: time >= SETTLED)
    low, middle, high = series.min(), series.mean(), series.max()
    level = middle * (1 - LEVEL) <= low <= high <= middle * (1 + LEVEL)
    return Ours(middle, f"between {low:.0f} and {high:.0f}" + ("" if level else ": not level"), sound=level)


@claim("scan.up.tsq.noloss", TSQ)
def no_loss(view: View) -> Ours:
    """Nothing retransmitted, and the window never more than 1 % below where it was."""
    retransmissions = view.flow["retransmissions"]
    highest, fall = 0.0, 0.0
    for window in view.tcp("cwnd").known():
        highest = max(highest, window)
        fall = max(fall, 1 - window / highest)
    return Ours(
        retransmissions == 0 and fall <= 0.01,
        f"{retransmissions} retransmissions, largest fall of the window {fall:.1%}",
    )


@claim("scan.up.tsq.ampdu_rate", TSQ)
def ampdu_rate(view: View) -> Ours:
    """A-MPDUs per normal second."""
    return Ours(view.normal(view.mac("ampdus")).mean())


@claim("scan.up.tsq.mpdus", TSQ)
def mpdus(view: View) -> Ours:
    """MPDUs per A-MPDU in normal seconds."""
    return Ours(view.normal(view.mac("mpdus_per_ampdu")).mean())


@claim("scan.up.tsq.cause", TSQ)
def fewer_aggregates(view: View) -> Ours:
    """In a scan there are fewer aggregates, not smaller or slower ones."""
    ampdus, size = view.change(view.mac("ampdus")), view.change(view.mac("mpdus_per_ampdu"))
    rate = view.degraded(view.mac("mac_rate")).mean()
    return Ours(
        ampdus <= -0.15 and abs(size) <= 0.15 and rate >= 250.0,
        f"A-MPDUs/s {percent(ampdus)}, MPDUs per A-MPDU {percent(size)}, data rate {rate:.0f} Mbit/s",
    )


# ---------------------------------------------------------------------------------- without TCP small queues


@claim("scan.up.notsq.cwnd", NO_TSQ)
def highest_cwnd(view: View) -> Ours:
    """Highest one-second mean of the window, in packets."""
    return Ours(view.tcp("cwnd").max())


@claim("scan.up.notsq.cause", NO_TSQ)
def losses(view: View) -> Ours:
    """In a scan segments are lost, the window falls, and aggregates get both fewer and smaller."""
    lost = view.degraded(view.tcp("retransmissions")).sum()
    window = window_fall(view)
    ampdus, size = view.change(view.mac("ampdus")), view.change(view.mac("mpdus_per_ampdu"))
    rate = view.change(view.mac("mac_rate"))
    return Ours(
        lost > 0 and window > 0.30 and ampdus < -0.20 and size < -0.20 and rate > -0.10,
        f"{lost:.0f} retransmissions, cwnd {percent(-window)}, A-MPDUs/s {percent(ampdus)}, "
        f"MPDUs per A-MPDU {percent(size)}, data rate {percent(rate)}",
    )


def window_fall(view: View) -> float:
    """How far the window falls in a scan from the second before it, relative to that second; mean over the scans."""
    window = view.tcp("cwnd")
    falls = []
    for start, end in view.periods.spans:
        before = window.between(start - 2, start - 1).mean()
        low = window.between(start, end).min()
        falls.append(1 - low / before)
    return mean(falls)


# ---------------------------------------------------------------------------------------- across several runs


@claim("scan.up.cc", TSQ, TSQ_NEWRENO, NO_TSQ, NO_TSQ_NEWRENO)
def congestion_control(tsq: View, tsq_newreno: View, no_tsq: View, no_tsq_newreno: View) -> Ours:
    """Both congestion controls reach the same normal goodput, with and without TCP small queues."""
    with_tsq = float(goodput(tsq_newreno).value) / float(goodput(tsq).value) - 1
    without = float(goodput(no_tsq_newreno).value) / float(goodput(no_tsq).value) - 1
    return Ours(
        abs(with_tsq) <= 0.10 and abs(without) <= 0.10,
        f"NewReno against CUBIC: {percent(with_tsq)} with TCP small queues, {percent(without)} without",
    )


@claim("scan.fix", FIX_OFF, FIX_ON)
def remedy(off: View, on: View) -> Ours:
    """Without the remedy every scan makes a drop; with it there is none."""
    bar = DROP * off.normal(off.tcp("goodput")).mean()
    dropped = [off.tcp("goodput").between(start, end).min() < bar for start, end in off.periods.spans]
    series = on.tcp("goodput").where(lambda time: time >= START)
    bar = DROP * on.normal(on.tcp("goodput")).mean()
    low = [value for value in series.known() if value < bar]
    return Ours(
        bool(dropped) and all(dropped) and not low,
        f"without: a drop in {sum(dropped)} of {len(dropped)} scans; with: {len(low)} seconds below {DROP:.0%}",
    )
