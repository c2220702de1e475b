"""Tables on a terminal."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from rich.styled import Styled
from rich.table import Table

from airloom.analysis.scan_periods import whole_trips
from airloom.results.differing import differing
from airloom.support.formatting import interval, number, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.papers.scorer import Score
    from airloom.results.bundle import Run
    from airloom.results.summary import FlowSummary, Node, Summary
    from airloom.sweep.query import Shown

STYLES = {"holds": "green", "misses": "bold red", "not run": "dim"}


def summaries(runs: Sequence[Summary], names: Sequence[str] | None = None) -> Table:
    """The figures of some summaries, one column for each; the names head the columns."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=names is not None)
    table.add_column("", overflow="fold")
    for index in range(len(runs)):
        table.add_column(names[index] if names else "", justify="right", overflow="fold")
    rows: dict[str, list[str]] = {}
    for index, run in enumerate(runs):
        for label, value in figures(run):
            rows.setdefault(label, [""] * len(runs))[index] = value
    for label, values in rows.items():
        table.add_row(label, *values)
    return table


def comparison(runs: Sequence[Run], names: Sequence[str]) -> Table:
    """The figures of some runs, one column for each, then what tells the runs apart."""
    table = summaries([run.summary for run in runs], names)
    apart = differing(runs)
    if apart:
        table.add_section()
        table.add_row("what differs", style="bold")
    for key, values in apart.items():
        table.add_row(key, *values)
    return table


def figures(summary: Summary) -> list[tuple[str, str]]:
    """The figures of one run, with their units."""
    rows = [("simulated", f"{summary['duration_s']:g} s"), ("seed", str(summary["seed"]))]
    several = len(summary["flows"]) > 1
    for flow in summary["flows"]:
        prefix = f"{flow['name']}: " if several else ""
        rows += [(prefix + label, value) for label, value in flow_figures(flow)]
    if several:
        rows.append(("fairness (Jain)", number(summary["jain"])))
        rows += [(f"{flow['name']}: share", f"{flow['share']:.1%}") for flow in summary["flows"] if flow.get("share")]
    for node in summary["nodes"]:
        rows += data_frames(node)
        if share := node.get("airtime_share"):
            rows.append((f"{node['name']}: airtime", f"{share:.1%}"))
    stations = summary["airtime"]["by_station"]
    if len(stations) > 1:
        rows += [(f"{name}: share of airtime", f"{share:.1%}") for name, share in stations.items()]
    rows.append(("packets dropped", f"{sum(drop['count'] for drop in summary['drops']):,}"))
    rows += scan_figures(summary)
    return rows


def data_frames(node: Node) -> list[tuple[str, str]]:
    """What a node sent its data in: A-MPDUs, unless each frame travelled alone."""
    sent = node.get("ampdus")
    if not sent:
        return []
    if node.get("mpdus_per_ampdu") == 1.0:
        return [(f"{node['name']}: data frames", f"{sent:,}")]
    return [
        (f"{node['name']}: A-MPDUs", f"{sent:,}"),
        (f"{node['name']}: MPDUs per A-MPDU", number(node.get("mpdus_per_ampdu"))),
    ]


def flow_figures(flow: FlowSummary) -> list[tuple[str, str]]:
    """The figures of one flow."""
    match flow["kind"]:
        case "udp":
            return [
                ("goodput", f"{number(flow['goodput_mbps'])} Mbit/s"),
                ("delay, mean", f"{number(flow['delay_mean_ms'])} ms"),
                ("datagrams lost", f"{flow['lost']:,} of {flow['sent']:,}"),
            ]
        case "ping":
            return [
                ("RTT, median", f"{number(flow['rtt_median_ms'])} ms"),
                ("RTT, 95 %", f"{number(flow['rtt_p95_ms'])} ms"),
                ("pings lost", f"{flow['lost']:,} of {flow['sent']:,}"),
            ]
        case _:
            return [
                ("goodput", f"{number(flow['goodput_mbps'])} Mbit/s"),
                ("cwnd, mean", f"{number(flow['cwnd_mean'])} packets"),
                ("RTT, mean", f"{number(flow['rtt_mean_ms'])} ms"),
                ("retransmissions", f"{flow['retransmissions']:,}"),
                ("timeouts", f"{flow['timeouts']:,}"),
            ]


def scan_figures(summary: Summary) -> list[tuple[str, str]]:
    """How many scans there were, and how long the radio was away for one of them."""
    rows = [("scans", str(len(summary["scans"])))]
    skipped = sum(request["verdict"] == "skipped" for request in summary["scan_requests"])
    if skipped:
        rows.append(("scans skipped", str(skipped)))
    trips = [trip for scan in summary["scans"] for trip in whole_trips(scan)]
    if trips:
        away = statistics.fmean(trip["home_s"] - trip["leaving_s"] for trip in trips)
        rows.append(("away per channel", f"{1e3 * away:.0f} ms"))
    return rows


def swept(shown: Shown) -> Table:
    """A metric of a sweep: a row for each place, a column for each line."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(shown.by)
    for line in shown.lines:
        table.add_column(line.label or shown.metric, justify="right")
    for place in shown.places:
        table.add_row(place, *(interval(line.points[place]) if place in line.points else "" for line in shown.lines))
    return table


def scores(rows: Sequence[Score]) -> Table:
    """What became of a paper's claims."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim", no_wrap=True)
    table.add_column("published", justify="right", no_wrap=True)
    table.add_column("ours", justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for row in rows:
        verdict = Styled(row.verdict, STYLES[row.verdict])
        table.add_row(row.id, quantity(row.published), quantity(row.ours), row.unit, verdict)
    return table
