"""Runs side by side, as `airloom.compare` gives them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self, Union

from airloom.analysis.compared_notes import notes
from airloom.api.arguments import path
from airloom.api.named import Named
from airloom.api.named_runs import NamedRuns
from airloom.api.run import Run
from airloom.api.runs import load
from airloom.errors import RunError
from airloom.results import bundle
from airloom.results.differing import differing, of_scenarios
from airloom.results.tables import SERIES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RunOrFolder = Union[bundle.Run, str, "os.PathLike[str]"]
"""A run, or the folder of its bundle."""


class Comparison(NamedRuns):
    """Runs side by side.

    Attributes:
        runs: The runs, by their names.
    """

    _TABLE = "flows"

    def __init__(self, runs: Mapping[str, Run]) -> None:
        """Takes the runs by their names."""
        self.runs = Named("run", {name: run.named(name) for name, run in runs.items()})
        for run in runs.values():
            # Nothing is shown of these, or not always, but the figures of a damaged bundle are no result.
            run.file(SERIES)
            run.file(bundle.SCENARIO)

    @classmethod
    def of(cls, *runs: RunOrFolder | Mapping[str, RunOrFolder]) -> Self:
        """Names the runs that were given.

        Raises:
            BundleError: There is no such run, or one is damaged.
            RunError: There are less than two.
        """
        if len(runs) == 1 and isinstance(runs[0], Mapping):
            found = {str(name): as_run(one) for name, one in runs[0].items()}
        else:
            found = names([as_run(one) for one in runs])
        if len(found) < 2:  # noqa: PLR2004 - one run has nothing beside it
            raise RunError("a comparison needs two runs or more")
        return cls(found)

    @cached_property
    def differences(self) -> dict[str, list[str]]:
        """What differs in the scenarios and was changed as they ran, by dotted key: a value for each run or `-`."""
        return differing(list(self.runs.values()))

    @cached_property
    def notes(self) -> list[str]:
        """What has to be known beside the figures, as `airloom compare` prints it: a sentence each."""
        return notes(list(self.runs), [run.summary for run in self.runs.values()], self.differences)

    def report(self, out: str | os.PathLike[str]) -> Path:
        """Writes the report of the first run, with the others beside it.

        Args:
            out: The page: a file that ends in `.html`.
        """
        from airloom.papers.run_report import write

        target = path(out, "out", "page.html")
        first, *others = self.runs.values()
        write(first, target, against=others)
        return target

    def _by_name(self) -> Mapping[str, bundle.Run]:
        """Its runs."""
        return self.runs

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        from airloom.api.notebook import comparison_html

        return comparison_html(self.runs, self.differences)

    def __repr__(self) -> str:
        """The names of the runs."""
        return f"<airloom.Comparison of {', '.join(self.runs)}>"


def as_run(given: object) -> Run:
    """A run, or the one in a folder."""
    if isinstance(given, Run):
        return given
    if isinstance(given, bundle.Run):
        return Run(given.path, given.summary)
    if isinstance(given, (str, os.PathLike)):
        return load(given)
    raise RunError(f"{given!r} is neither a run nor the folder of one")


def names(runs: Sequence[Run]) -> dict[str, Run]:
    """The first names that differ: titles, the one value in which the scenarios differ, folders, numbers."""
    titles = [run.summary["title"] for run in runs]
    values = list(of_scenarios(runs).values()) if len(runs) > 1 else []
    folders = [run.path.resolve().name for run in runs]
    numbers = [f"run {number}" for number in range(1, len(runs) + 1)]
    for one in (titles, *(values[:1] if len(values) == 1 else []), folders, numbers):
        if len(set(one)) == len(runs):
            return dict(zip(one, runs, strict=True))
    return {}
