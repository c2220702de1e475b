"""The folder that a sweep leaves, and how it is filled.

It holds copies of the grid and the scenario, so that it stands for itself, the journal of the cells, and the table once
the sweep has come to its end.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NotRequired, TypedDict

from airloom import _engine
from airloom.analysis import starved
from airloom.analysis.idle_settings import sentences, setting
from airloom.analysis.key_figures import barren
from airloom.analysis.trends import cells, unsettled
from airloom.errors import AirloomError, SweepError
from airloom.report import origin
from airloom.results.bundle import SWEEP
from airloom.results.by_suffix import refuse_file_name
from airloom.simulation import simulate
from airloom.support import reading
from airloom.support.atomic import folder_of, made_meanwhile
from airloom.support.document import named
from airloom.support.formatting import count, enumerated
from airloom.sweep import plan, table
from airloom.sweep.journal import Journal, Writer
from airloom.sweep.task import FAULTS, Task, Work
from airloom.sweep.without_effect import alike, outcomes, without_effect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from airloom.batch.executor import Executor
    from airloom.results.summary import Summary
    from airloom.scenario.grid import Axis
    from airloom.sweep.plan import Plan
    from airloom.sweep.without_effect import Came

GRID = "grid.toml"
SCENARIO = "scenario.toml"
IDENTITY = SWEEP
JOURNAL = "cells.jsonl"
TABLE = "table.parquet"
BUNDLES = "bundles"


class Identity(TypedDict):
    """Which grid a folder belongs to, and which build of airloom runs it."""

    airloom: str
    results: NotRequired[int]
    grid: str


@dataclass(frozen=True)
class Results:
    """A results folder, and what its sweep was to do.

    Attributes:
        folder: The folder.
        plan: What the sweep was to do.
        only: The cells that its sentences are about; none for all that are done.
    """

    folder: Path
    plan: Plan
    only: frozenset[int] | None = None

    def among(self, cells: frozenset[int] | None) -> Results:
        """The same, with sentences about these cells."""
        return replace(self, only=cells)

    def summaries(self) -> Iterator[tuple[int, Summary]]:
        """The cells that are done, of those that sentences are about, with their summaries."""
        every = self.journal.summaries()
        return every if self.only is None else (one for one in every if one[0] in self.only)

    @property
    def journal(self) -> Journal:
        """What became of its cells so far."""
        return Journal(self.folder / JOURNAL, self.plan.cells)

    @property
    def origin(self) -> str:
        """Where its numbers are from: the versions, the seeds, and the grid's identity."""
        identity = read_identity(self.folder)
        version = f"airloom {identity['airloom'].split()[0]}"
        if "results" in identity:
            version += f", results version {identity['results']}"
        own = [cell.seed for cell in self.plan.grid if cell.seed is not None]
        used = origin.seeds(own) if own else "the scenario's seed"
        return f"{version}, {used}, {self.warmed}grid {identity['grid'][: origin.LETTERS]}"

    @property
    def warmed(self) -> str:
        """From when on all its runs were measured, and a comma; empty if from the beginning or not alike."""
        runs = [summary for _, summary in self.journal.summaries()]
        spans = {(run.get("warm_up_s", 0.0), run["duration_s"]) for run in runs}
        start, end = spans.pop() if len(spans) == 1 else (0.0, 0.0)
        return f"measured from {start:g} s to {end:g} s, " if start else ""

    @property
    def unfinished(self) -> str:
        """How many cells are done, and what that makes of the others' points; empty once all are."""
        done = len(self.journal.done)
        if done == self.plan.size:
            return ""
        return f"{done:,} of {count(self.plan.size, 'cell')} are done, so points are missing or stand for fewer seeds"

    @property
    def unsettled(self) -> str:
        """In how many of the cells that are done a figure still changes as the run ends, in words; empty if in none."""
        return cells(summary for _, summary in self.summaries())

    @property
    def silent(self) -> str:
        """In how many of the cells that are done flows delivered nothing, and which, in words; empty if in none."""
        return starved.cells(summary for _, summary in self.summaries())

    @property
    def doubted(self) -> dict[str, frozenset[int]]:
        """The cells in which a figure still changes as the run ends, and those with flows that delivered nothing."""
        found: dict[str, set[int]] = {"unsettled": set(), "silent": set()}
        for number, summary in self.summaries():
            if unsettled(summary):
                found["unsettled"].add(number)
            if barren(summary["flows"]):
                found["silent"].add(number)
        return {what: frozenset(numbers) for what, numbers in found.items()}

    @property
    def idle(self) -> tuple[str, ...]:
        """What changed nothing in the cells that are done, and what never acted of queues and remedies."""
        grid, axes = self.plan.grid, self.varying
        if not axes:
            return ()
        varied = values(axes)
        said = [text for axis, came in outcomes(grid, self.summaries()).items() for text in same(axis, came)]
        there = list(self.summaries()) if varied else []
        of_all = outcomes(grid, there, queues=False) if varied else {}
        unchanged = [axis for axis in axes if axis.name in of_all and without_effect(of_all[axis.name])]
        chosen = [dict(grid[number].overrides) for number, _ in there]
        of_runs = {key: [cell.get(key, "-") for cell in chosen] for key in varied}
        together = [values([axis]) for axis in axes]
        return (*said, *sentences(varied, [summary for _, summary in there], values(unchanged), of_runs, together))

    @property
    def varying(self) -> list[Axis]:
        """The axes with several values, among the cells that sentences are about."""
        grid = self.plan.grid
        if self.only is None:
            return [axis for axis in grid.axes if len(axis.choices) > 1]
        return [axis for axis in grid.axes if len({grid[cell].choices[axis.name].name for cell in self.only}) > 1]

    def task(self, number: int, *, alone: bool = False) -> Task:
        """A cell as it is run."""
        cell = self.plan.grid[number]
        return Task(number, self.plan.overrides(cell), cell.seed, alone)

    def run(
        self,
        executor: Executor,
        *,
        retry: bool = False,
        progress: Callable[[float, int], object] = lambda *_: None,
    ) -> Journal:
        """Runs the cells that have not been run, and writes the table.

        A cell that cannot be run for a reason outside of it is not failed: no others are begun then, since the same
        may happen to them, and the next time goes on with it.

        Args:
            executor: Runs them.
            retry: Runs those once more that failed.
            progress: Called with how many are done, parts included, and of how many, from any thread.
        """
        with closing(Writer(self.folder / JOURNAL, self.plan.cells)) as writer:
            journal = writer.journal
            over = {*journal.done, *(() if retry else journal.failed)}
            suspects = set(journal.begun)
            hindered = False

            def tasks() -> Iterator[Task]:
                for number in self.plan.numbers:
                    if hindered:
                        return
                    if number not in over:
                        writer.begin(number)
                        yield self.task(number, alone=number in suspects)

            folder = self.folder.resolve()  # for a process that stands elsewhere
            bundles = folder / BUNDLES if self.plan.keep == "bundle" else None
            if bundles:
                bundles.mkdir(exist_ok=True)
            work = Work(folder / SCENARIO, self.plan.base, bundles)
            report = lambda done: progress(len(over) + done, self.plan.size)  # noqa: E731
            with closing(executor.run(work, tasks(), report)) as finished:
                for one in finished:
                    if one.error is None and one.result is not None:
                        writer.finish(one.item.number, one.result)
                    elif isinstance(one.error, FAULTS):
                        writer.fail(one.item.number, reason(one.error))
                    else:
                        hindered = True
                        writer.hinder(one.item.number, reason(one.error))
            if journal.done and not hindered:
                table.write(self.plan.grid, journal, self.folder / TABLE)
            return journal


def reason(error: BaseException | None) -> str:
    """What went wrong, in one line."""
    return "; ".join(map(str, error.args)) if isinstance(error, AirloomError) else repr(error)


def make(asked: Plan, folder: Path) -> Results:
    """The results folder of a grid: a new one, or the one that is there.

    Raises:
        SweepError: What is there belongs to something else.
    """
    identity = Identity(airloom=simulate.engine(asked.text, asked.base), results=_engine.results(), grid=asked.identity)
    said = json.dumps(named("sweep-folder", identity), indent=2)
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        refuse_file_name(folder, "a sweep", "`airloom sweep show FOLDER` writes pages, tables and pictures of it")
        folder.parent.mkdir(parents=True, exist_ok=True)
        texts = {
            GRID: asked.text,
            SCENARIO: asked.base,
            IDENTITY: said + "\n",
        }
        with made_meanwhile():
            folder_of(texts, folder)
    there = read_identity(folder)
    if there["grid"] != identity["grid"]:
        raise SweepError(f"{folder}: holds the results of another grid; choose another folder with -o, or remove it")
    if there["airloom"] != identity["airloom"]:
        raise SweepError(
            f"{folder}: was begun by another build of airloom or of a class of your own, whose results may differ; "
            "choose another folder with -o, or remove it"
        )
    return Results(folder, asked)


def load(folder: Path) -> Results:
    """The results in a folder."""
    read_identity(folder)
    return Results(folder, plan.read(folder / GRID, folder / SCENARIO))


def read_identity(folder: Path) -> Identity:
    """Which grid, run by which engine, a folder belongs to."""
    try:
        return reading.shaped(reading.json(reading.read(folder / IDENTITY)), Identity)
    except (OSError, ValueError):
        missing = "no such folder" if not folder.exists() else f"no {IDENTITY} in it that can be read"
        raise SweepError(
            f"{folder}: not a sweep's results ({missing}); `airloom sweep GRID.toml -o FOLDER` makes some"
        ) from None


def same(axis: str, came: Came) -> list[str]:
    """What of an axis changed nothing, in a sentence: all of its values, or some of them."""
    if without_effect(came):
        return [f"`{axis}` changed nothing: runs that differ in it alone have the same numbers"]
    sets = [enumerated(values) for values in alike(came)]
    return [f"`{axis}`: runs with {', and with '.join(sets)} have the same numbers"] if sets else []


def values(axes: Iterable[Axis]) -> dict[str, list[str]]:
    """The values of queues and remedies that axes vary, by their keys; a dash where a choice leaves one as it is."""
    keys = dict.fromkeys(key for axis in axes for choice in axis.choices for key, _ in choice.overrides if setting(key))
    return {
        key: [
            dict(choice.overrides).get(key, "-")
            for axis in axes
            if any(key in dict(choice.overrides) for choice in axis.choices)
            for choice in axis.choices
        ]
        for key in keys
    }
