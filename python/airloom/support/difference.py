"""How much two means differ, with intervals: of independent values, and of stretches of a series, which are not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.support.statistics import mean, quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CORRELATED = 0.8
"""Neighbours that are more alike than this are one."""

FEWEST = 4
"""So few values show nothing of how alike neighbours are."""

LEAST_FREEDOM = 4
"""Degrees of freedom that are left, however alike neighbours are.

Of 16 stretches of a series that wanders as slowly as in a twentieth of its length, intervals with so many miss no more
often than they say.
"""


@dataclass(frozen=True)
class Estimate:
    """A mean and how far it may be off.

    Attributes:
        mean: The mean.
        variance: The variance of the mean, not of the values.
        freedom: Degrees of freedom of that variance; 0 if it is not known.
    """

    mean: float
    variance: float
    freedom: float


@dataclass(frozen=True)
class Difference:
    """One mean against another.

    Attributes:
        difference: The later mean less the earlier one.
        difference_interval: Its confidence interval.
        ratio: The later mean over the earlier one; none if that is zero.
        ratio_interval: Its confidence interval by Fieller's theorem, of means that are never negative; none if the
            earlier one may be zero.
    """

    difference: float
    difference_interval: tuple[float, float]
    ratio: float | None
    ratio_interval: tuple[float, float] | None


def independent(values: Sequence[float]) -> Estimate:
    """The mean of independent values, such as one of each capture."""
    count, middle = len(values), mean(values)
    if count < 2:  # noqa: PLR2004
        return Estimate(middle, math.nan, 0)
    variance = math.fsum((value - middle) ** 2 for value in values) / (count - 1)
    return Estimate(middle, variance / count, count - 1)


def correlated(values: Sequence[float]) -> Estimate:
    """The mean of equal stretches of one series: batch means.

    What remains of the correlation between neighbours widens the variance as it does for a first-order autoregression,
    by (1 + r) / (1 - r), and takes away degrees of freedom as much, but for a few; r is rid of its bias, -(1 + 4 r) / n
    (Marriott and Pope 1954). Stretches that alternate make nothing narrower.
    """
    plain = independent(values)
    if plain.freedom == 0 or plain.variance == 0:
        return plain
    off = [value - plain.mean for value in values]
    lag = math.fsum(one * other for one, other in pairwise(off)) / math.fsum(one * one for one in off)
    count = len(values)
    alike = min(max((lag + 1 / count) / (1 - 4 / count), 0), MOST_CORRELATED) if count > FEWEST else MOST_CORRELATED
    factor = (1 + alike) / (1 - alike)
    freedom = max(min(LEAST_FREEDOM, plain.freedom), plain.freedom / factor)
    return Estimate(plain.mean, plain.variance * factor, freedom)


def sectioned(values: Sequence[float], whole: float) -> Estimate:
    """The same of a quantile or a ratio, whose value over the whole series is not the mean of those of its stretches.

    Stretches vary about the value of the whole (sectioning: Asmussen and Glynn 2007, section III.5b).
    """
    batches = correlated(values)
    bias = (batches.mean - whole) ** 2 / max(1, len(values) - 1)
    return Estimate(whole, batches.variance + bias, batches.freedom)


def welch(before: Estimate, after: Estimate) -> float:
    """Degrees of freedom of the variance of a difference of independent means (Welch 1947)."""
    parts = [(one.variance, one.freedom) for one in (before, after) if one.variance > 0]
    whole = math.fsum(part for part, _ in parts)
    return whole**2 / math.fsum(part**2 / of for part, of in parts) if parts else math.inf


def difference(before: Estimate, after: Estimate, risk: float, freedom: float) -> Difference:
    """How much a mean differs from an earlier one.

    Args:
        before: The earlier mean.
        after: The later one.
        risk: The probability that the interval misses the true difference.
        freedom: Degrees of freedom of the variance of the difference; their whole part counts.
    """
    variance = before.variance + after.variance
    by = after.mean - before.mean
    ratio = after.mean / before.mean if before.mean else None
    if variance == 0:
        return Difference(by, (by, by), ratio, None if ratio is None else (ratio, ratio))
    t = quantile(1 - risk / 2, max(1, math.floor(freedom)))
    margin = t * math.sqrt(variance)
    return Difference(by, (by - margin, by + margin), ratio, fieller(before, after, t))


def fieller(before: Estimate, after: Estimate, t: float) -> tuple[float, float] | None:
    """The interval of a ratio of two independent means (Fieller 1954); none if the denominator may be zero.

    It has 1 in it if and only if the interval of the difference has 0 in it. Neither mean is negative, so it ends at 0,
    below which no ratio lies: what is cut off has no part in how often the interval holds the ratio.
    """
    surely = before.mean**2 - t**2 * before.variance
    if surely <= 0:
        return None
    product = before.mean * after.mean
    root = math.sqrt(max(0, product**2 - surely * (after.mean**2 - t**2 * after.variance)))
    return max(0.0, (product - root) / surely), (product + root) / surely
