"""How far a fit is: the runs that are done of all that there may be, and how long the rest takes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from airloom.fitting.compared import EACH

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.fitting.problem import Problem

    Progress = Callable[[float, int, float | None], object]
    """Called with how many runs are done, parts included, how many there may be, and the seconds left where known."""


@dataclass
class Tally:
    """Runs of one length.

    Attributes:
        planned: How many there may be.
        first: How many were there as this process began.
        done: How many are done, parts included.
        seconds: How long this process took for those that it made.
    """

    planned: int
    first: float = 0.0
    done: float = 0.0
    seconds: float = 0.0

    @property
    def left(self) -> float:
        """How many there may still be."""
        return max(self.planned - self.done, 0.0)

    @property
    def each(self) -> float | None:
        """Seconds for one of them; none before any was made."""
        return self.seconds / (self.done - self.first) if self.done > self.first else None


class Pace:
    """Counts runs as they are done, short ones and full ones each by themselves, since they differ in length."""

    def __init__(
        self,
        problem: Problem,
        there: tuple[int, int],
        progress: Progress,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes how many full and short runs are there, and what is told of it."""
        self.kinds = [Tally(planned, there, there) for planned, there in zip(planned(problem), there, strict=True)]
        self.progress = progress
        self.clock = clock
        self.last = clock()
        self.lock = Lock()

    def full(self, done: float) -> None:
        """Takes how many full runs are done."""
        self.count(self.kinds[0], done)

    def short(self, done: float) -> None:
        """Takes how many runs of waves are done, where they are shorter."""
        self.count(self.kinds[1], done)

    def count(self, kind: Tally, done: float) -> None:
        """Takes how many of a kind are done; the time since the last call was theirs."""
        with self.lock:
            now = self.clock()
            kind.seconds += now - self.last
            kind.done, self.last = done, now
        total = sum(one.planned for one in self.kinds)
        self.progress(min(sum(one.done for one in self.kinds), total), total, self.left_s)

    @property
    def left_s(self) -> float | None:
        """Seconds that the rest takes; none while runs are to come of a kind of which none was made yet."""
        each = [(one.left, one.each) for one in self.kinds if one.left > 0]
        return None if any(of is None for _, of in each) else sum(left * (of or 0.0) for left, of in each)


def planned(problem: Problem) -> tuple[int, int]:
    """How many full runs and how many of shorter waves a fit makes at most; what a paper's halves have is counted."""
    fits = problem.fits
    waves = sum(map(len, problem.ends())) + problem.points * (1 + fits * (problem.waves - 1))
    worlds, compared = fits * problem.worlds, EACH * problem.waves
    each, of_waves = problem.seeds * len(problem.experiments), problem.of_waves.seeds * len(problem.experiments)
    return (each * (waves + worlds), 0) if problem.short is None else (each * (worlds + compared), of_waves * waves)
