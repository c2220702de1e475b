"""Makes the runs of a paper that have not been made yet, and finds those that have."""

from __future__ import annotations

import hashlib
import re
import shutil
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from airloom import _engine, places
from airloom.bundle import Run, is_bundle, load
from airloom.errors import RunError
from airloom.simulate import read, simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from airloom.papers.paper import Paper, PaperRun

AT_ONCE = 2
"""Runs made at the same time; the engine does not hold the interpreter, so threads are enough."""


class StoppedError(Exception):
    """Raised in a run that is no longer wanted."""


@dataclass(frozen=True)
class Job:
    """A run of a paper, and the place where its bundle belongs."""

    run: PaperRun
    text: str
    folder: Path

    @property
    def done(self) -> bool:
        """Whether the bundle is there."""
        return is_bundle(self.folder)


def job(paper: Paper, name: str) -> Job:
    """Finds out where a run's bundle belongs: its key covers all that the outcome depends on."""
    run = paper.run(name)
    text, file = read(run.scenario)
    resolved = _engine.check(text, file, run.overrides, run.seed)
    parts = (engine(), run.seed, *([run.capture] if run.capture else []), resolved)
    key = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]
    return Job(run, text, places.cache() / "papers" / paper.id / f"{run.id}-{key}")


@cache
def engine() -> str:
    """What the engine is: its version, and the hash of its code, so that a rebuilt one does not pass for the old."""
    code = hashlib.sha256(Path(_engine.__file__).read_bytes()).hexdigest()
    return f"{_engine.version()} {code}"


def make(
    paper: Paper,
    names: Iterable[str],
    *,
    fresh: bool = False,
    progress: Callable[[str, float], None] | None = None,
) -> dict[str, Run]:
    """The runs of these names: those that are there, and the others made now.

    Args:
        paper: The paper.
        names: Runs of it; several names may stand for one run.
        fresh: Makes those that are there once more.
        progress: Called with a run's id and the fraction of it that is done, from any thread.
    """
    jobs = {name: job(paper, name) for name in names}
    wanted = {one.folder: one for one in jobs.values() if fresh or not one.done}
    stop = Event()

    def work(one: Job) -> None:
        def report(fraction: float) -> None:
            if stop.is_set():
                raise StoppedError
            if progress:
                progress(one.run.id, fraction)

        report(0.0)
        perform(one, report)
        report(1.0)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        pending = {pool.submit(work, one) for one in wanted.values()}
        try:
            while pending:
                finished, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
        except BaseException:
            stop.set()
            raise
    return {name: load(one.folder) for name, one in jobs.items()}


def perform(one: Job, report: Callable[[float], None]) -> None:
    """Makes a run, and lets go of those of the same name that it supersedes."""
    one.folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        simulate(
            one.text,
            str(one.run.scenario),
            one.run.overrides,
            one.run.seed,
            one.folder,
            force=one.done,
            capture=one.run.capture or False,
            progress=report,
        )
    except RunError:
        if not one.done:  # another process may have made it meanwhile
            raise
    stale = re.compile(re.escape(one.run.id) + r"-[0-9a-f]{16}")
    for sibling in one.folder.parent.iterdir():
        if sibling != one.folder and stale.fullmatch(sibling.name):
            shutil.rmtree(sibling, ignore_errors=True)


def belongs(paper: Paper, run: Run) -> list[str]:
    """The names under which a paper has this very scenario, whatever its seed."""
    names = []
    for name in paper.runs:
        ours = paper.run(name)
        text, file = read(ours.scenario)
        if _engine.check(text, file, ours.overrides, run.summary["seed"]) == run.scenario:
            names.append(name)
    return names
