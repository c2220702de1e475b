"""Makes the runs of a paper that have not been made yet, and finds those that have."""

from __future__ import annotations

import hashlib
import re
import shutil
import tomllib
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.batch.executor import Threads
from airloom.errors import RunError
from airloom.papers import paths
from airloom.results.bundle import Run, is_bundle, load
from airloom.scenario.source import read
from airloom.simulation.simulate import engine, simulate
from airloom.support.formatting import count
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from airloom.papers.paper import Paper, PaperRun

NAME = re.compile(r"(.+)-[0-9a-f]{16}")
"""What a bundle's folder is called: its run, and the key of that."""


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
    parts = (engine(resolved), run.seed, *([run.capture] if run.capture else []), resolved)
    key = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]
    return Job(run, text, paths.cache() / "papers" / paper.id / f"{run.folder}-{key}")


def make(
    paper: Paper,
    names: Iterable[str],
    *,
    fresh: bool = False,
    progress: Callable[[float, int], object] | None = None,
) -> dict[str, Run]:
    """The runs of these names: those that are there, and the others made now.

    Args:
        paper: The paper.
        names: Runs of it, or grids, which stand for all of theirs; several names may stand for one run.
        fresh: Makes those that are there once more.
        progress: Called with how many runs are done, parts included, and of how many, from any thread.
    """
    (runs,) = make_all([(paper, names)], fresh=fresh, progress=progress)
    return runs


def make_all(
    wanted: Sequence[tuple[Paper, Iterable[str]]],
    *,
    fresh: bool = False,
    progress: Callable[[float, int], object] | None = None,
) -> list[dict[str, Run]]:
    """The same of several papers, or of one with several sets of seeds, at once."""
    jobs = [{name: job(paper, name) for given in names for name in paper.runs_of(given)} for paper, names in wanted]
    missing = {one.folder: one for part in jobs for one in part.values() if fresh or not one.done}

    def report(done: float) -> None:
        if progress:
            progress(done, len(missing))

    try:
        with closing(Threads().run(perform, missing.values(), report)) as finished:
            for one in finished:
                if one.error:
                    raise one.error
    except KeyboardInterrupt:
        raise KeyboardInterrupt(*kept({one.folder: one for part in jobs for one in part.values()}, fresh)) from None
    tidy(missing.values())
    return [{name: load(one.folder) for name, one in part.items()} for part in jobs]


def kept(jobs: Mapping[Path, Job], fresh: bool) -> list[str]:
    """What to say of runs that were interrupted, if any of them are there."""
    there = [folder for folder, one in jobs.items() if one.done]
    if not there:
        return []
    again = "the same command without --fresh" if fresh else "the same command"
    return [f"{len(there):,} of {count(len(jobs), 'run')} are kept in {there[0].parent}; {again} goes on from there"]


def perform(one: Job, report: Callable[[float], None]) -> None:
    """Makes a run."""
    one.folder.parent.mkdir(parents=True, exist_ok=True)
    report(0.0)
    try:
        simulate(
            one.text,
            visible(str(one.run.scenario)),
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


def tidy(made: Iterable[Job]) -> None:
    """Lets go of the bundles that these supersede: those of the same names and papers."""
    current = {one.folder: one.run.folder for one in made}
    ours = {(folder.parent, name) for folder, name in current.items()}
    for sibling in {file for parent, _ in ours for file in parent.iterdir()} - current.keys():
        found = NAME.fullmatch(sibling.name)
        if found and (sibling.parent, found[1]) in ours:
            shutil.rmtree(sibling, ignore_errors=True)


def title(text: str, overrides: Iterable[tuple[str, str]]) -> object:
    """The title of a scenario, which tells most apart without resolving them."""
    return dict(overrides).get("title", parsed(text).get("title"))


@cache
def parsed(text: str) -> dict[str, object]:
    """The tables of a scenario; many runs share its text."""
    return tomllib.loads(text)


def belongs(paper: Paper, run: Run) -> list[str]:
    """The names under which a paper has this very scenario, whatever its seed."""
    names = []
    texts = {file: read(file) for file in {one.scenario for one in map(paper.run, paper.runs)}}
    for name in paper.runs:
        ours = paper.run(name)
        text, file = texts[ours.scenario]
        if title(text, ours.overrides) != run.summary["title"]:
            continue
        if _engine.check(text, file, ours.overrides, run.summary["seed"]) == run.scenario:
            names.append(name)
    return names
