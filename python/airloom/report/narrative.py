"""A run in words: the sentences at the head of the report."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.analysis.flow_sets import sets
from airloom.analysis.key_figures import MOST_LISTED, barren, carrying, control
from airloom.analysis.longest_wait import longest_wait
from airloom.analysis.own_times import ended_before, measured_over, partly, when
from airloom.analysis.scan_costs import felt
from airloom.analysis.scan_periods import START, whole_trips
from airloom.results.aggregates import addend
from airloom.results.summary import delivered_nothing, over_before
from airloom.support.formatting import capital, count, enumerated, number, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.flow_sets import FlowSet
    from airloom.analysis.run_view import RunView
    from airloom.results.series import Series
    from airloom.results.summary import FlowSummary, Summary


SLACK = 0.75
"""A window of which less than this share is in flight limits nothing."""

UNUSED = 0.1
"""A window of which less is in flight has grown without being used, as that of a host grows on that does not look at
what it uses: how large it is says nothing of the way."""


@dataclass(frozen=True)
class Visits:
    """A run's scans in numbers.

    Attributes:
        scans: How many ended within the run.
        channels: Channels visited in a scan, mean.
        away_ms: Time away for a channel, mean.
        length_s: Length of a scan, mean.
        every_s: The longest time from one scan's start to the next one's; not a number where there is only one.
    """

    scans: int
    channels: float
    away_ms: float
    length_s: float
    every_s: float


def visits(view: RunView) -> Visits | None:
    """The scans of a run; none if it has none."""
    scans = [(scan, end) for scan, end in view.scans if whole_trips(scan)]
    if not scans:
        return None
    starts = [scan["start_s"] for scan, _ in scans]
    return Visits(
        scans=len(scans),
        channels=statistics.fmean(len(scan["trips"]) for scan, _ in scans),
        away_ms=1e3 * statistics.fmean(trip["home_s"] - trip["leaving_s"] for trip in view.trips),
        length_s=statistics.fmean(end - scan["start_s"] for scan, end in scans),
        every_s=max((after - before for before, after in pairwise(starts)), default=math.nan),
    )


def settled(view: RunView, series: Series) -> Series:
    """A series without the start of the flows."""
    return series.where(lambda time: time >= view.periods.settled)


def lead(view: RunView) -> list[str]:
    """What happened, and why: of all flows together."""
    if not view.flows:
        return ["The scenario has no flows.", *roaming(view), *scanning(view)]
    if len(barren(view.flows)) == len(view.flows):
        return ["Nothing arrives.", *roaming(view), *scanning(view)]
    return [*delivered(view), *roaming(view), *answered(view), *scanning(view), *waiting(view), *lost(view)]


def waiting(view: RunView) -> list[str]:
    """Where packets waited longest."""
    told = longest_wait(view.run.summary, view.run.settings)
    return [f"{capital(told.briefly)}."] if told else []


def described(view: RunView) -> list[str]:
    """The flows in a few words each: their ends, and what drives them; many of them in one."""
    if len(view.flows) <= SHOWN:
        return [f"{flow['from']} \N{RIGHTWARDS ARROW} {flow['to']}, {control(flow)}" for flow in view.flows]
    drivers = dict.fromkeys(control(flow) for flow in view.flows)
    return [f"{len(view.flows)} flows, {enumerated(list(drivers))}"]


SHOWN = 3
"""Flows that the head of a page describes one by one."""


def delivered(view: RunView) -> list[str]:
    """What the flows that carry data deliver together, and how it is shared."""
    every = carrying(view.flows)
    if not every:
        return []
    gone = ended_before(view.run.summary)
    flows = [flow for flow in every if not over_before(flow)]
    if not flows:
        return [f"{text}." for text in gone]
    found = sets(view.run.summary)
    goodput, scans = view.busy(view.goodput), felt(view)
    normal = view.normal(goodput).mean()
    low = goodput.where(lambda time: scans.degraded(time, goodput.width)).min()
    those = "flows" if len(flows) == len(view.flows) else "flows that carry data"
    alone = "Goodput is" if len(view.flows) == 1 else f"{flows[0]['name']} gets"
    subject = alone if len(flows) == 1 else f"The {len(flows)} {those} get"
    jointly = "" if len(flows) == 1 else " together"
    # The only set that carries data is all of it, which the first sentence tells.
    several = sum(bool(carrying(one.flows)) for one in found) > 1
    parts = shares(flows) if len(flows) > 1 and not several else ""
    each = [grouped(one) for one in found if len(found) > 1 and (several or not carrying(one.flows))]
    each += [f"{text}." for text in gone]
    if not math.isnan(low) and not math.isnan(normal):
        of_each = over_which_time(view, flows) if not partly(flows) else "over its own time each"
        sentence = (
            f"{subject} {number(normal)} Mbit/s{jointly} while {outside(view)}, "
            f"and {'falls' if len(flows) == 1 else 'fall'} to {number(low)} Mbit/s ({share(low, normal)}) in the worst "
            f"{view.step} of a scan{parts.replace(': ', f'; {of_each} ', 1)}."
        )
        return [sentence, *each]
    own = ", each over its own time" if parts and partly(flows) else ""
    mean = together(flows) if len(flows) > 1 else flows[0]["goodput_mbps"]
    sentence = f"{subject} {number(mean)} Mbit/s{jointly} {over_which_time(view, flows)}{parts}{own}."
    return [sentence, *each, *steadily(view, flows)]


def outside(view: RunView) -> str:
    """What is so outside scans, of the one station with flows or of all."""
    return "the radio stays on its channel" if len(view.stations) == 1 else "no station scans"


def steadily(view: RunView, flows: Sequence[FlowSummary]) -> list[str]:
    """Whether what flows deliver falls, or stops, once they have settled and as long as any is under way."""
    ends = [flow["end_s"] for flow in flows if "end_s" in flow]
    finished, several = len(ends) == len(flows), len(flows) > 1
    last = f"{'The last flow' if several else 'It'} ends at {max(ends):.2f} s." if finished else ""
    left = view.run.summary["duration_s"] - view.begin - START
    if not finished and (math.isnan(view.normal(view.goodput).mean()) or left < START):
        return [too_short(view, left)]
    later = view.busy(settled(view, view.goodput))
    if not later.known():
        return [last] if last else []
    if silent := later.width * sum(value == 0 for value in later.known()):
        of = " of any flow" if several else ""
        return [f"{after(view)} nothing{of} arrives for {silent:g} s in all.", *filter(None, [last])]
    fall = "falls" if view.step == "second" else "fall"
    # What one of them gets may stand before it.
    of = " of all flows together" if several else ""
    return [f"{after(view)} no {view.step}{of} {fall} below {number(later.min())} Mbit/s.", *filter(None, [last])]


def too_short(view: RunView, left: float) -> str:
    """What is said of a run of which so many seconds are left once its flows have settled."""
    ends = f"goes on for {left:.1f} s only after" if left > 0 else "ends within"
    if not view.begin:
        which = f"The run {ends} its first {START:.0f} seconds"
    else:
        which = f"Data begin at {round(view.begin, 2):g} s, and the run {ends} the {START:.0f} seconds from there on"
    return f"{which}, in which windows and queues grow; a longer one says more."


def after(view: RunView) -> str:
    """From when on flows have settled."""
    return f"After the first {START:.0f} seconds" if not view.begin else f"From {round(view.periods.settled, 2):g} s on"


def together(flows: Sequence[FlowSummary]) -> float:
    """The goodput of flows together, over the time that was measured."""
    return math.fsum(addend("goodput_mbps", flow) or 0.0 for flow in flows)


def over_which_time(view: RunView, flows: Sequence[FlowSummary]) -> str:
    """The time that a goodput is of: of a lone flow its own, of several that which was measured."""
    return when(flows[0]) if len(flows) == 1 and partly(flows) else measured_over(view.run.summary)


def measured(runs: Sequence[Summary]) -> str:
    """The time that the figures of several runs are of, in a sentence."""
    begins = list(dict.fromkeys(run.get("warm_up_s", 0.0) for run in runs))
    if not any(begins):
        return "Of the whole runs."
    ends = list(dict.fromkeys(run["duration_s"] for run in runs))
    if len(begins) == len(ends) == 1:
        return f"From {begins[0]:g} s to {ends[0]:g} s of each run."
    each = [f"from {run.get('warm_up_s', 0.0):g} s to {run['duration_s']:g} s" for run in runs]
    return f"Of each run a part: {enumerated(each)}."


def grouped(one: FlowSet) -> str:
    """What a set of flows gets: its goodput, or its delay where the application sets the rate."""
    flows, several = one.flows, len(one.flows) > 1
    whose = f"{len(flows)} {one.what}s{f' of {one.name}' if one.name else ''}" if several else flows[0]["name"]
    if any(flow["kind"] == "tcp" for flow in flows):
        goodputs = carrying(flows)
        if not several:
            own = f" {when(flows[0])}" if partly(flows) else ""
            return f"{whose} gets {number(flows[0]['goodput_mbps'])} Mbit/s{own}."
        each = ", each over its own time" if partly(goodputs) else ""
        return f"The {whose} get {number(together(goodputs))} Mbit/s together{shares(goodputs)}{each}."
    found = [(flow.get("delay_p95_ms", flow.get("rtt_p95_ms")), flow["name"]) for flow in flows]
    known = [(delay, name) for delay, name in found if delay is not None]
    if not known:
        if flows[0]["kind"] == "ping":
            return f"No ping of {'the ' if several else ''}{whose} is answered that was sent in the time measured."
        what = "nothing" if all(map(delivered_nothing, flows)) else "nothing that was sent in the time measured"
        return f"{'The ' if several else ''}{whose} deliver{'' if several else 's'} {what}."
    worst, name = max(known)
    what = "of its round trips" if flows[0]["kind"] == "ping" else "of its packets"
    if not several:
        return f"{whose} has 95 % {what} within {number(worst)} ms."
    silent = f", and {len(flows) - len(known)} deliver nothing" if len(known) < len(flows) else ""
    return f"Of the {whose}, the worst ({name}) has 95 % {what} within {number(worst)} ms{others(known)}{silent}."


def others(delays: list[tuple[float, str]]) -> str:
    """The delays of some flows, each with its name, beside the worst: the other one of two, the median of more."""
    if len(delays) == 1:
        return ""
    best, name = min(delays)
    if len(delays) == 2:  # noqa: PLR2004 - the median of two is of neither
        return f", the other ({name}) within {number(best)} ms"
    return f", the median one within {number(statistics.median(delay for delay, _ in delays))} ms"


def shares(flows: list[FlowSummary]) -> str:
    """What each of some flows gets, the greatest first; of many, the extremes and the median."""
    if len(flows) <= SHOWN:
        each = [f"{flow['name']} ({control(flow)}) {number(flow['goodput_mbps'])}" for flow in flows]
        return f": {enumerated(each)}"
    most, least = flows[0], flows[-1]
    middle = statistics.median(flow["goodput_mbps"] for flow in flows)
    return (
        f": from {number(least['goodput_mbps'])} ({least['name']}) to {number(most['goodput_mbps'])} ({most['name']}), "
        f"half of them more than {number(middle)}"
    )


def answered(view: RunView) -> list[str]:
    """The fate of pings."""
    pings = [flow for flow in view.flows if flow["kind"] == "ping"]
    if not pings or len(pings) > MOST_LISTED:
        return []
    sentences = []
    for flow in pings:
        name = f" of {flow['name']}" if len(view.flows) > 1 else ""
        within = f", half of them within {number(flow['rtt_median_ms'])} ms" if flow["answered"] else ""
        verb = "is" if flow["sent"] == 1 else "are"
        on_the_way = flow["sent"] - flow["answered"] - flow["lost"]
        last = f"; {on_the_way:,} {'is' if on_the_way == 1 else 'are'} still on the way" if on_the_way else ""
        sentences.append(f"{ratio(flow['answered'], flow['sent'], 'ping')}{name} {verb} answered{within}{last}.")
    return sentences


def ratio(part: int, whole: int, what: str) -> str:
    """Some of so many things."""
    return f"All {count(whole, what)}" if part == whole > 1 else f"{part:,} of {count(whole, what)}"


def roaming(view: RunView) -> list[str]:
    """How often stations roam, and the most that it costs; nothing where nobody does."""
    roams = view.run.summary.get("roams", [])
    if not roams:
        return []
    stations = list(dict.fromkeys(roam["station"] for roam in roams))
    who = f"Station {stations[0]} roams" if len(stations) == 1 else f"{len(stations)} stations roam"
    many = count(len(roams), "time") if len(stations) == 1 else f"{count(len(roams), 'time')} in all"
    gaps = [roam["gap_ms"] for roam in roams if roam["gap_ms"] is not None]
    stalls = [roam["tcp_stall_ms"] for roam in roams if roam["tcp_stall_ms"] is not None]
    costs = [f"the longest time without data is {max(gaps):,.0f} ms"] if gaps else []
    costs += [f"TCP waits for up to {max(stalls):,.0f} ms"] if stalls else []
    return [f"{who} {many}{': ' if costs else ''}{', and '.join(costs)}."]


def scanning(view: RunView) -> list[str]:
    """How often and how long the radio is away, and what the remedy did about it; nothing where nothing scans."""
    scans = visits(view)
    unfinished = sum(scan.get("end_s") is None for scan in view.run.summary["scans"])
    sentences = []
    if scans:
        many = f"Each of the {scans.scans} scans" if scans.scans > 1 else "The one scan"
        many += " that ended" if unfinished else ""
        sentences.append(
            f"{many} takes the radio off its channel {count(round(scans.channels), 'time')} "
            f"for {scans.away_ms:.0f} ms, spread over {scans.length_s:.1f} s."
        )
    if unfinished:
        sentences.append(f"{count(unfinished, 'scan')} had not ended with the run.")
    skipped = sum(request["verdict"] == "skipped" for request in view.run.summary["scan_requests"])
    if skipped:
        asked = len(view.run.summary["scan_requests"])
        sentences.append(f"The remedy skipped {skipped} of {count(asked, 'scan request')}.")
    return sentences


def lost(view: RunView) -> list[str]:
    """What was lost, and what limits a lone flow that loses nothing."""
    sentences = []
    tcp = [flow for flow in view.flows if flow["kind"] == "tcp" and flow["bytes_delivered"]]
    if tcp:
        again = sum(flow["retransmissions"] for flow in tcp)
        timeouts = sum(flow["timeouts"] for flow in tcp)
        if again:
            suffered = f"suffers {count(timeouts, 'timeout')}" if timeouts else "no timeout comes"
            sentences.append(f"TCP retransmits {count(again, 'segment')}, and {suffered}.")
        else:
            sentences.append(unlost(view) if len(tcp) == 1 else "TCP never retransmits.")
    datagrams = [flow for flow in view.flows if flow["kind"] == "udp"]
    if datagrams:
        sent, gone = (sum(flow[key] for flow in datagrams) for key in ("sent", "lost"))
        sentences.append(f"Of {count(sent, 'datagram')} sent, {gone or 'none':{',' if gone else ''}} got lost.")
    return sentences


def unlost(view: RunView) -> str:
    """What limits the first flow, whose window no loss does."""
    window = settled(view, view.tcp("cwnd"))
    if math.isnan(window.mean()):
        return "TCP never retransmits."
    flying = settled(view, view.tcp("in_flight")).mean()
    if flying < SLACK * window.mean():
        far = flying < UNUSED * window.mean()
        much = "of the many more that it would let go" if far else f"of {number(window.mean())} packets"
        return (
            f"TCP never retransmits, and its window is not what limits it: {after(view)[0].lower()}{after(view)[1:]}, "
            f"{much} only {number(flying)}{' packets' if far else ''} are in flight."
        )
    return f"TCP never retransmits; its window reaches {number(window.max())} packets."
