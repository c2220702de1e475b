"""A paper as its folder describes it: where it was published, and the runs and grids of runs that repeat it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from airloom.errors import Mistake, PaperError
from airloom.papers import given, paths
from airloom.scenario import grid
from airloom.scenario.complaints import Complaints
from airloom.simulation.capture_settings import SNAP_LENGTH, CaptureSettings
from airloom.support import reading

if TYPE_CHECKING:
    from airloom.scenario.grid import Cell, Grid, Overrides
    from airloom.support.reading import Shape

ID = re.compile(r"[A-Za-z0-9_-]+")
"""What the folder of a paper is called, which is the paper's id."""

AXIS = "axis."
"""Begins the key of a value that an axis sets."""

OF_MANY = [("record.detail", "false")]
"""What a run of a grid or of a further set of seeds has, unless the paper sets it: nobody looks at its packets."""


class CaptureEntry(TypedDict):
    """What to capture."""

    snap_length: NotRequired[int]
    window: NotRequired[str]


class RunEntry(TypedDict, total=False):
    """A `[[run]]` of `paper.toml`."""

    id: str
    title: str
    short: str
    scenario: str
    set: dict[str, Any]
    seed: int
    same: str
    capture: CaptureEntry


class GridEntry(TypedDict, total=False):
    """A `[[grid]]` of `paper.toml`."""

    id: str
    title: str
    scenario: str
    set: dict[str, Any]
    seeds: Any
    axis: Any


class PaperFile(TypedDict, total=False):
    """`paper.toml`."""

    title: str
    citation: str
    seed_sets: int
    run: list[RunEntry]
    grid: list[GridEntry]


@dataclass(frozen=True)
class PaperRun:
    """One run of a paper: a scenario, with what is changed in it.

    Attributes:
        id: Its name within the paper.
        title: What it shows, for people.
        short: The same in a few words, to head a column.
        scenario: The scenario file.
        overrides: Values set over the scenario's, by dotted key.
        seed: The seed, if not the scenario's own.
        same: The id of the run that this is another name for.
        capture: What to capture of it, if anything.
        seed_set: Which set of seeds it belongs to, from 1.
    """

    id: str
    title: str
    short: str
    scenario: Path
    overrides: list[tuple[str, str]] = field(default_factory=list)
    seed: int | None = None
    same: str | None = None
    capture: CaptureSettings | None = None
    seed_set: int = 1

    @property
    def folder(self) -> str:
        """Its name as that of a folder, which has no other within: `rates-1 Mbit/s-4` is `rates-1_Mbit_s-4`.

        With another set of seeds, `download` is `download@2`.
        """
        name = re.sub(r"[^\w.+-]|^[.]", "_", self.id)
        return name if self.seed_set == 1 else f"{name}@{self.seed_set}"


@dataclass(frozen=True)
class PaperGrid:
    """A scenario varied along axes.

    Attributes:
        id: Its name within the paper.
        title: What it shows, for people.
        grid: Its axes and seeds.
        cells: Where each of its runs lies, by the run's name.
    """

    id: str
    title: str
    grid: Grid
    cells: dict[str, Cell]


@dataclass(frozen=True)
class Paper:
    """A published experiment; its runs are those that stand alone and those of its grids.

    Attributes:
        seed_sets: Over how many sets of seeds its score is taken.
    """

    id: str
    title: str
    citation: str
    folder: Path
    runs: dict[str, PaperRun]
    grids: dict[str, PaperGrid]
    seed_sets: int

    def run(self, name: str) -> PaperRun:
        """The run of a name, or the one that the name stands for."""
        run = self.runs.get(name)
        if run is None:
            there = [*(one.id for one in self.alone), *self.grids]
            raise PaperError(f"paper {self.id}: no run {name!r}; there are {', '.join(there)}")
        return self.run(run.same) if run.same else run

    def runs_of(self, name: str) -> list[str]:
        """The runs of the grid of a name, or the run that has it itself."""
        if name in self.grids:
            return list(self.grids[name].cells)
        self.run(name)
        return [name]

    @property
    def alone(self) -> list[PaperRun]:
        """The runs that are of no grid."""
        gridded = {name for one in self.grids.values() for name in one.cells}
        return [run for run in self.runs.values() if run.id not in gridded]


def available() -> list[str]:
    """The papers there are, by id."""
    folders = (file.parent.name for file in paths.papers().glob("*/paper.toml"))
    return sorted(name for name in folders if ID.fullmatch(name))


def read(paper: str, *, seed_set: int = 1, changed: Overrides | None = None) -> Paper:
    """Reads a paper's description.

    Args:
        paper: Its id, or the path of a folder with a `paper.toml`; one below the current folder is `./NAME`.
        seed_set: As `read_folder` has it.
        changed: As `read_folder` has it.

    Raises:
        PaperError: There is no such paper, or its description is wrong.
    """
    if paper in available():
        return read_folder(paths.papers() / paper, seed_set=seed_set, changed=changed)
    if is_path(paper) and (Path(paper) / "paper.toml").is_file():
        return read_folder(Path(paper).resolve(), seed_set=seed_set, changed=changed)
    there = ", ".join(available()) or "none"
    raise PaperError(f"no paper {paper!r}; there are: {there}; or a folder that has a paper.toml, such as ./mine")


def is_path(paper: str) -> bool:
    """Whether a paper is named by a path: a mistyped id never runs what lies in the current folder."""
    return os.sep in paper or paper in (os.curdir, os.pardir)


def read_folder(folder: Path, *, seed_set: int = 1, changed: Overrides | None = None) -> Paper:
    """Reads the description of the paper in a folder, whose name is the paper's id.

    Args:
        folder: The folder.
        seed_set: Which set of seeds its runs have, from 1: no two sets share a seed. The first has those of the file.
        changed: Values over those of every scenario, by dotted key, to try what they decide. `axis.NAME.CHOICE.KEY` is
            what a choice of an axis sets.

    Raises:
        PaperError: There is no such paper, or its description is wrong.
    """
    if not ID.fullmatch(folder.name):
        raise PaperError(f"{folder}: a paper's folder is named by letters, digits, _ and - alone: it is the paper's id")
    file = folder / "paper.toml"
    content = parse(file, PaperFile)
    over = [pair for pair in changed or [] if not pair[0].startswith(AXIS)]
    along = [pair for pair in changed or [] if pair[0].startswith(AXIS)]
    try:
        shift = 0 if seed_set == 1 else (seed_set - 1) * stride(read_folder(folder, changed=changed))
        runs = [moved(paper_run(folder, entry, over, seed_set), shift) for entry in content.get("run", [])]
        grids = []
        for entry in content.get("grid", []):
            one = paper_grid(entry, str(file), along, shift)
            grids.append(one)
            cells = [(grid_run(folder, entry, name, cell, over, seed_set), cell) for name, cell in one.cells.items()]
            runs += [moved(run, shift) if cell.seed is None else run for run, cell in cells]
        named = {run.id: run for run in runs}
        if len(named) < len(runs) or named.keys() & {one.id for one in grids}:
            raise PaperError(f"{file}: two runs or grids have the same name")
        if len({run.folder for run in runs}) < len(runs):
            raise PaperError(f"{file}: two runs have names that differ only in what a folder's name cannot have")
        for run in runs:
            if run.same and (run.same not in named or named[run.same].same):
                raise PaperError(f"{file}: run {run.id!r} is the same as {run.same!r}, which is no run of its own")
        by_name = {one.id: one for one in grids}
        sets = content.get("seed_sets", 1)
        return Paper(folder.name, content["title"], content["citation"], folder, named, by_name, sets)
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None


def stride(paper: Paper) -> int:
    """By how much the seeds of one set lie above those of the one before: so that none of these reaches up to them."""
    seeds = [seed_of(run) for run in paper.runs.values() if not run.same]
    return max(seeds) - min(seeds) + 1 if seeds else 1


def seed_of(run: PaperRun) -> int:
    """The seed of a run: its own, or that of its scenario."""
    return int(given.values(run.scenario, run.overrides, None)["seed"]) if run.seed is None else run.seed


def moved(run: PaperRun, shift: int) -> PaperRun:
    """A run with a seed that is larger by this; by nothing, the run as it is."""
    return replace(run, seed=seed_of(run) + shift) if shift and not run.same else run


def paper_run(folder: Path, entry: RunEntry, over: Overrides, seed_set: int) -> PaperRun:
    """One `[[run]]` of `paper.toml`."""
    same = entry.get("same")
    capture = entry.get("capture")
    return PaperRun(
        id=entry["id"],
        title=entry["title"],
        short=entry["short"],
        scenario=folder / (entry["scenario"] if not same else "."),
        overrides=(OF_MANY if seed_set > 1 else []) + over + settings(entry),
        seed=entry.get("seed"),
        same=same,
        capture=None
        if capture is None
        else CaptureSettings(capture.get("snap_length", SNAP_LENGTH), capture.get("window")),
        seed_set=seed_set,
    )


def paper_grid(entry: GridEntry, file: str, along: Overrides, shift: int) -> PaperGrid:
    """One `[[grid]]` of `paper.toml`; its runs are named after it and their place in it."""
    name = entry["id"]
    complaints = Complaints(f"{file}: grid {name!r}")
    found = grid.read(entry, complaints)
    complaints.check()
    if shift:
        found = grid.Grid(found.axes, [None if seed is None else seed + shift for seed in found.seeds])
    found = grid.Grid([retried(axis, along) for axis in found.axes], found.seeds)
    return PaperGrid(name, entry["title"], found, {"-".join([name, *cell.place.values()]): cell for cell in found})


def retried(axis: grid.Axis, along: Overrides) -> grid.Axis:
    """An axis with other values in its choices."""

    def sets(choice: grid.Choice) -> dict[str, object]:
        start = f"{AXIS}{axis.name}.{choice.name}."
        return {**choice.sets, **{key.removeprefix(start): value for key, value in along if key.startswith(start)}}

    return grid.Axis(axis.name, [grid.Choice(choice.name, sets(choice)) for choice in axis.choices])


def grid_run(folder: Path, entry: GridEntry, name: str, cell: Cell, over: Overrides, seed_set: int) -> PaperRun:
    """One run of a grid."""
    place = ", ".join(f"{axis} {value}" for axis, value in cell.place.items())
    return PaperRun(
        id=name,
        title=f"{entry['title']}: {place}",
        short=place,
        scenario=folder / entry["scenario"],
        overrides=OF_MANY + over + settings(entry) + cell.overrides,
        seed=cell.seed,
        seed_set=seed_set,
    )


def settings(entry: RunEntry | GridEntry) -> Overrides:
    """What a run or a grid sets over its scenario."""
    return [(key, grid.written(value)) for key, value in entry.get("set", {}).items()]


def parse(file: Path, shape: type[Shape]) -> Shape:
    """A TOML file's content, which has this shape."""
    try:
        return reading.shaped(reading.toml(reading.read(file).decode()), shape)
    except OSError as error:
        raise PaperError(f"{file}: {error}") from None
    except ValueError as error:
        raise PaperError(str(Mistake(str(file), *reading.located(error)))) from None
