"""The figures of runs on a terminal: flows as rows of one run, runs as columns of several."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from rich.table import Table

from airloom.analysis import compared_notes, key_figures
from airloom.analysis.compared_figures import compared
from airloom.analysis.cut_short import cut_short
from airloom.analysis.flow_rows import of_set
from airloom.analysis.flow_sets import sets
from airloom.analysis.idle_settings import unused
from airloom.analysis.key_figures import MOST_LISTED, fairness
from airloom.analysis.longest_wait import longest_wait
from airloom.analysis.own_times import own_times
from airloom.analysis.scan_periods import whole_trips
from airloom.analysis.send_buffers import bounded
from airloom.analysis.standstill import standstills
from airloom.analysis.starved import sentences
from airloom.analysis.stranded import stranded
from airloom.analysis.trends import trends
from airloom.cli.blocks import LONGEST
from airloom.results.differing import differing
from airloom.results.summary import causes, lasted
from airloom.support.formatting import count, enumerated, known, number
from airloom.support.statistics import weighted_mean
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from airloom.analysis.compared_figures import Figure, FigureRow
    from airloom.analysis.flow_sets import FlowSet
    from airloom.cli.screen import Screen
    from airloom.results.bundle import Run
    from airloom.results.summary import Link, Node, Roam, Summary

GAP = 2
"""Blanks between two columns."""

DISPENSABLE = (
    "rtt_mean_ms",
    "delay_mean_ms",
    "rpm",
    "cwnd_mean",
    "delay_p99_ms",
    "rtt_p99_ms",
    "delay_median_ms",
    "rtt_median_ms",
    "delay_p95_ms",
    "rtt_p95_ms",
)
"""Columns that give way where a terminal is too narrow, in this order."""


def show(screen: Screen, summary: Summary, settings: Mapping[str, Any] | None = None) -> None:
    """Prints the figures of one run: what is wrong first, then flows, nodes, and the rest in a line each.

    Args:
        screen: Where to.
        summary: What was measured.
        settings: The resolved scenario, where it is at hand.
    """
    screen.say(f"{lasted(summary)}, seed {summary['seed']}", style="dim")
    for text in (*sentences(summary), *stranded(summary), *standstills(summary)):
        screen.fold(text, indent=0, style="bold red")
    found = sets(summary)
    for one in found:
        if len(found) > 1:
            screen.say(one.title, style="bold")
        screen.table(flow_table(one, screen.width, several=len(found) > 1), labels=2)
        if len(found) > 1:
            screen.say("")
    if len(found) > 1:
        screen.fold(together(summary), indent=0)
    for text in own_times(summary):
        screen.fold(text, indent=0)
    rows = [node for node in summary["nodes"] if node.get("ampdus")]
    if rows:
        screen.say("")
        screen.table(node_table(rows, {roam["station"] for roam in summary.get("roams", [])}))
    screen.say("")
    for line in rest(summary, settings):
        screen.fold(line, indent=0)
    for roam in summary.get("roams", []):
        screen.fold(roamed(roam), indent=0)


def flow_table(one: FlowSet, width: int, *, several: bool = False) -> Table:
    """A row for each of few flows, for what is said of many, and for all together; as many columns as have room."""
    metrics = key_figures.metrics_of(one.flows)
    rows, _ = of_set(one, metrics, several=several)
    columns = {
        metric.key: [metric.short, metric.title, metric.unit, *(known(row.values[place]) for row in rows)]
        for place, metric in enumerate(metrics)
    }
    notes = ["" if len(one.flows) > MOST_LISTED and row.flow is None else row.note for row in rows]
    widest = max(len(visible(row.name)) for row in rows)
    room = width - min(LONGEST, widest) - GAP - max(map(len, notes))
    needed = width - room + wide(columns.values())
    left_out = {}
    for key in DISPENSABLE:
        if key in columns and wide(columns.values()) > room:
            left_out[key] = columns.pop(key)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    if left_out:
        figures = [" ".join(filter(None, column[:2])) for column in left_out.values()]
        table.caption = f"left out, since they need a terminal of {needed} columns: {enumerated(figures)}"
    table.add_column("flow")
    table.add_column("")
    for head, *_ in columns.values():
        table.add_column(head, justify="right")
    table.add_row("", "", *(title for _, title, *_ in columns.values()), style="bold")
    table.add_row("", "", *(unit for _, _, unit, *_ in columns.values()), style="dim")
    for place, (row, note) in enumerate(zip(rows, notes, strict=True)):
        style = "bold" if row.is_sum else None
        table.add_row(row.name, note, *(column[place + 3] for column in columns.values()), style=style)
    return table


def wide(columns: Iterable[Sequence[str]]) -> int:
    """Characters of a line across columns."""
    return sum(GAP + max(map(len, column)) for column in columns)


def together(summary: Summary) -> str:
    """The figures of all flows that add up, in a line."""
    metrics = [metric for metric in key_figures.metrics_of(summary["flows"]) if metric.adds]
    sums = [(metric, key_figures.total(summary["flows"], metric)) for metric in metrics]
    said = [f"{metric.short} {number(value)}{metric.unit and ' ' + metric.unit}" for metric, value in sums]
    return f"all together: {', '.join(said)}"


def node_table(nodes: Sequence[Node], roaming: Collection[str] = ()) -> Table:
    """A row for each radio that sent data, and for each of several links; one for all stations where there are many.

    Args:
        nodes: The radios.
        roaming: The stations that went to other access points than that which their node names.
    """
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    table.add_column("node")
    heads = [*carriers(nodes), ("rate", "Mbit/s"), ("sent again", "MPDUs"), ("airtime", "%")]
    for head, _ in heads:
        table.add_column(head, justify="right")
    table.add_row("", *(unit for _, unit in heads), style="dim")
    stations = [node for node in nodes if node["kind"] == "station"]
    many = len(stations) > MOST_LISTED
    for node in nodes:
        if not many or node["kind"] != "station":
            first = " first" if node["name"] in roaming else ""
            place = f" at {node['ap']}{first}" if "ap" in node else ""
            table.add_row(f"{node['name']}{place}", *node_figures([node], nodes))
            for link in node.get("links", ()):
                called = f"  channel {link['channel']} at {link['band']}"
                table.add_row(called, *node_figures([link], nodes), style="dim")
    if many:
        table.add_row(f"{len(stations)} stations", *node_figures(stations, nodes))
    return table


def carriers(nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """What nodes send their data in: A-MPDUs, unless each frame travels alone."""
    return [("A-MPDUs", ""), ("in each", "MPDUs")] if aggregate(nodes) else [("data frames", "")]


def aggregate(nodes: Sequence[Node]) -> bool:
    """Whether any of them sends several frames as one."""
    return any(node.get("mpdus_per_ampdu") not in (None, 1.0) for node in nodes)


def node_figures(some: Sequence[Node | Link], nodes: Sequence[Node]) -> list[str]:
    """Sums of counts and of airtime; of the rest, which is per PPDU, the mean over all PPDUs of these nodes."""
    size = per_ppdu(some, [node.get("mpdus_per_ampdu") for node in some])
    rate = per_ppdu(some, [node.get("mac_rate_mbps") for node in some])
    return [
        f"{sum(node.get('ampdus', 0) for node in some):,}",
        *([size] if aggregate(nodes) else []),
        rate,
        f"{sum(node.get('mpdu_retries', 0) for node in some):,}",
        f"{100 * sum(node.get('airtime_share', 0.0) for node in some):.1f}",
    ]


def per_ppdu(nodes: Sequence[Node | Link], values: Sequence[float | None]) -> str:
    """A mean per PPDU over some nodes: those that sent more count for more."""
    mean = weighted_mean((value, node.get("ampdus", 0)) for node, value in zip(nodes, values, strict=True) if value)
    return "" if mean is None else number(mean)


def rest(summary: Summary, settings: Mapping[str, Any] | None = None) -> Iterator[str]:
    """How fairly flows share, what was dropped, what has not settled, where packets waited, and the scans."""
    part = summary.get("jain_time_share", 1.0)
    if not math.isnan(fair := fairness(summary)):
        yield f"fairness (Jain's index of flows that always have more to send) {number(fair)}"
        if part < 1:
            # Never all of it, which it is not.
            yield f"  over the {100 * min(part, 0.999):.3g}% of the time in which all of them are under way"
    elif part == 0:
        yield "no fairness (Jain's index): flows that always have more to send are never all under way at once"
    dropped = sum(drop["count"] for drop in summary["drops"])
    yield f"{count(dropped, 'packet')} dropped" if dropped else "no packet dropped"
    yield from trends(summary, settings)
    yield from filter(None, [bounded(summary, settings or {}), cut_short(summary, settings or {})])
    yield from map(str, filter(None, [longest_wait(summary, settings)]))
    if (idle := unused(summary)) is not None:
        yield from idle.split("; ")  # a line each: together they are longer than a terminal is wide
    scans = summary["scans"]
    skipped = sum(request["verdict"] == "skipped" for request in summary["scan_requests"])
    trips = [trip for scan in scans for trip in whole_trips(scan)]
    parts = [count(len(scans), "scan")] if scans or skipped else []
    if skipped:
        parts.append(f"{skipped} skipped")
    if trips:
        away = statistics.fmean(trip["home_s"] - trip["leaving_s"] for trip in trips)
        parts.append(f"{1e3 * away:.0f} ms away each time on average")
    if parts:
        yield ", ".join(parts)


def roamed(roam: Roam) -> str:
    """A roam in a line: where to, when, for how long no data went, and what TCP saw of it."""
    way = f"{roam['station']} from {roam['from']} to {roam['to'] or 'no access point'}"
    why = causes(roam)
    if roam["left_s"] is None or roam["associated_s"] is None:
        parts, so_far = [f"{way}: not there before the run ended", *why], " so far"
    else:
        length = 1e3 * (roam["associated_s"] - roam["left_s"])
        parts, so_far = [f"{way} at {roam['left_s']:.2f} s", *why, f"associated after {length:.0f} ms"], ""
    if (gap := roam["gap_ms"]) is not None:
        parts.append(f"{gap:,.0f} ms without data{so_far}")
    if (stall := roam["tcp_stall_ms"]) is not None:
        parts.append(f"TCP waited for {stall:,.0f} ms{so_far}")
    if roam["lost_in_buffer"]:
        parts.append(f"{roam['lost_in_buffer']:,} lost in buffers")
    return ", ".join(parts)


def show_compared(screen: Screen, runs: Sequence[Summary], names: Sequence[str]) -> None:
    """Prints the figures of several runs, with the distance from the first one."""
    for text in compared_notes.wrong(names, runs):
        screen.fold(text, indent=0, style="bold red")
    for text in (*compared_notes.unsettled(names, runs), *compared_notes.of_figures(names, runs)):
        screen.fold(text, indent=0)
    screen.table(compared_table(runs, names, screen.width), labels=1 if one_flow(runs) is not None else 2)


def compared_table(runs: Sequence[Summary], names: Sequence[str], width: int = 0) -> Table:
    """The figures of several runs: a column for each, and one for the distances from the first if there is room."""
    figures = compared(runs)[0]
    rows = [
        (
            title_of(figure, row) if not place or figure.title == "Run" else "",
            row.name if figure.title != "Run" else "",
            row,
            figure.flows,
        )
        for figure in figures
        for place, row in enumerate(figure.rows)
    ]
    lone = one_flow(runs)
    widest = max((len(visible(name)) for _, name, *_ in rows), default=0)
    taken = GAP + max(len(title) for title, *_ in rows) + (GAP + widest if lone is None else 0)
    needed = taken + sum(GAP + max(map(len, visible(name).split()), default=0) + CHANGE for name in names)
    roomy = width >= needed
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    if not roomy:
        table.caption = f"the distances from {names[0]} have room in {needed} columns"
    table.add_column(lone or "")
    if lone is None:
        table.add_column("")
    for place, name in enumerate(names):
        table.add_column(name, justify="right")
        if place and roomy:
            table.add_column("", justify="right", style="dim")
    above = ""
    for title, name, row, own in rows:
        if own != above:
            table.add_row(own, style="bold")
            above = own
        cells = []
        for place, cell in enumerate(row.cells):
            cells += [cell.value, cell.change] if place and roomy else [cell.value]
        table.add_row(title, *([name] if lone is None else []), *cells)
    return table


def one_flow(runs: Sequence[Summary]) -> str | None:
    """The name of the flow that runs have, if it is one alone."""
    names = {flow["name"] for run in runs for flow in run["flows"]}
    return names.pop() if len(names) == 1 else None


CHANGE = 8
"""Characters of a column of distances."""


def title_of(figure: Figure, row: FigureRow) -> str:
    """What a figure is, with its unit."""
    return row.name if figure.title == "Run" else " ".join(filter(None, (figure.title, figure.unit)))


def show_differing(screen: Screen, runs: Sequence[Run], names: Sequence[str]) -> None:
    """Prints what tells the scenarios of runs apart, and what of that changed nothing."""
    apart = differing(runs)
    if not apart:
        return
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), show_header=False)
    table.add_column("")
    for _ in runs:
        table.add_column("", justify="right")
    for key, values in apart.items():
        table.add_row(key, *values)
    screen.say("")
    screen.say("what differs", style="bold")
    screen.table(table)
    for text in compared_notes.of_scenarios(names, [run.summary for run in runs], apart):
        screen.fold(text, indent=0)
