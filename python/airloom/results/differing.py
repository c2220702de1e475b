"""What tells runs apart beside their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.scenario.differences import differences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.results.bundle import Run


def differing(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The results versions of runs if they differ, and the values in which their scenarios do: one for each run."""
    versions = [str(run.manifest["results"]) for run in runs]
    engines = {"results version": versions} if len(set(versions)) > 1 else {}
    return engines | differences([run.settings for run in runs])
