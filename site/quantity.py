"""Prints one quantity of a paper's runs, so that a sentence can carry a number that is made anew.

    quantity.py anomaly two goodput_near discipline=fifo --by position     61, 51, 42, 35, 36, 23, 19, 20
    quantity.py anomaly two to-far.rtt_mean_ms discipline=fifo position=7 --range      1252 to 1441
    quantity.py anomaly four goodput_far discipline=fifo --by position --change        -94 %

It is the mean over the runs that are picked, those of all seeds of the first set.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from airloom.papers import paper, runner
from airloom.papers.figure import Quantity
from airloom.papers.measure import measures_of
from airloom.papers.views import views_of
from airloom.support.formatting import number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airloom.analysis.run_view import RunView
    from airloom.papers.grid_runs import GridRuns
    from airloom.support.statistics import Spread


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paper")
    parser.add_argument("runs", help="a run or a grid of the paper")
    parser.add_argument("quantity", help="one that the paper's measures define, or ENTITY.METRIC of the summary")
    parser.add_argument("where", nargs="*", help="AXIS=VALUE: those runs of the grid alone")
    parser.add_argument("--by", metavar="AXIS", help="a number for each value of this axis")
    parser.add_argument("--range", action="store_true", help="the least and the most of the runs")
    parser.add_argument("--change", action="store_true", help="with --by: from the first value to the last, in percent")
    parser.add_argument("--digits", type=int, help="digits after the point; without it, three in all")
    parser.add_argument("--times", type=float, default=1.0, help="a factor, for another unit")
    asked = parser.parse_args(given)
    if asked.change and asked.by is None:
        parser.error("--change is from the first value of an axis to its last: which? --by AXIS")
    return asked


def cells(name: str, runs: str, where: Sequence[str]) -> GridRuns:
    """The runs that are meant; makes those that are missing."""
    one = paper.read(name)
    found = views_of(one, runner.make(one, [runs])).cells(runs)
    return found.where(**dict(part.split("=", 1) for part in where))


def quantity(name: str, wanted: str) -> Callable[[RunView], float]:
    """How a quantity is computed of a run."""
    entity, _, metric = wanted.rpartition(".")
    return partial(Quantity(metric, entity or None, title=wanted, unit="").value, measures=measures_of(name))


def shown(spreads: Sequence[Spread], asked: argparse.Namespace) -> str:
    """The numbers as text."""

    def written(value: float) -> str:
        scaled = asked.times * value
        return number(scaled) if asked.digits is None else f"{scaled:,.{asked.digits}f}"

    if asked.change:
        first, last = spreads[0].mean, spreads[-1].mean
        return f"{100 * (last / first - 1):+.{asked.digits or 0}f} %"
    if asked.range:
        return ", ".join(f"{written(one.low)} to {written(one.high)}" for one in spreads)
    return ", ".join(written(one.mean) for one in spreads)


def main(given: Sequence[str]) -> str:
    """What is printed."""
    asked = arguments(given)
    found = cells(asked.paper, asked.runs, asked.where)
    parts = list(found.by(asked.by).values()) if asked.by else [found]
    compute = quantity(asked.paper, asked.quantity)
    return shown([part.spread(compute) for part in parts], asked)


if __name__ == "__main__":
    sys.stdout.write(f"{main(sys.argv[1:])}\n")
