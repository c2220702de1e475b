"""What our runs say about downloads to near and far stations, by queue discipline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from airloom.papers.measure import Measures, Ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from airloom.papers.cells import Cells
    from airloom.papers.view import View

    Quantity = Callable[[View], float]

MEASURES = Measures()
claim = MEASURES.claim
quantity = MEASURES.quantity

SEGMENT = 1500 * 8
"""Bits that equation (1) takes for a packet."""

ALIKE = 0.15
"""Two means are alike when they lie within this share of each other."""

NEAR = ("near", "near1", "near2", "near3")
"""What the near stations are called, with two stations and with four."""


def mean(values: Iterable[float]) -> float:
    """The mean; not a number of nothing."""
    known = list(values)
    return math.fsum(known) / len(known) if known else math.nan


def near(metric: str) -> Quantity:
    """A flow's metric, as a mean over the flows to the near stations."""
    return lambda view: mean(view.total(flow["name"], metric) for flow in view.flows if flow["to"] in NEAR)


def far(metric: str) -> Quantity:
    """The same of the flow to the far station."""
    return lambda view: view.total("to-far", metric)


def along(cells: Cells, quantity: Quantity) -> list[float]:
    """The means of a quantity at positions 0 to 7."""
    return [part.mean(quantity) for part in cells.by("position").values()]


def told(values: Iterable[float], digits: int = 0) -> str:
    """Numbers for people."""
    return ", ".join(f"{value:.{digits}f}" for value in values)


def falls(values: list[float]) -> bool:
    """Whether values fall along the positions, for the most part: Spearman's rank correlation is below -0.7."""
    ranks = [sum(other < value for other in values) for value in values]
    return correlation(list(zip(range(len(values)), ranks, strict=True))) < -0.7


def seconds(cells: Cells, flow: str, metric: str) -> list[float]:
    """A metric's one-second means in all of these runs."""
    return [value for view in cells for value in view.run.table.get(flow, metric).known()]


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Pearson's correlation."""
    x, y = mean(a for a, _ in pairs), mean(b for _, b in pairs)
    product = math.fsum((a - x) * (b - y) for a, b in pairs)
    squares = math.fsum((a - x) ** 2 for a, _ in pairs) * math.fsum((b - y) ** 2 for _, b in pairs)
    return product / math.sqrt(squares) if squares > 0 else math.nan


# ------------------------------------------------------------------------------------------- what figures draw


@quantity("rate_far")
def rate_far(view: View) -> float:
    """Mean data rate of the A-MPDUs to the far station, in Mbit/s."""
    return view.total("far", "received_rate_mbps")


@quantity("rate_near")
def rate_near(view: View) -> float:
    """The same to the near stations."""
    names = [flow["to"] for flow in view.flows if flow["to"] in NEAR]
    return mean(view.total(name, "received_rate_mbps") for name in names)


quantity("goodput_near")(near("goodput_mbps"))
quantity("goodput_far")(far("goodput_mbps"))
quantity("cwnd_near")(near("cwnd_mean"))
quantity("cwnd_far")(far("cwnd_mean"))
quantity("rtt_near")(near("rtt_mean_ms"))
quantity("rtt_far")(far("rtt_mean_ms"))


@quantity("load_far")
def load(view: View) -> float:
    """Estimated load of the far station after equation (1), in Mbit/s: what its window sends in a round trip."""
    return view.total("to-far", "cwnd_mean") * SEGMENT / (1e3 * view.total("to-far", "rtt_mean_ms"))


# -------------------------------------------------------------------------------------------------- data rates


@claim("anomaly.rate.near", "two")
def near_rate(two: Cells) -> Ours:
    """Mean data rate to the near station over all runs with FIFO, in Mbit/s."""
    rates = along(two.where(discipline="fifo"), rate_near)
    return Ours(mean(rates), f"by position: {told(rates)}")


@claim("anomaly.rate.far", "two")
def far_rate(two: Cells) -> Ours:
    """The far station's rate falls by position, but for the two pairs that are alike."""
    rates = along(two.where(discipline="fifo"), rate_far)
    pairs = [abs(rates[b] / rates[a] - 1) <= ALIKE for a, b in ((3, 4), (6, 7))]
    steps = [rates[b] < rates[a] for a, b in ((0, 1), (1, 2), (2, 3), (4, 5), (5, 6))]
    return Ours(all(pairs) and all(steps), f"Mbit/s by position: {told(rates)}")


# ------------------------------------------------------------------------------------------------ two stations


@claim("anomaly.two.p0", "two")
def both_at_position_0(two: Cells) -> Ours:
    """Mean throughput of both, in Mbit/s; each by itself has to be within a fifth of it."""
    cells = two.where(discipline="fifo", position=0)
    ours = [cells.mean(near("goodput_mbps")), cells.mean(far("goodput_mbps"))]
    return Ours(mean(ours), f"near {ours[0]:.1f}, far {ours[1]:.1f}", sound=max(ours) < 1.2 * mean(ours))


@claim("anomaly.two.p4.near", "two")
def near_at_position_4(two: Cells) -> Ours:
    """Where the near station's throughput moves: 10th to 90th percentile of its seconds, in Mbit/s."""
    values = seconds(two.where(discipline="fifo", position=4), "to-near", "goodput")
    return Ours((percentile(values, 0.1), percentile(values, 0.9)), f"10th to 90th percentile of {len(values)} seconds")


@claim("anomaly.two.p4.far", "two")
def far_at_position_4(two: Cells) -> Ours:
    """Mean throughput of the far station, in Mbit/s."""
    return far_goodput(two.where(discipline="fifo", position=4))


@claim("anomaly.two.p7.far", "two")
def far_at_position_7(two: Cells) -> Ours:
    """The same at position 7."""
    return far_goodput(two.where(discipline="fifo", position=7))


def far_goodput(cells: Cells) -> Ours:
    """Mean throughput of the far station over the seeds, in Mbit/s."""
    spread = cells.spread(far("goodput_mbps"))
    return Ours(spread.mean, f"from {spread.low:.1f} to {spread.high:.1f} by seed")


@claim("anomaly.two.p7.near", "two")
def near_at_position_7(two: Cells) -> Ours:
    """The near station below 20 Mbit/s in more than half of the seconds, above 60 in some of every run or of most."""
    cells = two.where(discipline="fifo", position=7)
    values = seconds(cells, "to-near", "goodput")
    low = mean(float(value < 20) for value in values)
    spells = [max(view.run.table.get("to-near", "goodput").known()) for view in cells]
    return Ours(
        low > 0.5 and sum(spell > 60 for spell in spells) * 2 > len(spells),
        f"below 20 Mbit/s in {low:.0%} of the seconds; the best second of each run: {told(spells)} Mbit/s",
    )


@claim("anomaly.two.trend", "two")
def trend(two: Cells) -> Ours:
    """Both fall under every discipline, near above far; what both get is within 15 % of the disciplines' mean."""
    ok, notes, totals = True, [], []
    for name, cells in two.by("discipline").items():
        a, b = along(cells, near("goodput_mbps")), along(cells, far("goodput_mbps"))
        above = all(x > y * (1 - ALIKE) for x, y in zip(a, b, strict=True))
        ok &= falls(a) and falls(b) and above
        totals.append(mean(a) + mean(b))
        notes.append(f"{name}: near {told(a)}; far {told(b)}")
    apart = max(abs(total / mean(totals) - 1) for total in totals)
    return Ours(ok and apart <= ALIKE, f"disciplines up to {apart:.0%} off their mean; {'; '.join(notes)} Mbit/s")


def windows(two: Cells) -> dict[str, float]:
    """The mean window of both flows over all positions, in packets, by discipline."""
    both: Quantity = lambda view: mean((near("cwnd_mean")(view), far("cwnd_mean")(view)))  # noqa: E731
    return {name: mean(along(cells, both)) for name, cells in two.by("discipline").items()}


@claim("anomaly.two.cwnd.fifo", "two")
def window_of_fifo(two: Cells) -> Ours:
    """Lowest and highest mean window of a flow with FIFO, which must be the largest of the disciplines' means."""
    cells = two.where(discipline="fifo")
    ours = along(cells, near("cwnd_mean")) + along(cells, far("cwnd_mean"))
    by = windows(two)
    note = ", ".join(f"{name} {value:.0f}" for name, value in by.items())
    return Ours((min(ours), max(ours)), f"mean windows: {note}", sound=max(by, key=lambda name: by[name]) == "fifo")


@claim("anomaly.two.cwnd.sfq", "two")
def window_of_sfq(two: Cells) -> Ours:
    """SFQ's mean window below FIFO's, CoDel's and FQ-CoDel's below SFQ's."""
    by = windows(two)
    ordered = by["fifo"] > by["sfq"] > max(by["codel"], by["fq_codel"])
    return Ours(ordered, ", ".join(f"{name} {value:.0f}" for name, value in by.items()))


@claim("anomaly.two.rtt", "two")
def round_trips(two: Cells) -> Ours:
    """FIFO's mean round trip the longest at every position, and below 300 ms in more than half of all seconds."""
    by = {name: along(cells, near("rtt_mean_ms")) for name, cells in two.by("discipline").items()}
    others = [values for name, values in by.items() if name != "fifo"]
    longest = all(fifo >= max(rest) for fifo, *rest in zip(by["fifo"], *others, strict=True))
    fifo = two.where(discipline="fifo")
    values = seconds(fifo, "to-near", "rtt") + seconds(fifo, "to-far", "rtt")
    short = mean(float(value < 300) for value in values)
    note = "; ".join(f"{name} {told(values)}" for name, values in by.items())
    return Ours(
        longest and short > 0.5, f"FIFO below 300 ms in {short:.0%} of the seconds; near, ms by position: {note}"
    )


@claim("anomaly.two.load", "two")
def estimated_load(two: Cells) -> Ours:
    """The far station's estimated load below 70 % of its rate; the near one's throughput tied to its own window."""
    fifo = two.where(discipline="fifo")
    shares, ties = [], []
    for position in (4, 7):
        cells = fifo.where(position=position)
        shares.append(cells.mean(load) / cells.mean(rate_far))
        ties.append(cells.mean(tie))
    return Ours(
        max(shares) < 0.7 and min(ties) > 0.3,
        f"positions 4 and 7: load over rate {told(shares, 2)}; correlation of throughput and window {told(ties, 2)}",
    )


def tie(view: View) -> float:
    """How the near station's throughput and window go together, in means over ten seconds."""
    goodput, window = (tens(view.run.table.get("to-near", metric).known()) for metric in ("goodput", "cwnd"))
    return correlation(list(zip(goodput, window, strict=True)))


def tens(values: list[float]) -> list[float]:
    """Means of ten values each."""
    return [mean(values[start : start + 10]) for start in range(0, len(values), 10)]


# ----------------------------------------------------------------------------------------------- four stations


@claim("anomaly.four.near", "two", "four")
def near_of_four(two: Cells, four: Cells) -> Ours:
    """What is lost from position 0 to 6 and 7: by the near station of two, by those of four, and by the far one."""
    fifo = four.where(discipline="fifo")
    pair, crowd, away = (
        loss(along(cells, metric))
        for cells, metric in (
            (two.where(discipline="fifo"), near("goodput_mbps")),
            (fifo, near("goodput_mbps")),
            (fifo, far("goodput_mbps")),
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
def window_of_four(four: Cells) -> Ours:
    """Lowest and highest of the stations' mean windows over all positions, in packets."""
    cells = four.where(discipline="fifo")
    flows = [flow["name"] for flow in next(iter(cells)).flows]
    ours = {name: mean(along(cells, window_of(name))) for name in flows}
    return Ours(
        (min(ours.values()), max(ours.values())), ", ".join(f"{name} {value:.0f}" for name, value in ours.items())
    )


def window_of(flow: str) -> Quantity:
    """A flow's mean window, in packets."""
    return lambda view: view.total(flow, "cwnd_mean")


@claim("anomaly.four.rtt", "four")
def round_trips_of_four(four: Cells) -> Ours:
    """From position 0 to 6 and 7 the near stations' round trip grows by less than a half, the far one's by more."""
    cells = four.where(discipline="fifo")
    a, b = along(cells, near("rtt_mean_ms")), along(cells, far("rtt_mean_ms"))
    grown = [mean(values[6:]) / values[0] - 1 for values in (a, b)]
    return Ours(
        grown[0] < 0.5 < grown[1],
        f"near {grown[0]:+.0%}, far {grown[1]:+.0%}; ms by position: near {told(a)}; far {told(b)}",
    )


# ----------------------------------------------------------------------------------------------------------- UDP


@claim("anomaly.udp", "udp")
def anomaly_of_udp(udp: Cells) -> Ours:
    """Where the far station's rate is below the 100 Mbit/s offered, the near one gets half more than it at most."""
    a, b = along(udp, near("goodput_mbps")), along(udp, far("goodput_mbps"))
    rates = along(udp, rate_far)
    slow = [(x, y) for x, y, rate in zip(a, b, rates, strict=True) if rate < 100]
    down = all(x <= 1.5 * y for x, y in slow)
    return Ours(bool(slow) and down and falls(a), f"near {told(a, 1)}; far {told(b, 1)} Mbit/s by position")
