"""What is unknown of a network: a key of its scenario, and what it may be before anything was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.scenario.grid import Overrides

DIGITS = 4
"""Digits of a value that is tried, in parts of its range: finer than any is known."""


@dataclass(frozen=True)
class Parameter:
    """An unknown.

    Attributes:
        name: What it is called.
        keys: The keys of the scenario that all have its value.
        low: The least that it may be; the number of the first choice.
        high: The most; the number of the last choice.
        unit: The unit of both, empty where there is none.
        logarithmic: Whether equal ratios are equally likely, rather than equal differences.
        whole: Whether it counts something.
        source: Why it may lie there, in words.
        scenarios: The files of a paper's scenarios in which it is set; all of them without any.
        of_each: The keys in each of these files, where they differ.
        choices: What it may be if that is one of a few, as a scenario has it, by what it is called; its value is the
            number of one, from 0.
    """

    name: str
    keys: tuple[str, ...]
    low: float
    high: float
    unit: str = ""
    logarithmic: bool = False
    whole: bool = False
    source: str = ""
    scenarios: tuple[str, ...] = ()
    of_each: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)

    def at(self, place: float) -> float:
        """The value at a place between 0, the least, and 1, the most; all places are equally likely."""
        if self.choices:
            return min(int(place * len(self.choices)), len(self.choices) - 1)
        value = self.low * (self.high / self.low) ** place if self.logarithmic else self.low + place * self.width
        value = min(max(round(value, self.decimals(value)), self.low), self.high)
        return round(value) if self.whole else value

    def decimals(self, value: float) -> int:
        """Decimals of a value that is tried: by the range, and where equal ratios are alike by the value too."""
        finest = min(self.width, abs(value)) if self.logarithmic else self.width
        return DIGITS - 1 - math.floor(math.log10(finest))

    def place(self, value: float) -> float:
        """Where a value lies; a choice in the middle of its part."""
        if self.choices:
            return (value + 0.5) / len(self.choices)
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / self.width

    @property
    def width(self) -> float:
        """From the least to the most."""
        return self.high - self.low

    def written(self, value: float) -> str:
        """A value as a scenario has it, with its unit."""
        if self.choices:
            return self.choices[self.called(value)]
        # No scenario has exponents.
        return f"{Decimal(repr(float(value))).normalize():f} {self.unit}".strip()

    def called(self, value: float) -> str:
        """What a choice is called."""
        return [*self.choices][int(value)]

    @property
    def extremes(self) -> list[float]:
        """The places that are tried by themselves: both ends, or each choice."""
        return [self.place(at) for at in range(len(self.choices))] if self.choices else [0.0, 1.0]

    def overrides(self, value: float) -> Overrides:
        """What a value sets."""
        return [(key, self.written(value)) for key in self.keys]

    def keys_in(self, scenario: str) -> tuple[str, ...]:
        """The keys that have its value in one of a paper's scenarios."""
        if self.scenarios and scenario not in self.scenarios:
            return ()
        return self.of_each.get(scenario, self.keys)
