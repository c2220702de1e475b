"""`airloom report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from airloom.api import reports
from airloom.cli.common import AsJson, Out
from airloom.cli.terminal import print_json, say


def report(
    folder: Path,
    /,
    *,
    against: tuple[Path, ...] = (),
    out: Annotated[Path | None, Out] = None,
    as_json: AsJson = False,
) -> None:
    """Write a bundle's report: one HTML file that needs nothing beside it.

    Examples:
        airloom report out/upload
        airloom report out/upload --against out/fixed -o both.html

    Args:
        folder: The bundle.
        against: Another bundle beside it, such as one with a remedy, in every chart and table. May be repeated.
        out: The file. Without it, report.html in the bundle.
        as_json: Print JSON: the file.
    """
    target = reports.report(folder, out, against=against)
    if as_json:
        print_json("report", {"report": str(target)})
    else:
        say(f"report: {target}")
