"""What of ours is held against a claim, and from which runs it is computed.

A measure sees runs and nothing else: the published value is not within its reach.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.papers.view import View


@dataclass(frozen=True)
class Ours:
    """A result.

    Attributes:
        value: The quantity in the claim's unit, or the lowest and the highest of it, or whether the statement is true.
        note: The figures behind it, for people.
        sound: False where the number may match but a condition of the claim is not met.
    """

    value: float | tuple[float, float] | bool
    note: str = ""
    sound: bool = True

    @property
    def known(self) -> bool:
        """Whether it is a number at all."""
        return not any(math.isnan(value) for value in (self.value if isinstance(self.value, tuple) else (self.value,)))


@dataclass(frozen=True)
class Measure:
    """How one claim's counterpart is computed."""

    runs: tuple[str, ...]
    compute: Callable[..., Ours]

    def __call__(self, views: dict[str, View]) -> Ours:
        """Computes it from the runs, by id."""
        return self.compute(*(views[run] for run in self.runs))


class Measures(dict[str, Measure]):
    """The measures of one paper, by claim."""

    def claim(self, claim: str, *runs: str) -> Callable[[Callable[..., Ours]], Callable[..., Ours]]:
        """Registers a function of one view for each run."""

        def register(compute: Callable[..., Ours]) -> Callable[..., Ours]:
            self[claim] = Measure(runs, compute)
            return compute

        return register


def measures_of(paper: str) -> Measures:
    """The measures of a paper: none where nobody has written them yet."""
    name = f"airloom.papers.{paper}"
    if importlib.util.find_spec(name) is None:
        return Measures()
    measures: Measures = importlib.import_module(name).MEASURES
    return measures
