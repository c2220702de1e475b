"""A scenario as Python code gives it: a file, its text or tables, with values over it."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex, Union

from airloom import _engine
from airloom.errors import Mistake, RunError, ScenarioError
from airloom.scenario.source import check_seed, read
from airloom.scenario.text_file import is_text
from airloom.scenario.toml_text import Value, document, inline
from airloom.scenario.traces import spelled_out, spelled_out_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airloom.scenario.grid import Overrides

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Value]]
"""A scenario: its file, its text (a string with a line break in it), or its tables as a dict."""

Settings = Mapping[str, Value]
"""Values that take the place of a scenario's, by dotted key."""


@dataclass(frozen=True)
class Given:
    """A scenario, as the engine takes it.

    Attributes:
        text: Its text.
        file: What messages call it.
        overrides: What is set over it.
        seed: What takes the place of its own seed.
        places: What each line says, if the text was made of a dict.
    """

    text: str
    file: str
    overrides: Overrides
    seed: int | None
    places: Sequence[tuple[str | int, ...]] = ()

    @contextmanager
    def in_python(self) -> Iterator[None]:
        """Names the places of mistakes as the code has them: an argument `set["duration"]` is no `--set`."""
        try:
            yield
        except ScenarioError as error:
            first, *more = map(self.renamed, error.mistakes)
            raise ScenarioError(*first, more) from None

    def warnings(self) -> list[str]:
        """What it says but probably does not mean; it has no mistake."""
        found = _engine.warnings(self.text, self.file, self.overrides, self.seed)
        return [str(self.renamed(Mistake(**one))) for one in found]

    def renamed(self, mistake: Mistake) -> Mistake:
        """The same mistake, with its place in an argument where it has one."""
        place = self.place(mistake)
        return mistake if place is None else Mistake(place, 0, 0, mistake.message, mistake.hint)

    def place(self, mistake: Mistake) -> str | None:
        """What code calls a place in a text that it did not write itself."""
        if mistake.setting is not None and 0 < mistake.line <= len(self.overrides):
            return subscripted("set", [self.overrides[mistake.line - 1][0]])
        if mistake.file == self.file and 0 < mistake.line <= len(self.places):
            return subscripted("scenario", self.places[mistake.line - 1])
        return None


def given(scenario: Scenario, settings: Settings | None = None, seed: SupportsIndex | None = None) -> Given:
    """Reads a scenario.

    Raises:
        RunError: It cannot be read, or an argument is not what it should be.
    """
    overrides = overriding(settings)
    whole = whole_seed(seed)
    if isinstance(scenario, Mapping):
        with formed("scenario"):
            made = document(scenario)
        if not is_text(made.text):
            raise RunError("scenario: not text in UTF-8")
        return Given(spelled_out(made.text, Path()), "<scenario>", overrides, whole, made.places)
    if not isinstance(scenario, (str, os.PathLike)):
        raise RunError(f"a scenario is a file, its text or a dict, not {scenario!r}")
    return Given(*read(scenario), overrides, whole)


def overriding(settings: Settings | None) -> Overrides:
    """Values over a scenario's, as the engine takes them; those that are `None` stay as the scenario has them."""
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise RunError(f"set: needs a dict, such as {{'duration': '10 s'}}, not {settings!r}")
    found = []
    for key, value in settings.items():
        if not isinstance(key, str):
            raise RunError(f"set: {key!r} is no dotted key, such as 'flow.0.tcp.congestion'")
        if value is None:
            continue
        name = subscripted("set", [key])
        with formed(name):
            text = inline(value)
        if not is_text(key + text):
            raise RunError(f"{name}: not text in UTF-8")
        found.append((key, spelled_out_value(key, text)))
    return found


@contextmanager
def formed(name: str) -> Iterator[None]:
    """Reports what TOML has no form for."""
    try:
        yield
    except TypeError as error:
        raise RunError(f"{name} {error}") from None


def subscripted(name: str, path: Sequence[str | int]) -> str:
    """A place within an argument, as code writes it."""
    return name + "".join(f"[{part}]" if isinstance(part, int) else f'["{part}"]' for part in path)


def whole_seed(seed: object) -> int | None:
    """A seed as an `int`, also if it is one of numpy's.

    Raises:
        RunError: It is no whole number, or out of range.
    """
    if seed is None:
        return None
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise RunError(f"seed: needs a whole number, not {seed!r}")
    found = operator.index(seed)
    check_seed(found)
    return found
