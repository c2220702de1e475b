"""The figures of runs on a terminal: flows as rows of one run, runs as columns of several."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from rich.table import Table

from airloom.analysis import key_figures
from airloom.analysis.compared_figures import compared
from airloom.analysis.key_figures import FEW, control, fairness
from airloom.analysis.scan_periods import whole_trips
from airloom.analysis.starved import sentences
from airloom.results.differing import differing
from airloom.support.formatting import count, known, number
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airloom.analysis.compared_figures import Group, Row
    from airloom.cli.screen import Screen
    from airloom.results.bundle import Run
    from airloom.results.summary import Node, Summary

GAP = 2
"""Blanks between two columns."""

LONGEST = 28
"""Characters of a flow's name that stand on one line."""

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


def show(screen: Screen, summary: Summary) -> None:
    """Prints the figures of one run: what is wrong first, then flows, nodes, and the rest in a line each."""
    screen.say(f"{summary['duration_s']:g} s simulated, seed {summary['seed']}", style="dim")
    for text in sentences(summary):
        screen.say(text, style="bold red")
    if summary["flows"]:
        screen.print(flow_table(summary, screen.width))
    rows = [node for node in summary["nodes"] if node.get("ampdus")]
    if rows:
        screen.say("")
        screen.print(node_table(rows))
    screen.say("")
    for line in rest(summary):
        screen.say(line)


def flow_table(summary: Summary, width: int) -> Table:
    """A row for each flow, and one for all together; as many columns as there is room for."""
    flows = summary["flows"]
    metrics = key_figures.metrics_of(flows)
    columns = {
        metric.key: [
            metric.short,
            metric.title,
            metric.unit,
            *(known(key_figures.value(flow, metric)) for flow in flows),
            *([known(key_figures.total(flows, metric))] if len(flows) > 1 else []),
        ]
        for metric in metrics
    }
    names = [flow["name"] for flow in flows] + (["all together"] if len(flows) > 1 else [])
    drivers = [control(flow) for flow in flows] + ([""] if len(flows) > 1 else [])
    widest = max(longest([summary]), len("all together"))
    room = width - min(LONGEST, widest) - GAP - max(map(len, drivers))
    for key in DISPENSABLE:
        if sum(GAP + max(map(len, column)) for column in columns.values()) > room:
            columns.pop(key, None)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    table.add_column("flow", overflow="fold", min_width=min(LONGEST, widest), max_width=LONGEST)
    table.add_column("")
    for head, *_ in columns.values():
        table.add_column(head, justify="right", no_wrap=True)
    table.add_row("", "", *(title for _, title, *_ in columns.values()), style="bold")
    table.add_row("", "", *(unit for _, _, unit, *_ in columns.values()), style="dim")
    for place, (name, driver) in enumerate(zip(names, drivers, strict=True)):
        style = "bold" if place == len(flows) else None
        table.add_row(name, driver, *(column[place + 3] for column in columns.values()), style=style)
    return table


def node_table(nodes: Sequence[Node]) -> Table:
    """A row for each radio that sent data; one for all stations where there are many."""
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    table.add_column("node", overflow="fold", max_width=LONGEST)
    heads = [*carriers(nodes), ("rate", "Mbit/s"), ("sent again", "MPDUs"), ("airtime", "%")]
    for head, _ in heads:
        table.add_column(head, justify="right", no_wrap=True)
    table.add_row("", *(unit for _, unit in heads), style="dim")
    stations = [node for node in nodes if node["kind"] == "station"]
    many = len(stations) > FEW
    for node in nodes:
        if not many or node["kind"] != "station":
            table.add_row(node["name"], *node_figures([node], nodes))
    if many:
        table.add_row(f"{len(stations)} stations", *node_figures(stations, nodes))
    return table


def carriers(nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """What nodes send their data in: A-MPDUs, unless each frame travels alone."""
    return [("A-MPDUs", ""), ("in each", "MPDUs")] if aggregate(nodes) else [("data frames", "")]


def aggregate(nodes: Sequence[Node]) -> bool:
    """Whether any of them sends several frames as one."""
    return any(node.get("mpdus_per_ampdu") not in (None, 1.0) for node in nodes)


def node_figures(some: Sequence[Node], nodes: Sequence[Node]) -> list[str]:
    """Sums of counts and of airtime, means of the rest."""
    sizes = [size for node in some if (size := node.get("mpdus_per_ampdu")) is not None]
    rates = [rate for node in some if (rate := node.get("mac_rate_mbps")) is not None]
    return [
        f"{sum(node.get('ampdus', 0) for node in some):,}",
        *([number(statistics.fmean(sizes)) if sizes else ""] if aggregate(nodes) else []),
        number(statistics.fmean(rates)) if rates else "",
        f"{sum(node.get('mpdu_retries', 0) for node in some):,}",
        f"{100 * sum(node.get('airtime_share', 0.0) for node in some):.1f}",
    ]


def rest(summary: Summary) -> Iterator[str]:
    """How fairly flows share, what was dropped, and the scans."""
    if not math.isnan(fair := fairness(summary)):
        yield f"fairness (Jain's index) {number(fair)}"
    dropped = sum(drop["count"] for drop in summary["drops"])
    yield f"{count(dropped, 'packet')} dropped" if dropped else "no packet dropped"
    scans = summary["scans"]
    skipped = sum(request["verdict"] == "skipped" for request in summary["scan_requests"])
    trips = [trip for scan in scans for trip in whole_trips(scan)]
    parts = [count(len(scans), "scan")] if scans or skipped else []
    if skipped:
        parts.append(f"{skipped} skipped")
    if trips:
        away = statistics.fmean(trip["home_s"] - trip["leaving_s"] for trip in trips)
        parts.append(f"{1e3 * away:.0f} ms away for each channel")
    if parts:
        yield ", ".join(parts)


def show_compared(screen: Screen, runs: Sequence[Summary], names: Sequence[str]) -> None:
    """Prints the figures of several runs, with the distance from the first one."""
    for name, run in zip(names, runs, strict=True):
        for text in sentences(run):
            screen.say(f"{name}: {text}", style="bold red")
    screen.print(compared_table(runs, names, screen.width))


def compared_table(runs: Sequence[Summary], names: Sequence[str], width: int = 0) -> Table:
    """The figures of several runs: a column for each, and one for the distances from the first if there is room."""
    rows = [
        (
            title_of(group, row) if not place or group.title == "Run" else "",
            row.name if group.title != "Run" else "",
            row,
        )
        for group in compared(runs)[0]
        for place, row in enumerate(group.rows)
    ]
    flows = list(dict.fromkeys(flow["name"] for run in runs for flow in run["flows"]))
    lone = len(flows) == 1
    taken = GAP + max(len(title) for title, _, _ in rows) + (0 if lone else GAP + longest(runs))
    roomy = width >= taken + sum(GAP + max(map(len, visible(name).split()), default=0) + CHANGE for name in names)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    table.add_column(flows[0] if lone else "", no_wrap=True)
    if not lone:
        table.add_column("", overflow="fold", min_width=min(LONGEST, longest(runs)))
    for place, name in enumerate(names):
        table.add_column(name, justify="right", overflow="fold")
        if place and roomy:
            table.add_column("", justify="right", style="dim", no_wrap=True)
    for title, name, row in rows:
        cells = []
        for place, cell in enumerate(row.cells):
            cells += [cell.value, cell.change] if place and roomy else [cell.value]
        table.add_row(title, *([] if lone else [name]), *cells)
    return table


CHANGE = 8
"""Characters of a column of distances."""


def title_of(group: Group, row: Row) -> str:
    """What a figure is, with its unit."""
    return row.name if group.title == "Run" else " ".join(filter(None, (group.title, group.unit)))


def longest(runs: Sequence[Summary]) -> int:
    """The length of the longest name of a flow."""
    return max((len(visible(flow["name"])) for run in runs for flow in run["flows"]), default=0)


def show_differing(screen: Screen, runs: Sequence[Run]) -> None:
    """Prints what tells the scenarios of runs apart."""
    apart = differing(runs)
    if not apart:
        return
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), show_header=False)
    table.add_column("", overflow="fold")
    for _ in runs:
        table.add_column("", justify="right", overflow="fold")
    for key, values in apart.items():
        table.add_row(key, *values)
    screen.say("")
    screen.say("what differs", style="bold")
    screen.print(table)
