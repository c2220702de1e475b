"""`airloom demo`."""

from __future__ import annotations

from airloom.cli.common import AsJson
from airloom.cli.progress import bar
from airloom.cli.run_tables import show_compared
from airloom.cli.screen import Screen
from airloom.cli.terminal import print_json
from airloom.papers import paper, paths, runner

RUNS = ("fix-off", "fix-on", "fix-threshold", "fix-postponed")
"""Runs of the paper `scan`: as it was, with its remedy, and with two variants of the remedy."""


def demo(*, as_json: AsJson = False) -> None:
    """Show an upload that stalls with every scan, and the remedy: a table, and a report to open in a browser.

    Examples:
        airloom demo

    Args:
        as_json: Print JSON: the report, and the bundles by their names.
    """
    scan = paper.read("scan")
    with bar("demo") as shown:
        runs = runner.make(scan, RUNS, progress=shown.update)
    from airloom.papers.run_report import write

    first, *others = runs.values()
    target = paths.cache() / "demo" / "report.html"
    if as_json:
        write(first, target, against=others)
        print_json("demo", {"report": str(target), "runs": {name: str(run.path) for name, run in runs.items()}})
        return
    screen = Screen()
    screen.say(scan.run("fix-off").title, style="bold")
    show_compared(screen, [run.summary for run in runs.values()], [scan.runs[name].short for name in runs])
    write(first, target, against=others)
    screen.say("")
    screen.say(f"every layer on one page: {target}")
