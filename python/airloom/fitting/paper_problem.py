"""A problem of which a paper's claims are what was measured."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import ScenarioError
from airloom.fitting.problem import Problem, overlap
from airloom.papers import paper as papers
from airloom.papers import scorer
from airloom.papers.claim import read_claims
from airloom.papers.measure import file_of
from airloom.papers.paper import AXIS
from airloom.scenario import source
from airloom.scenario.complaints import Complaints
from airloom.scenario.grid import SEED, canonical
from airloom.support.visible import visible
from airloom.sweep.plan import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.papers.claim import Claim
    from airloom.papers.paper import Paper, PaperGrid, PaperRun
    from airloom.scenario.grid import Cell, Overrides


@dataclass(frozen=True)
class PaperProblem(Problem):
    """What a problem file asks for that names a paper.

    Attributes:
        folder: The paper's folder.
        repeats: How many seeds of each grid are run.
    """

    folder: Path
    repeats: int

    @property
    def sets_aside(self) -> bool:
        """Whether measurements that no world meets are set aside: each claim stands for itself."""
        return True

    @property
    def fits(self) -> int:
        """How many fits it takes: one to all claims, and one to each half."""
        return 1 if self.hold_out else 3

    @property
    def of_waves(self) -> PaperProblem:
        """The problem as waves run it."""
        if self.short is None:
            return self
        fixed = [*self.fixed, *self.short.sets]
        return replace(self, fixed=fixed, seeds=self.short.seeds, repeats=self.short.repeats, short=None)

    @property
    def of_engine(self) -> int:
        """How many runs of the engine one of its runs takes: all that the paper's measures need."""
        here = self.at(self.point(self.middle), 1)
        return sum(not one.same for one in here.runs.values())

    @cached_property
    def claims(self) -> list[Claim]:
        """The paper's claims."""
        return read_claims(papers.read_folder(self.folder))

    @cached_property
    def identity(self) -> str:
        """A hash of what the problem, the paper's scenarios, measures and claims say, without comments and titles."""
        paper = papers.read_folder(self.folder)
        scenarios = sorted({run.scenario for run in paper.runs.values() if not run.same})
        said = {**parsed(self.file, self.text), "title": None}
        runs = [{**parsed(file, source.read(file)[0]), "title": None} for file in (self.scenario, *scenarios)]
        claims = [(one.id, one.kind, one.published, one.tol, one.input, one.follows) for one in self.claims]
        content = json.dumps([said, runs, claims, self.hold_out], default=str).encode()
        return hashlib.sha256(content + file_of(paper).read_bytes()).hexdigest()

    def at(self, point: Sequence[float], seed: int) -> Paper:
        """The paper as it is at a point, with one set of seeds: the runs that its measures need."""
        whole = papers.read_folder(self.folder, seed_set=seed, changed=self.fixed)
        needed = wanted(whole)
        grids = {name: self.fewer(one) for name, one in whole.grids.items() if needed & one.cells.keys()}
        in_grids = {name for one in whole.grids.values() for name in one.cells}
        left = {name for one in grids.values() for name in one.cells}
        cells = {name: cell for one in whole.grids.values() for name, cell in one.cells.items()}
        runs = {
            name: self.with_unknowns(one, point, cells.get(name))
            for name, one in whole.runs.items()
            if name in left or (name in needed and name not in in_grids) or one.same
        }
        return replace(whole, runs=runs, grids=grids)

    def with_unknowns(self, run: PaperRun, point: Sequence[float], cell: Cell | None) -> PaperRun:
        """A run with the unknowns of its own scenario, and of its place on the paper's axes."""
        pairs = zip(self.parameters, point, strict=True)
        own = [(key, one.written(value)) for one, value in pairs for key in one.keys_in(run.scenario.name)]
        everywhere = [pair for pair in own if not pair[0].startswith(AXIS)]
        return replace(run, overrides=[*everywhere, *run.overrides, *here(own, cell)])

    def fewer(self, grid: PaperGrid) -> PaperGrid:
        """A grid with the first of its seeds."""
        seeds = grid.grid.seeds[: self.repeats]
        return replace(grid, cells={name: cell for name, cell in grid.cells.items() if cell.seed in seeds})

    def check(self) -> None:
        """Lays the middle and both ends of each unknown over the scenarios.

        Raises:
            GridError: The engine refuses some.
            PaperError: The paper is wrong.
        """
        complaints = Complaints(visible(str(self.file)), self.text)
        here = {run.scenario.name for run in papers.read_folder(self.folder).runs.values() if not run.same}
        for one in self.parameters:
            for name in set(one.scenarios) - here:
                there = ", ".join(sorted(here))
                complaints.add(f"parameter.{one.name}", f"no scenario {name!r} in the paper", f"there are {there}")
        self.told_apart(complaints)
        complaints.check()
        middle = self.point(self.middle)
        for point in (middle, *chain.from_iterable(self.ends())):
            seen: set[str] = set()
            for run in self.at(point, 1).runs.values():
                if run.same or run.scenario.name in seen:
                    continue
                seen.add(run.scenario.name)
                try:
                    _engine.check(source.read(run.scenario)[0], visible(str(run.scenario)), run.overrides, run.seed)
                except ScenarioError as error:
                    for mistake in error.mistakes:
                        setting = run.overrides[mistake.line - 1] if mistake.setting is not None else None
                        where = f"{setting[0]} = {setting[1]}: " if setting else ""
                        text = f"{run.scenario.name}: {where}{mistake.message}"
                        complaints.add(setting[0] if setting else "paper", text, mistake.hint)
            complaints.check()
        if self.short is not None:
            self.of_waves.check()

    def told_apart(self, complaints: Complaints) -> None:
        """Refuses an unknown that something else sets: the file's own `set`, another unknown, or runs of measures."""
        self.on_axes(complaints)
        paper = papers.read_folder(self.folder)
        runs = [paper.runs[name] for name in wanted(paper) if not paper.runs[name].same]
        of_runs = {(canonical(key), run.scenario.name) for run in runs for key, _ in run.overrides}
        files = sorted({run.scenario.name for run in runs})
        before: dict[tuple[str, str], str] = {
            (canonical(key), file): "`set`" for key, _ in self.fixed for file in files
        }
        for one in self.parameters:
            for key in map(canonical, one.keys):
                there = [file for file in files if key in map(canonical, one.keys_in(file))]
                owner = next((before[of] for of in before if of[1] in there and overlap(key, of[0])), None)
                if key == SEED:
                    complaints.add(f"parameter.{one.name}", "the seed is no unknown", "`seeds = 3` draws three sets")
                elif owner:
                    message = f"`{one.name}` sets {key}, and so does {owner}: one of them would not hold"
                    complaints.add(f"parameter.{one.name}", message, "leave one of them out")
                over = [name for mine, name in of_runs if mine == key and name in there]
                # A run may set the table as a whole, and has no such unknown then; one that no run has is none.
                having = [run for run in runs if run.scenario.name in there]
                if all(any(overlap(canonical(mine), key) for mine, _ in run.overrides) for run in having):
                    over = over or there
                if over:
                    where = ", ".join(sorted(set(over)))
                    message = f"`{one.name}` sets {key}, over which paper.toml sets something in {where}"
                    hint = "axis.NAME.CHOICE.KEY sets what an axis sets; `in` names the scenarios in which it is set"
                    complaints.add(f"parameter.{one.name}", message, hint)
                before |= {(key, file): f"`{one.name}`" for file in there}

    def on_axes(self, complaints: Complaints) -> None:
        """Refuses a key of an axis that no choice of the paper has."""
        paper = papers.read_folder(self.folder)
        cells = [
            (paper.runs[name].scenario.name, cell) for of in paper.grids.values() for name, cell in of.cells.items()
        ]
        for one in self.parameters:
            for key in (key for key in one.keys if key.startswith(AXIS)):
                if not any(key in one.keys_in(file) and here([(key, "")], cell) for file, cell in cells):
                    hint = "axis.NAME.CHOICE.KEY: a key that this choice sets in paper.toml, or a part of it"
                    complaints.add(f"parameter.{one.name}", f"`{one.name}` sets {key}, which no grid has", hint)

    def files(self) -> dict[str, str]:
        """What the fit's folder begins with beside the problem: nothing."""
        return {}

    def world(self, point: Sequence[float], experiment: str, about: str) -> str:  # noqa: ARG002 - there is one alone
        """A world: what it sets over the paper's scenarios."""
        lines = [f"# {about}", f"# Over the scenarios of the paper {self.folder.name}."]
        for one, value in zip(self.parameters, point, strict=True):
            for key, text in one.overrides(value):
                files = [name for name in one.scenarios if key in one.keys_in(name)]
                lines.append(f'"{key}" = "{text}"' + (f"  # in {', '.join(files)}" if files else ""))
        return "\n".join(lines) + "\n"


def wanted(paper: Paper) -> set[str]:
    """The runs that a paper's measures need: those beyond the paper are no part of a fit."""
    return {run for name in scorer.needed(paper) for run in paper.runs_of(name)}


def here(pairs: Overrides, cell: Cell | None) -> Overrides:
    """The settings of axes that hold at a place of a grid: of its choices, what they set or a part of it."""
    found = []
    for axis, choice in cell.choices.items() if cell else ():
        start = f"{AXIS}{axis}.{choice.name}."
        mine = [(key.removeprefix(start), text) for key, text in pairs if key.startswith(start)]
        found += [
            (key, text) for key, text in mine if any(key == one or key.startswith(f"{one}.") for one in choice.sets)
        ]
    return found
