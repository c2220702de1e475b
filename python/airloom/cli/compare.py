"""`airloom compare`."""

from __future__ import annotations

from pathlib import Path

from airloom.cli.common import AsJson
from airloom.cli.terminal import print_json
from airloom.results.bundle import SCENARIO, load
from airloom.results.tables import SERIES


def compare(first: Path, second: Path, /, *others: Path, report: Path | None = None, as_json: AsJson = False) -> None:
    """Put the figures of runs side by side, and what differs in their scenarios.

    Args:
        first: A bundle.
        second: Another one.
        others: More of them.
        report: Write one report of all of them into this file: each run is in every chart and table.
        as_json: Print the summaries as JSON, by folder.
    """
    folders = [first, second, *others]
    runs = [load(folder) for folder in folders]
    for run in runs:
        # Nothing is shown of these, or not always, but the figures of a damaged bundle are no result.
        run.file(SERIES)
        run.file(SCENARIO)
    if report is not None:
        from airloom.papers.run_report import write

        write(runs[0], report, against=runs[1:])
    if as_json:
        print_json({str(folder): run.summary for folder, run in zip(folders, runs, strict=True)})
        return
    from airloom.cli.run_tables import show_compared, show_differing
    from airloom.cli.screen import Screen

    screen = Screen()
    show_compared(screen, [run.summary for run in runs], [str(folder) for folder in folders])
    show_differing(screen, runs)
    if report is not None:
        screen.say(f"report: {report}")
