"""A grid file: a scenario, what is varied in it, and what is kept of each run."""

from __future__ import annotations

import difflib
import hashlib
import json
import random
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.errors import GridError, GridMistakesError, Mistake, RunError, ScenarioError, TooLargeError
from airloom.scenario import grid, source, text_file
from airloom.scenario.complaints import Complaints
from airloom.support import library, reading
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from airloom.scenario.grid import Cell, Grid, Overrides

UNTITLED = "untitled"
"""What the engine calls a scenario without a title (`model.rs`)."""

KEYS = ("title", "scenario", "set", "seeds", "axis", "sample", "keep")
"""The keys of a grid file."""

OF_GRIDS = ("axis", "sample", "keep")
"""The keys by which a file is a grid's, beside the scenario that it names."""

ASKED_ABOVE = 10_000
"""Cells above which a grid may be a mistake, and is run only where that is asked for once more."""

KEEP = ("summary", "bundle")
"""What can be kept of a run."""

TAKEN = ("cell", "seed", "kind", "group", "entity")
"""Columns of the table that no axis can be called after."""


@dataclass(frozen=True)
class Plan:
    """What a grid file asks for.

    Attributes:
        file: The grid file.
        text: Its text.
        scenario: The scenario file.
        base: The scenario's text.
        fixed: What is set over it in every cell.
        grid: What is varied.
        sample: How many cells are drawn from the grid, and the seed of the draw; none for the whole grid.
        keep: What is kept of each run, one of `KEEP`.
    """

    file: Path
    text: str
    scenario: Path
    base: str
    fixed: Overrides
    grid: Grid
    sample: tuple[int, int] | None
    keep: str

    @property
    def size(self) -> int:
        """How many cells there are to be run."""
        return self.sample[0] if self.sample else self.grid.size

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The cells to be run, by their number in the grid."""
        if self.sample is None:
            return range(self.grid.size)
        size, seed = self.sample
        draw = random.Random(seed)  # noqa: S311 - the same cells whenever the same seed is given
        drawn: set[int] = set()
        while len(drawn) < size:
            drawn.add(draw.randrange(self.grid.size))
        return sorted(drawn)

    @cached_property
    def cells(self) -> Container[int]:
        """The same, to look one up."""
        return self.numbers if self.sample is None else frozenset(self.numbers)

    @property
    def title(self) -> str:
        """What it is called: the grid's title, or its scenario's, or what a run without one is called."""
        own = parsed(self.file, self.text).get("title") or parsed(self.scenario, self.base).get("title")
        return str(own or UNTITLED)

    def overrides(self, cell: Cell) -> Overrides:
        """All that is set in a cell."""
        return self.fixed + cell.overrides

    @property
    def identity(self) -> str:
        """The identity of this grid: a hash of what both files set, without layout, comments and the grid's title."""
        said = {**parsed(self.file, self.text), "scenario": None}
        said.pop("title", None)
        both = said, parsed(self.scenario, self.base)
        content = json.dumps(both, default=str)
        return hashlib.sha256(content.encode()).hexdigest()

    def check(self) -> None:
        """Lays every value over the scenario once, in the company of the first of each other axis.

        Raises:
            GridError: The engine refuses some; each message has its place in the grid file, or the scenario's.
        """
        complaints = Complaints(visible(str(self.file)), self.text)
        for cell in [self.grid[0], *self.grid.edges()]:
            overrides = self.overrides(cell)
            where = ", ".join(f"{axis} {value}" for axis, value in cell.place.items())
            try:
                _engine.check(self.base, visible(str(self.scenario)), overrides, cell.seed)
            except ScenarioError as error:
                for mistake in error.mistakes:
                    if mistake.setting is not None:
                        key, value = overrides[mistake.line - 1]
                        complaints.add(key, mistake.message, mistake.hint, value=value)
                    elif all(mistake[:4] != other[:4] for other in complaints.found):
                        hint = f"{mistake.hint}; " if mistake.hint else ""
                        complaints.found.append(mistake._replace(hint=f"{hint}in the cell {where}"))
            except TooLargeError as error:
                raise GridError(*error.args, f"in the cell {where}") from None
        complaints.check()


def read(file: Path, scenario: Path | None = None) -> Plan:
    """Reads a grid file; `scenario` takes the place of the one that it names."""
    text, name = source.read(file, "grid")
    # Beside standard input is what is in the current folder.
    return of_text(text, Path(name) if str(file) == text_file.STDIN else file, scenario)


def of_text(text: str, file: Path, scenario: Path | None = None) -> Plan:
    """The same of the text of a grid file."""

    def base(named: object) -> tuple[Path, str]:
        if scenario is None and not isinstance(named, str):
            raise GridError('needs the scenario that it varies: scenario = "upload.toml", beside this file')
        there = scenario or library.beside(file.parent, str(named))
        return there, source.read(there)[0]

    return parse(file, text, base)


def parse(file: Path, text: str, base: Callable[[object], tuple[Path, str]]) -> Plan:
    """What a grid asks for.

    Args:
        file: What messages call it.
        text: Its text, as a grid file has it.
        base: Gives the scenario's file and text, from what the grid says of it.
    """
    content = parsed(file, text)
    refuse_problem(content, str(file))
    refuse_both(content, text, str(file))
    if "air" in content and "scenario" not in content:
        raise GridError(
            f"{file}: a scenario, not a grid", f"`airloom run {file}` runs it; `airloom new sweep` writes a grid"
        )
    complaints = Complaints(visible(str(file)), text)
    for key in content.keys() - set(KEYS):
        near = difflib.get_close_matches(key, KEYS, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(KEYS)}"
        complaints.add(key, f"unknown key `{key}`", hint)
    cells = grid.read(content, complaints)
    for axis in cells.axes:
        if axis.name in TAKEN:
            complaints.add(axis.name, f"no axis can be called {axis.name!r}: the table has that")
    fixed = settings(content.get("set", {}), complaints)
    keep = content.get("keep", KEEP[0])
    if keep not in KEEP:
        complaints.add("keep", f"`keep` is one of {', '.join(map(repr, KEEP))}")
    if not isinstance(content.get("title", ""), str):
        complaints.add("title", '`title` needs to be text: title = "Near and far"')
    drawn = sample(content, cells, complaints)
    try:
        scenario, there = base(content.get("scenario"))
    except (GridError, RunError) as error:
        complaints.add("scenario", str(error))
        complaints.check()
        raise
    keys = {key for axis in cells.axes for key in [axis.name, *(key for choice in axis.choices for key in choice.sets)]}
    numbered = dict(zip(sorted(keys), _engine.numbered(there, sorted(keys)), strict=True))
    grid.told_apart(cells, complaints, lambda key: grid.canonical(numbered[key]))
    complaints.check()
    return Plan(file, text, scenario, there, fixed, cells, drawn, keep)


def settings(content: object, complaints: Complaints) -> Overrides:
    """What is set in every cell."""
    if not isinstance(content, dict):
        complaints.add("set", '`set` needs to be a table: set = { duration = "10 s" }')
        return []
    if grid.SEED in map(grid.canonical, content):
        complaints.add("set", "seeds are not set one by one; write `seeds = [1]`")
    return [(key, grid.written(value)) for key, value in content.items()]


def content_of(text: str) -> dict[str, Any]:
    """What a TOML file says; nothing where it is none, which whatever reads it next says with the place."""
    try:
        return reading.toml(text)
    except ValueError:
        return {}


def is_grid(text: str) -> bool:
    """Whether a file is a grid's rather than a scenario's; also one that is not TOML, as far as that can be seen."""
    return bool(re.search(r"^\s*(scenario|sample|keep)\s*=|^\s*\[\s*axis\b|^\s*axis\s*[.=]", text, re.MULTILINE))


def refuse_mixed(text: str, file: str) -> None:
    """Refuses a scenario in which something of a grid stands, such as `[axis]`: it is neither.

    Raises:
        GridMistakesError: It is one; the message has the place of what belongs elsewhere.
    """
    content = content_of(text)
    refuse_problem(content, file)
    refuse_both(content, text, file)


def refuse_grid(text: str, file: str, instead: str) -> None:
    """Refuses a grid or a problem where a scenario is asked for, and says what serves instead.

    Raises:
        GridMistakesError: It is a scenario in which something of a grid stands.
        RunError: It is a grid, or a fit's problem.
    """
    refuse_mixed(text, file)
    if is_grid(text):
        raise RunError(f"{file}: a sweep's grid, not a scenario", instead)


def refuse_problem(content: dict[str, Any], file: str) -> None:
    """Refuses a fit's problem where a grid or a scenario is asked for.

    Raises:
        RunError: It is one.
    """
    if is_problem(content):
        raise RunError(f"{file}: a fit's problem", f"`airloom fit {file}` fits it; it needs airloom[fit]")


def is_problem(content: dict[str, Any]) -> bool:
    """Whether a file that says this is a fit's problem rather than a grid or a scenario."""
    return bool({"parameter", "measured"} & content.keys()) and "air" not in content


def runs_it(file: str) -> str:
    """What runs a grid that messages call so; that of standard input has its scenario in the current folder."""
    return f"`airloom sweep {'-' if file == text_file.STDIN_NAME else file}` runs it"


def refuse_both(content: dict[str, Any], text: str, file: str) -> None:
    """The same of what a file says, and its text."""
    mixed = [key for key in OF_GRIDS if key in content]
    if "air" not in content or "scenario" in content or not mixed:
        return
    complaints = Complaints(visible(file), text)
    name = Path(file).name
    for key in mixed:
        shown = f"[{key}]" if isinstance(content[key], dict) else f"`{key}`"
        complaints.add(
            key,
            f"{shown} is a grid's, and this is a scenario",
            f'move {shown} into a file of its own that begins with `scenario = "{name}"`; '
            "`airloom new sweep` writes one",
        )
    complaints.check()


def parsed(file: Path, text: str) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return reading.toml(text)
    except ValueError as error:
        raise GridMistakesError([Mistake(visible(str(file)), *reading.located(error))]) from None


def sample(content: dict[str, Any], cells: Grid, complaints: Complaints) -> tuple[int, int] | None:
    """How many cells are drawn, and with which seed."""
    message = "`sample` needs how many cells are drawn, and a seed: sample = { cells = 50, seed = 1 }"
    match content.get("sample"):
        case None:
            return None
        case {"cells": int(size), "seed": int(seed)} if 0 < size < cells.size and seed >= 0:
            return size, seed
        case {"cells": int(size), "seed": int()} if size >= cells.size:
            if complaints.found:
                return None
            message = f"a sample of {size:,} from {cells.size:,} cells; leave it out to run them all"
    complaints.add("sample", message)
    return None
