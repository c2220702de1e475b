"""What tells runs apart beside their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.scenario.differences import differences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.results.bundle import Run


def differing(runs: Sequence[Run]) -> dict[str, list[str]]:
    """What tells runs apart, with a value for each run.

    The results versions if they differ, the values in which their scenarios do, and what was changed as they ran.
    """
    return of_scenarios(runs) | by_hand(runs)


def of_scenarios(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The results versions of runs if they differ, and the values in which their scenarios do: one for each run."""
    versions = [str(run.manifest["results"]) for run in runs]
    engines = {"results version": versions} if len(set(versions)) > 1 else {}
    return engines | differences([run.settings for run in runs])


def by_hand(runs: Sequence[Run]) -> dict[str, list[str]]:
    """What somebody changed as runs ran, by key and time; a dash for each run in which that did not happen."""
    found: dict[str, list[str]] = {}
    made = [
        (change["time_s"], place, change["change"]) for place, run in enumerate(runs) for change in run.changed_by_hand
    ]
    for time, place, text in sorted(made):
        key, _, value = text.partition(" = ")
        found.setdefault(f"{key} at {time:.2f} s", ["-"] * len(runs))[place] = value or "changed"
    return {key: values for key, values in found.items() if len(set(values)) > 1}
