"""The report of a run that may be one of a paper's: it is held against what that published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import AirloomError
from airloom.papers import paper, paths, runner, scorer
from airloom.papers.claim_rows import claim_row
from airloom.report import page
from airloom.report.published import Published

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.papers.paper import Paper
    from airloom.report.comparison import Names
    from airloom.results.bundle import Run


def write(run: Run, target: Path, *, against: Sequence[Run] = ()) -> None:
    """Writes the report of a run (see `airloom.report.page.write`), with the claims of the paper that it repeats."""
    page.write(run, target, against=against, published=repeated([run, *against]))


def repeated(runs: Sequence[Run]) -> Published | None:
    """What the paper says that the first of the runs repeats, if there is one."""
    for candidate in known_papers(runs[0].summary["title"]):
        roles = [roles_in(candidate, run) for run in runs]
        if roles[0]:
            by_role = {role: run for run, names in reversed(list(zip(runs, roles, strict=True))) for role in names}
            scores = [score for score in scorer.score([(candidate, by_role)]) if score.verdict != "not run"]
            return Published(candidate.citation, names_of(candidate, roles), [claim_row(score) for score in scores])
    return None


def names_of(home: Paper, roles: Sequence[Sequence[str]]) -> Names | None:
    """The paper's names for several runs, if it has one for each."""
    if len(roles) < 2 or not all(roles):  # noqa: PLR2004 - one run needs no name
        return None
    own = [home.runs[names[-1]] for names in roles]
    return [(run.title, run.short) for run in own]


def known_papers(title: str) -> list[Paper]:
    """The papers that can be read here and may have a run of this title; a report does without those that cannot."""
    try:
        return [paper.read(name) for name in paper.available() if may_have(name, title)]
    except AirloomError:
        return []


def may_have(name: str, title: str) -> bool:
    """Whether a file of a paper has this title in it. To read all of a paper takes longer than to draw a short run."""
    written = title.replace("\\", "\\\\").replace('"', '\\"')
    texts = (file.read_bytes() for file in (paths.papers() / name).glob("*.toml"))
    return any(written.encode() in text or title.encode() in text for text in texts)


def roles_in(candidate: Paper, run: Run) -> list[str]:
    """The names under which a paper has a run; none if it does not, or if its own scenarios are broken."""
    try:
        return runner.belongs(candidate, run)
    except AirloomError:
        return []
