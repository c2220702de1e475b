"""What our runs say about downloads to near and far stations, by queue discipline."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed
from airloom.support.statistics import mean, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns
    from airloom.results.series import Series

    Quantity = Callable[[RunView], float]
    OfFlow = Callable[[RunView, str], float]
    When = Callable[[RunView, str], set[float]]

MEASURES = Measures()
claim = MEASURES.claim
quantity = MEASURES.quantity

ALIKE = 0.15
"""Two means are alike when they lie within this share of each other: what the paper's claims call no difference."""

LEVELS = ((0,), (1,), (2,), (3, 4), (5,), (6, 7))
"""The positions by the far station's data rate, over which the figures are drawn: two pairs are alike."""

FAST = range(6)
"""The positions at which the text compares the disciplines' windows."""

FASTEST = range(3)
"""Those at which the far station's window is held against the one that it has of two."""

SMALL = LEVELS[-1]
"""Those at which it has the windows small, of both stations with every discipline."""

EVERYWHERE = range(8)
"""All positions."""

MOVED = range(1, 8)
"""The positions to which the far station moves away."""

CAPPED = 127 + 123
"""Packets that SFQ queues of a flow, and what the access point's driver holds: ath9k's ATH_MAX_QDEPTH."""

MOST = 0.75
"""Most of the time is this share of the seconds and more: of a run of 120 s the text has one spell that is not so."""

ALWAYS = 0.95
"""What a graph over time shows throughout is so in this share of the seconds and more."""

ONE_LINE = 9.0
"""Mbit/s by which two data rates may differ and look alike: 3 % of an axis that shows the access point's rates, up to
300, and no figure is read finer."""

BARELY_SEEN = 1.5
"""The same of mean throughputs: the largest that the text names is 50, so no axis that shows them is shorter."""

RETAINED = 0.75
"""What hardly changes, or has only a small impact, keeps this share and more: another paper calls 22 % slight."""

LENGTHENED = (0.80, 1.25)
"""A round trip does not change much between these factors: a quarter more, or what a quarter more grows from."""

LARGER = 1.25
"""What is clearly larger is so by this factor: by more than a small change, a quarter."""

FALLEN_BY = 2.0
"""What falls much more keeps less than the half of what the other keeps."""

CLOSE = 0.7
"""Two series are closely related, or one determines the other, from this correlation on: half of the variance."""

WELL_BELOW = 0.5
"""A load is well below a rate when it is less than half of it."""

TWENTIETH = 0.05
"""The claim's own tolerance of data rates with four stations."""

RATHER_HIGH = (1 - TWENTIETH) * 250
"""Mbit/s of a data rate that is 250 or higher: a twentieth is the claim's own tolerance."""

SOMETIMES = (150.0, 200.0)
"""Mbit/s that one near station sometimes has, within the same twentieth."""

LEAST_WINDOW = 28.0
"""Packets of a mean window that looks like one of 1 on an axis that goes to 900."""

GREATEST_WINDOW = 765.0
"""Packets of a mean window that is about 900: 15 % less."""

STEADY = 0.25
"""A rate is almost constant in time when its percentiles differ from its mean by no more than this share."""

SLOW = 50.0
"""The data rate in Mbit/s below which figure 14 has the far station's window a little below the others'."""

EXTREME = 0.30
"""The best second of one run, which a series grows to, may be this share off: twice as much as a number for all."""

SPELL = ((1 - EXTREME) * 80, (1 + EXTREME) * 80)
"""The best second of a spell at about 80 Mbit/s."""

LARGEST_WINDOW = ((1 - EXTREME) * 1000, (1 + EXTREME) * 1000)
"""The largest window in packets, of one second, where it goes to 1000."""

AROUND_200 = (150.0, 250.0)
"""Packets of a mean window that is around 200: half of the digit that is given, which is more than 15 %."""

SECONDS_AROUND_200 = (100.0, 300.0)
"""The same of its seconds, which lie twice as far off."""

AROUND_1 = (0.0, 2.0)
"""Mbit/s between which seconds lie that are around 1: twice as far off as their mean may be, which is half of it."""

LOW = 20.0
"""Mbit/s below which the text has a throughput that is lower than others: what is high lies above."""

HIGHEST = 80.0
"""Mbit/s that few of the near station's seconds exceed at position 4, by the list; the best one is `SPELL`'s."""

HIGH = 40.0
"""Mbit/s above which the near station's throughput is high: its least at first, before it falls."""

AT_FIRST = (0.95 * 40, 1.05 * 60)
"""Mbit/s between which the near station's seconds lie in the beginning: 40 to 60, and no figure is read finer."""

FALL = (10.0, 20.0)
"""The seconds between which figures 7 and 9 have the near station's first fall."""

FAR_FALL = (20.0, 30.0)
"""The same of the far station's window, which is held until 20 s: the decade after it."""

DECADE = 10
"""Seconds to which the text reads its figures over time: what a series decreases to is a mean of as many in a row."""

SHARP = 0.5
"""A series falls sharply when its lowest second is below this share of what it was."""

LARGELY = 0.30
"""A series fluctuates largely when its percentiles lie further apart than this share of its mean to either side: what
is almost constant goes up to `STEADY` to either side, so that no series is both."""

FRAME = 3
"""The fewest seconds in a row that are a time frame, and no single second."""

INNER = (0.05, 0.95)
"""The percentiles between which a series is said to lie."""

FAR_FLOW = "to-far"
"""The flow to the far station."""

NEAR = ("near", "near1", "near2", "near3")
"""The names of the near stations, with two stations and with four."""

FLOWS_OF_TWO = ("to-near", FAR_FLOW)
"""The flows with two stations."""

STATIONS_OF_TWO = ("near", "far")
"""These stations."""

NEAR_OF_FOUR = ("to-near1", "to-near2", "to-near3")
"""The flows to the near stations with four."""


def heard(view: RunView, flow: str) -> set[float]:
    """The seconds in which ACKs came: the paper's round trips are of each."""
    return set(view.run.table.get(flow, "rtt").times)


def sending(view: RunView, flow: str) -> set[float]:
    """The seconds in which data was sent, upon ACKs or upon a timeout: the paper's windows are of each data segment."""
    again = view.run.table.get(flow, "retransmissions")
    return heard(view, flow) | {time for time, count in zip(again.times, again.values, strict=True) if count > 0}


def measured(view: RunView, flow: str, metric: str, times: set[float]) -> list[float]:
    """A metric of a flow in each of these seconds in which it has a value."""
    return view.run.table.get(flow, metric).where(times.__contains__).known()


def per_second(metric: str, when: When, view: RunView, flow: str) -> float:
    """The mean over the seconds in which it was measured, as the paper's are means of one-second averages."""
    return mean(measured(view, flow, metric, when(view, flow)))


def total(metric: str, view: RunView, flow: str) -> float:
    """A number of the flow's whole run."""
    return view.total(flow, metric)


GOODPUT = partial(total, "goodput_mbps")
CWND, RTT = partial(per_second, "cwnd", sending), partial(per_second, "rtt", heard)
"""The quantities of a flow: throughput, window, round trip."""


def near(of: OfFlow) -> Quantity:
    """A quantity of a flow, as a mean over the flows to the near stations."""
    return lambda view: mean(of(view, flow["name"]) for flow in view.flows if flow["to"] in NEAR)


def of_flow(flow: str, of: OfFlow) -> Quantity:
    """A quantity of one flow."""
    return lambda view: of(view, flow)


far = partial(of_flow, FAR_FLOW)
"""A quantity of the flow to the far station."""


def along(cells: GridRuns, quantity: Quantity) -> list[float]:
    """The means of a quantity at positions 0 to 7."""
    return [part.mean(quantity) for part in cells.by("position").values()]


def falls(values: list[float]) -> bool:
    """Whether values fall with the far station's data rate, each position by itself.

    None is above any at a higher rate by more than `ALIKE`, and all at the lowest rate are below the first by as much.
    """
    rates = [[values[at] for at in level] for level in LEVELS]
    never_rises = all(
        value <= (1 + ALIKE) * higher
        for i, level in enumerate(rates)
        for value in level
        for earlier in rates[:i]
        for higher in earlier
    )
    return never_rises and max(rates[-1]) < (1 - ALIKE) * values[0]


def seconds(cells: GridRuns, flow: str, metric: str) -> list[float]:
    """A metric's one-second means in all of these runs."""
    return [value for view in cells for value in view.run.table.get(flow, metric).known()]


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Pearson's correlation."""
    x, y = mean(a for a, _ in pairs), mean(b for _, b in pairs)
    product = math.fsum((a - x) * (b - y) for a, b in pairs)
    squares = math.fsum((a - x) ** 2 for a, _ in pairs) * math.fsum((b - y) ** 2 for _, b in pairs)
    return product / math.sqrt(squares) if squares > 0 else math.nan


# ------------------------------------------------------------------------------------------- what figures draw


@quantity("rate_far")
def rate_far(view: RunView) -> float:
    """Mean data rate of the A-MPDUs to the far station, in Mbit/s."""
    return view.total("far", "received_rate_mbps")


def rate_of(station: str, view: RunView) -> float:
    """The same to a station."""
    return view.total(station, "received_rate_mbps")


@quantity("rate_near")
def rate_near(view: RunView) -> float:
    """The same to the near stations."""
    return mean(rate_of(flow["to"], view) for flow in view.flows if flow["to"] in NEAR)


quantity("goodput_near")(near(GOODPUT))
quantity("goodput_far")(far(GOODPUT))
quantity("cwnd_near")(near(CWND))
quantity("cwnd_far")(far(CWND))
quantity("rtt_near")(near(RTT))
quantity("rtt_far")(far(RTT))
for number, flow in enumerate(NEAR_OF_FOUR, start=1):
    quantity(f"cwnd_near{number}")(of_flow(flow, CWND))
    quantity(f"rtt_near{number}")(of_flow(flow, RTT))


@quantity("load_far")
def load(view: RunView) -> float:
    """Estimated load of the far station after equation (1), in Mbit/s: what its window sends in a round trip."""
    return per_second("load", heard, view, FAR_FLOW)


# -------------------------------------------------------------------------------------------------- data rates


@claim("anomaly.rate.near", "two")
def near_rate(two: GridRuns) -> Ours:
    """The lowest and the highest mean data rate to the near station with any discipline, by position, in Mbit/s."""
    by = {name: along(cells, rate_near) for name, cells in two.by("discipline").items()}
    rates = [rate for values in by.values() for rate in values]
    return Ours((min(rates), max(rates)), by_discipline(by))


@claim("anomaly.rate.far", "two")
def far_rate(two: GridRuns) -> Ours:
    """With each discipline the far station's rate falls visibly, but for the two pairs of positions that are alike.

    The two positions of a pair have one signal here: that they are alike is put in.
    """
    by = {name: along(cells, rate_far) for name, cells in two.by("discipline").items()}
    return Ours(all(map(steps_down, by.values())), f"Mbit/s {by_discipline(by)}")


def steps_down(rates: Sequence[float]) -> bool:
    """Whether data rates are alike within each of `LEVELS`, and decrease from one of these to the next."""
    return decrease(rates) and all(within([rates[at] for at in level], ONE_LINE) for level in LEVELS)


def decrease(rates: Sequence[float]) -> bool:
    """Whether data rates decrease along with the location: each of `LEVELS` is visibly below the one before."""
    levels = [[rates[at] for at in level] for level in LEVELS]
    return all(max(lower) + ONE_LINE < min(higher) for higher, lower in pairwise(levels))


def within(values: Sequence[float], unseen: float) -> bool:
    """Whether values lie within `ALIKE` of each other, or no further apart than can be seen."""
    return max(values) <= max((1 + ALIKE) * min(values), min(values) + unseen)


def by_discipline(values: dict[str, list[float]]) -> str:
    """Values by position as text."""
    return f"by position: {by_name(values)}"


@claim("anomaly.rate.steady", "two")
def steady_rates(two: GridRuns) -> Ours:
    """With FIFO both stations' data rates are almost constant in time, while their throughput fluctuates.

    "Especially" the near one's: its percentiles are at least as many Mbit/s apart as the far one's, but at position 0,
    where both stand alike. A far one's that looks like zero on the figure's axis is not judged.
    """
    ok, notes = True, []
    for position in (0, 4, 7):
        cells = two.where(discipline="fifo", position=position)
        steady = [is_steady(view, especially_near=position != 0) for view in cells]
        ok &= most(steady)
        rates = [inner(seconds(cells, station, "received_rate")) for station in STATIONS_OF_TWO]
        goodput = [inner(seconds(cells, flow, "goodput")) for flow in FLOWS_OF_TWO]
        notes.append(f"{position}: rates {', '.join(rates)}, throughput {', '.join(goodput)}, so in {sum(steady)} runs")
    return Ours(ok, f"5th to 95th percentile of seconds by position, near and far: {'; '.join(notes)} Mbit/s")


def is_steady(view: RunView, *, especially_near: bool) -> bool:
    """Whether both data rates of a run are almost constant while throughput fluctuates.

    If that is asked, the near one's fluctuates no less, in Mbit/s.
    """
    rates = [view.run.table.get(station, "received_rate").known() for station in STATIONS_OF_TWO]
    near, far = (view.run.table.get(flow, "goodput").known() for flow in FLOWS_OF_TWO)
    moves = fluctuates(near) and (mean(far) < BARELY_SEEN or fluctuates(far))
    return all(map(almost_constant, rates)) and moves and (not especially_near or wide(near) >= wide(far))


def almost_constant(values: Sequence[float]) -> bool:
    """Whether the percentiles of a series of data rates lie near its mean."""
    middle = mean(values)
    return max(abs(percentile(values, share) - middle) for share in INNER) <= STEADY * middle


def fluctuates(values: Sequence[float]) -> bool:
    """Whether a throughput fluctuates largely."""
    return wide(values) > 2 * LARGELY * mean(values)


def wide(values: Sequence[float]) -> float:
    """How far the percentiles of a series lie apart."""
    return percentile(values, INNER[1]) - percentile(values, INNER[0])


def inner(values: Sequence[float]) -> str:
    """The percentiles of a series as text."""
    low, high = (percentile(values, share) for share in INNER)
    return f"{low:.0f} to {high:.0f}"


# ------------------------------------------------------------------------------------------------ two stations


@claim("anomaly.two.p0", "two")
def both_at_position_0(two: GridRuns) -> Ours:
    """Mean throughput of each, the lower and the higher one, in Mbit/s.

    The two are rather fair: alike, and each ahead for a time in most runs. Each is high throughout; from above their
    seconds are not bounded: of the same ones `anomaly.rate.steady` asks that they fluctuate largely.
    """
    cells = two.where(discipline="fifo", position=0)
    ours = [cells.mean(of_flow(flow, GOODPUT)) for flow in FLOWS_OF_TWO]
    inside = [seconds(cells, flow, "goodput") for flow in FLOWS_OF_TWO]
    turns = [takes_turns(*(view.run.table.get(flow, "goodput") for flow in FLOWS_OF_TWO)) for view in cells]
    return Ours(
        (min(ours), max(ours)),
        f"near {ours[0]:.1f}, far {ours[1]:.1f}; 5th to 95th percentile of seconds {', '.join(map(inner, inside))}; "
        f"both ahead in turn in {sum(turns)} of {len(turns)} runs",
        sound=alike(ours) and most(turns) and all(percentile(each, INNER[0]) > LOW for each in inside),
    )


def between(values: Sequence[float], ends: tuple[float, float]) -> bool:
    """Whether the percentiles of a series lie between two ends."""
    low, high = (percentile(values, share) for share in INNER)
    return ends[0] <= low and high <= ends[1]


def takes_turns(near: Series, far: Series) -> bool:
    """Whether each of two throughputs is the higher one in a mean of ten seconds; the printed time frames are of 20."""
    there = dict(zip(far.times, far.values, strict=True))
    leads = [value - there.get(time, 0.0) for time, value in zip(near.times, near.values, strict=True)]
    decades = [mean(leads[at : at + DECADE]) for at in range(len(leads) - DECADE + 1)]
    return bool(decades) and min(decades) < 0 < max(decades)


def most(runs: Sequence[bool]) -> bool:
    """Whether something is so in most runs: a figure over time shows a single one."""
    return 2 * sum(runs) > len(runs)


@claim("anomaly.two.p4.near", "two")
def near_at_position_4(two: GridRuns) -> Ours:
    """In most runs the near station has 40 to 60 Mbit/s at first, falls, grows to `SPELL`, gets like the far one.

    A fall leaves less than `RETAINED` of the beginning. One second in twenty may exceed `HIGHEST`. That the end comes
    gradually is not judged.
    """
    cells = two.where(discipline="fifo", position=4)
    away = cells.mean(far(GOODPUT))
    runs = [view.run.table.get("to-near", "goodput") for view in cells]
    firsts = [beginning(run).known() for run in runs]
    ends = [lowest_decade(after(run, RETAINED, SPELL)) for run in runs]
    like = [abs(end - away) <= max(ALIKE * away, BARELY_SEEN) for end in ends]
    below = [percentile(run.known(), INNER[1]) <= HIGHEST for run in runs]
    return Ours(
        most([all(parts) for parts in zip([between(first, AT_FIRST) for first in firsts], like, below, strict=True)]),
        f"at first {', '.join(map(inner, firsts))}; the best second of each run: {listed(run.max() for run in runs)}; "
        f"after the fall and the growth, in each run that has both, down to {listed(ends)}, "
        f"where the far one's mean is {away:.1f} Mbit/s",
    )


def beginning(series: Series) -> Series:
    """A series before its first fall, without the second in which the connection starts."""
    return series.where(lambda time: 1 <= time < FALL[0])


def after(series: Series, share: float, grown: tuple[float, float]) -> Series:
    """What follows the largest second of a series that falls below a share of its beginning and grows to so much.

    It falls between 10 and 20 s, and grows after the lowest of these seconds. Of a series that does not there is
    nothing.
    """
    fall = series.between(*FALL)
    later = since(series, fall, fall.min())
    there = fall.min() < share * beginning(series).mean() and grown[0] <= later.max() <= grown[1]
    return since(later, later, later.max()) if there else series.of([], [])


def since(series: Series, part: Series, value: float) -> Series:
    """A series after the second in which a part of it has this value."""
    at = next((time for time, one in zip(part.times, part.values, strict=True) if one == value), math.inf)
    return series.where(lambda time: time > at)


def lowest_decade(series: Series) -> float:
    """The least mean of ten seconds in a row; NaN of fewer."""
    values = series.known()
    return min((mean(values[at : at + DECADE]) for at in range(len(values) - DECADE + 1)), default=math.nan)


@claim("anomaly.two.p4.cwnd", "two")
def windows_at_position_4(two: GridRuns) -> Ours:
    """In most runs the near station's window falls sharply, grows to about 1000 packets, and gets clearly smaller.

    The far one's is around 200 packets for 20 s, its seconds too; then it falls sharply, and grows.
    """
    runs = [
        [view.run.table.get(flow, "cwnd").where(sending(view, flow).__contains__) for flow in FLOWS_OF_TWO]
        for view in two.where(discipline="fifo", position=4)
    ]
    near = [lowest_decade(after(run, SHARP, LARGEST_WINDOW)) < RETAINED * run.max() for run, _ in runs]
    firsts = [run.where(lambda time: time < FAR_FALL[0]).mean() for _, run in runs]
    falls = [falls_and_grows(run) for _, run in runs]
    around = [around_200(run) for _, run in runs]
    both = [a and b and c for a, b, c in zip(near, around, falls, strict=True)]
    return Ours(
        most(both),
        f"packets by run: near at most {listed(run.max() for run, _ in runs)}, its course as published in {sum(near)}; "
        f"far {listed(firsts)} at first, held around 200 in {sum(around)}, its course as published in {sum(falls)}",
    )


def around_200(series: Series) -> bool:
    """Whether a window is around 200 packets until 20 s, as a mean and in its seconds after the first."""
    first = series.where(lambda time: time < FAR_FALL[0])
    opened = first.where(lambda time: time >= 1).known()
    return AROUND_200[0] <= first.mean() <= AROUND_200[1] and between(opened, SECONDS_AROUND_200)


def falls_and_grows(series: Series) -> bool:
    """Whether a series falls sharply from 20 to 30 s, and is clearly larger again later in a mean of ten seconds."""
    first, fall = series.where(lambda time: time < FAR_FALL[0]), series.between(*FAR_FALL)
    later = since(series, fall, fall.min()).known()
    grown = max((mean(later[at : at + DECADE]) for at in range(len(later) - DECADE + 1)), default=math.nan)
    return fall.min() < SHARP * first.mean() and grown > LARGER * fall.min()


def by_run(cells: GridRuns, flow: str) -> list[list[float]]:
    """The throughput of a flow in each second, run by run."""
    return [view.run.table.get(flow, "goodput").known() for view in cells]


@claim("anomaly.two.p4.far", "two")
def far_at_position_4(two: GridRuns) -> Ours:
    """The far station's mean throughput, and the 95th percentile of its seconds, in Mbit/s.

    The text bounds the seconds of figure 7 from above; from below it says nothing but that position 7 has much less.
    """
    cells = two.where(discipline="fifo", position=4)
    values = seconds(cells, FAR_FLOW, "goodput")
    return Ours(
        (cells.mean(far(GOODPUT)), percentile(values, 0.95)), f"mean, and 95th percentile of {len(values)} seconds"
    )


@claim("anomaly.two.p7.far", "two")
def far_at_position_7(two: GridRuns) -> Ours:
    """Mean throughput of the far station at position 7 over the seeds, in Mbit/s; its seconds are around 1, too."""
    cells = two.where(discipline="fifo", position=7)
    spread, each = cells.spread(far(GOODPUT)), seconds(cells, FAR_FLOW, "goodput")
    low, high = (percentile(each, share) for share in INNER)
    said = f"5th to 95th percentile of seconds {low:.1f} to {high:.1f}"
    return Ours(
        spread.mean,
        f"from {spread.low:.1f} to {spread.high:.1f} by seed; {said}",
        sound=between(each, AROUND_1),
    )


@claim("anomaly.two.p7.near", "two")
def near_at_position_7(two: GridRuns) -> Ours:
    """The near station below 20 Mbit/s in most seconds; the best second of the middle run is one of `SPELL`.

    That second is part of a time frame in which throughput is high.
    """
    cells = two.where(discipline="fifo", position=7)
    low = mean(float(value < 20) for value in seconds(cells, "to-near", "goodput"))
    runs = sorted(by_run(cells, "to-near"), key=max)
    middle = runs[len(runs) // 2]
    long = frame(middle)
    return Ours(
        low >= MOST and SPELL[0] <= max(middle) <= SPELL[1] and long >= FRAME,
        f"below 20 Mbit/s in {low:.0%} of the seconds; the best second of each run: {listed(map(max, runs))} Mbit/s; "
        f"the middle one of them within {long} s above {HIGH:.0f}",
    )


def frame(values: Sequence[float]) -> int:
    """How many seconds in a row, with the best one among them, are above `HIGH`."""
    best = max(range(len(values)), key=values.__getitem__)
    after = sum(1 for _ in takewhile(lambda value: value > HIGH, values[best:]))
    before = sum(1 for _ in takewhile(lambda value: value > HIGH, reversed(values[:best])))
    return before + after


@claim("anomaly.two.trend", "two")
def trend(two: GridRuns) -> Ours:
    """Both fall under every discipline, near above far; each is everywhere alike with all disciplines.

    With FIFO the near one has less at position 7 than in the other cases of section III.C, 0 and 4.
    """
    ok, notes = True, []
    stations: tuple[list[list[float]], list[list[float]]] = ([], [])
    for name, cells in two.by("discipline").items():
        a, b = along(cells, near(GOODPUT)), along(cells, far(GOODPUT))
        ok &= falls(a) and falls(b) and near_above(a, b) and (name != "fifo" or lower_at_7(a))
        stations[0].append(a)
        stations[1].append(b)
        notes.append(f"{name}: near {listed(a)}; far {listed(b)}")
    places = [at for station in stations for at in zip(*station, strict=True)]
    apart = max(max(at) / min(at) - 1 if min(at) else math.inf for at in places)
    return Ours(ok and all(map(alike, places)), f"disciplines up to {apart:.0%} apart; {'; '.join(notes)} Mbit/s")


def lower_at_7(near: Sequence[float]) -> bool:
    """Whether the near station's throughput is lower at position 7 than at 0 and 4."""
    return near[7] < min(near[0], near[4])


def alike(values: Sequence[float]) -> bool:
    """Whether means are alike: within a share of each other."""
    return within(values, 0.0)


ABOVE = (1.0, 1.0, 1.0, 1.0, 1 + ALIKE, 1.0, 1.0, 1 + ALIKE)
"""By position, how many times the far station's throughput the near one's is more than; at 4 and 7 section III.C has it
above by more than what is similar."""


def near_above(near: Sequence[float], far: Sequence[float]) -> bool:
    """Whether the near station's throughput is above the far one's by so much."""
    return all(a > factor * b for a, b, factor in zip(near, far, ABOVE, strict=True))


Windows = list[dict[str, list[float]]]
"""Each station's mean windows by position, in packets, by discipline."""


def windows(two: GridRuns) -> Windows:
    """Those of the near station and of the far one."""
    return [
        {name: along(cells, of_flow(flow, CWND)) for name, cells in two.by("discipline").items()}
        for flow in FLOWS_OF_TWO
    ]


def windows_said(found: Windows) -> str:
    """These windows as text."""
    said = [", ".join(f"{name} {listed(values)}" for name, values in by.items()) for by in found]
    return f"by position: near {said[0]}; far {said[1]}"


def small(values: list[float]) -> bool:
    """Whether a window is clearly smaller at each of the positions `SMALL` than at all others."""
    return max(values[at] for at in SMALL) < RETAINED * min(values[at] for at in FAST)


def exceeds(by: dict[str, list[float]], factor: float, positions: Iterable[int]) -> bool:
    """Whether FIFO's value is above this many times that of each other discipline at each of these positions."""
    return all(
        by["fifo"][at] > factor * values[at] for at in positions for name, values in by.items() if name != "fifo"
    )


@claim("anomaly.two.cwnd.fifo", "two")
def window_of_fifo(two: GridRuns) -> Ours:
    """Lowest and highest mean window of a flow with FIFO, which reach both ends; the largest, small at 6 and 7.

    The text has FIFO's the largest without exception, as its round trips.
    """
    found = windows(two)
    ours = min(min(by["fifo"]) for by in found), max(max(by["fifo"]) for by in found)
    largest = all(exceeds(by, 1.0, EVERYWHERE) for by in found)
    shrinking = all(small(values) for by in found for values in by.values())
    varied = ours[0] <= LEAST_WINDOW and ours[1] >= GREATEST_WINDOW
    return Ours(ours, windows_said(found), sound=varied and largest and shrinking)


@claim("anomaly.two.cwnd.sfq", "two")
def window_of_sfq(two: GridRuns) -> Ours:
    """For each station: SFQ's mean window below FIFO's, clearly so at positions 0 to 5, and the others' lower still.

    SFQ's is what its queue of a flow and the driver's buffers hold, at most, at every position.
    """
    found = windows(two)
    capped = all(max(by["sfq"]) <= CAPPED for by in found)
    below = all(exceeds(by, LARGER, FAST) and is_below(by["sfq"], by["fifo"]) for by in found)
    return Ours(capped and below and all(map(lower_still, found)), windows_said(found))


def is_below(window: Sequence[float], other: Sequence[float]) -> bool:
    """Whether a window is smaller than another one at every position."""
    return all(mine < its for mine, its in zip(window, other, strict=True))


def lower_still(by: dict[str, list[float]]) -> bool:
    """Whether CoDel and FQ-CoDel have smaller windows than SFQ at every position."""
    return all(is_below(by[name], by["sfq"]) for name in ("codel", "fq_codel"))


@claim("anomaly.two.rtt", "two")
def round_trips(two: GridRuns) -> Ours:
    """FIFO's mean round trips the longest at every position, for each station, and clearly so at 0 to 5.

    Figures 9 and 10, of positions 4 and 7, show both stations: below 300 ms in most seconds of each.
    """
    longest, notes, shares = True, [], []
    for flow in FLOWS_OF_TWO:
        by = {name: along(cells, of_flow(flow, RTT)) for name, cells in two.by("discipline").items()}
        longest &= exceeds(by, LARGER, FAST) and exceeds(by, 1.0, SMALL)
        notes.append(listed(by["fifo"]))
        for position in (4, 7):
            values = seconds(two.where(discipline="fifo", position=position), flow, "rtt")
            shares.append(mean(float(value < 300) for value in values))
    return Ours(
        longest and min(shares) >= MOST,
        f"below 300 ms in {shares[0]:.0%} and {shares[1]:.0%} of the near station's seconds at positions 4 and 7, "
        f"in {shares[2]:.0%} and {shares[3]:.0%} of the far one's; "
        f"{'the longest' if longest else 'not the longest, or not clearly,'} everywhere; "
        f"FIFO, ms by position: near {notes[0]}; far {notes[1]}",
    )


@claim("anomaly.two.load", "two")
def estimated_load(two: GridRuns) -> Ours:
    """The far station's estimated load well below its rate, throughout; each throughput goes with its own window.

    The text says the former of every discipline, the latter of figures 7 to 10, which are of FIFO and show both
    stations. A far throughput that looks like zero on the figure's axis shows nothing to be tied to.
    """
    drawn = [two.where(discipline="fifo", position=position) for position in (4, 7)]
    ties = [cells.mean(partial(tie, flow)) for flow in FLOWS_OF_TWO for cells in drawn if is_seen(cells, flow)]
    shares: dict[str, list[float]] = {}
    below: list[float] = []
    for name, by in two.by("discipline").items():
        at = [by.where(position=position) for position in (4, 7)]
        shares[name] = [cells.mean(load) / cells.mean(rate_far) for cells in at]
        below += [mean(float(x < y) for view in cells for x, y in loads_and_rates(view)) for cells in at]
    return Ours(
        max(map(max, shares.values())) < WELL_BELOW and min(below) >= ALWAYS and min(ties) >= CLOSE,
        "positions 4 and 7: load over rate "
        f"{', '.join(f'{name} {listed(values, 2)}' for name, values in shares.items())}, "
        f"load below rate in {min(below):.0%} of the seconds and more; "
        f"correlation of throughput and window with FIFO, near and far {listed(ties, 2)}",
    )


def loads_and_rates(view: RunView) -> list[tuple[float, float]]:
    """The far station's estimated load and data rate, in Mbit/s, in each second that has both."""
    loads, rates = view.run.table.get(FAR_FLOW, "load"), view.run.table.get("far", "received_rate")
    by_second = dict(zip(rates.times, rates.values, strict=True))
    times = heard(view, FAR_FLOW)
    pairs = [
        (value, by_second[time])
        for time, value in zip(loads.times, loads.values, strict=True)
        if time in times and time in by_second
    ]
    return [pair for pair in pairs if not any(map(math.isnan, pair))]


def is_seen(cells: GridRuns, flow: str) -> bool:
    """Whether a flow's throughput looks like more than zero on a figure's axis."""
    return cells.mean(of_flow(flow, GOODPUT)) >= BARELY_SEEN


def tie(flow: str, view: RunView) -> float:
    """The correlation of a flow's throughput and window, second by second as figures 7 to 10 draw them."""
    times = sending(view, flow)
    goodput, window = (measured(view, flow, metric, times) for metric in ("goodput", "cwnd"))
    return correlation(list(zip(goodput, window, strict=True)))


# ----------------------------------------------------------------------------------------------- four stations


@claim("anomaly.four.rate", "four")
def rates_of_four(four: GridRuns) -> Ours:
    """The lowest and the highest mean data rate of a near station at any position, in Mbit/s.

    One of the three, the same everywhere, has less at some positions, though not at each. The far one's decreases
    along with its location, which is word for word what is said of two stations.
    """
    cells = four.where(discipline="fifo")
    crowd = {name: along(cells, partial(rate_of, name)) for name in NEAR[1:]}
    away = along(cells, rate_far)
    excused, rest = but_one(crowd)
    return Ours(
        (min(map(min, rest)), max(map(max, crowd.values()))),
        f"without {excused}; by position: {by_name(crowd)}; far {listed(away)}",
        sound=decrease(away) and sometimes_low(crowd[excused]),
    )


def but_one(crowd: dict[str, list[float]]) -> tuple[str, list[list[float]]]:
    """The station with the lowest data rate of all, and the rates of the others."""
    excused = min(crowd, key=lambda name: min(crowd[name]))
    return excused, [rates for name, rates in crowd.items() if name != excused]


def sometimes_low(rates: Sequence[float]) -> bool:
    """Whether a station's data rates are rather high but at some positions, where they are what is printed."""
    low = [rate for rate in rates if rate < RATHER_HIGH]
    printed = all(any(abs(rate / one - 1) <= TWENTIETH for one in SOMETIMES) for rate in low)
    return 0 < len(low) < len(rates) and printed


def by_name(values: dict[str, list[float]]) -> str:
    """Values by position with the names whose they are."""
    return "; ".join(f"{name} {listed(found)}" for name, found in values.items())


@claim("anomaly.four.near", "two", "four")
def near_of_four(two: GridRuns, four: GridRuns) -> Ours:
    """What each station keeps of its throughput at position 0.

    Every near one of four must keep nearly all at every position, and at 6 and 7 more than the near one of two; the far
    one keeps much less there.
    """
    pair = kept(two.where(discipline="fifo"), of_flow("to-near", GOODPUT), SMALL)
    cells = four.where(discipline="fifo")
    crowd = [kept(cells, of_flow(flow, GOODPUT), SMALL) for flow in NEAR_OF_FOUR]
    away = kept(cells, far(GOODPUT), SMALL)
    everywhere = [kept(cells, of_flow(flow, GOODPUT), MOVED) for flow in NEAR_OF_FOUR]
    little = all(share >= RETAINED for station in everywhere for share in station)
    less = all(mine > other for station in crowd for mine, other in zip(station, pair, strict=True))
    much = all(mine < share / FALLEN_BY for station in crowd for mine, share in zip(away, station, strict=True))
    return Ours(
        little and less and much,
        f"at 6 and 7 against 0: near of two {changes(pair)}; near of four {'; '.join(map(changes, crowd))}, at worst "
        f"{changes([min(map(min, everywhere))])} at any position; far of four {changes(away)}; Mbit/s by position: "
        f"near {listed(along(cells, near(GOODPUT)))}; far {listed(along(cells, far(GOODPUT)))}",
    )


def kept(cells: GridRuns, quantity: Quantity, positions: Iterable[int]) -> list[float]:
    """The shares of a quantity at position 0 that are left at these."""
    values = along(cells, quantity)
    return [values[at] / values[0] for at in positions]


def changes(shares: list[float]) -> str:
    """Such shares as changes."""
    return ", ".join(f"{share - 1:+.0%}" for share in shares)


@claim("anomaly.four.cwnd", "two", "four")
def window_of_four(two: GridRuns, four: GridRuns) -> Ours:
    """Lowest and highest of the stations' mean windows at any position, in packets.

    They are alike but for the far one's on slow links, which is slightly smaller, and the near ones' are smaller than
    with two stations at positions 0 to 5, where those are not small; the far one's at 0 to 2, since figure 9 has that
    of two stations around 200 and less at position 4.
    """
    cells = four.where(discipline="fifo")
    ours = {flow: along(cells, of_flow(flow, CWND)) for flow in (*NEAR_OF_FOUR, FAR_FLOW)}
    slow = [rate < SLOW for rate in along(cells, rate_far)]
    pair, away = (along(two.where(discipline="fifo"), of_flow(flow, CWND)) for flow in FLOWS_OF_TWO)
    smaller = all(ours[station][at] < pair[at] for station in NEAR_OF_FOUR for at in FAST)
    smaller &= all(ours[FAR_FLOW][at] < away[at] for at in FASTEST)
    return Ours(
        (min(map(min, ours.values())), max(map(max, ours.values()))),
        f"by position: {'; '.join(f'{name} {listed(values)}' for name, values in ours.items())}; "
        f"of two: near {listed(pair)}, far {listed(away)}",
        sound=smaller and similar(ours, slow) and slightly_smaller(ours, slow),
    )


def similar(windows: dict[str, list[float]], slow: Sequence[bool]) -> bool:
    """Whether the stations' windows are alike at each position; of the near ones alone where the far one is slow."""
    counted = [NEAR_OF_FOUR if away else tuple(windows) for away in slow]
    return all(alike([windows[station][at] for station in names]) for at, names in enumerate(counted))


def slightly_smaller(windows: dict[str, list[float]], slow: Sequence[bool]) -> bool:
    """Whether the far station's window is slightly smaller than the near ones', at each position where it is slow."""
    shares = [
        windows[FAR_FLOW][at] / mean(windows[station][at] for station in NEAR_OF_FOUR)
        for at, away in enumerate(slow)
        if away
    ]
    return bool(shares) and all(RETAINED <= share < 1.0 for share in shares)


@claim("anomaly.four.rtt", "four")
def round_trips_of_four(four: GridRuns) -> Ours:
    """Each near station's round trip hardly changes from position 0 to any other; the far one's grows at 6 and 7."""
    cells = four.where(discipline="fifo")
    crowd = [kept(cells, of_flow(flow, RTT), MOVED) for flow in NEAR_OF_FOUR]
    away = kept(cells, far(RTT), SMALL)
    level = all(LENGTHENED[0] <= grown <= LENGTHENED[1] for station in crowd for grown in station)
    a, b = along(cells, near(RTT)), along(cells, far(RTT))
    return Ours(
        level and min(away) > LARGER,
        f"against 0: near {'; '.join(map(changes, crowd))}; far at 6 and 7 {changes(away)}; "
        f"ms by position: near {listed(a)}; far {listed(b)}",
    )


# ----------------------------------------------------------------------------------------------------------- UDP


def pulled_down(pairs: Sequence[tuple[float, float]]) -> bool:
    """Whether the first of each pair, the near station's, has no more than what is alike to the second's."""
    return all(near <= (1 + ALIKE) * far for near, far in pairs)


@claim("anomaly.udp", "udp")
def anomaly_of_udp(udp: GridRuns) -> Ours:
    """Where the far station's rate is below the 100 Mbit/s offered, the near one is pulled down to it, and falls."""
    a, b = along(udp, near(GOODPUT)), along(udp, far(GOODPUT))
    rates = along(udp, rate_far)
    slow = [(x, y) for x, y, rate in zip(a, b, rates, strict=True) if rate < 100]
    return Ours(
        bool(slow) and pulled_down(slow) and falls(a), f"near {listed(a, 1)}; far {listed(b, 1)} Mbit/s by position"
    )
