"""What tells runs apart beside their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.scenario.differences import differences
from airloom.scenario.grid import SEED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.results.bundle import Run

CHANCE = "runs with different seeds differ by chance, too: `seeds` of a sweep tells how far"
"""What is said of runs whose seeds differ: one pair of them cannot tell what a setting does."""


def differing(runs: Sequence[Run]) -> dict[str, list[str]]:
    """What tells runs apart, with a value for each run.

    The results versions and the seeds if they differ, the values in which their scenarios do, and what was changed as
    they ran.
    """
    used = seeds(runs)
    return of_scenarios(runs) | ({SEED: used} if len(set(used)) > 1 else {}) | by_hand(runs)


def seeds(runs: Sequence[Run]) -> list[str]:
    """The seed of each run."""
    return [str(run.manifest["seed"]) for run in runs]


def by_chance(apart: Mapping[str, Sequence[str]]) -> list[str]:
    """What different seeds make of what else differs, in a sentence; none if the seed does not differ."""
    return [CHANCE] if SEED in apart else []


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
