"""What our runs say about access-point scanning and TCP, up and down."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from airloom.analysis.scan_periods import DROP, START, whole_trips
from airloom.papers.measure import Measures, Ours
from airloom.support.statistics import mean, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.analysis.power_save import NullFrameTrain
    from airloom.analysis.run_view import RunView
    from airloom.results.series import Series

MEASURES = Measures()
claim = MEASURES.claim

# What the words of the statements allow.

HELD = (0.80 * 200, 1.20 * 200)
"""Packets between which a window that is held near 200 throughout has its 5th and 95th percentile: the list's 20 %."""

SMALLER = 0.05
"""What does not fall lies below the other by this share at most: the scatter of one scan. What does fall, or stays low,
does so by more than `LEVEL`, so that no number is both."""

FEWER = 1 - DROP
"""Aggregates get so many fewer that throughput drops when they fall by more than this share."""

LARGELY = 0.30
"""What falls largely falls by more than this share, which is more than slightly (a quarter): a station that is away for
110 of 430 ms sends as much less for that alone. A window goes from 500 to 350 and to 300 between scans, which is called
no large fall: it falls largely where it comes below these lower ends by more than `GONE_THROUGH`, or is smaller on
average by more than `CLOSE`."""

SHARP_DROP = 0.50
"""A second's throughput, window or MPDUs drop sharply to less than this share: the text contrasts that with uploads
with TCP small queues, whose throughput drops to 0.57."""

MAJORITY = 0.5
"""What a window does between losses it does more often than this share of the times."""

GONE_THROUGH = 0.15
"""A window takes the values between two when its percentiles come as near to these as *about* allows."""

CLOSE = 0.25
"""Two congestion controls make a slight difference, or not so much of one, when one is within this share of the other:
another of the five papers, arf, calls 22 % slight."""

CLOSER = 0.10
"""The same of throughput of uploads in normal seconds: the list's, which is closer than the words ask."""

EVERY = 120.0
"""Seconds from one scan to the next."""

ABOUT_EVERY = 0.15
"""What comes about as often comes after that long within this share."""

NOT_DIFFERENT = 0.05
"""Results that were not different differ by no more than this share, the list's: the words allow twice as much."""

LEVEL = 0.10
"""What stays level changes by less than this share: one MPDU in ten."""

MOSTLY = 0.75
"""What is mostly so is so in this share of the seconds and more: the text has one drop in a whole run."""

READABLE = 0.03
"""A data rate dips visibly by more than this share: 280 Mbit/s of 300, read to 10 of them."""

FASTEST = 300.0
"""Mbit/s from which the data rate dips: the access point's fastest."""

DIPS_TO = 0.95 * 240
"""Mbit/s below which no second of a download's data rate lies: a drop is still as high as 240, which bounds it from
below."""

KEEPS_HIGH = 250.0
"""Mbit/s above which 95 % of the seconds of a high data rate are: where the axes begin that show one."""

RATE_NEAR = 0.05
"""A data rate is near one of HT's when it differs by less than this share: half the way to the next one of the table
(270 and 243 Mbit/s)."""

ABOUT = 0.15
"""A train of null frames takes as long, or has as many retries, as the published one, which is a single example, within
this share."""

RETRIED = (8, 4)
"""The retries of the published trains, of the one that opens and of the one that closes."""

ASKED_FROM = 4
"""The published example has RTS and CTS from this retry of its first train on."""

WAIT = 110.0 - 1.8 - 1.3
"""Milliseconds between the trains: a sleeping period takes 110 on average, and the printed trains as much as that."""

ABOUT_WAIT = 0.10
"""It is shorter by this share at most, as the sleeping period itself has to be."""

LONGEST_WAIT = 115.0
"""Milliseconds that it is at most, by the list: the words would let it be a tenth longer."""

LOSS_EVERY_S = 20.0
"""Losses are frequent when not more than so many seconds of a growing window pass without any: a sixth of the time
from one scan to the next, so that each interval shows several."""

STRAIGHT = 0.5
"""The window grows along a line from one loss to the next while its slowest second brings at least this share of its
fastest: an increment per round trip slows down to half as a window in a queue grows from half to the whole. A cubic
stands still in the middle: its slowest second lies in the middle third, more often than not."""

CUBIC_BETWEEN = (350.0, 500.0)
"""The windows that a download with CUBIC goes through, in packets."""

NEWRENO_BETWEEN = (300.0, 500.0)
"""The same with NewReno."""

# What of a run they speak of.

GROWN = 40.0
"""Seconds until the window of a download has grown to what the access point's queue holds."""

AFTERMATH = 10.0
"""Seconds after a scan in which downloads are slow to recover."""

CLIMB = 4
"""The fewest seconds between two losses whose growth has a shape at a bin of one second."""

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
    normal = normal_goodput(view)
    return Ours(worst_second(view), f"{worst_second(view) * normal:.1f} of {normal:.1f} Mbit/s")


def worst_second(view: RunView) -> float:
    """The same as a plain number."""
    return view.degraded(view.tcp("goodput")).min() / normal_goodput(view)


# --------------------------------------------------------------------------------------------------- periods


@claim("scan.period.degraded", TSQ)
def degraded(view: RunView) -> Ours:
    """Mean length of a scan, in s."""
    lengths = [end - scan["start_s"] for scan, end in view.scans]
    return Ours(mean(lengths), f"{len(lengths)} scans")


@claim("scan.period.cycle", TSQ)
def cycle(view: RunView) -> Ours:
    """Mean time from a scan's start to the next one's, in s."""
    spacings = cycles(view)
    return Ours(mean(spacings), f"{len(spacings)} spacings")


def cycles(view: RunView) -> list[float]:
    """The times from each scan's start to the next one's, in s."""
    starts = [scan["start_s"] for scan in view.run.summary["scans"]]
    return [after - before for before, after in pairwise(starts)]


def periodic(spacings: list[float]) -> bool:
    """Whether something that has these spacings, in s, comes about every 120 s."""
    return bool(spacings) and all(abs(spacing / EVERY - 1) <= ABOUT_EVERY for spacing in spacings)


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
    """Mean window in packets of all seconds from when it has opened; these are near, and no scan makes it fall."""
    window = view.tcp("cwnd").where(lambda time: time >= view.periods.settled).known()
    held, low, high = mean(window), percentile(window, 0.05), percentile(window, 0.95)
    near = low >= HELD[0] and high <= HELD[1]
    unhurt, note = unhurt_window(view)
    return Ours(held, f"5th to 95th percentile {low:.0f} to {high:.0f}; {note}", sound=near and unhurt)


@claim("scan.up.tsq.noloss", TSQ)
def no_loss(view: RunView) -> Ours:
    """Nothing is retransmitted in the whole run, and no second of a scan has a smaller window than before the scan."""
    unhurt, note = unhurt_window(view)
    return Ours(unhurt, note)


def unhurt_window(view: RunView) -> tuple[bool, str]:
    """Whether nothing is lost and the window falls in no scan, each compared by its lowest second."""
    retransmissions = view.flow["retransmissions"]
    falls = [1 - low / before for before, low in windows(view)]
    fell = sum(fall > SMALLER for fall in falls)
    note = (
        f"{retransmissions} retransmissions, the window falls in {fell} of {len(falls)} scans, most by {max(falls):.1%}"
    )
    return retransmissions == 0 and fell == 0, note


def windows(view: RunView) -> list[tuple[float, float]]:
    """For each scan the window of the last second before it, and that of its lowest second."""
    window = view.tcp("cwnd")
    return [
        (window.between(start - 2, start - 1).known()[-1], window.between(start, end).min())
        for start, end in view.periods.spans
    ]


def changes(view: RunView, series: Series) -> list[float]:
    """For each scan the relative difference of its mean from that of the normal seconds."""
    normal = view.normal(series).mean()
    degraded = view.degraded(series)
    return [degraded.between(start, end).mean() / normal - 1 for start, end in view.periods.spans]


def lowest(view: RunView, series: Series) -> list[float]:
    """For each scan the relative difference of its lowest second from the mean of the normal ones."""
    normal = view.normal(series).mean()
    degraded = view.degraded(series)
    return [degraded.between(start, end).min() / normal - 1 for start, end in view.periods.spans]


def sent(view: RunView) -> Series:
    """MPDUs a second."""
    sizes = view.mac("mpdus_per_ampdu")
    ampdus = dict(zip(view.mac("ampdus").times, view.mac("ampdus").values, strict=True))
    return sizes.of(sizes.times, [ampdus[time] * size for time, size in zip(sizes.times, sizes.values, strict=True)])


def spread(found: list[float]) -> str:
    """Relative changes from the least to the most, for people."""
    return f"{percent(min(found))} to {percent(max(found))}"


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
    """In every scan there are so many fewer aggregates that throughput drops, not smaller ones.

    The data rate stays high in the whole run, as figure 4 draws it.
    """
    ampdus, sizes = changes(view, view.mac("ampdus")), changes(view, view.mac("mpdus_per_ampdu"))
    rates = view.mac("mac_rate").where(lambda time: time >= view.periods.settled).known()
    low, high = percentile(rates, 0.05), percentile(rates, 0.95)
    return Ours(
        max(ampdus) < -FEWER and max(map(abs, sizes)) < LEVEL and low >= KEEPS_HIGH and high <= 300.0,
        f"A-MPDUs/s {spread(ampdus)}, MPDUs per A-MPDU {spread(sizes)}, data rate {low:.0f} to {high:.0f} Mbit/s",
    )


# ---------------------------------------------------------------------------------- without TCP small queues


@claim("scan.up.notsq.cwnd", NO_TSQ)
def highest_cwnd(view: RunView) -> Ours:
    """Highest one-second mean of the window, in packets."""
    return Ours(view.tcp("cwnd").max())


@claim("scan.up.notsq.cause", NO_TSQ)
def losses(view: RunView) -> Ours:
    """In every scan segments are lost, window and MPDUs a second fall sharply, and aggregates get fewer and smaller.

    The data rate, near 300 Mbit/s in normal seconds, dips in a second of some scans, as figure 10 draws it.
    """
    sent_again = view.tcp("retransmissions")
    lost = [sent_again.between(start, end).sum() for start, end in view.periods.spans]
    falls = [low / before - 1 for before, low in windows(view)]
    ampdus, sizes = changes(view, view.mac("ampdus")), changes(view, view.mac("mpdus_per_ampdu"))
    mpdus, rates = lowest(view, sent(view)), lowest(view, view.mac("mac_rate"))
    sharp = max(falls) < SHARP_DROP - 1 and max(mpdus) < SHARP_DROP - 1
    fast = abs(view.normal(view.mac("mac_rate")).mean() / FASTEST - 1) <= RATE_NEAR
    return Ours(
        min(lost) > 0 and sharp and max(ampdus) < -LEVEL and max(sizes) < -LEVEL and fast and dips(rates),
        f"retransmissions in {sum(scan > 0 for scan in lost)} of {len(lost)} scans, cwnd {spread(falls)}, "
        f"MPDUs in the lowest second {spread(mpdus)}, A-MPDUs/s {spread(ampdus)}, MPDUs per A-MPDU {spread(sizes)}, "
        f"data rate in the lowest second {spread(rates)}",
    )


def dips(found: list[float]) -> bool:
    """Whether some scan's data rate dips, as from 300 to around 280 Mbit/s, and none's by much."""
    return -LEVEL < min(found) < -READABLE


# ------------------------------------------------------------------------------------------------- downloads


@claim("scan.down.cubic.cwnd", DOWN)
def cubic_range(view: RunView) -> Ours:
    """The range of a download's window, which grows along a cubic from one of many losses to the next."""
    even, middle = growth(view)
    return window_range(view, CUBIC_BETWEEN, even, middle, grows=even < STRAIGHT and middle > MAJORITY)


@claim("scan.down.newreno.cwnd", DOWN_NEWRENO)
def linear_range(view: RunView) -> Ours:
    """The range of a download's window, which grows along a line from one of many losses to the next."""
    even, middle = growth(view)
    return window_range(view, NEWRENO_BETWEEN, even, middle, grows=even >= STRAIGHT)


def window_range(view: RunView, between: tuple[float, float], even: float, middle: float, *, grows: bool) -> Ours:
    """The 5th to 95th percentile of the window once it has grown, with its losses and its kind of growth.

    It has to go through all that the text has it between.
    """
    window = view.tcp("cwnd").where(lambda time: time >= GROWN).known()
    gap = longest_gap(view)
    ends = percentile(window, 0.05), percentile(window, 0.95)
    return Ours(
        ends,
        f"5th to 95th percentile of {len(window)} seconds; at most {gap:.0f} s without a loss; between losses the "
        f"slowest second brings {even:.0%} of the fastest, and lies in the middle third {middle:.0%} of the times",
        sound=grows and gap <= LOSS_EVERY_S and gone_through(ends, between),
    )


def gone_through(ours: tuple[float, float], said: tuple[float, float]) -> bool:
    """Whether a range comes near to both ends of another; that it goes beyond neither, the claim says."""
    return ours[0] <= (1 + GONE_THROUGH) * said[0] and ours[1] >= (1 - GONE_THROUGH) * said[1]


def longest_gap(view: RunView) -> float:
    """The longest time without a retransmission in the normal seconds once the window has grown, in s."""
    sent_again = view.normal(view.tcp("retransmissions")).where(lambda time: time >= GROWN)
    longest, gap, last = 0.0, 0.0, -math.inf
    for time, count in zip(sent_again.times, sent_again.values, strict=True):
        # A scan begins a new count: its seconds are no normal ones.
        gap = 0.0 if count > 0 or time > last + 1.5 * sent_again.width else gap + sent_again.width
        longest, last = max(longest, gap), time
    return longest


def growth(view: RunView) -> tuple[float, float]:
    """How the window grows from one loss to the next; NaN if it never does.

    What the slowest second brings, over what the fastest does, as a mean; and how often the slowest lies in the middle
    third of the time, where one at random does in a third of the cases.
    """
    found = [shape(climb) for climb in climbs(view.normal(view.tcp("cwnd")).where(lambda time: time >= GROWN))]
    known = [one for one in found if one]
    return mean(even for even, _ in known), mean(float(1 / 3 <= slowest <= 2 / 3) for _, slowest in known)


def climbs(window: Series) -> list[list[float]]:
    """The windows of successive seconds in which none is smaller than the one before."""
    found: list[list[float]] = []
    climb: list[float] = []
    last = -math.inf
    for time, size in zip([*window.times, math.inf], [*window.values, 0.0], strict=True):
        if climb and (time > last + 1.5 * window.width or size < (1 - SMALLER) * climb[-1]):
            found.append(climb)
            climb = []
        climb.append(size)
        last = time
    return found


def shape(climb: list[float]) -> tuple[float, float] | None:
    """Of one such time: slowest second over fastest, and where the slowest lies; none if it is short."""
    # The seconds of the losses themselves hold two windows each.
    steps = [after - before for before, after in pairwise(climb[1:-1])]
    if len(steps) < CLIMB or max(steps) <= 0:
        return None
    return min(steps) / max(steps), (steps.index(min(steps)) + 0.5) / len(steps)


@claim("scan.down.shape", DOWN, DOWN_NEWRENO)
def sharp_drops(cubic: RunView, newreno: RunView) -> Ours:
    """In a scan goodput drops though the window holds; aggregates get fewer and smaller, and stay small for a while."""
    found = [
        drop_shape(cubic, CUBIC_BETWEEN[0], mostly_270),
        drop_shape(newreno, NEWRENO_BETWEEN[0], kept_high),
    ]
    return Ours(
        all(held for held, _ in found),
        f"CUBIC: {found[0][1]}; NewReno: {found[1][1]}",
    )


def near_270(rate: float) -> float:
    """Whether a data rate in Mbit/s is that of 270, as a number."""
    return float(abs(rate / 270.0 - 1) <= RATE_NEAR)


def mostly_270(rates: Sequence[float]) -> bool:
    """Whether 270 Mbit/s are mostly kept, with no drop below 240, as the text has it with CUBIC."""
    return mean(map(near_270, rates)) >= MOSTLY and min(rates) >= DIPS_TO


def kept_high(rates: Sequence[float]) -> bool:
    """Whether data rates keep a high value such as 270 Mbit/s, as the text has it with NewReno."""
    return bool(near_270(mean(rates))) and percentile(rates, 0.05) >= KEEPS_HIGH


def drop_shape(view: RunView, lower: float, kept: Callable[[Sequence[float]], bool]) -> tuple[bool, str]:
    """Whether every scan of a download has that shape, and how they differ.

    Its window goes down to `lower` anyway, and its data rates are `kept`.
    """
    series = view.tcp("goodput")
    bar = SHARP_DROP * view.normal(series).mean()
    dropped = [series.between(start, end).min() < bar for start, end in view.periods.spans]
    spacings = cycles(view)
    smallest, in_scans = [low for _, low in windows(view)], changes(view, view.tcp("cwnd"))
    ampdus, sizes = changes(view, view.mac("ampdus")), changes(view, view.mac("mpdus_per_ampdu"))
    after, slow = aftermath(view, view.mac("mpdus_per_ampdu")), aftermath(view, series)
    rates = view.mac("mac_rate").known()
    parts = [
        (bool(dropped) and all(dropped), f"below half of its normal mean in {sum(dropped)} of {len(dropped)} scans"),
        (periodic(spacings), f"every {mean(spacings):.0f} s"),
        (
            window_holds(smallest, lower) and min(in_scans) >= -CLOSE,
            f"cwnd in the lowest second {min(smallest):.0f} to {max(smallest):.0f}, on average {spread(in_scans)}",
        ),
        (max(ampdus) < -LARGELY, f"A-MPDUs/s {spread(ampdus)}"),
        (max(sizes) < -LARGELY, f"MPDUs per A-MPDU {spread(sizes)}"),
        (after < -LEVEL, f"{percent(after)} in the {AFTERMATH:.0f} s after"),
        (slow < -LEVEL, f"goodput {percent(slow)} then"),
        (kept(rates), f"{mean(rates):.0f} Mbit/s, in {mean(map(near_270, rates)):.0%} of the seconds near 270"),
    ]
    return all(held for held, _ in parts), ", ".join(text + ("" if held else " (!)") for held, text in parts)


def window_holds(smallest: list[float], lower: float) -> bool:
    """Whether no scan's smallest window lies far below the lower end of what a window goes through anyway."""
    return min(smallest) >= (1 - GONE_THROUGH) * lower


def aftermath(view: RunView, series: Series) -> float:
    """The relative difference of its mean in the seconds just after the scans from that of the other normal ones."""

    def after(time: float) -> bool:
        return any(end <= time < end + AFTERMATH for _, end in view.periods.spans)

    rest = view.normal(series).where(lambda time: not after(time))
    return series.where(after).mean() / rest.mean() - 1


# ---------------------------------------------------------------------------------------------- frame by frame


@claim("scan.null.pm1", FRAMES)
def null_trains(view: RunView) -> Ours:
    """A monitor hears, in every sleeping period, a train with PM=1, a beacon and a train with PM=0.

    One train of each kind at least is as those of the published example.
    """
    found = view.sleeps
    like_first = [sleep.leaving for sleep in found if opens_likewise(sleep.leaving)]
    like_last = [sleep.returning for sleep in found if closes_likewise(sleep.returning)]
    spanned = [sleep for sleep in found if sleep.beacons]
    wait = 1e3 * mean([sleep.wait for sleep in found])
    return Ours(
        0 < len(found) == len(spanned)
        and bool(like_first and like_last)
        and (1 - ABOUT_WAIT) * WAIT <= wait <= LONGEST_WAIT,
        f"{len(found)} periods, of which {len(spanned)} span a beacon; {len(like_first)} open as the published one "
        f"does and {len(like_last)} close so; {wait:.0f} ms between the trains on average",
    )


def opens_likewise(train: NullFrameTrain) -> bool:
    """Whether a train has about eight retries, from the fourth on after RTS and CTS, and takes about 1.8 ms."""
    asked = [number >= ASKED_FROM for number in range(len(train.nulls))]
    return about(train.retries, RETRIED[0]) and train.asked() == asked and about(1e3 * train.length, 1.8)


def closes_likewise(train: NullFrameTrain) -> bool:
    """Whether a train has a null frame with about four retries, although a monitor hears ACKs, and takes about 1.3 ms.

    Another null frame follows, which is acknowledged at once.
    """
    kinds = [frame.kind for frame in train.frames]
    nulls = [place for place, kind in enumerate(kinds) if kind == "null"]
    again = [False, *[True] * train.retries, False]
    return (
        [null.retry for null in train.nulls] == again
        and about(train.retries, RETRIED[1])
        and "ack" in kinds[: nulls[-2]]
        and kinds[-2:] == ["null", "ack"]
        and about(1e3 * train.length, 1.3)
    )


def about(ours: float, said: float) -> bool:
    """Whether a train's number is about the published one's."""
    return abs(ours / said - 1) <= ABOUT


# ---------------------------------------------------------------------------------------- across several runs


@claim("scan.up.cc", TSQ, TSQ_NEWRENO, NO_TSQ, NO_TSQ_NEWRENO)
def congestion_control(tsq: RunView, tsq_newreno: RunView, no_tsq: RunView, no_tsq_newreno: RunView) -> Ours:
    """Both congestion controls have about the same goodput, in normal seconds and in scans, and window.

    That is so with TCP small queues and without. With NewReno, too, throughput drops sharply without them.
    """
    pairs = ((tsq, tsq_newreno), (no_tsq, no_tsq_newreno))
    goodputs = [normal_goodput(newreno) / normal_goodput(cubic) - 1 for cubic, newreno in pairs]
    scans = [degraded_goodput(newreno) / degraded_goodput(cubic) - 1 for cubic, newreno in pairs]
    sizes = [normal_window(newreno) / normal_window(cubic) - 1 for cubic, newreno in pairs]
    again, low = tsq_newreno.flow["retransmissions"], worst_second(no_tsq_newreno)
    close = all(abs(one) <= CLOSER for one in goodputs) and all(abs(one) <= CLOSE for one in (*scans, *sizes))
    return Ours(
        close and low < SHARP_DROP,
        f"NewReno against CUBIC: {percent(goodputs[0])} with TCP small queues, {percent(goodputs[1])} without, in "
        f"scans {' and '.join(map(percent, scans))}, windows {' and '.join(map(percent, sizes))}; with them {again} "
        f"retransmissions, without them down to {low:.0%} in a scan",
    )


def degraded_goodput(view: RunView) -> float:
    """Mean goodput of the seconds of scans, in Mbit/s."""
    return view.degraded(view.tcp("goodput")).mean()


def normal_window(view: RunView) -> float:
    """Mean window of the normal seconds, in packets."""
    return view.normal(view.tcp("cwnd")).mean()


@claim("scan.up.gain", TSQ, NO_TSQ)
def gain(tsq: RunView, no_tsq: RunView) -> Ours:
    """By how much the normal mean is higher without TCP small queues, in Mbit/s."""
    with_them, without = normal_goodput(tsq), normal_goodput(no_tsq)
    return Ours(without - with_them, f"{without:.1f} without, {with_them:.1f} with them")


@claim("scan.down.cc", DOWN, DOWN_NEWRENO)
def congestion_control_of_downloads(cubic: RunView, newreno: RunView) -> Ours:
    """The congestion control makes a slight difference to downloads: in normal seconds, in scans, to the window."""
    found = [
        normal_goodput(newreno) / normal_goodput(cubic) - 1,
        degraded_goodput(newreno) / degraded_goodput(cubic) - 1,
        normal_window(newreno) / normal_window(cubic) - 1,
    ]
    said = ", ".join(map(percent, found))
    most = max(map(abs, found))
    return Ours(NOT_DIFFERENT < most <= CLOSE, f"NewReno against CUBIC, normal seconds, scans, window: {said}")


@claim("scan.down.tsq", DOWN, DOWN_NEWRENO, DOWN_NO_TSQ, DOWN_NO_TSQ_NEWRENO)
def station_alike(tsq: RunView, tsq_newreno: RunView, no_tsq: RunView, no_tsq_newreno: RunView) -> Ours:
    """The station's TCP small queues change nothing of what it receives: in normal seconds, in scans, of the window."""
    found = []
    for name, off, on in (("CUBIC", no_tsq, tsq), ("NewReno", no_tsq_newreno, tsq_newreno)):
        normal = normal_goodput(off) / normal_goodput(on) - 1
        degraded = degraded_goodput(off) / degraded_goodput(on) - 1
        window = normal_window(off) / normal_window(on) - 1
        text = f"{name} {percent(normal)}, in scans {percent(degraded)}, cwnd {percent(window)}"
        found.append((max(abs(normal), abs(degraded), abs(window)) <= NOT_DIFFERENT, text))
    return Ours(all(held for held, _ in found), f"without against with: {'; '.join(text for _, text in found)}")


@claim("scan.fix", FIX_OFF, FIX_ON)
def remedy(off: RunView, on: RunView) -> Ours:
    """Without the remedy every scan makes a drop, about every 120 s; with it none is large, and none periodic."""
    normal = off.normal(off.tcp("goodput")).mean()
    dropped = [off.tcp("goodput").between(start, end).min() < DROP * normal for start, end in off.periods.spans]
    spacings = cycles(off)
    large = (off.degraded(off.tcp("goodput")).min() + normal) / 2
    series = on.tcp("goodput").where(lambda time: time >= START)
    spells = groups(series, DROP * on.normal(on.tcp("goodput")).mean())
    return Ours(
        bool(dropped) and all(dropped) and periodic(spacings) and series.min() > large and not recur(spells),
        f"without: a drop in {sum(dropped)} of {len(dropped)} scans, every {mean(spacings):.0f} s; "
        f"with: {series.min():.0f} Mbit/s in the lowest second, where {large:.0f} would be a large drop, and "
        f"{len(spells)} spells below {DROP:.0%}{', some of them 120 s apart' if recur(spells) else ''}",
    )


def groups(series: Series, bar: float) -> list[float]:
    """When each spell of successive bins below a bar begins, in seconds."""
    found: list[float] = []
    last = -math.inf
    for time, value in zip(series.times, series.values, strict=True):
        if value < bar:
            found += [time] if time > last + 1.5 * series.width else []
            last = time
    return found


def recur(times: list[float]) -> bool:
    """Whether two of these times, in s, lie about 120 s apart."""
    return any(abs((after - before) / EVERY - 1) <= ABOUT_EVERY for before, after in combinations(times, 2))
