"""A metric of a sweep as a file: a page, a table or a picture, as its suffix says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from airloom.report import picture
from airloom.report.standalone import quantity
from airloom.results.by_suffix import known_suffix
from airloom.scenario.quantities import measured
from airloom.support import csv_file
from airloom.sweep import chart, page, plan, words
from airloom.sweep.query import DOUBTS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.sweep.query import Shown
    from airloom.sweep.results import Results

SUFFIXES = (".html", ".csv", *picture.FORMATS)
"""What there is."""

DIGITS = 12
"""Of a figure in a table: those after them are of the arithmetic, as in 19.648000000000003."""


def named(made: Results) -> chart.Named:
    """What is said of a sweep."""
    scenario = plan.parsed(made.plan.scenario, made.plan.base)
    values = frozenset(choice.name for axis in made.plan.grid.axes for choice in axis.choices)
    return chart.Named(made.plan.title, scenario, made.origin, values)


def check(target: Path) -> None:
    """Refuses a file that cannot be written, before there is anything to write.

    Raises:
        AirloomError: There is no such format, what draws it is not installed, or a folder is there.
    """
    if known_suffix(target, SUFFIXES, "metric of a sweep") in picture.FORMATS:
        picture.suffix(target)


def write(made: Results, shown: Shown, target: Path) -> None:
    """Writes the file, whole or not at all; refuses what `check` does."""
    check(target)
    match target.suffix.lower():
        case ".html":
            page.write(named(made), shown, target)
        case ".csv":
            csv_file.write(*table(shown), target)
        case _:
            chart.picture(shown, named(made)).save(target)


def table(shown: Shown) -> tuple[list[str], list[list[object]]]:
    """The header and the rows: one for each point, with its keys, its mean, its interval and what is doubtful of it."""
    keys = (shown.by, *told_by(shown))
    names = [(place, line.panel, line.hue, line.shape) for line in shown.lines for place in line.points]
    columns = [(key, *numbers(values)) for key, values in zip(keys, zip(*names, strict=True), strict=True) if key]
    metric = words.metric(shown.metric)
    points = [point for line in shown.lines for point in line.points.values()]
    doubts = [line.doubtful(place) for line in shown.lines for place in line.points]
    header = [quantity(key, unit) for key, unit, _ in columns]
    name = " ".join(filter(None, (shown.metric, shown.members)))
    header += [quantity(f"{name} {what}", metric.unit) for what in ("mean", "from", "to")]
    ends = [(one.mean, one.mean - one.margin, one.mean + one.margin) for one in points]
    rows = [
        [
            *(values[row] for *_, values in columns),
            *(None if math.isnan(end) else float(f"{end:.{DIGITS}g}") for end in ends[row]),
            one.count,
            *doubts[row],
        ]
        for row, one in enumerate(points)
    ]
    return [*header, "seeds", *DOUBTS.values()], rows


def numbers(values: Sequence[str]) -> tuple[str, Sequence[object]]:
    """The unit of values and these as numbers, if that is what they are; else no unit, and text."""
    found = measured(values)
    return (found[1], found[0]) if found else ("", values)


def told_by(shown: Shown) -> tuple[str, str, str]:
    """The keys of panels, colours and shapes."""
    return shown.told.panel, shown.told.hue, shown.told.shape
