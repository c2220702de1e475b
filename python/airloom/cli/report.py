"""`airloom report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom.cli.terminal import say
from airloom.results.bundle import REPORT, load


def report(
    folder: Path,
    /,
    *,
    against: tuple[Path, ...] = (),
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
) -> None:
    """Write a bundle's report: one HTML file that needs nothing beside it.

    Args:
        folder: The bundle.
        against: Another bundle beside it, such as one with a remedy, in every chart and table. May be repeated.
        out: The file. Without it, report.html in the bundle.
    """
    from airloom.papers.run_report import write

    target = out if out is not None else folder / REPORT
    write(load(folder), target, against=[load(other) for other in against])
    say(str(target))
