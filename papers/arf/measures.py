"""What our runs say about TCP that knows its link rate: throughputs, and the fairness of equations (1) to (3)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView

MEASURES = Measures()
claim = MEASURES.claim

PRINTED = 4
"""Table 5 prints this many of its five sessions."""

KEPT = 0.9
"""A session keeps its rate when it never has less than this share of it: the session of which the text says so has 93
to 97 % of it by Tables 1 and 2 (998 kbit/s beside a session that falls; 1031 and 1070 where none does)."""

BACK = 0.9
"""A session is back at its share when it has this share of its earlier rate."""

BACK_WITHIN_S = 5.0
"""A few seconds: the longest time that may pass until a session is back, and over which its rate is a mean."""


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
def first(view: RunView) -> Ours:
    """Throughput of the first session, in kbit/s."""
    return session(view, 0)


@claim("arf.t1.newreno.s2", "t1-newreno")
@claim("arf.t1.aware.s2", "t1-aware")
def second(view: RunView) -> Ours:
    """Throughput of the second session, in kbit/s."""
    return session(view, 1)


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
def gain(without: RunView, aware: RunView) -> Ours:
    """All sessions with the method over without."""
    before, after = math.fsum(throughputs(without)), math.fsum(throughputs(aware))
    return Ours(after / before, in_kbit([before, after]))


@claim("arf.t1.newreno.jain", "t1-newreno")
@claim("arf.t1.aware.jain", "t1-aware")
@claim("arf.t2.jain", "t2")
@claim("arf.t4.newreno.jain", "t4-newreno")
@claim("arf.t4.aware.jain", "t4-aware")
def jain(view: RunView) -> Ours:
    """Fairness index."""
    return Ours(fairness(view), in_kbit(throughputs(view)))


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
@claim("arf.t5.aware.jain", "t5-aware")
def printed_jain(view: RunView) -> Ours:
    """Fairness index of the sessions that Table 5 prints."""
    return Ours(fairness(view, PRINTED), f"of all sessions {fairness(view):.3f}")


@claim("arf.recovery", "recovery-aware")
def recovery(view: RunView) -> Ours:
    """Whether the second session keeps its rate throughout, and when the first is back at its share."""
    slow, fast = (view.run.table.get(flow["name"], "goodput").dense() for flow in view.flows)
    scenario = view.run.settings
    fall, back = (number(step["at"]) for step in scenario["station"][0]["rate"][1:])
    settled, end = fall / 4, view.run.summary["duration_s"]
    before = [series.between(settled, fall - series.width).mean() for series in (slow, fast)]
    starts = [at for at in fast.times if fall <= at <= end - BACK_WITHIN_S]
    least = min(fast.between(at, at + BACK_WITHIN_S - fast.width).mean() for at in starts) / before[1]
    seconds = [
        at for at, value in zip(slow.times, slow.values, strict=True) if at >= back and value >= BACK * before[0]
    ]
    until = seconds[0] - back if seconds else math.nan
    stays = slow.between(back + BACK_WITHIN_S, end).mean() / before[0]
    note = (
        f"the second has {least:.0%} of its rate in the worst {BACK_WITHIN_S:.0f} s; "
        f"the first is back after {until:.0f} s, and has {stays:.0%} from then on"
    )
    return Ours(least >= KEPT and until <= BACK_WITHIN_S and stays >= BACK, note)


MEASURES.quantity("fairness")(fairness)


@MEASURES.quantity("sum")
def sum_of_all(view: RunView) -> float:
    """Throughput of all sessions, in kbit/s."""
    return math.fsum(throughputs(view))
