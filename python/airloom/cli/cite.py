"""`airloom cite`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE = "airloom: a laboratory for {TCP} over {Wi-Fi}"
AUTHOR = "{airloom maintainers}"
YEAR = 2026
"""What `CITATION.cff` says too, as BibTeX writes it; the year is that of the version."""


def cite(*results: Path) -> None:
    """Print a BibTeX entry for airloom, with what a paper needs to name so that its numbers can be made again.

    Examples:
        airloom cite
        # with the versions, the seeds and the hash of these runs, or of a sweep
        airloom cite out/first out/second >>references.bib

    Args:
        results: Bundles, or the folder of a sweep, whose numbers are published.
    """
    note = f"results version {_engine.results()}"
    if results:
        note = origin(results)
    fields = {
        "title": TITLE,
        "author": AUTHOR,
        "version": _engine.version(),
        "year": str(YEAR),
        "note": note,
    }
    say("@software{airloom,", *(f"  {key} = {{{value}}}," for key, value in fields.items()), "}")


def origin(results: Sequence[Path]) -> str:
    """Where the numbers in some folders are from."""
    from airloom.report.origin import of_runs
    from airloom.results.bundle import SWEEP, load

    if len(results) == 1 and (results[0] / SWEEP).is_file():
        from airloom.sweep.results import load as load_sweep

        return load_sweep(results[0]).origin
    return of_runs([load(run) for run in results])
