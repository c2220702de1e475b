"""A fit: waves of runs that close in on the worlds which a measurement allows, and what is left then."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import qmc
from threadpoolctl import threadpool_limits

from airloom.errors import SweepError
from airloom.fitting.compared import corrected, nearest, places_of
from airloom.fitting.emulator import Emulator
from airloom.fitting.excluding import excluding
from airloom.fitting.posterior import posterior
from airloom.fitting.region import Region, apart, bound_of, implausibility, region, worst_of
from airloom.fitting.surprise import surprise
from airloom.fitting.together import Together
from airloom.support.formatting import count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from airloom.fitting.emulator import Places
    from airloom.fitting.problem import Problem
    from airloom.fitting.runs import Runs

SEED = 1
"""Of all draws of a fit: what is asked twice is answered alike."""

SETTLED = 0.8
"""A wave that leaves more than this part of the region as it was has nothing more to say."""

SURE = 1.0
"""Emulators are good enough where their variance is less than this part of all that is uncertain besides."""

MOVED = 0.5
"""Where full runs move more than this part of what is left, another wave looks there."""

FEWEST = 0.5
"""The part of the points that has to have a value, of any measurement and of each."""


@dataclass(frozen=True)
class Wave:
    """What a wave left.

    Attributes:
        points: How many points it had.
        region: What was plausible after it.
        sure: How much of what is uncertain within it is the emulators', for the measurement where that is most.
        moved: The part of it that was not plausible before this wave's points were run in full.
    """

    points: int
    region: Region
    sure: float
    moved: float = 0.0


@dataclass
class Fit:
    """What a fit found.

    Attributes:
        problem: What was asked.
        waves: What each wave left.
        places: The points that were run, by places between 0 and 1.
        emulators: One for each fitted measurement.
        fitted: The place of each of these measurements.
        learned: All emulators of the last wave by their measurement's place, those set aside too.
        draws: The posterior; none where the region is empty.
        surprise: In what share of readings of its worlds all would be as far off as what was measured; none likewise.
        excluding: The sets of measurements, by their place, that exclude each other where it is, and their least
            implausibility.
        aside: The measurements that were set aside, by their place, if no world meets all and the problem asks for it.
        impossible: All emulators then by their measurement's place, and the least implausible places of all.
        failed: How many runs failed.
        compared: The points that were run in full, where waves are shorter.
    """

    problem: Problem
    waves: list[Wave] = field(default_factory=list)
    places: Places = field(default_factory=lambda: np.empty((0, 0)))
    emulators: list[Emulator] = field(default_factory=list)
    fitted: list[int] = field(default_factory=list)
    learned: dict[int, Emulator] = field(default_factory=dict)
    draws: Places | None = None
    surprise: float | None = None
    excluding: list[tuple[tuple[int, ...], float]] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    impossible: tuple[dict[int, Emulator], Region] | None = None
    failed: int = 0
    compared: list[tuple[float, ...]] = field(default_factory=list)

    @property
    def region(self) -> Region:
        """What is plausible."""
        return self.waves[-1].region

    @property
    def together(self) -> Together:
        """What was measured and is fitted, all of it; learned anew each time."""
        return Together(self.emulators, [self.problem.measurements[at].experiment for at in self.fitted])


def fit(
    problem: Problem,
    runs: Runs,
    report: Callable[[int, Wave], object] = lambda *_: None,
    compared: Sequence[tuple[float, ...]] = (),
) -> Fit:
    """Fits a problem.

    Args:
        problem: What is asked.
        runs: Makes the runs, or knows them.
        report: Called with each wave's number and what it left.
        compared: Points of another fit to the same paper that were run in full: no others are then.
    """
    found = Fit(problem, compared=list(compared))
    # Threads of matrices as small as these wait for each other longer than they work, above all beside runs.
    with threadpool_limits(limits=1):
        close_in(found, runs, report, compares=not compared)
        if found.impossible is not None:
            emulators, least = found.impossible
            sets = excluding([*emulators.values()], least.places, least.bound, SEED)
            found.excluding = [(tuple([*emulators][at] for at in chosen), off) for chosen, off in sets]
        if not found.region.empty:
            together = found.together
            found.draws = posterior(together, found.region, SEED)
            found.surprise = surprise(together, found.draws)
    return found


def close_in(found: Fit, runs: Runs, report: Callable[[int, Wave], object], *, compares: bool) -> None:
    """Runs wave after wave, each where the one before left something; one more where full runs move what is left."""
    problem, short = found.problem, runs.of_waves
    points: list[tuple[float, ...]] = []
    for number in range(1, problem.waves + 2):
        if (problem.hold_out, number) not in runs.journal.waves:
            runs.journal.wave(problem.hold_out, number, chosen(found, number))
        wave = runs.journal.waves[problem.hold_out, number]
        points = list(dict.fromkeys((*points, *wave)))
        short.make(points, range(1, problem.of_waves.seeds + 1))
        learn(found, short, points)
        before = correct(found, runs, wave if compares else ()) if runs.short else {}
        here, sure = narrowed(found)
        found.waves.append(Wave(len(wave), here, sure, moved(found, before, here)))
        report(number, found.waves[-1])
        if done(found) or (number >= problem.waves and found.waves[-1].moved <= MOVED):
            return


def correct(found: Fit, runs: Runs, wave: Sequence[tuple[float, ...]]) -> dict[int, Emulator]:
    """Corrects what short runs taught by full ones, of which some of a wave's points are added.

    Returns:
        The emulators as the points before corrected them, by their measurement's place.

    Raises:
        SweepError: Too few of the full runs have a number.
    """
    problem, seeds = found.problem, range(1, found.problem.seeds + 1)

    def by_now() -> dict[int, Emulator]:
        values = runs.values(found.compared, seeds)
        return corrected(found.learned, places_of(problem, found.compared), values)

    before = by_now() if found.compared else found.learned
    near = nearest(list(before.values()), places_of(problem, wave)) if len(wave) else []
    found.compared += [wave[at] for at in near if wave[at] not in found.compared]
    runs.make(found.compared, seeds)
    found.failed += len(runs.journal.failed)
    after = by_now()
    lacking = [at for at in found.fitted if at not in after]
    if lacking and (not problem.sets_aside or not after):
        name = problem.measurements[lacking[0]].name
        raise SweepError(f"{name}: too few of {count(len(found.compared), 'full point')} have a value")
    found.aside += lacking
    found.fitted = list(after)
    found.emulators = list(after.values())
    return before


def moved(found: Fit, before: Mapping[int, Emulator], here: Region) -> float:
    """The part of what is left that was not plausible by some earlier emulators."""
    earlier = [before[at] for at in found.fitted if at in before]
    return float((worst_of(earlier)(here.places) > here.bound).mean()) if earlier and not here.empty else 0.0


def narrowed(found: Fit) -> tuple[Region, float]:
    """What a wave leaves: of all measurements, or, where the problem asks for it, of those that a world meets.

    Those that the best place is furthest off are set aside, one after the other.
    """
    found.impossible = None
    here = left(found)
    if here[0].empty:
        found.impossible = dict(zip(found.fitted, found.emulators, strict=True)), here[0]
    while found.problem.sets_aside and here[0].empty and len(found.emulators) > 1:
        off = implausibility(found.emulators, here[0].places)
        worst = int(off[off.max(axis=1).argmin()].argmax())
        found.aside.append(found.fitted.pop(worst))
        del found.emulators[worst]
        here = left(found)
    return here


def chosen(found: Fit, number: int) -> list[tuple[float, ...]]:
    """The points of a wave: spread over everything at first, then over what is plausible."""
    problem = found.problem
    if number == 1:
        size = len(problem.parameters)
        places = qmc.Sobol(size, rng=SEED).random_base2(math.ceil(math.log2(problem.points)))[: problem.points]
    else:
        places = apart(found.region.places, problem.points, found.places)
    return [problem.point(place) for place in places.tolist()]


def learn(found: Fit, runs: Runs, points: Sequence[tuple[float, ...]]) -> None:
    """Learns the emulators from all runs that there are; what too few worlds have is set aside where that is asked for.

    Raises:
        SweepError: Too many runs failed, or too few have a number.
    """
    problem = found.problem
    values = runs.values(points, range(1, problem.of_waves.seeds + 1))
    has_value = ~np.isnan(values).all(axis=(1, 2))
    found.failed = len(runs.journal.failed)
    if has_value.mean() < FEWEST:
        error = next(iter(runs.journal.failed.values()), "no run has any of the numbers that were measured")
        raise SweepError(
            f"{count(int((~has_value).sum()), 'point')} of {len(points)} have no run to learn from: {error}"
        )
    found.places = places_of(problem, points)[has_value]
    known = {at: int((~np.isnan(values[has_value, at]).all(axis=1)).sum()) for at in problem.fitted}
    lacking = [at for at, there in known.items() if there < FEWEST * has_value.sum()]
    if lacking and not problem.sets_aside:
        seen = f"{known[lacking[0]]} of {count(int(has_value.sum()), 'point')} have a value"
        raise SweepError(
            f"{problem.measurements[lacking[0]].name}: {seen}", "narrow the ranges, or measure what every world has"
        )
    found.aside = lacking
    found.fitted = [at for at in problem.fitted if at not in lacking]
    found.emulators = [
        Emulator(problem.measurements[at], found.places, values[has_value, at], found.learned.get(at), problem.choices)
        for at in found.fitted
    ]
    found.learned = dict(zip(found.fitted, found.emulators, strict=True))


def left(found: Fit) -> tuple[Region, float]:
    """What is plausible by the emulators, and how much of what is uncertain there is their own doing."""
    bound = bound_of(len(found.emulators))
    size = len(found.problem.parameters)
    here = region(worst_of(found.emulators), size, bound, SEED)
    own = [float(np.median(one.at(here.places)[1])) / one.allowed for one in found.emulators]
    return here, max(own)


def done(found: Fit) -> bool:
    """Whether another wave would not change what is left."""
    if len(found.waves) == 1:
        return False
    before, now = (one.region for one in found.waves[-2:])
    return (
        found.waves[-1].moved <= MOVED
        and not now.empty
        and now.share > SETTLED * before.share
        and found.waves[-1].sure < SURE
    )
