"""`airloom cite`."""

from __future__ import annotations

from pathlib import Path

from airloom import _engine
from airloom.cli.terminal import say

TITLE = "airloom: a laboratory for {TCP} over {Wi-Fi}"
AUTHOR = "{airloom maintainers}"
YEAR = 2026
"""What `CITATION.cff` says too, as BibTeX writes it; the year is that of the version."""


def cite(*runs: Path) -> None:
    """Print a BibTeX entry for airloom, with what a paper needs to name so that its numbers can be made again.

    Examples:
        airloom cite
        # with the versions, the seeds and the hash of these runs
        airloom cite out/first out/second >>references.bib

    Args:
        runs: Bundles whose numbers are published.
    """
    note = f"results version {_engine.results()}"
    if runs:
        from airloom.report.origin import of_runs
        from airloom.results.bundle import load

        note = of_runs([load(run) for run in runs])
    fields = {
        "title": TITLE,
        "author": AUTHOR,
        "version": _engine.version(),
        "year": str(YEAR),
        "note": note,
    }
    say("@software{airloom,", *(f"  {key} = {{{value}}}," for key, value in fields.items()), "}")
