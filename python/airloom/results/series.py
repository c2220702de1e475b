"""Time series by entity and metric, as plain lists: a run has few enough points for that."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from airloom.results.tables import COLUMNS, SERIES
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.results.table import Table

BIN = 1.0
"""The width of a bin in seconds, unless the scenario says otherwise."""


def rounded(value: float, digits: int) -> float | None:
    """A value with this many significant digits, for JSON: None for NaN."""
    return None if math.isnan(value) else float(f"{value:.{digits}g}")


PLACES = 6
"""Decimal places of a time in seconds that are kept: those below are the noise of binary fractions."""


@dataclass(frozen=True)
class Series:
    """One metric of one entity; `times` are the starts of the bins, and `width` is theirs, in seconds."""

    entity: str
    metric: str
    unit: str
    times: list[float]
    values: list[float]
    width: float = BIN

    def where(self, wanted: Callable[[float], bool]) -> Series:
        """The bins whose start satisfies a condition."""
        kept = [(t, v) for t, v in zip(self.times, self.values, strict=True) if wanted(t)]
        return self.of([t for t, _ in kept], [v for _, v in kept])

    def dense(self) -> Series:
        """The same with every bin from the first to the last, empty where nothing was recorded."""
        if not self.times:
            return self
        first, last = self.times[0], self.times[-1]
        bins = range(round((last - first) / self.width) + 1)
        times = [round(first + self.width * index, PLACES) for index in bins]
        values = dict(zip(self.times, self.values, strict=True))
        return self.of(times, [values.get(time, math.nan) for time in times])

    def coarser(self, factor: int) -> Series:
        """The same in bins that many times as wide, from time zero on: each is the mean of those that have a value."""
        if factor <= 1:
            return self
        width = self.width * factor
        bins: dict[int, list[float]] = {}
        for time, value in zip(self.times, self.values, strict=True):
            known = bins.setdefault(math.floor(time / width + 1e-9), [])
            if not math.isnan(value):
                known.append(value)
        times = [round(index * width, PLACES) for index in bins]
        return replace(self.of(times, [mean(known) for known in bins.values()]), width=width)

    def within(self, most: int) -> Series:
        """The same in so many bins at most, as one can look at."""
        return self.coarser(math.ceil(len(self.times) / most))

    def of(self, times: list[float], values: list[float]) -> Series:
        """The same metric with other bins."""
        return replace(self, times=times, values=values)

    def between(self, start: float, end: float) -> Series:
        """The bins that start between two times, the ends included."""
        return self.where(lambda time: start <= time <= end)

    def known(self) -> list[float]:
        """The values, without the bins in which there was nothing to average."""
        return [v for v in self.values if v is not None and not math.isnan(v)]

    def mean(self) -> float:
        """The mean over the bins; NaN if there is none."""
        return mean(self.known())

    def min(self) -> float:
        """The lowest bin; NaN if there is none."""
        return min(self.known(), default=math.nan)

    def max(self) -> float:
        """The highest bin; NaN if there is none."""
        return max(self.known(), default=math.nan)

    def sum(self) -> float:
        """The sum over the bins: of a rate per second, the count."""
        return math.fsum(self.known())


def binwise(parts: Sequence[Series], fold: Callable[[list[float]], float], entity: str = "") -> Series:
    """Several series as one: in each bin a figure of those that have a value there; a bin without any is left out."""
    bins: dict[float, list[float]] = {}
    for part in parts:
        for time, value in zip(part.times, part.values, strict=True):
            if not math.isnan(value):
                bins.setdefault(time, []).append(value)
    times = sorted(bins)
    values = [fold(bins[time]) for time in times]
    # One that was not recorded, as a ping's goodput, has neither a unit nor a width.
    like = next((part for part in parts if part.times), parts[0] if parts else Series(entity, "", "", [], []))
    return replace(like, entity=entity, times=times, values=values)


class SeriesTable:
    """All series of a run, each made when it is asked for: few of them are, of hundreds of runs."""

    def __init__(self, table: Table, duration: float, width: float = BIN) -> None:
        """Finds the rows of each series in a tidy table, whose bins have a width in seconds.

        Raises:
            ValueError: A bin lies outside the run of this duration in seconds.
        """
        self._times, entities, metrics, self._values, self._units = (table[name] for name in COLUMNS[SERIES])
        self._width = width
        self._made: dict[tuple[str, str], Series] = {}
        self._rows: dict[tuple[str, str], list[int]] = {}
        by_time = sorted(range(len(table)), key=self._times.__getitem__)
        for row in (*by_time[:1], *by_time[-1:]):
            if not 0 <= (time := self._times[row]) < duration:
                raise ValueError(f"has a value of {entities[row]} at {time:g} s, but the run takes {duration:g} s")
        for row in by_time:
            self._rows.setdefault((entities[row], metrics[row]), []).append(row)

    def names(self) -> list[tuple[str, str]]:
        """The entity and the metric of every series."""
        return list(self._rows)

    def get(self, entity: str, metric: str) -> Series:
        """One series, in the order of time; empty where the run did not record it."""
        name = (entity, metric)
        if name not in self._rows:
            return Series(entity, metric, "", [], [], self._width)
        if name not in self._made:
            rows = self._rows[name]
            times = [round(self._times[row], PLACES) for row in rows]
            values = [self._values[row] for row in rows]
            self._made[name] = Series(entity, metric, self._units[rows[0]], times, values, self._width)
        return self._made[name]

    def entities(self, metric: str) -> list[str]:
        """The entities that have a series of this metric, by name."""
        return sorted(entity for entity, name in self._rows if name == metric)
