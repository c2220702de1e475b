"""A run in words: the sentences at the head of the report, and the figures on its cards."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.analysis.scan_periods import START
from airloom.support.formatting import count, number, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.analysis.run_view import RunView
    from airloom.report.comparison import ComparedRun
    from airloom.results.series import Series


SLACK = 0.75
"""A window of which less than this share is in flight limits nothing."""


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
    scans = [(scan, end) for scan, end in view.scans if scan["trips"]]
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


def settled(series: Series) -> Series:
    """A series without the run's start."""
    return series.where(lambda time: time >= START)


def lead(view: RunView) -> list[str]:
    """What happened, and why."""
    goodput = view.tcp("goodput")
    normal, low = view.normal(goodput).mean(), view.degraded(goodput).min()
    scans = visits(view)
    sentences = []
    if not view.flows:
        sentences.append("No data is sent.")
    elif view.flow["kind"] == "ping":
        flow = view.flow
        sentences.append(
            f"{flow['answered']} of {count(flow['sent'], 'ping')} are answered, half of them within "
            f"{number(flow['rtt_median_ms'])} ms."
        )
    elif view.flow["bytes_delivered"] == 0:
        return ["Nothing arrives: the connection never came about, or nothing of it got through."]
    elif math.isnan(normal):
        mean = view.flow["goodput_mbps"]
        sentences.append(
            f"Goodput is {number(mean)} Mbit/s over all. The run ends before TCP has settled, "
            f"which takes {START:.0f} seconds; a longer one says more."
        )
    elif scans and not math.isnan(low):
        sentences.append(
            f"Goodput is {number(normal)} Mbit/s while the radio stays on its channel, "
            f"and falls to {number(low)} Mbit/s ({share(low, normal)}) in the worst second of a scan."
        )
    else:
        worst = settled(goodput).min()
        sentences.append(
            f"Goodput is {number(normal)} Mbit/s; after the first {START:.0f} seconds, "
            f"no second falls below {number(worst)} Mbit/s."
        )
    if scans:
        many = f"Each of the {scans.scans} scans" if scans.scans > 1 else "The one scan"
        sentences.append(
            f"{many} takes the radio off its channel {scans.channels:.0f} times for {scans.away_ms:.0f} ms, "
            f"spread over {scans.length_s:.1f} s."
        )
    skipped = sum(request["verdict"] == "skipped" for request in view.run.summary["scan_requests"])
    if skipped:
        asked = len(view.run.summary["scan_requests"])
        sentences.append(f"The remedy skipped {skipped} of {asked} scan requests.")
    if view.flows:
        sentences.append(losses(view))
    return sentences


def losses(view: RunView) -> str:
    """What was lost."""
    flow = view.flow
    if flow["kind"] != "tcp":
        what = "datagram" if flow["kind"] == "udp" else "ping"
        return f"Of {count(flow['sent'], what)} sent, {flow['lost']:,} are lost."
    if flow["retransmissions"] == 0:
        window = settled(view.tcp("cwnd"))
        if math.isnan(window.mean()):
            return "TCP never retransmits."
        flying = settled(view.tcp("in_flight")).mean()
        if flying < SLACK * window.mean():
            return (
                f"TCP never retransmits, and its window is not what limits it: "
                f"of {number(window.mean())} packets only {number(flying)} are in flight."
            )
        return f"TCP never retransmits; its window reaches {number(window.max())} packets."
    timeouts = count(flow["timeouts"], "timeout")
    return f"TCP retransmits {count(flow['retransmissions'], 'segment')} and suffers {timeouts}."


@dataclass(frozen=True)
class Card:
    """One key figure; `others` are the same figure of the runs beside it."""

    label: str
    value: str
    unit: str
    note: str
    others: list[tuple[int, str]] = field(default_factory=list)


def cards(runs: Sequence[ComparedRun]) -> list[Card]:
    """The key figures of the first run, each with those of the run laid over it."""
    first, *others = [figures(one.view) for one in runs]
    values = [{card.label: card.value for card in column} for column in others]
    return [
        Card(
            card.label,
            card.value,
            card.unit,
            card.note,
            # A run of other flows has other figures.
            [(index, column[card.label]) for index, column in enumerate(values, start=1) if card.label in column],
        )
        for card in first
    ]


def figures(view: RunView) -> list[Card]:
    """The key figures of one run."""
    if not view.flows:
        return absence(view)
    head, second, *rest = {"tcp": tcp, "udp": datagrams, "ping": pings}[view.flow["kind"]](view)
    return [head, second, *absence(view), *rest, *sharing(view)]


def goodputs(view: RunView) -> list[Card]:
    """How much arrives, and how much in the worst second."""
    goodput, flow = view.tcp("goodput"), view.flow
    normal = view.normal(goodput).mean()
    tail = settled(goodput)
    worst = tail.min()
    at = next((t for t, v in zip(tail.times, tail.values, strict=True) if v == worst), math.nan)
    return [
        Card("Goodput", number(normal), "Mbit/s", f"{number(flow['goodput_mbps'])} over the whole run"),
        Card("Worst second", number(worst), "Mbit/s", f"{share(worst, normal)} of normal, at {number(at)} s"),
    ]


def ampdus(view: RunView) -> Card:
    """How often the radio sends."""
    often, size = view.normal(view.mac("ampdus")).mean(), view.normal(view.mac("mpdus_per_ampdu")).mean()
    if size == 1.0:
        return Card("Data frames", number(often), "per second", "each alone")
    return Card("A-MPDUs", number(often), "per second", f"{number(size)} MPDUs in each")


def tcp(view: RunView) -> list[Card]:
    """The reaction of TCP and of the radio that carries it."""
    flow, rtt = view.flow, view.tcp("rtt")
    return [
        *goodputs(view),
        Card("Window", number(flow["cwnd_mean"]), "packets", f"{number(flow['cwnd_max'])} at most"),
        Card("Retransmissions", f"{flow['retransmissions']:,}", "", count(flow["timeouts"], "timeout")),
        Card("Round-trip time", number(view.normal(rtt).mean()), "ms", during(view.degraded(rtt).mean())),
        ampdus(view),
    ]


def datagrams(view: RunView) -> list[Card]:
    """The fate of the datagrams of a UDP flow."""
    flow, delay = view.flow, view.tcp("delay")
    return [
        *goodputs(view),
        Card("Datagrams lost", f"{flow['lost']:,}", "", f"of {flow['sent']:,} sent"),
        Card("Delay, one way", number(view.normal(delay).mean()), "ms", during(view.degraded(delay).mean())),
        ampdus(view),
    ]


def pings(view: RunView) -> list[Card]:
    """The fate of pings."""
    flow = view.flow
    return [
        Card("Ping, median", number(flow["rtt_median_ms"]), "ms", f"{number(flow['rtt_mean_ms'])} on the mean"),
        Card("Ping, 95 %", number(flow["rtt_p95_ms"]), "ms", f"{number(flow['rtt_max_ms'])} at most"),
        Card("Pings lost", f"{flow['lost']:,}", "", f"of {flow['sent']:,} sent"),
    ]


def sharing(view: RunView) -> list[Card]:
    """How fairly the flows share, if there are several."""
    summary = view.run.summary
    goodputs = [flow["goodput_mbps"] for flow in view.flows if "goodput_mbps" in flow]
    if len(goodputs) < 2:  # noqa: PLR2004 - one flow shares with no other
        return []
    ends = f"goodputs from {number(min(goodputs))} to {number(max(goodputs))} Mbit/s"
    cards = [Card("Fairness", number(summary["jain"]), "Jain's index", ends)]
    stations = summary["airtime"]["by_station"]
    if len(stations) > 1:
        most = max(stations, key=lambda name: stations[name])
        note = f"held by {most}, of what {len(stations)} stations use"
        cards.append(Card("Airtime", f"{100 * stations[most]:.0f}", "%", note))
    return cards


def absence(view: RunView) -> list[Card]:
    """How much of the time the radio was elsewhere."""
    scans = visits(view)
    return [
        Card("Scans", str(scans.scans if scans else 0), "", spacing(view, scans)),
        Card(
            "Time away",
            f"{scans.channels:.0f} × {scans.away_ms:.0f}" if scans else "0",  # noqa: RUF001 - the sign of multiplication
            "ms",
            f"within {scans.length_s:.1f} s of a scan" if scans else "the radio never leaves its channel",
        ),
    ]


def spacing(view: RunView, scans: Visits | None) -> str:
    """How often the station scans."""
    asked = len(view.run.summary["scan_requests"])
    if scans is None:
        return f"{asked} requested" if asked else "none requested"
    return count(asked, "request") if math.isnan(scans.every_s) else f"at most {scans.every_s:.0f} s apart"


def during(value: float) -> str:
    """A figure's counterpart in the scans."""
    return "no scan to compare with" if math.isnan(value) else f"{number(value)} ms during scans"
