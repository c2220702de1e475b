"""What our runs say about access-point scanning and TCP, up and down."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.analysis.scan_periods import DROP, START, whole_trips
from airloom.papers.measure import Measures, Ours
from airloom.support.statistics import mean, percentile

if TYPE_CHECKING:
    from airloom.analysis.run_view import RunView

MEASURES = Measures()
claim = MEASURES.claim

SMALLER = 0.05
"""A mean has fallen when it lies below the other by more than this share."""

GROWN = 40.0
"""Seconds until the window of a download has grown to what the access point's queue holds."""

AFTERMATH = 10.0
"""Seconds after a scan in which downloads are slow to recover."""

TSQ = "up-tsq-cubic"
TSQ_NEWRENO = "up-tsq-newreno"
NO_TSQ = "up-notsq-cubic"
NO_TSQ_NEWRENO = "up-notsq-newreno"
FIX_OFF = "fix-off"
FIX_ON = "fix-on"
FRAMES = "up-tsq-frames"
DOWN = "down-tsq-cubic"
DOWN_NEWRENO = "down-tsq-newreno"
DOWN_NO_TSQ = "down-notsq-cubic"
DOWN_NO_TSQ_NEWRENO = "down-notsq-newreno"


def percent(ratio: float) -> str:
    """A relative change, for people."""
    return f"{ratio:+.0%}"


# ------------------------------------------------------------------------------------------------ throughput


@claim("scan.up.tsq.goodput", TSQ)
@claim("scan.up.notsq.goodput", NO_TSQ)
def goodput(view: RunView) -> Ours:
    """Mean goodput of the normal seconds, in Mbit/s."""
    series = view.normal(view.tcp("goodput"))
    return Ours(series.mean(), f"{len(series.values)} normal seconds")


def normal_goodput(view: RunView) -> float:
    """The same as a plain number."""
    return view.normal(view.tcp("goodput")).mean()


@claim("scan.up.tsq.floor", TSQ)
@claim("scan.up.notsq.floor", NO_TSQ)
def floor(view: RunView) -> Ours:
    """Lowest degraded second over the normal mean."""
    series = view.tcp("goodput")
    low, normal = view.degraded(series).min(), view.normal(series).mean()
    return Ours(low / normal, f"{low:.1f} of {normal:.1f} Mbit/s")


# --------------------------------------------------------------------------------------------------- periods


@claim("scan.period.degraded", TSQ)
def degraded(view: RunView) -> Ours:
    """Mean length of a scan, in s."""
    lengths = [end - scan["start_s"] for scan, end in view.scans]
    return Ours(mean(lengths), f"{len(lengths)} scans")


@claim("scan.period.cycle", TSQ)
def cycle(view: RunView) -> Ours:
    """Mean time from a scan's start to the next one's, in s, once the scheduler's interval has stopped growing."""
    starts = [scan["start_s"] for scan in view.run.summary["scans"]]
    spacings = [after - before for before, after in pairwise(starts)]
    steady = [spacing for spacing in spacings if spacing >= 0.9 * max(spacings)]
    return Ours(mean(steady), f"{len(steady)} of {len(spacings)} spacings")


@claim("scan.period.sleep", TSQ)
def sleep(view: RunView) -> Ours:
    """Mean time that the access point takes the station to be asleep, in ms."""
    return Ours(mean([1e3 * (trip["home_s"] - trip["leaving_s"]) for trip in view.trips]))


@claim("scan.period.awake", TSQ)
def awake(view: RunView) -> Ours:
    """Mean time at home between two trips of one scan, in ms."""
    return Ours(
        mean(
            [
                1e3 * (after["leaving_s"] - before["home_s"])
                for scan, _ in view.scans
                for before, after in pairwise(whole_trips(scan))
            ]
        )
    )


@claim("scan.period.pairs", TSQ)
def pairs(view: RunView) -> Ours:
    """Trips in a scan."""
    return Ours(mean([float(len(scan["trips"])) for scan, _ in view.scans]))


# ------------------------------------------------------------------------------------- with TCP small queues


@claim("scan.up.tsq.cwnd", TSQ)
def held_cwnd(view: RunView) -> Ours:
    """Mean window over the whole run, in packets."""
    series = view.tcp("cwnd")
    return Ours(series.mean(), f"between {series.min():.0f} and {series.max():.0f}")


@claim("scan.up.tsq.noloss", TSQ)
def no_loss(view: RunView) -> Ours:
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
def ampdu_rate(view: RunView) -> Ours:
    """A-MPDUs per normal second."""
    return Ours(view.normal(view.mac("ampdus")).mean())


@claim("scan.up.tsq.mpdus", TSQ)
def mpdus(view: RunView) -> Ours:
    """MPDUs per A-MPDU in normal seconds."""
    return Ours(view.normal(view.mac("mpdus_per_ampdu")).mean())


@claim("scan.up.tsq.cause", TSQ)
def fewer_aggregates(view: RunView) -> Ours:
    """In a scan there are fewer aggregates, not smaller or slower ones."""
    ampdus, size = view.change(view.mac("ampdus")), view.change(view.mac("mpdus_per_ampdu"))
    rate = view.degraded(view.mac("mac_rate")).mean()
    return Ours(
        ampdus <= -0.15 and abs(size) <= 0.15 and rate >= 250.0,
        f"A-MPDUs/s {percent(ampdus)}, MPDUs per A-MPDU {percent(size)}, data rate {rate:.0f} Mbit/s",
    )


# ---------------------------------------------------------------------------------- without TCP small queues


@claim("scan.up.notsq.cwnd", NO_TSQ)
def highest_cwnd(view: RunView) -> Ours:
    """Highest one-second mean of the window, in packets."""
    return Ours(view.tcp("cwnd").max())


@claim("scan.up.notsq.cause", NO_TSQ)
def losses(view: RunView) -> Ours:
    """In a scan segments are lost, the window falls, and aggregates get both fewer and smaller."""
    lost = view.degraded(view.tcp("retransmissions")).sum()
    window = window_fall(view)
    ampdus, size = view.change(view.mac("ampdus")), view.change(view.mac("mpdus_per_ampdu"))
    rate = view.change(view.mac("mac_rate"))
    return Ours(
        lost > 0 and window > 0.30 and ampdus < -SMALLER and size < -SMALLER and rate > -0.10,
        f"{lost:.0f} retransmissions, cwnd {percent(-window)}, A-MPDUs/s {percent(ampdus)}, "
        f"MPDUs per A-MPDU {percent(size)}, data rate {percent(rate)}",
    )


def window_fall(view: RunView) -> float:
    """The fall of the window in a scan, relative to the second before it; mean over the scans."""
    window = view.tcp("cwnd")
    falls = []
    for start, end in view.periods.spans:
        before = window.between(start - 2, start - 1).mean()
        low = window.between(start, end).min()
        falls.append(1 - low / before)
    return mean(falls)


# ------------------------------------------------------------------------------------------------- downloads


@claim("scan.down.cubic.cwnd", DOWN)
@claim("scan.down.newreno.cwnd", DOWN_NEWRENO)
def window_range(view: RunView) -> Ours:
    """The range of a download's window in normal seconds: 5th to 95th percentile, with losses in these seconds."""
    window = view.normal(view.tcp("cwnd")).where(lambda time: time >= GROWN).known()
    lossy = [value for value in view.normal(view.tcp("retransmissions")).known() if value > 0]
    return Ours(
        (percentile(window, 0.05), percentile(window, 0.95)),
        f"5th to 95th percentile of {len(window)} normal seconds; retransmissions in {len(lossy)} of them",
        sound=len(lossy) > 0,
    )


@claim("scan.down.shape", DOWN, DOWN_NEWRENO)
def sharp_drops(cubic: RunView, newreno: RunView) -> Ours:
    """In a scan goodput drops though the window holds; aggregates get fewer and smaller, and stay small for a while."""
    found = [drop_shape(view) for view in (cubic, newreno)]
    return Ours(
        all(held for held, _ in found),
        f"CUBIC: {found[0][1]}; NewReno: {found[1][1]}",
    )


def drop_shape(view: RunView) -> tuple[bool, str]:
    """Whether one download has that shape, and in which respects it differs."""
    series = view.tcp("goodput")
    bar = DROP * view.normal(series).mean()
    dropped = [series.between(start, end).min() < bar for start, end in view.periods.spans]
    window = view.change(view.tcp("cwnd"))
    ampdus, size = view.change(view.mac("ampdus")), view.change(view.mac("mpdus_per_ampdu"))
    sizes = view.mac("mpdus_per_ampdu")
    late = sizes.where(lambda time: any(end <= time < end + AFTERMATH for _, end in view.periods.spans)).mean()
    rest = view.normal(sizes).where(
        lambda time: not any(end <= time < end + AFTERMATH for _, end in view.periods.spans)
    )
    after = late / rest.mean() - 1
    rate = view.mac("mac_rate").mean()
    parts = [
        (bool(dropped) and all(dropped), f"drops in {sum(dropped)} of {len(dropped)} scans"),
        (window >= -0.40, f"cwnd {percent(window)}"),
        (ampdus < -SMALLER, f"A-MPDUs/s {percent(ampdus)}"),
        (size < -SMALLER, f"MPDUs per A-MPDU {percent(size)}"),
        (after < -0.02, f"{percent(after)} in the {AFTERMATH:.0f} s after"),
        (240.0 <= rate <= 300.0, f"{rate:.0f} Mbit/s"),
    ]
    return all(held for held, _ in parts), ", ".join(text + ("" if held else " (!)") for held, text in parts)


# ---------------------------------------------------------------------------------------------- frame by frame


@claim("scan.null.pm1", FRAMES)
def null_trains(view: RunView) -> Ours:
    """A monitor hears, in every sleeping period, a train with PM=1, a beacon and a train with PM=0."""
    found = view.sleeps
    leaving, returning = [sleep.leaving for sleep in found], [sleep.returning for sleep in found]
    opened = [train for train in leaving if train.retries > 0 and not train.asked()[0] and train.asked()[-1]]
    spanned = [sleep for sleep in found if sleep.beacons]
    first, last = 1e3 * mean([train.length for train in leaving]), 1e3 * mean([train.length for train in returning])
    wait = 1e3 * mean([sleep.wait for sleep in found])
    return Ours(
        len(found) > 0
        and len(opened) >= 0.9 * len(found)
        and len(spanned) == len(found)
        and abs(first / 1.8 - 1) <= 0.25
        and abs(last / 1.3 - 1) <= 0.25
        and 90.0 <= wait <= 115.0,
        f"{len(found)} periods, of which {len(opened)} open with retries and RTS/CTS before the later ones, and "
        f"{len(spanned)} span a beacon; trains of {first:.2f} ms and {last:.2f} ms, {wait:.0f} ms apart",
    )


# ---------------------------------------------------------------------------------------- across several runs


@claim("scan.up.cc", TSQ, TSQ_NEWRENO, NO_TSQ, NO_TSQ_NEWRENO)
def congestion_control(tsq: RunView, tsq_newreno: RunView, no_tsq: RunView, no_tsq_newreno: RunView) -> Ours:
    """Both congestion controls reach the same normal goodput, with and without TCP small queues."""
    with_tsq = normal_goodput(tsq_newreno) / normal_goodput(tsq) - 1
    without = normal_goodput(no_tsq_newreno) / normal_goodput(no_tsq) - 1
    return Ours(
        abs(with_tsq) <= 0.10 and abs(without) <= 0.10,
        f"NewReno against CUBIC: {percent(with_tsq)} with TCP small queues, {percent(without)} without",
    )


@claim("scan.down.tsq", DOWN, DOWN_NEWRENO, DOWN_NO_TSQ, DOWN_NO_TSQ_NEWRENO)
def station_alike(tsq: RunView, tsq_newreno: RunView, no_tsq: RunView, no_tsq_newreno: RunView) -> Ours:
    """The station's TCP small queues do not change the normal goodput of what it receives."""
    cubic = normal_goodput(no_tsq) / normal_goodput(tsq) - 1
    newreno = normal_goodput(no_tsq_newreno) / normal_goodput(tsq_newreno) - 1
    return Ours(
        abs(cubic) <= 0.05 and abs(newreno) <= 0.05,
        f"without against with: {percent(cubic)} with CUBIC, {percent(newreno)} with NewReno",
    )


@claim("scan.fix", FIX_OFF, FIX_ON)
def remedy(off: RunView, on: RunView) -> Ours:
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
