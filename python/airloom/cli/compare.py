"""`airloom compare`."""

from __future__ import annotations

from pathlib import Path

from airloom.bundle import load
from airloom.cli.common import AsJson, console, print_json


def compare(first: Path, second: Path, /, *others: Path, as_json: AsJson = False) -> None:
    """Put the figures of runs side by side.

    Args:
        first: A bundle.
        second: Another one.
        others: More of them.
        as_json: Print the summaries as JSON, by folder.
    """
    folders = [first, second, *others]
    runs = [load(folder) for folder in folders]
    if as_json:
        print_json({str(folder): run.summary for folder, run in zip(folders, runs, strict=True)})
        return
    from airloom.cli.tables import summaries

    console().print(summaries(runs, [str(folder) for folder in folders]))
