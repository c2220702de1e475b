"""The runs that one report is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.run_view import RunView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.results.bundle import Run

Names = list[tuple[str, str]]
"""A name for each run, long and short."""


@dataclass(frozen=True)
class ComparedRun:
    """One run, with the name that distinguishes it from the others.

    Attributes:
        index: Its place among them; the first is the one that the report is about.
        label: Its name.
        short: The same in a few words.
        view: Its figures.
    """

    index: int
    label: str
    short: str
    view: RunView

    @property
    def run(self) -> Run:
        """The run itself."""
        return self.view.run


@dataclass(frozen=True)
class Comparison:
    """All runs of a report."""

    runs: list[ComparedRun]

    @property
    def first(self) -> ComparedRun:
        """The run that the report is about."""
        return self.runs[0]


def compare(runs: Sequence[Run], published: Names | None = None) -> Comparison:
    """The runs under names that differ: those that they were given, the published ones, titles, or folders."""
    names = label(runs, published)
    return Comparison([ComparedRun(i, *names[i], RunView(run)) for i, run in enumerate(runs)])


def label(runs: Sequence[Run], published: Names | None) -> Names:
    """The first names that differ from run to run."""
    given = [(run.called,) * 2 for run in runs]
    choices = [[(run.summary["title"],) * 2 for run in runs], [(run.path.resolve().name,) * 2 for run in runs]]
    for names in [given, published, *choices] if published else [given, *choices]:
        if len(set(names)) == len(names) and all(map(any, names)):
            return names
    return [(str(run.path),) * 2 for run in runs]
