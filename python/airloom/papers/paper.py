"""A paper as its folder describes it: where it was published, and the runs and grids of runs that repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from airloom import grid, places, reading
from airloom.captures import CaptureSettings
from airloom.errors import PaperError

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.grid import Cell, Grid


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
    return sorted(file.parent.name for file in places.papers().glob("*/paper.toml"))


def read(paper: str) -> Paper:
    """Reads a paper's description."""
    folder = places.papers() / paper
    file = folder / "paper.toml"
    if not file.is_file():
        raise PaperError(f"no paper {paper!r}; there are: {', '.join(available()) or 'none'}")
    content = parse(file)
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
        return Paper(paper, content["title"], content["citation"], folder, named, {one.id: one for one in grids})
    except KeyError as error:
        raise PaperError(f"{file}: no {error.args[0]!r} where one is needed") from None


def paper_run(folder: Path, entry: dict[str, Any]) -> PaperRun:
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
        capture=None if capture is None else CaptureSettings(**capture),
    )


def paper_grid(entry: dict[str, Any], file: str) -> PaperGrid:
    """One `[[grid]]` of `paper.toml`; its runs are named after it and their place in it."""
    name = entry["id"]
    cells = grid.read(entry, f"{file}: grid {name!r}")
    return PaperGrid(name, entry["title"], cells, {"-".join([name, *cell.place.values()]): cell for cell in cells})


def grid_run(folder: Path, entry: dict[str, Any], name: str, cell: Cell) -> PaperRun:
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


def settings(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """What a run or a grid sets over its scenario."""
    return [(key, grid.written(value)) for key, value in entry.get("set", {}).items()]


def parse(file: Path) -> dict[str, Any]:
    """A TOML file's content."""
    try:
        return reading.toml(reading.read(file).decode())
    except (OSError, ValueError) as error:
        raise PaperError(f"{file}: {error}") from None
