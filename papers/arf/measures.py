"""What our runs say about TCP that knows its link rate: throughputs, and the fairness of equations (1) to (3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from airloom.analysis.run_view import together as sum_of
from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView
    from airloom.results.series import Series

MEASURES = Measures()
claim = MEASURES.claim

PRINTED = 4
"""Table 5 prints this many of its five sessions."""

KEPT = 0.9
"""A session keeps its rate when it has this share of it on average: the session of which the text says so has 93 to
97 % of it by Tables 1 and 2 (998 kbit/s beside a session that falls; 1031 and 1070 where none does), as a mean."""

NEVER_BELOW = 0.75
"""It keeps its rate throughout when it never has less than this share: a small change is one of a quarter at most."""

ALIKE = 0.15
"""Two sessions of an anomaly are alike when one has no more than this share above the other."""

PULLED_DOWN = 0.70
"""What falls largely keeps less than this share."""

SUM_KEPT = 0.75
"""A sum is kept when this share and more is left: a small impact is one of a quarter at most. What a rate keeps is nine
tenths, which of a sum of slowed sessions Table 5 itself does not leave."""

MORE_LEFT = 1.15
"""So many times as much is left with the method: 1237 are 1.16 times 1068, and before the fall both have the same."""

SAME = 0.10
"""What differs by no more than this share is the same: a session has more beyond it."""

FAIR_ALWAYS = 0.9
"""The fairness index that the conclusions give as the least of every case with the method."""

BACK = 0.9
"""A session is back at its share when it has this share of its earlier rate."""

BACK_WITHIN_S = 5.0
"""A few seconds: the longest time that may pass until a session has a second at its share again. The worst of a session
while another is slow is a mean over as long."""

SETTLED_AT = 0.25
"""The sessions have settled after this share of the time from their start until the first link falls."""


def throughputs(view: RunView) -> list[float]:
    """Of each session over the whole run, in kbit/s."""
    duration = view.run.summary["duration_s"]
    return [8e-3 * flow["bytes_delivered"] / duration for flow in view.flows]


def optima(view: RunView) -> list[float]:
    """The best rate of each session by equation (3): the mean over time of its link's rate, in Mbit/s."""
    scenario = view.run.settings
    stations = {station["name"]: station["rate"] for station in scenario["station"]}
    duration = view.run.summary["duration_s"]
    return [mean_rate(stations[flow["from"]], duration) for flow in view.flows]


def mean_rate(rate: str | list[dict[str, Any]], duration: float) -> float:
    """The mean of a rate, or of a script of rates, in Mbit/s."""
    if isinstance(rate, str):
        return number(rate)
    steps = [(number(step["at"]), number(step["rate"])) for step in rate]
    ends = [*(at for at, _ in steps[1:]), duration]
    spans = [(min(end, duration) - min(at, duration)) * mbps for (at, mbps), end in zip(steps, ends, strict=True)]
    return math.fsum(spans) / duration


def number(quantity: str) -> float:
    """The number of a quantity, in s or Mbit/s."""
    return float(quantity.split(maxsplit=1)[0])


def fairness(view: RunView, sessions: int | None = None) -> float:
    """Jain's index, equation (1), of the sessions' shares of their best rates, equation (2); of all by default."""
    shares = [ours / best for ours, best in zip(throughputs(view), optima(view), strict=True)][:sessions]
    return math.fsum(shares) ** 2 / (len(shares) * math.fsum(share**2 for share in shares))


def in_kbit(values: Sequence[float]) -> str:
    """Throughputs with their unit."""
    return f"{listed(values)} kbit/s"


def session(view: RunView, index: int) -> Ours:
    """The throughput of one session."""
    all_of_them = throughputs(view)
    return Ours(all_of_them[index], in_kbit(all_of_them))


@claim("arf.t1.newreno.s1", "t1-newreno")
@claim("arf.t1.aware.s1", "t1-aware")
@claim("arf.t4.aware.s1", "t4-aware")
@claim("arf.t5.aware.s1", "t5-aware")
def first(view: RunView) -> Ours:
    """Throughput of the first session, in kbit/s."""
    return session(view, 0)


@claim("arf.t1.newreno.s2", "t1-newreno")
@claim("arf.t1.aware.s2", "t1-aware")
@claim("arf.t5.aware.s2", "t5-aware")
def second(view: RunView) -> Ours:
    """Throughput of the second session, in kbit/s."""
    return session(view, 1)


@claim("arf.t5.aware.s3", "t5-aware")
def third(view: RunView) -> Ours:
    """Throughput of the third session, in kbit/s."""
    return session(view, 2)


@claim("arf.t5.aware.s4", "t5-aware")
def fourth(view: RunView) -> Ours:
    """Throughput of the fourth session, in kbit/s."""
    return session(view, 3)


@claim("arf.t5.aware.order", "t5-aware")
def as_the_rate(view: RunView) -> Ours:
    """Whether each of the printed sessions has more than the one before, whose link is slower."""
    values = throughputs(view)[:PRINTED]
    ordered = all(after > (1 + SAME) * before for before, after in pairwise(values))
    return Ours(ordered, in_kbit(values))


@claim("arf.t2.fair", "t2")
@claim("arf.t3.aware", "t3-aware")
@claim("arf.t3.newreno", "t3-newreno")
@claim("arf.t4.newreno.sum", "t4-newreno")
@claim("arf.t4.aware.sum", "t4-aware")
def together(view: RunView) -> Ours:
    """Throughput of all sessions, in kbit/s."""
    values = throughputs(view)
    return Ours(math.fsum(values), in_kbit(values))


@claim("arf.t1.gain", "t1-newreno", "t1-aware")
@claim("arf.t4.gain", "t4-newreno", "t4-aware")
def gain(without: RunView, aware: RunView) -> Ours:
    """How much more all sessions carry with the method than without, as a share."""
    before, after = math.fsum(throughputs(without)), math.fsum(throughputs(aware))
    return Ours(after / before - 1, in_kbit([before, after]))


@claim("arf.t5.gain", "t5-newreno", "t5-aware")
def printed_gain(without: RunView, aware: RunView) -> Ours:
    """How much more the sessions that Table 5 prints carry with the method, as a share."""
    before, after = (math.fsum(throughputs(view)[:PRINTED]) for view in (without, aware))
    return Ours(after / before - 1, in_kbit([before, after]))


@claim("arf.t1.newreno.jain", "t1-newreno")
@claim("arf.t2.jain", "t2")
@claim("arf.t4.newreno.jain", "t4-newreno")
def jain(view: RunView) -> Ours:
    """Fairness index."""
    return Ours(fairness(view), in_kbit(throughputs(view)))


@claim("arf.t1.aware.jain", "t1-aware")
@claim("arf.t4.aware.jain", "t4-aware")
def jain_of_aware(view: RunView) -> Ours:
    """Fairness index with the method, which has to be what the conclusions say of all."""
    index = fairness(view)
    return Ours(index, in_kbit(throughputs(view)), sound=index >= FAIR_ALWAYS)


@claim("arf.t3.jain", "t3-aware", "t3-newreno")
def jain_of_both(aware: RunView, without: RunView) -> Ours:
    """Fairness indices with the method and without."""
    indices = sorted([fairness(aware), fairness(without)])
    return Ours((indices[0], indices[1]))


@claim("arf.t5.newreno.sum", "t5-newreno")
@claim("arf.t5.aware.sum", "t5-aware")
def printed_together(view: RunView) -> Ours:
    """Throughput of the sessions that Table 5 prints, in kbit/s."""
    values = throughputs(view)
    return Ours(math.fsum(values[:PRINTED]), in_kbit(values))


@claim("arf.t5.newreno.jain", "t5-newreno")
def printed_jain(view: RunView) -> Ours:
    """Fairness index of the sessions that Table 5 prints."""
    return Ours(fairness(view, PRINTED), f"of all sessions {fairness(view):.3f}")


@claim("arf.t5.aware.jain", "t5-aware")
def printed_jain_of_aware(view: RunView) -> Ours:
    """The same with the method, which has to be what the conclusions say of all."""
    index = fairness(view, PRINTED)
    return Ours(index, f"of all sessions {fairness(view):.3f}", sound=index >= FAIR_ALWAYS)


@dataclass(frozen=True)
class Fall:
    """What a session has while the first link is slow, and when that is over, as shares of what it had before.

    Attributes:
        during: Its mean from the fall to the recovery.
        least: Its mean over the worst `BACK_WITHIN_S` of that time.
        back: Seconds from the recovery until it has `BACK`; NaN if it never has.
        stays: Its mean from `BACK_WITHIN_S` after the recovery on.
    """

    during: float
    least: float
    back: float
    stays: float

    @classmethod
    def of(cls, series: Series, fall: float, back: float, end: float, start: float = 0.0) -> Fall:
        """That of a session's goodput, whose times are in seconds."""
        before = series.between(settled(start, fall), fall - series.width).mean()
        starts = [at for at in series.times if fall <= at <= back - BACK_WITHIN_S]
        again = [
            at for at, value in zip(series.times, series.values, strict=True) if at >= back and value >= BACK * before
        ]
        return cls(
            series.between(fall, back - series.width).mean() / before,
            min(series.between(at, at + BACK_WITHIN_S - series.width).mean() for at in starts) / before,
            again[0] - back if again else math.nan,
            series.between(back + BACK_WITHIN_S, end).mean() / before,
        )


def settled(start: float, fall: float) -> float:
    """When sessions that begin at a time have settled before a link falls, in seconds."""
    return start + SETTLED_AT * (fall - start)


def begin(view: RunView) -> float:
    """When the last session begins, in seconds."""
    return max(number(flow["start"]) for flow in view.run.settings["flow"])


def steps(view: RunView) -> list[float]:
    """When the link of the first station changes its rate, in seconds."""
    return [number(step["at"]) for step in view.run.settings["station"][0]["rate"][1:]]


def sessions(view: RunView) -> list[Series]:
    """The goodput of each session, second by second."""
    return [view.run.table.get(flow["name"], "goodput").dense() for flow in view.flows]


@claim("arf.recovery", "recovery-aware")
def recovery(view: RunView) -> Ours:
    """Whether the second session keeps its rate while the first is slow, and when the first is back at its share."""
    fall, back = steps(view)
    slow, fast = (Fall.of(series, fall, back, view.run.summary["duration_s"], begin(view)) for series in sessions(view))
    note = (
        f"the second has {fast.during:.0%} of its rate meanwhile and {fast.least:.0%} in the worst "
        f"{BACK_WITHIN_S:.0f} s; the first is back after {slow.back:.0f} s, and has {slow.stays:.0%} from then on"
    )
    return Ours(keeps(fast) and slow.back <= BACK_WITHIN_S and slow.stays >= BACK, note)


def keeps(session: Fall) -> bool:
    """Whether a session keeps its rate."""
    return session.during >= KEPT and session.least >= NEVER_BELOW


@claim("arf.anomaly", "recovery-newreno")
def anomaly(view: RunView) -> Ours:
    """Both sessions alike and the second far below its rate while the first is slow; then both are back."""
    fall, back = steps(view)
    series = sessions(view)
    slow, fast = (Fall.of(one, fall, back, view.run.summary["duration_s"], begin(view)) for one in series)
    low, high = sorted(one.between(fall, back - one.width).mean() for one in series)
    return Ours(
        high <= (1 + ALIKE) * low and fast.during < PULLED_DOWN and min(slow.stays, fast.stays) >= BACK,
        f"meanwhile {low:.2f} and {high:.2f} Mbit/s, the second {fast.during:.0%} of its rate; "
        f"afterwards {slow.stays:.0%} and {fast.stays:.0%}",
    )


@claim("arf.t5.aggregate", "t5-newreno", "t5-aware")
def aggregate(without: RunView, aware: RunView) -> Ours:
    """The printed sessions together after the fall, over what they had before: kept with the method alone."""
    views = (without, aware)
    old, new = (left(sum_of(sessions(view)[:PRINTED]), steps(view)[0], begin(view)) for view in views)
    return Ours(kept_by(old, new), f"{new:.0%} with the method, {old:.0%} without")


def kept_by(without: float, aware: float) -> bool:
    """Whether a sum is kept with the method, while it falls seriously without."""
    return without < PULLED_DOWN and aware >= SUM_KEPT and aware > MORE_LEFT * without


def left(series: Series, fall: float, start: float = 0.0) -> float:
    """The share of a series that is left a few seconds after the links have fallen, to the end."""
    before = series.between(settled(start, fall), fall - series.width).mean()
    return series.between(fall + BACK_WITHIN_S, math.inf).mean() / before


MEASURES.quantity("fairness")(fairness)


@MEASURES.quantity("sum")
def sum_of_all(view: RunView) -> float:
    """Throughput of all sessions, in kbit/s."""
    return math.fsum(throughputs(view))
