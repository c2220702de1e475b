"""The runs that one report is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.analysis.run_view import View
from airloom.errors import AirloomError
from airloom.papers import paper, runner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.papers.paper import Paper
    from airloom.results.bundle import Run


@dataclass(frozen=True)
class Subject:
    """One run, with the name that tells it from the others.

    Attributes:
        index: Its place among them; the first is the one that the report is about.
        label: Its name.
        short: The same in a few words.
        view: Its figures.
        roles: The names under which the paper has it.
    """

    index: int
    label: str
    short: str
    view: View
    roles: list[str]

    @property
    def run(self) -> Run:
        """The run itself."""
        return self.view.run


@dataclass(frozen=True)
class Subjects:
    """All runs of a report, and the paper that the first one belongs to."""

    runs: list[Subject]
    paper: Paper | None

    @property
    def first(self) -> Subject:
        """The run that the report is about."""
        return self.runs[0]

    @property
    def overlaid(self) -> list[Subject]:
        """Those drawn over each other: more than two are a tangle."""
        return self.runs[:2]


def identify(runs: Sequence[Run]) -> Subjects:
    """Finds the paper that the runs repeat, if there is one, and a name for each."""
    home = None
    roles: list[list[str]] = [[] for _ in runs]
    for candidate in known_papers():
        found = [roles_in(candidate, run) for run in runs]
        if found[0]:
            home, roles = candidate, found
            break
    names = label(runs, home, roles)
    subjects = [Subject(i, *names[i], View(run), roles[i]) for i, run in enumerate(runs)]
    return Subjects(subjects, home)


def label(runs: Sequence[Run], home: Paper | None, roles: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Names that differ, long and short: the paper's for its runs, the scenarios' titles, or the bundles' folders."""
    choices = [[(run.summary["title"],) * 2 for run in runs], [(run.path.resolve().name,) * 2 for run in runs]]
    if home and all(roles) and len(runs) > 1:
        own = [home.runs[names[-1]] for names in roles]
        choices.insert(0, [(run.title, run.short) for run in own])
    for names in choices:
        if len(set(names)) == len(names):
            return names
    return [(str(run.path),) * 2 for run in runs]


def known_papers() -> list[Paper]:
    """The papers that can be read here; a report does without those that cannot."""
    try:
        return [paper.read(name) for name in paper.available()]
    except AirloomError:
        return []


def roles_in(candidate: Paper, run: Run) -> list[str]:
    """The names under which a paper has a run; none if it does not, or if its own scenarios are broken."""
    try:
        return runner.belongs(candidate, run)
    except AirloomError:
        return []
