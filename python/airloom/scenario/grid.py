"""Grids: every combination of the values of some axes, with every seed."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from airloom.scenario.reference import every, scenario
from airloom.scenario.toml_text import inline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from airloom.scenario.complaints import Complaints

SEED = "seed"
"""The axis that every grid has."""

MOST = 10**12
"""The cells of a grid, from which a sample may be drawn: more of them are a mistake in the file."""

TABLES = ("record", "air", "wall", "floor", "ap", "station", "server", "flow")
"""The tables of a scenario, whose keys have dots."""

ARRAYS = ("ap", "station", "server", "flow", "wall", "floor")
"""Those of which there can be several."""

PLAIN = ("title", "description", "duration", "warm_up", "seed")
"""The keys of a scenario that have none."""

Overrides = list[tuple[str, str]]
"""Values over the scenario's, by dotted key, as the engine takes them."""


@dataclass(frozen=True)
class Choice:
    """One value of an axis: its name, and what it sets in the scenario, by dotted key."""

    name: str
    sets: Mapping[str, object]

    @property
    def overrides(self) -> Overrides:
        """What it sets, as the engine takes it."""
        return [(key, written(value)) for key, value in self.sets.items()]

    def value(self, axis: str) -> float | str:
        """What it is on its axis: the number that it sets for the key of that name, or else its name."""
        value = self.sets.get(axis)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else self.name


@dataclass(frozen=True)
class Axis:
    """What is varied under one name."""

    name: str
    choices: Sequence[Choice]

    @property
    def values(self) -> list[float | str]:
        """Its values: numbers where they are, names otherwise."""
        return [choice.value(self.name) for choice in self.choices]


@dataclass(frozen=True)
class Cell:
    """One place in a grid.

    Attributes:
        choices: The value chosen on each axis.
        seed: The seed; none for that of the scenario.
    """

    choices: Mapping[str, Choice]
    seed: int | None

    @property
    def overrides(self) -> Overrides:
        """What it sets in the scenario; later axes have the last word."""
        return [pair for choice in self.choices.values() for pair in choice.overrides]

    @property
    def place(self) -> dict[str, str]:
        """The names of its values, by axis, and its seed."""
        names = {axis: choice.name for axis, choice in self.choices.items()}
        return names if self.seed is None else {**names, SEED: str(self.seed)}

    @property
    def values(self) -> dict[str, float | str]:
        """Its values, by axis, numbers where they are, and its seed."""
        values = {axis: choice.value(axis) for axis, choice in self.choices.items()}
        return values if self.seed is None else {**values, SEED: self.seed}


@dataclass(frozen=True)
class Grid:
    """Axes and seeds. Its cells are made as they are asked for, and numbered from 0; the seed varies fastest."""

    axes: Sequence[Axis]
    seeds: Sequence[int | None]

    @property
    def size(self) -> int:
        """The number of cells."""
        return math.prod(len(axis.choices) for axis in self.axes) * len(self.seeds)

    def __getitem__(self, number: int) -> Cell:
        """The cell of a number."""
        if not 0 <= number < self.size:
            raise IndexError(number)
        number, seed = divmod(number, len(self.seeds))
        chosen: dict[str, Choice] = {}
        for axis in reversed(self.axes):
            number, place = divmod(number, len(axis.choices))
            chosen[axis.name] = axis.choices[place]
        return Cell({axis.name: chosen[axis.name] for axis in self.axes}, self.seeds[seed])

    def __iter__(self) -> Iterator[Cell]:
        """All cells, in the order of their numbers."""
        names = [axis.name for axis in self.axes]
        for chosen in product(*(axis.choices for axis in self.axes)):
            choices = dict(zip(names, chosen, strict=True))
            yield from (Cell(choices, seed) for seed in self.seeds)

    def edges(self) -> Iterator[Cell]:
        """A cell for every value of every axis, with the first of all others."""
        first = self[0]
        for axis in self.axes:
            yield from (Cell({**first.choices, axis.name: choice}, first.seed) for choice in axis.choices)


def read(content: Mapping[str, object], complaints: Complaints) -> Grid:
    """The grid that a table with `axis` and `seeds` describes.

    An axis is one of these:

    - values of the key that it is named after: `"station.0.distance" = ["2 m", "5 m"]`;
    - named values, each setting any keys: `place = { near = { "station.0.distance" = "2 m" }, ... }`;
    - a list of such settings, which are named by their number from 1.

    Args:
        content: The table.
        complaints: Gets what is wrong with it; then it is not to be used.
    """
    axes = content.get("axis", {})
    if not isinstance(axes, dict):
        complaints.add("axis", "`axis` needs to be a table: [axis]")
        axes = {}
    if own := [name for name in axes if canonical(name) == SEED]:
        complaints.add(SEED, "seeds are no axis of their own; write `seeds = [1, 2, 3]`")
        axes = {name: values for name, values in axes.items() if name not in own}
    made = [Axis(name, chosen) for name, values in axes.items() if (chosen := choices(name, values, complaints))]
    found = Grid(made, seeds(content.get("seeds"), complaints))
    told_apart(found, complaints, canonical)
    if found.size > MOST:
        complaints.add("axis", f"{found.size:,} cells; a grid has {MOST:,} at most")
    return found


def told_apart(grid: Grid, complaints: Complaints, same: Callable[[str], str]) -> None:
    """Refuses a grid in which a name stands for two things: its cells would not tell what was set in them.

    Args:
        grid: The grid.
        complaints: Gets what is wrong.
        same: Spells a key as the engine understands it.
    """
    names: dict[str, str] = {}
    for axis in grid.axes:
        other = names.setdefault(same(axis.name), axis.name)
        if other != axis.name:
            complaints.add(axis.name, f"axis {axis.name!r} is the same key as axis {other!r}", "leave one of them out")
    for axis in grid.axes:
        keys = {same(key) for choice in axis.choices for key in choice.sets}
        if SEED in keys:
            complaints.add(
                axis.name, f"axis {axis.name!r} sets the seed; write `seeds = [1, 2, 3]`, which varies it", value=SEED
            )
        elif twice := sorted(keys & names.keys() - {same(axis.name)}):
            complaints.add(axis.name, f"axis {axis.name!r} sets {names[twice[0]]!r}, which is the name of another axis")


def canonical(key: str) -> str:
    """A dotted key as the engine understands it: `station. 00.distance` is `station.0.distance`."""
    parts = (part.strip() for part in key.split("."))
    return ".".join(str(int(part)) if re.fullmatch("[0-9]{1,9}", part) else part for part in parts)


def unquoted(axis: str, values: object) -> str | None:
    """The key that was meant where one with dots stands without quotes, so that TOML reads tables within tables."""
    if axis not in TABLES or not isinstance(values, dict):
        return None
    words = [axis]
    while isinstance(values, dict) and len(values) == 1:
        ((word, values),) = values.items()
        words.append(word)
    quoted = any("." in word or word in PLAIN for word in words[2:])
    return None if quoted or isinstance(values, dict) else ".".join(words)


def choices(axis: str, values: object, complaints: Complaints) -> list[Choice]:
    """The values of one axis."""
    if values in ([], {}):
        complaints.add(axis, f"axis {axis!r} has no values; give it some, or leave it out")
        return []
    meant, hint, nested = unquoted(axis, values), ownerless(axis, values), tables(axis, values)
    if meant:
        complaints.add(meant, f"`{meant}` stands without quotes", f'write "{meant}" = [...]: a key with dots is quoted')
    elif hint:
        complaints.add(axis, f"`{axis}` is a key of several parts of a scenario, and none is named", hint)
    elif nested:
        complaints.add(axis, f"`{axis}` is a table of the scenario, and a grid sets single values", nested)
    if meant or hint or nested:
        return []
    match values:
        case dict() if all(isinstance(sets, dict) for sets in values.values()):
            return [Choice(name, sets) for name, sets in values.items()]
        case list() if all(isinstance(sets, dict) for sets in values):
            return [Choice(str(number), sets) for number, sets in enumerate(values, 1)]
        case list():
            names = [written(value) for value in values]
            name, many = Counter(names).most_common(1)[0]
            if many > 1:
                complaints.add(axis, f"axis {axis!r} has {name!r} twice")
            return [Choice(name, {axis: value}) for name, value in zip(names, values, strict=True)]
    complaints.add(
        axis,
        f"axis {axis!r} needs a list of values for the key of that name, "
        'or named settings: near = { "station.0.distance" = "2 m" }',
    )
    return []


def ownerless(axis: str, values: object) -> str | None:
    """What to write instead of a key of parts of a scenario, such as `queue`, that does not name one of them."""
    paths = dict.fromkeys(key.path for key in every(scenario()))
    if axis in paths or not isinstance(values, list) or any(isinstance(value, dict) for value in values):
        return None
    owners = sorted((path.split(".") for path in paths if path.endswith(f".{axis}")), key=len)
    nearest = [next((rest for kind, *rest in owners if kind == part), None) for part in ARRAYS]
    keys = [".".join([part, "0", *rest]) for part, rest in zip(ARRAYS, nearest, strict=True) if rest]
    if not keys:
        return None
    named = f'[axis.{axis}] with lines such as a = {{ "{keys[0]}" = {inline(values[0])} }}'
    listed = " or ".join(f'"{key}" = [...]' for key in keys)
    return f"write {listed}, in quotes; or name the values: {named}"


def tables(axis: str, values: object) -> str | None:
    """What to write instead of whole tables of a scenario as the values of the key that they stand at."""
    given = list(values.values()) if isinstance(values, dict) else values
    if axis.partition(".")[0] not in TABLES or "." not in axis or not isinstance(given, list):
        return None
    if not all(isinstance(one, dict) and one and not any("." in key or key in PLAIN for key in one) for one in given):
        return None
    keys = list(dict.fromkeys(key for one in given for key in one))
    if len(keys) == 1:
        return f'write "{axis}.{keys[0]}" = {inline([one[keys[0]] for one in given])}'
    first = ", ".join(f'"{axis}.{key}" = {inline(value)}' for key, value in given[0].items())
    return f"name the values: [axis.{axis.rpartition('.')[2]}] with lines such as a = {{ {first} }}"


def seeds(given: object, complaints: Complaints) -> Sequence[int | None]:
    """The seeds: a list of them, or how many, from 1; without any, the scenario's own."""
    message = "`seeds` needs a list of whole numbers, such as [1, 2, 3], or how many there are to be"
    match given:
        case None:
            return [None]
        case bool():
            pass
        case int() if 0 < given <= MOST:
            return range(1, given + 1)
        case int() if given > MOST:
            message = f"`seeds` asks for more than {MOST:,}"
        case list() if given and all(type(seed) is int and 0 <= seed < 1 << 64 for seed in given):
            if len(set(given)) == len(given):
                return given
            message = "a seed is there twice"
    complaints.add("seeds", message)
    return [None]


def written(value: object) -> str:
    """A TOML value as an override has it; text stands for itself."""
    return value if isinstance(value, str) else inline(value)
