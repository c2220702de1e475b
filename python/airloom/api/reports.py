"""`airloom.report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.api.comparison import RunOrFolder


def report(
    run: RunOrFolder,
    out: str | os.PathLike[str] | None = None,
    *,
    against: RunOrFolder | Sequence[RunOrFolder] = (),
) -> Path:
    """Writes the report of a run: one HTML file that needs nothing beside it.

    >>> import airloom
    >>> with airloom.run("examples/download.toml", set={"duration": "8 s"}) as run:
    ...     airloom.report(run).name
    'report.html'

    Args:
        run: A run, or its folder.
        out: The file. Without it, `report.html` in the bundle, which goes with the run if that has no folder to stay.
        against: Runs or folders to lay over it, such as one with a remedy.

    Returns:
        The file.

    Raises:
        BundleError: There is no such run, one is damaged, or what stands at `out` is no page.
    """
    from airloom.api.arguments import path
    from airloom.api.comparison import as_run
    from airloom.papers.run_report import write
    from airloom.results import bundle

    shown = as_run(run)
    others = [as_run(one) for one in (against if isinstance(against, (list, tuple)) else [against])]
    target = shown.path / bundle.REPORT if out is None else path(out, "out", "page.html")
    write(shown, target, against=others)
    return target
