"""What is measured of runs, and what must hold of it: one line of text each, as sheets have them.

A figure is `METRIC of NAME in RUN`, or `METRIC in NAME` of an airtime; a quantity is a figure, or a ratio of two.
A condition is `QUANTITY < QUANTITY`, or `>`, where either side may be a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable

    Figures = Callable[["Figure"], float | None]

FIGURE = re.compile(r"(?P<metric>\w+)(?: of (?P<of>[\w.-]+))? in (?P<run>[\w-]+)")


@dataclass(frozen=True)
class Figure:
    """One figure of a run or of an airtime.

    Attributes:
        metric: A metric of summaries, or a key of what `airloom airtime --json` prints.
        of: The flow, node or group that it is of, `run` for the whole run; empty of an airtime.
        run: The run, or the airtime.
    """

    metric: str
    of: str
    run: str


@dataclass(frozen=True)
class Quantity:
    """A figure, or how many times another it is."""

    above: Figure | float
    below: Figure | float = 1.0

    def of(self, figures: Figures) -> float:
        """Its value.

        Raises:
            RunError: A figure has no value, or is divided by nothing.
        """
        above, below = (one if isinstance(one, float) else known(one, figures) for one in (self.above, self.below))
        if not below:
            raise RunError(f"{self.below} is 0, and something is divided by it")
        return above / below

    @property
    def figures(self) -> list[Figure]:
        """The figures in it."""
        return [one for one in (self.above, self.below) if isinstance(one, Figure)]


@dataclass(frozen=True)
class Condition:
    """One quantity is below another."""

    less: Quantity
    more: Quantity

    def holds(self, figures: Figures) -> bool:
        """Whether it is."""
        return self.less.of(figures) < self.more.of(figures)


def known(figure: Figure, figures: Figures) -> float:
    """The value of a figure.

    Raises:
        RunError: It has none.
    """
    value = figures(figure)
    if value is None:
        raise RunError(f"{figure.run}: {figure.of or 'the airtime'} has no {figure.metric}")
    return value


def quantity(text: str) -> Quantity:
    """Reads a quantity.

    Raises:
        ValueError: It is none.
    """
    return Quantity(*(operand(part) for part in text.split(" / ", 1)))


def condition(text: str) -> Condition:
    """Reads a condition.

    Raises:
        ValueError: It is none.
    """
    left, sign, right = re.split(r" ([<>]) ", text, maxsplit=1) if re.search(r" [<>] ", text) else (text, "", "")
    if not sign:
        raise ValueError(f"`{text}` compares nothing: write QUANTITY < QUANTITY")
    first, second = quantity(left), quantity(right)
    return Condition(first, second) if sign == "<" else Condition(second, first)


def operand(text: str) -> Figure | float:
    """Reads a figure, or a number."""
    if found := FIGURE.fullmatch(text.strip()):
        return Figure(found["metric"], found["of"] or "", found["run"])
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"`{text}` is no figure: write METRIC of NAME in RUN") from None
