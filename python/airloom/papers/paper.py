"""A paper as its folder describes it: where it was published, and the runs and grids of runs that repeat it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from airloom.errors import PaperError
from airloom.papers import paths
from airloom.scenario import grid
from airloom.scenario.complaints import Complaints
from airloom.simulation.capture_settings import SNAP_LENGTH, CaptureSettings
from airloom.support import reading

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.grid import Cell, Grid, Overrides
    from airloom.support.reading import Shape

ID = re.compile(r"[A-Za-z0-9_-]+")
"""What the folder of a paper is called, which is the paper's id."""


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
    """

    id: str
    title: str
    short: str
    scenario: Path
    overrides: list[tuple[str, str]] = field(default_factory=list)
    seed: int | None = None
    same: str | None = None
    capture: CaptureSettings | None = None

    @property
    def folder(self) -> str:
        """Its name as that of a folder, which has no other within: `rates-1 Mbit/s-4` is `rates-1_Mbit_s-4`."""
        return re.sub(r"[^\w.+-]|^[.]", "_", self.id)


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
    """A published experiment; its runs are those that stand alone and those of its grids."""

    id: str
    title: str
    citation: str
    folder: Path
    runs: dict[str, PaperRun]
    grids: dict[str, PaperGrid]

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


def read(paper: str) -> Paper:
    """Reads a paper's description.

    Raises:
        PaperError: There is no such paper, or its description is wrong.
    """
    if paper not in available():
        raise PaperError(f"no paper {paper!r}; there are: {', '.join(available()) or 'none'}")
    folder = paths.papers() / paper
    file = folder / "paper.toml"
    content = parse(file, PaperFile)
    try:
        runs = [paper_run(folder, entry) for entry in content.get("run", [])]
        grids = []
        for entry in content.get("grid", []):
            one = paper_grid(entry, str(file))
            grids.append(one)
            runs += [grid_run(folder, entry, name, cell) for name, cell in one.cells.items()]
        named = {run.id: run for run in runs}
        if len(named) < len(runs) or named.keys() & {one.id for one in grids}:
            raise PaperError(f"{file}: two runs or grids have the same name")
        if len({run.folder for run in runs}) < len(runs):
            raise PaperError(f"{file}: two runs have names that differ only in what a folder's name cannot have")
        for run in runs:
            if run.same and (run.same not in named or named[run.same].same):
                raise PaperError(f"{file}: run {run.id!r} is the same as {run.same!r}, which is no run of its own")
        return Paper(paper, content["title"], content["citation"], folder, named, {one.id: one for one in grids})
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None


def paper_run(folder: Path, entry: RunEntry) -> PaperRun:
    """One `[[run]]` of `paper.toml`."""
    same = entry.get("same")
    capture = entry.get("capture")
    return PaperRun(
        id=entry["id"],
        title=entry["title"],
        short=entry["short"],
        scenario=folder / (entry["scenario"] if not same else "."),
        overrides=settings(entry),
        seed=entry.get("seed"),
        same=same,
        capture=None
        if capture is None
        else CaptureSettings(capture.get("snap_length", SNAP_LENGTH), capture.get("window")),
    )


def paper_grid(entry: GridEntry, file: str) -> PaperGrid:
    """One `[[grid]]` of `paper.toml`; its runs are named after it and their place in it."""
    name = entry["id"]
    complaints = Complaints(f"{file}: grid {name!r}")
    cells = grid.read(entry, complaints)
    complaints.check()
    return PaperGrid(name, entry["title"], cells, {"-".join([name, *cell.place.values()]): cell for cell in cells})


def grid_run(folder: Path, entry: GridEntry, name: str, cell: Cell) -> PaperRun:
    """One run of a grid."""
    place = ", ".join(f"{axis} {value}" for axis, value in cell.place.items())
    return PaperRun(
        id=name,
        title=f"{entry['title']}: {place}",
        short=place,
        scenario=folder / entry["scenario"],
        overrides=settings(entry) + cell.overrides,
        seed=cell.seed,
    )


def settings(entry: RunEntry | GridEntry) -> Overrides:
    """What a run or a grid sets over its scenario."""
    return [(key, grid.written(value)) for key, value in entry.get("set", {}).items()]


def parse(file: Path, shape: type[Shape]) -> Shape:
    """A TOML file's content, which has this shape."""
    try:
        return reading.shaped(reading.toml(reading.read(file).decode()), shape)
    except (OSError, ValueError) as error:
        raise PaperError(f"{file}: {error}") from None
