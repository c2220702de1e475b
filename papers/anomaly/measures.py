"""What our runs say about downloads to near and far stations, by queue discipline."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed
from airloom.support.statistics import mean, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns

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

SMALL = LEVELS[-1]
"""Those at which it has the windows small, of both stations with every discipline."""

CAPPED = 127 + 123
"""Packets that SFQ queues of a flow, and what the access point's driver holds: ath9k's ATH_MAX_QDEPTH."""

MOST = 0.5
"""Most of the time is more than this share of the seconds: what the word says, and no more."""

UNCHANGED_WITHIN = 1.5
"""What hardly changes, or falls little, stays within this factor, up or down. A figure from zero shows a factor of two
at once; the one published of what does fall, of a near station of two, is above three."""

FALLEN_BY = 2.0
"""What falls much more keeps less than the half of what the other keeps."""

CLOSE = 0.5
"""Two series are closely related from this correlation on: a large one after Cohen (1988), a quarter of variance."""

WELL_BELOW = 0.5
"""A load is well below a rate when it is less than half of it."""

SLOW = 50.0
"""The data rate in Mbit/s below which figure 14 has the far station's window a little below the others'."""

SPELL = (60.0, 100.0)
"""The best second of a spell at about 80 Mbit/s: a quarter to either side, as much as a figure's second varies."""

FAR_FLOW = "to-far"
"""The flow to the far station."""

NEAR = ("near", "near1", "near2", "near3")
"""The names of the near stations, with two stations and with four."""

FLOWS_OF_TWO = ("to-near", FAR_FLOW)
"""The flows with two stations."""

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


@quantity("rate_near")
def rate_near(view: RunView) -> float:
    """The same to the near stations."""
    names = [flow["to"] for flow in view.flows if flow["to"] in NEAR]
    return mean(view.total(name, "received_rate_mbps") for name in names)


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
    """The lowest and the highest mean data rate to the near station with FIFO, by position, in Mbit/s."""
    rates = along(two.where(discipline="fifo"), rate_near)
    return Ours((min(rates), max(rates)), f"by position: {listed(rates)}")


@claim("anomaly.rate.far", "two")
def far_rate(two: GridRuns) -> Ours:
    """The far station's rate is lower at each position than at all before, except in the two pairs alike."""
    rates = along(two.where(discipline="fifo"), rate_far)
    levels = [[rates[at] for at in level] for level in LEVELS]
    alike = all(max(level) <= (1 + ALIKE) * min(level) for level in levels)
    steps = all(max(lower) < min(higher) for higher, lower in pairwise(levels))
    return Ours(alike and steps, f"Mbit/s by position: {listed(rates)}")


# ------------------------------------------------------------------------------------------------ two stations


@claim("anomaly.two.p0", "two")
def both_at_position_0(two: GridRuns) -> Ours:
    """Mean throughput of each, the lower and the higher one, in Mbit/s."""
    cells = two.where(discipline="fifo", position=0)
    ours = [cells.mean(of_flow(flow, GOODPUT)) for flow in FLOWS_OF_TWO]
    return Ours((min(ours), max(ours)), f"near {ours[0]:.1f}, far {ours[1]:.1f}")


@claim("anomaly.two.p4.near", "two")
def near_at_position_4(two: GridRuns) -> Ours:
    """The range of the near station's throughput: 5th to 95th percentile of its seconds, in Mbit/s."""
    values = seconds(two.where(discipline="fifo", position=4), "to-near", "goodput")
    return Ours(
        (percentile(values, 0.05), percentile(values, 0.95)), f"5th to 95th percentile of {len(values)} seconds"
    )


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
    """Mean throughput of the far station at position 7 over the seeds, in Mbit/s."""
    spread = two.where(discipline="fifo", position=7).spread(far(GOODPUT))
    return Ours(spread.mean, f"from {spread.low:.1f} to {spread.high:.1f} by seed")


@claim("anomaly.two.p7.near", "two")
def near_at_position_7(two: GridRuns) -> Ours:
    """The near station below 20 Mbit/s in most seconds; the best second of the middle run is one of `SPELL`."""
    cells = two.where(discipline="fifo", position=7)
    values = seconds(cells, "to-near", "goodput")
    low = mean(float(value < 20) for value in values)
    spells = [max(view.run.table.get("to-near", "goodput").known()) for view in cells]
    return Ours(
        low > MOST and SPELL[0] <= median(spells) <= SPELL[1],
        f"below 20 Mbit/s in {low:.0%} of the seconds; the best second of each run: {listed(spells)} Mbit/s",
    )


@claim("anomaly.two.trend", "two")
def trend(two: GridRuns) -> Ours:
    """Both fall under every discipline, near above far; each is everywhere within 15 % of the disciplines' mean.

    At position 0 both stand at the same place, and need only be alike.
    """
    ok, notes = True, []
    stations: tuple[list[list[float]], list[list[float]]] = ([], [])
    for name, cells in two.by("discipline").items():
        a, b = along(cells, near(GOODPUT)), along(cells, far(GOODPUT))
        above = a[0] > b[0] * (1 - ALIKE) and all(x > y for x, y in zip(a[1:], b[1:], strict=True))
        ok &= falls(a) and falls(b) and above
        stations[0].append(a)
        stations[1].append(b)
        notes.append(f"{name}: near {listed(a)}; far {listed(b)}")
    places = [at for station in stations for at in zip(*station, strict=True)]
    apart = max(abs(value / mean(at) - 1) for at in places for value in at)
    return Ours(ok and apart <= ALIKE, f"disciplines up to {apart:.0%} off their mean; {'; '.join(notes)} Mbit/s")


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
    """Whether a window is smaller at each of the positions `SMALL` than at all others."""
    return max(values[at] for at in SMALL) < min(values[at] for at in FAST)


@claim("anomaly.two.cwnd.fifo", "two")
def window_of_fifo(two: GridRuns) -> Ours:
    """Lowest and highest mean window of a flow with FIFO: the largest of the disciplines' for each, small at 6 and 7.

    The text has the windows of both stations small there, with every discipline, and none the largest.
    """
    found = windows(two)
    ours = [by["fifo"] for by in found]
    largest = all(
        by["fifo"][at] > max(values[at] for name, values in by.items() if name != "fifo") for by in found for at in FAST
    )
    shrinking = all(small(values) for by in found for values in by.values())
    return Ours((min(map(min, ours)), max(map(max, ours))), windows_said(found), sound=largest and shrinking)


@claim("anomaly.two.cwnd.sfq", "two")
def window_of_sfq(two: GridRuns) -> Ours:
    """At positions 0 to 5, for each station: SFQ's mean window below FIFO's, CoDel's and FQ-CoDel's below SFQ's.

    SFQ's is what its queue of a flow and the driver's buffers hold, at most, at every position.
    """
    found = windows(two)
    ordered = all(
        by["fifo"][at] > by["sfq"][at] > max(by["codel"][at], by["fq_codel"][at]) for by in found for at in FAST
    )
    capped = all(max(by["sfq"]) <= CAPPED for by in found)
    return Ours(ordered and capped, windows_said(found))


@claim("anomaly.two.rtt", "two")
def round_trips(two: GridRuns) -> Ours:
    """FIFO's mean round trips the longest at every position, for each station.

    Figures 9 and 10, of positions 4 and 7, show both stations: below 300 ms in most seconds of each.
    """
    longest, notes, shares = True, [], []
    for flow in FLOWS_OF_TWO:
        by = {name: along(cells, of_flow(flow, RTT)) for name, cells in two.by("discipline").items()}
        queued = by.pop("fifo")
        longest &= all(max(at) == at[0] for at in zip(queued, *by.values(), strict=True))
        notes.append(listed(queued))
        for position in (4, 7):
            values = seconds(two.where(discipline="fifo", position=position), flow, "rtt")
            shares.append(mean(float(value < 300) for value in values))
    return Ours(
        longest and min(shares) > MOST,
        f"below 300 ms in {shares[0]:.0%} and {shares[1]:.0%} of the near station's seconds at positions 4 and 7, "
        f"in {shares[2]:.0%} and {shares[3]:.0%} of the far one's; "
        f"{'the longest' if longest else 'not the longest'} everywhere; "
        f"FIFO, ms by position: near {notes[0]}; far {notes[1]}",
    )


@claim("anomaly.two.load", "two")
def estimated_load(two: GridRuns) -> Ours:
    """The far station's estimated load well below its rate; the near one's throughput goes with its window.

    The text says the former of every discipline, the latter of figures 7 to 10, which are of FIFO.
    """
    ties = [two.where(discipline="fifo", position=position).mean(tie) for position in (4, 7)]
    shares = {
        name: [
            cells.where(position=position).mean(load) / cells.where(position=position).mean(rate_far)
            for position in (4, 7)
        ]
        for name, cells in two.by("discipline").items()
    }
    return Ours(
        max(map(max, shares.values())) < WELL_BELOW and min(ties) > CLOSE,
        "positions 4 and 7: load over rate "
        f"{', '.join(f'{name} {listed(values, 2)}' for name, values in shares.items())}; "
        f"correlation of throughput and window with FIFO {listed(ties, 2)}",
    )


def tie(view: RunView) -> float:
    """The correlation of the near station's throughput and window, second by second as figures 7 to 10 draw them."""
    times = sending(view, "to-near")
    goodput, window = (measured(view, "to-near", metric, times) for metric in ("goodput", "cwnd"))
    return correlation(list(zip(goodput, window, strict=True)))


# ----------------------------------------------------------------------------------------------- four stations


@claim("anomaly.four.near", "two", "four")
def near_of_four(two: GridRuns, four: GridRuns) -> Ours:
    """What each station keeps at positions 6 and 7 of its throughput at 0, at the worse one of the two.

    Every near one of four must keep nearly all, and at either position more than the near one of two; the far one keeps
    much less.
    """
    pair = kept(two.where(discipline="fifo"), of_flow("to-near", GOODPUT))
    cells = four.where(discipline="fifo")
    crowd = [kept(cells, of_flow(flow, GOODPUT)) for flow in NEAR_OF_FOUR]
    away = kept(cells, far(GOODPUT))
    little = all(share >= 1 / UNCHANGED_WITHIN for station in crowd for share in station)
    less = all(mine > other for station in crowd for mine, other in zip(station, pair, strict=True))
    much = all(mine < share / FALLEN_BY for station in crowd for mine, share in zip(away, station, strict=True))
    return Ours(
        little and less and much,
        f"at 6 and 7 against 0: near of two {changes(pair)}; near of four {'; '.join(map(changes, crowd))}; "
        f"far of four {changes(away)}; Mbit/s by position: near {listed(along(cells, near(GOODPUT)))}; "
        f"far {listed(along(cells, far(GOODPUT)))}",
    )


def kept(cells: GridRuns, quantity: Quantity) -> list[float]:
    """The shares of a quantity at position 0 that are left at positions 6 and 7."""
    values = along(cells, quantity)
    return [values[at] / values[0] for at in LEVELS[-1]]


def changes(shares: list[float]) -> str:
    """Such shares as changes."""
    return ", ".join(f"{share - 1:+.0%}" for share in shares)


@claim("anomaly.four.cwnd", "four")
def window_of_four(four: GridRuns) -> Ours:
    """Lowest and highest of the stations' mean windows at any position, in packets; the far one lower on slow links."""
    cells = four.where(discipline="fifo")
    ours = {flow: along(cells, of_flow(flow, CWND)) for flow in (*NEAR_OF_FOUR, FAR_FLOW)}
    slow = [at for at, rate in enumerate(along(cells, rate_far)) if rate < SLOW]
    lower = all(
        mean(ours[FAR_FLOW][at] for at in slow) < mean(ours[station][at] for at in slow) for station in NEAR_OF_FOUR
    )
    return Ours(
        (min(map(min, ours.values())), max(map(max, ours.values()))),
        f"by position: {'; '.join(f'{name} {listed(values)}' for name, values in ours.items())}",
        sound=lower,
    )


@claim("anomaly.four.rtt", "four")
def round_trips_of_four(four: GridRuns) -> Ours:
    """From position 0 to 6 and to 7 each near station's round trip hardly grows, and the far one's by more."""
    cells = four.where(discipline="fifo")
    crowd = [kept(cells, of_flow(flow, RTT)) for flow in NEAR_OF_FOUR]
    away = kept(cells, far(RTT))
    level = all(1 / UNCHANGED_WITHIN <= grown <= UNCHANGED_WITHIN for station in crowd for grown in station)
    a, b = along(cells, near(RTT)), along(cells, far(RTT))
    return Ours(
        level and min(away) > UNCHANGED_WITHIN,
        f"at 6 and 7 against 0: near {'; '.join(map(changes, crowd))}; far {changes(away)}; "
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
