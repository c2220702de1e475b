"""Means and percentiles of few values, and confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CONFIDENCE = 0.95


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; NaN of no values."""
    known = list(values)
    return math.fsum(known) / len(known) if known else math.nan


def weighted_mean(pairs: Iterable[tuple[float, float]]) -> float | None:
    """The mean of values, each as often as the weight beside it says; none if the weights come to nothing."""
    known = list(pairs)
    whole = math.fsum(weight for _, weight in known)
    return math.fsum(value * weight for value, weight in known) / whole if whole else None


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which this share (0 to 1) of the values lies, in any order; NaN of no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


@dataclass(frozen=True)
class Spread:
    """A summary of some values.

    Attributes:
        mean: Their mean; NaN if there are none.
        low: The least of them.
        high: The greatest.
        margin: Half the width of the mean's 95 % confidence interval (Student's t); NaN for fewer than two values.
        count: The number of values; NaN does not count.
    """

    mean: float
    low: float
    high: float
    margin: float
    count: int

    @classmethod
    def of(cls, values: Iterable[float | None], part: float = 0.0) -> Spread:
        """The spread of some values, each known within this part of it, either way: no interval is narrower."""
        known = [value for value in values if value is not None and not math.isnan(value)]
        count = len(known)
        if not count:
            return cls(math.nan, math.nan, math.nan, math.nan, 0)
        middle = mean(known)
        margin = math.nan
        if min(known) == max(known):  # in which a sum's last bit is no spread
            middle, margin = known[0], 0.0 if count > 1 else math.nan
        elif count > 1:
            deviation = math.sqrt(math.fsum((value - middle) ** 2 for value in known) / (count - 1))
            margin = quantile((1 + CONFIDENCE) / 2, count - 1) * deviation / math.sqrt(count)
        margin += part * abs(middle)
        return cls(middle, min(known), max(known), margin, count)


@cache
def quantile(probability: float, freedom: int) -> float:
    """The value that Student's t stays below with a probability above one half, by bisection."""
    low, high = 0.0, 1.0
    while within(high, freedom) < 2 * probability - 1:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if within(middle, freedom) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return high


def within(t: float, freedom: int) -> float:
    """The probability that Student's t lies between -t and t (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2 == 1
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(3 if odd else 2, freedom, 2):
        term *= cosine**2 * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total
