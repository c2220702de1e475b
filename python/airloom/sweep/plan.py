"""A grid file: a scenario, what is varied in it, and what is kept of each run."""

from __future__ import annotations

import difflib
import hashlib
import json
import random
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.errors import GridError, ScenarioError, TooLargeError
from airloom.scenario import grid, source
from airloom.support import reading
from airloom.support.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from pathlib import Path

    from airloom.scenario.grid import Cell, Grid, Overrides

KEYS = ("title", "scenario", "set", "seeds", "axis", "sample", "keep")
"""The keys of a grid file."""

KEEP = ("summary", "bundle")
"""What can be kept of a run."""

TAKEN = ("cell", "seed", "kind", "entity")
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
        """What it is called: the grid's title, or its scenario's."""
        return str(parsed(self.file, self.text).get("title") or parsed(self.scenario, self.base).get("title", ""))

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
            GridError: The engine refuses one; the message has its place in the grid file.
        """
        for cell in [self.grid[0], *self.grid.edges()]:
            overrides = self.overrides(cell)
            where = ", ".join(f"{axis} {value}" for axis, value in cell.place.items())
            try:
                _engine.check(self.base, visible(str(self.scenario)), overrides, cell.seed)
            except ScenarioError as error:
                if error.mistakes[0].setting is None:
                    raise GridError(*str(error).split("\n  "), f"in the cell {where}") from None
                key, value = overrides[error.line - 1]
                hint = [error.hint] if error.hint else []
                raise GridError(f"{self.place(key, value)}: {error.message}", *hint) from None
            except TooLargeError as error:
                raise GridError(*error.args, f"in the cell {where}") from None

    def place(self, key: str, value: str = "") -> str:
        """Where the file says something about a key: the line that has the value too, if there is one."""
        return place(self.file, self.text, key, value)


def read(file: Path, scenario: Path | None = None) -> Plan:
    """Reads a grid file; `scenario` takes the place of the one that it names."""
    text, _ = source.read(file, "grid")

    def base(named: object) -> tuple[Path, str]:
        if scenario is None and not isinstance(named, str):
            raise GridError(f'{file}: needs the scenario that it varies: scenario = "upload.toml", beside this file')
        there = scenario or file.parent / str(named)
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
    for key in content.keys() - set(KEYS):
        near = difflib.get_close_matches(key, KEYS, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(KEYS)}"
        raise GridError(f"{place(file, text, key)}: unknown key `{key}`", hint)
    cells = grid.read(content, str(file))
    for axis in cells.axes:
        if axis.name in TAKEN:
            raise GridError(f"{place(file, text, axis.name)}: no axis can be called {axis.name!r}: the table has that")
    if not isinstance(content.get("set", {}), dict):
        raise GridError(f'{place(file, text, "set")}: `set` needs to be a table: set = {{ duration = "10 s" }}')
    if grid.SEED in map(grid.canonical, content.get("set", {})):
        raise GridError(f"{place(file, text, 'set')}: seeds are not set one by one; write `seeds = [1]`")
    fixed = [(key, grid.written(value)) for key, value in content.get("set", {}).items()]
    keep = content.get("keep", KEEP[0])
    if keep not in KEEP:
        raise GridError(f"{place(file, text, 'keep')}: `keep` is one of {', '.join(map(repr, KEEP))}")
    if not isinstance(content.get("title", ""), str):
        raise GridError(f'{place(file, text, "title")}: `title` needs to be text: title = "Near and far"')
    return Plan(file, text, *base(content.get("scenario")), fixed, cells, sample(content, cells, file), keep)


def is_grid(text: str) -> bool:
    """Whether a file is a grid's rather than a scenario's; also one that is not TOML, as far as that can be seen."""
    return bool(re.search(r"^\s*(scenario|sample|keep)\s*=|^\s*\[\s*axis\b|^\s*axis\s*[.=]", text, re.MULTILINE))


def parsed(file: Path, text: str) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return reading.toml(text)
    except ValueError as error:
        raise GridError(f"{file}: {error}") from None


def sample(content: dict[str, Any], cells: Grid, file: Path) -> tuple[int, int] | None:
    """How many cells are drawn, and with which seed."""
    match content.get("sample"):
        case None:
            return None
        case {"cells": int(size), "seed": int(seed)} if 0 < size < cells.size and seed >= 0:
            return size, seed
        case {"cells": int(size), "seed": int()} if size >= cells.size:
            raise GridError(f"{file}: a sample of {size:,} from {cells.size:,} cells; leave it out to run them all")
    raise GridError(f"{file}: `sample` needs how many cells are drawn, and a seed: sample = {{ cells = 50, seed = 1 }}")


def place(file: Path, text: str, key: str, value: str = "") -> str:
    """Where in a file a key stands, with line and column: preferably on a line that has the value too."""
    word = re.compile(rf"(?<![\w.-]){re.escape(key)}(?![\w.-])")
    found = [
        (value not in line, f"{file}:{number}:{match.start() + 1}")
        for number, line in enumerate(text.splitlines(), 1)
        if (match := word.search(line.partition("#")[0]))
    ]
    return min(found, key=lambda one: one[0], default=(True, str(file)))[1]
