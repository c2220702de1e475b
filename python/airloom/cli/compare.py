"""`airloom compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom.api.comparison import Comparison, as_run
from airloom.cli.common import AsJson, place
from airloom.cli.terminal import print_json, say


def compare(
    first: Path,
    second: Path,
    /,
    *others: Path,
    report: Annotated[Path | None, Parameter(name=["--report", "--out", "-o"], converter=place)] = None,
    as_json: AsJson = False,
) -> None:
    """Put the figures of runs side by side, and what differs in their scenarios.

    Examples:
        airloom compare out/cubic out/newreno
        airloom compare out/fifo out/codel out/fq_codel -o queues.html

    Args:
        first: A bundle.
        second: Another one.
        others: More of them.
        report: Write one page of all of them into this file, in place of what is printed: each run is in every chart
            and table.
        as_json: Print the summaries as JSON, by folder, what differs in the scenarios, and what is said beside figures.
    """
    folders = [str(folder) for folder in (first, second, *others)]
    compared = Comparison({folder: as_run(folder) for folder in folders})
    twice = [folder for folder in compared.runs if folders.count(folder) > 1]
    if not as_json:
        say(*(f"{folder}: given more than once, shown once" for folder in twice))
    if report is not None:
        compared.report(report)
        if not as_json:
            say(f"report: {report}")
            return
    if as_json:
        summaries = {name: run.summary for name, run in compared.runs.items()}
        print_json("compare", {"runs": summaries, "differences": compared.differences, "notes": compared.notes})
        return
    from airloom.cli.run_tables import show_compared, show_differing
    from airloom.cli.screen import Screen

    screen = Screen()
    show_compared(screen, [run.summary for run in compared.runs.values()], list(compared.runs))
    show_differing(screen, list(compared.runs.values()), list(compared.runs))
