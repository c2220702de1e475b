"""A problem of which a paper's claims are what was measured."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.errors import ScenarioError
from airloom.fitting.problem import Problem
from airloom.papers import paper as papers
from airloom.papers import scorer
from airloom.papers.claim import read_claims
from airloom.scenario import source
from airloom.scenario.complaints import Complaints
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.papers.claim import Claim
    from airloom.papers.paper import Paper, PaperGrid, PaperRun
    from airloom.scenario.grid import Overrides


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

    @cached_property
    def claims(self) -> list[Claim]:
        """The paper's claims."""
        return read_claims(papers.read_folder(self.folder))

    @cached_property
    def identity(self) -> str:
        """A hash of the problem and of the paper's files."""
        files = sorted(one for one in self.folder.iterdir() if one.suffix in {".toml", ".py"})
        parts = [self.text.encode(), self.hold_out.encode(), *(one.read_bytes() for one in files)]
        return hashlib.sha256(b"\0".join(hashlib.sha256(one).digest() for one in parts)).hexdigest()

    def at(self, point: Sequence[float], seed: int) -> Paper:
        """The paper as it is at a point, with one set of seeds: the runs that its measures need."""
        whole = papers.read_folder(self.folder, seed_set=seed, changed=self.settings(point))
        wanted = {run for name in scorer.needed(whole) for run in whole.runs_of(name)}
        grids = {name: self.fewer(one) for name, one in whole.grids.items() if wanted & one.cells.keys()}
        in_grids = {name for one in whole.grids.values() for name in one.cells}
        left = {name for one in grids.values() for name in one.cells}
        runs = {
            name: self.of_scenario(one, point)
            for name, one in whole.runs.items()
            if name in left or (name in wanted and name not in in_grids) or one.same
        }
        return replace(whole, runs=runs, grids=grids)

    def settings(self, point: Sequence[float]) -> Overrides:
        """All that is set in every run: what is fixed, and the unknowns of all scenarios."""
        unknown = [
            pair
            for one, value in zip(self.parameters, point, strict=True)
            if not one.scenarios
            for pair in one.overrides(value)
        ]
        return [*self.fixed, *unknown]

    def of_scenario(self, run: PaperRun, point: Sequence[float]) -> PaperRun:
        """A run with the unknowns of its own scenario."""
        own = [
            pair
            for one, value in zip(self.parameters, point, strict=True)
            if run.scenario.name in one.scenarios
            for pair in one.overrides(value)
        ]
        return replace(run, overrides=[*own, *run.overrides], capture=None)

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
        complaints.check()
        middle = self.point([0.5] * len(self.parameters))
        for point in (middle, *self.ends()):
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

    def files(self) -> dict[str, str]:
        """What the fit's folder begins with beside the problem: nothing."""
        return {}

    def world(self, point: Sequence[float], experiment: str, about: str) -> str:  # noqa: ARG002 - there is one alone
        """A world: what it sets over the paper's scenarios."""
        lines = [f"# {about}", f"# Over the scenarios of the paper {self.folder.name}."]
        for one, value in zip(self.parameters, point, strict=True):
            where = f"  # in {', '.join(one.scenarios)}" if one.scenarios else ""
            lines += [f'"{key}" = "{text}"{where}' for key, text in one.overrides(value)]
        return "\n".join(lines) + "\n"
