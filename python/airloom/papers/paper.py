"""A paper as its folder describes it: where it was published, and the runs that repeat it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from airloom import places
from airloom.captures import CaptureSettings
from airloom.errors import PaperError

if TYPE_CHECKING:
    from pathlib import Path


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
class Paper:
    """A published experiment."""

    id: str
    title: str
    citation: str
    folder: Path
    runs: dict[str, PaperRun]

    def run(self, name: str) -> PaperRun:
        """The run of a name, or the one that the name stands for."""
        run = self.runs.get(name)
        if run is None:
            raise PaperError(f"paper {self.id}: no run {name!r}; there are {', '.join(self.runs)}")
        return self.run(run.same) if run.same else run


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
        runs = [paper_run(folder, entry) for entry in content["run"]]
        return Paper(paper, content["title"], content["citation"], folder, {run.id: run for run in runs})
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
        overrides=[(key, str(value)) for key, value in entry.get("set", {}).items()],
        seed=entry.get("seed"),
        same=same,
        capture=None if capture is None else CaptureSettings(**capture),
    )


def parse(file: Path) -> dict[str, Any]:
    """A TOML file's content."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PaperError(f"{file}: {error}") from None
