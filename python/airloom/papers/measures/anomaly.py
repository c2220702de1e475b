"""What our runs say about downloads to near and far stations, by queue discipline."""

from __future__ import annotations

import math
from functools import partial
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

MEASURES = Measures()
claim = MEASURES.claim
quantity = MEASURES.quantity

ALIKE = 0.15
"""Two means are alike when they lie within this share of each other."""

PAIRS = ((3, 4), (6, 7))
"""Positions at which the far station's data rate is alike."""

FAR_FLOW = "to-far"
"""The flow to the far station."""

NEAR = ("near", "near1", "near2", "near3")
"""The names of the near stations, with two stations and with four."""


def measured(view: RunView, flow: str, metric: str) -> list[float]:
    """A flow's window, round trip or load in each second in which it was measured: when ACKs came, not in a timeout."""
    heard = set(view.run.table.get(flow, "rtt").times)
    return view.run.table.get(flow, metric).where(heard.__contains__).known()


def per_second(metric: str, view: RunView, flow: str) -> float:
    """The mean over these seconds, as the paper's are means of one-second averages."""
    return mean(measured(view, flow, metric))


def total(metric: str, view: RunView, flow: str) -> float:
    """A number of the flow's whole run."""
    return view.total(flow, metric)


GOODPUT, CWND, RTT = partial(total, "goodput_mbps"), partial(per_second, "cwnd"), partial(per_second, "rtt")
"""The quantities of a flow: throughput, window, round trip."""


def near(of: OfFlow) -> Quantity:
    """A quantity of a flow, as a mean over the flows to the near stations."""
    return lambda view: mean(of(view, flow["name"]) for flow in view.flows if flow["to"] in NEAR)


def far(of: OfFlow) -> Quantity:
    """The same of the flow to the far station."""
    return lambda view: of(view, FAR_FLOW)


def along(cells: GridRuns, quantity: Quantity) -> list[float]:
    """The means of a quantity at positions 0 to 7."""
    return [part.mean(quantity) for part in cells.by("position").values()]


def falls(values: list[float]) -> bool:
    """Whether values fall along the data rates: from first to last, none above an earlier one by more than `ALIKE`.

    The figures draw them over the far station's data rate, at which two pairs of positions are alike.
    """
    first, second = (mean(values[at] for at in pair) for pair in PAIRS)
    rates = [*values[:3], first, values[5], second]
    never_rises = all(value <= (1 + ALIKE) * min(rates[: i + 1]) for i, value in enumerate(rates))
    return never_rises and rates[-1] < (1 - ALIKE) * rates[0]


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


@quantity("load_far")
def load(view: RunView) -> float:
    """Estimated load of the far station after equation (1), in Mbit/s: what its window sends in a round trip."""
    return per_second("load", view, FAR_FLOW)


# -------------------------------------------------------------------------------------------------- data rates


@claim("anomaly.rate.near", "two")
def near_rate(two: GridRuns) -> Ours:
    """Mean data rate to the near station over all runs with FIFO, in Mbit/s."""
    rates = along(two.where(discipline="fifo"), rate_near)
    return Ours(mean(rates), f"by position: {listed(rates)}")


@claim("anomaly.rate.far", "two")
def far_rate(two: GridRuns) -> Ours:
    """The far station's rate falls by position, except within the two pairs that are alike."""
    rates = along(two.where(discipline="fifo"), rate_far)
    pairs = [abs(rates[b] / rates[a] - 1) <= ALIKE for a, b in PAIRS]
    steps = [rates[b] < rates[a] for a, b in ((0, 1), (1, 2), (2, 3), (4, 5), (5, 6))]
    return Ours(all(pairs) and all(steps), f"Mbit/s by position: {listed(rates)}")


# ------------------------------------------------------------------------------------------------ two stations


@claim("anomaly.two.p0", "two")
def both_at_position_0(two: GridRuns) -> Ours:
    """Mean throughput of both, in Mbit/s; each by itself has to be within a fifth of it."""
    cells = two.where(discipline="fifo", position=0)
    ours = [cells.mean(near(GOODPUT)), cells.mean(far(GOODPUT))]
    return Ours(mean(ours), f"near {ours[0]:.1f}, far {ours[1]:.1f}", sound=max(ours) < 1.2 * mean(ours))


@claim("anomaly.two.p4.near", "two")
def near_at_position_4(two: GridRuns) -> Ours:
    """The range of the near station's throughput: 10th to 90th percentile of its seconds, in Mbit/s."""
    values = seconds(two.where(discipline="fifo", position=4), "to-near", "goodput")
    return Ours((percentile(values, 0.1), percentile(values, 0.9)), f"10th to 90th percentile of {len(values)} seconds")


@claim("anomaly.two.p4.far", "two")
def far_at_position_4(two: GridRuns) -> Ours:
    """Mean throughput of the far station, in Mbit/s."""
    return far_goodput(two.where(discipline="fifo", position=4))


@claim("anomaly.two.p7.far", "two")
def far_at_position_7(two: GridRuns) -> Ours:
    """The same at position 7."""
    return far_goodput(two.where(discipline="fifo", position=7))


def far_goodput(cells: GridRuns) -> Ours:
    """Mean throughput of the far station over the seeds, in Mbit/s."""
    spread = cells.spread(far(GOODPUT))
    return Ours(spread.mean, f"from {spread.low:.1f} to {spread.high:.1f} by seed")


@claim("anomaly.two.p7.near", "two")
def near_at_position_7(two: GridRuns) -> Ours:
    """The near station below 20 Mbit/s in more than half of the seconds, above 60 in some of every run or of most."""
    cells = two.where(discipline="fifo", position=7)
    values = seconds(cells, "to-near", "goodput")
    low = mean(float(value < 20) for value in values)
    spells = [max(view.run.table.get("to-near", "goodput").known()) for view in cells]
    return Ours(
        low > 0.5 and sum(spell > 60 for spell in spells) * 2 > len(spells),
        f"below 20 Mbit/s in {low:.0%} of the seconds; the best second of each run: {listed(spells)} Mbit/s",
    )


@claim("anomaly.two.trend", "two")
def trend(two: GridRuns) -> Ours:
    """Both fall under every discipline, near above far; each is within 15 % of the disciplines' mean."""
    ok, notes, totals = True, [], []
    for name, cells in two.by("discipline").items():
        a, b = along(cells, near(GOODPUT)), along(cells, far(GOODPUT))
        above = all(x > y * (1 - ALIKE) for x, y in zip(a, b, strict=True))
        ok &= falls(a) and falls(b) and above
        totals.append((mean(a), mean(b)))
        notes.append(f"{name}: near {listed(a)}; far {listed(b)}")
    apart = max(abs(value / mean(values) - 1) for values in zip(*totals, strict=True) for value in values)
    return Ours(ok and apart <= ALIKE, f"disciplines up to {apart:.0%} off their mean; {'; '.join(notes)} Mbit/s")


def windows(two: GridRuns) -> dict[str, float]:
    """The mean window of both flows over all positions, in packets, by discipline."""
    both: Quantity = lambda view: mean((near(CWND)(view), far(CWND)(view)))  # noqa: E731
    return {name: mean(along(cells, both)) for name, cells in two.by("discipline").items()}


@claim("anomaly.two.cwnd.fifo", "two")
def window_of_fifo(two: GridRuns) -> Ours:
    """Lowest and highest mean window of a flow with FIFO, which must be the largest of the disciplines' means."""
    cells = two.where(discipline="fifo")
    ours = along(cells, near(CWND)) + along(cells, far(CWND))
    by = windows(two)
    note = ", ".join(f"{name} {value:.0f}" for name, value in by.items())
    return Ours((min(ours), max(ours)), f"mean windows: {note}", sound=max(by, key=lambda name: by[name]) == "fifo")


@claim("anomaly.two.cwnd.sfq", "two")
def window_of_sfq(two: GridRuns) -> Ours:
    """SFQ's mean window below FIFO's, CoDel's and FQ-CoDel's below SFQ's."""
    by = windows(two)
    ordered = by["fifo"] > by["sfq"] > max(by["codel"], by["fq_codel"])
    return Ours(ordered, ", ".join(f"{name} {value:.0f}" for name, value in by.items()))


@claim("anomaly.two.rtt", "two")
def round_trips(two: GridRuns) -> Ours:
    """FIFO's mean round trips the longest at every position; below 300 ms in most seconds of figures 9 and 10."""
    longest, notes = True, []
    for station, rtt in (("near", near(RTT)), ("far", far(RTT))):
        by = {name: along(cells, rtt) for name, cells in two.by("discipline").items()}
        queued = by.pop("fifo")
        longest &= all(max(at) == at[0] for at in zip(queued, *by.values(), strict=True))
        notes.append(f"{station} {listed(along(two.where(discipline='fifo'), rtt))}")
    fifo = [two.where(discipline="fifo", position=position) for position in (4, 7)]
    values = [value for cells in fifo for flow in ("to-near", FAR_FLOW) for value in seconds(cells, flow, "rtt")]
    short = mean(float(value < 300) for value in values)
    return Ours(
        longest and short > 0.5,
        f"below 300 ms in {short:.0%} of the seconds at positions 4 and 7; "
        f"{'the longest' if longest else 'not the longest'} everywhere; FIFO, ms by position: {'; '.join(notes)}",
    )


@claim("anomaly.two.load", "two")
def estimated_load(two: GridRuns) -> Ours:
    """The far station's estimated load below half of its rate; the near one's throughput goes with its own window."""
    fifo = two.where(discipline="fifo")
    shares, ties = [], []
    for position in (4, 7):
        cells = fifo.where(position=position)
        shares.append(cells.mean(load) / cells.mean(rate_far))
        ties.append(cells.mean(tie))
    return Ours(
        max(shares) < 0.5 and min(ties) > 0.3,
        f"positions 4 and 7: load over rate {listed(shares, 2)}; "
        f"correlation of throughput and window {listed(ties, 2)}",
    )


def tie(view: RunView) -> float:
    """The correlation of the near station's throughput and window, second by second as figures 7 to 10 draw them."""
    goodput, window = (measured(view, "to-near", metric) for metric in ("goodput", "cwnd"))
    return correlation(list(zip(goodput, window, strict=True)))


# ----------------------------------------------------------------------------------------------- four stations


@claim("anomaly.four.near", "two", "four")
def near_of_four(two: GridRuns, four: GridRuns) -> Ours:
    """The loss from position 0 to 6 and 7: of the near station of two, of those of four, and of the far one."""
    fifo = four.where(discipline="fifo")
    pair, crowd, away = (
        loss(along(cells, metric))
        for cells, metric in (
            (two.where(discipline="fifo"), near(GOODPUT)),
            (fifo, near(GOODPUT)),
            (fifo, far(GOODPUT)),
        )
    )
    return Ours(
        crowd < pair and away > crowd + 0.2,
        f"near of two {-pair:.0%}, near of four {-crowd:.0%}, far of four {-away:.0%}",
    )


def loss(values: list[float]) -> float:
    """The share that is lost from position 0 to positions 6 and 7."""
    return 1 - mean(values[6:]) / values[0]


@claim("anomaly.four.cwnd", "four")
def window_of_four(four: GridRuns) -> Ours:
    """Lowest and highest of the stations' mean windows over all positions, in packets."""
    cells = four.where(discipline="fifo")
    flows = [flow["name"] for flow in next(iter(cells)).flows]
    ours = {name: mean(along(cells, window_of(name))) for name in flows}
    return Ours(
        (min(ours.values()), max(ours.values())), ", ".join(f"{name} {value:.0f}" for name, value in ours.items())
    )


def window_of(flow: str) -> Quantity:
    """A flow's mean window, in packets."""
    return lambda view: CWND(view, flow)


@claim("anomaly.four.rtt", "four")
def round_trips_of_four(four: GridRuns) -> Ours:
    """From position 0 to 6 and 7 the near stations' round trip grows by less than a half, the far one's by more."""
    cells = four.where(discipline="fifo")
    a, b = along(cells, near(RTT)), along(cells, far(RTT))
    grown = [mean(values[6:]) / values[0] - 1 for values in (a, b)]
    return Ours(
        grown[0] < 0.5 < grown[1],
        f"near {grown[0]:+.0%}, far {grown[1]:+.0%}; ms by position: near {listed(a)}; far {listed(b)}",
    )


# ----------------------------------------------------------------------------------------------------------- UDP


@claim("anomaly.udp", "udp")
def anomaly_of_udp(udp: GridRuns) -> Ours:
    """Where the far station's rate is below the 100 Mbit/s offered, the near one gets at most half more than it."""
    a, b = along(udp, near(GOODPUT)), along(udp, far(GOODPUT))
    rates = along(udp, rate_far)
    slow = [(x, y) for x, y, rate in zip(a, b, rates, strict=True) if rate < 100]
    down = all(x <= 1.5 * y for x, y in slow)
    return Ours(bool(slow) and down and falls(a), f"near {listed(a, 1)}; far {listed(b, 1)} Mbit/s by position")
