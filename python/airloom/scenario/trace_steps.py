"""Steps of a script, each at its time, as a scenario has them."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

from airloom.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_S = 86_400.0
"""What a time is at most: a day, as everywhere in a scenario."""


class Step(NamedTuple):
    """A step.

    Attributes:
        at: Its time in seconds.
        value: Its value, as TOML.
    """

    at: float
    value: str


def listed(key: str, steps: Iterable[Step]) -> str:
    """Steps as TOML, on one line."""
    said = (f'{{ at = "{decimal(at, 9)} s", {key} = {value} }}' for at, value in steps)
    return f"[{', '.join(said)}]"


def changes(steps: Iterable[Step]) -> Iterator[Step]:
    """Those steps whose value differs from the one before, the first one at zero: what comes first holds before too."""
    groups = itertools.groupby(steps, key=lambda step: step.value)
    for number, (_, group) in enumerate(groups):
        step = next(group)
        yield step if number else Step(0.0, step.value)


def instant(cell: str, place: str, column: str) -> float:
    """A time in seconds.

    Raises:
        RunError: It is none, or none of a run.
    """
    try:
        at = float(cell)
    except ValueError:
        at = math.nan
    if not 0 <= at <= LONGEST_S:
        raise RunError(
            f"{place}: {column} is {cell!r}; times are seconds of the run, from 0 to {LONGEST_S:.0f}",
            "what is stamped with the time of day begins at 0 once the first stamp is taken off",
        )
    return at


def decimal(number: float, places: int) -> str:
    """A number without an exponent and without zeros at its end."""
    text = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
