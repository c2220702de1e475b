"""The folder of a fit: copies of the problem and its scenario, the journal of its runs, and what came of it."""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, TypedDict

from airloom import _engine
from airloom.errors import GridError, SweepError
from airloom.fitting import outcome, page
from airloom.fitting.evidence import evidence
from airloom.fitting.fit import fit
from airloom.fitting.journal import Journal
from airloom.fitting.pace import Pace
from airloom.fitting.paper_problem import PaperProblem
from airloom.fitting.paper_runs import PaperRuns
from airloom.fitting.problem import SCENARIO
from airloom.fitting.runs import Runs
from airloom.fitting.trial import refuse_idle
from airloom.fitting.worlds import worlds
from airloom.results.by_suffix import refuse_file_name
from airloom.simulation import simulate
from airloom.support import reading
from airloom.support.atomic import folder_of, made_meanwhile
from airloom.support.document import named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from airloom.batch.executor import Executor
    from airloom.fitting.fit import Wave
    from airloom.fitting.pace import Progress
    from airloom.fitting.problem import Problem

PROBLEM, IDENTITY, JOURNAL, SHORT = "problem.toml", "identity.json", "runs.jsonl", "short.jsonl"
"""The names of what a fit begins with."""


class Identity(TypedDict):
    """Which problem a folder belongs to, and which build of airloom runs it."""

    airloom: str
    problem: str


def make(problem: Problem, folder: Path) -> bool:
    """Makes the folder of a problem, or finds that the one that is there is of it; whether it is new.

    Raises:
        SweepError: What is there belongs to something else.
    """
    identity = Identity(airloom=simulate.engine(problem.text, problem.base), problem=problem.identity)
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        refuse_file_name(folder, "a fit", "its page is report.html in it")
        said = json.dumps(named("fit-folder", {**identity, "results": _engine.results()}), indent=2)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with made_meanwhile():
                folder_of({PROBLEM: problem.text, IDENTITY: said + "\n"} | problem.files(), folder)
                return True
        except OSError as error:
            raise SweepError(f"{folder}: cannot be made: {error.strerror}") from None
    try:
        there = reading.shaped(reading.json(reading.read(folder / IDENTITY)), Identity)
    except (OSError, ValueError):
        raise SweepError(f"{folder}: is there, and is not a fit's; choose another folder with -o") from None
    if there["problem"] != problem.identity:
        raise SweepError(f"{folder}: holds the fit of another problem; choose another folder with -o, or remove it")
    if there["airloom"] != identity["airloom"]:
        raise SweepError(
            f"{folder}: was begun by another build of airloom or of a class of your own, whose results may differ; "
            "choose another folder with -o, or remove it"
        )
    return False


def runs_of(
    problem: Problem,
    journal: Journal,
    executor: Executor,
    folder: Path,
    progress: Callable[[float], object],
    short: Runs | None = None,
) -> Runs:
    """What makes the runs of a problem."""
    if isinstance(problem, PaperProblem):
        return PaperRuns(problem, journal, executor, folder / SCENARIO, progress, short=short)
    return Runs(problem, journal, executor, folder / SCENARIO, progress, short=short)


def run(
    problem: Problem,
    folder: Path,
    executor: Executor,
    progress: Progress,
    told: Callable[[int, Wave, float | None], object],
) -> dict[str, Any]:
    """Fits a problem in its folder, or goes on with it, and gives what `fit.json` says.

    Args:
        problem: What is asked.
        folder: Its folder.
        executor: Makes runs.
        progress: Told how far it is.
        told: Called with each wave's number, what it left, and the seconds that the rest takes, where known.
    """
    new = make(problem, folder)
    with ExitStack() as stack:
        journal = stack.enter_context(closing(Journal(folder / JOURNAL)))
        waves = stack.enter_context(closing(Journal(folder / SHORT))) if problem.short else None
        pace = Pace(problem, (journal.runs, waves.runs if waves else 0), progress)
        short = runs_of(problem.of_waves, waves, executor, folder, pace.short) if waves else None
        runs = runs_of(problem, journal, executor, folder, pace.full, short)
        try:
            refuse_idle(problem, runs)
        except GridError:
            if new:  # what is put right is another problem, and finds no folder in its way
                shutil.rmtree(folder)
            raise
        found = fit(problem, runs, lambda number, wave: told(number, wave, pace.left_s))
        made = worlds(found, runs)
        said = outcome.outcome(found, made)
        if isinstance(problem, PaperProblem) and isinstance(runs, PaperRuns) and not problem.hold_out:
            said["evidence"], said["evidence_worlds"] = evidence(problem, runs, made, found.compared)
        outcome.write(found, made, said, folder)
        page.write(found, said, folder / outcome.PAGE)
        return said
