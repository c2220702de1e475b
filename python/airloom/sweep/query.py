"""One metric of a sweep against one of its keys."""

from __future__ import annotations

import difflib
import math
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from airloom.errors import SweepError
from airloom.support.statistics import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from airloom.results.table import Table


@dataclass(frozen=True)
class Line:
    """The spread over the seeds at each value of a key, as text: for one entity, and one value of another key."""

    label: str
    points: dict[str, Spread]


@dataclass(frozen=True)
class Shown:
    """A metric by a key.

    Attributes:
        metric: What is shown.
        by: The key.
        places: The values of the key, in order.
        lines: What is shown at them.
        over: The axes over which a seed's value is a mean.
    """

    metric: str
    by: str
    places: list[str]
    lines: list[Line]
    over: list[str]

    def as_json(self) -> list[dict[str, object]]:
        """An object for each point; what is not a number is null."""
        return [
            {
                self.by: place,
                "line": line.label,
                "metric": self.metric,
                **{key: None if isinstance(v, float) and math.isnan(v) else v for key, v in asdict(point).items()},
            }
            for line in self.lines
            for place, point in line.points.items()
        ]


@dataclass(frozen=True)
class Question:
    """What is to be shown.

    Attributes:
        metric: The metric.
        by: The key along which it is shown.
        lines: The key whose values have a line each, if there is one.
        of: The entity whose metric it is; all that have it, if none is given.
        where: Only the cells with these values, by key.
    """

    metric: str
    by: str
    lines: str | None = None
    of: str | None = None
    where: Mapping[str, str] | None = None


def show(table: Table, axes: Sequence[str], question: Question) -> Shown:
    """Gathers a metric of a sweep's table by the values of a key.

    Raises:
        SweepError: The table has no such metric, key or value.
    """
    metric, by, lines = question.metric, question.by, question.lines
    columns = table.column_names
    known(metric, columns[columns.index("entity") + 1 :], "metric")
    for key in filter(None, (by, lines)):
        known(key, columns, "key")
    conditions = dict(question.where or {}) | ({"entity": question.of} if question.of is not None else {})
    rows = [row for row in table if row[metric] is not None]
    for key, value in conditions.items():
        known(key, columns, "key")
        known(value, dict.fromkeys(text(table, key, row[key]) for row in rows), key)
        rows = [row for row in rows if text(table, key, row[key]) == value]
    several = len({row["entity"] for row in rows}) > 1 and "entity" not in (by, lines)

    def label(row: Mapping[str, Any]) -> str:
        parts = [row["entity"]] if several else []
        return " ".join([*parts, text(table, lines, row[lines])] if lines else parts)

    labels: dict[str, dict[str, dict[int, list[Mapping[str, Any]]]]] = {}
    for row in rows:
        place = text(table, by, row[by])
        labels.setdefault(label(row), {}).setdefault(place, {}).setdefault(row["seed"], []).append(row)
    groups = [group for places in labels.values() for seeds in places.values() for group in seeds.values()]
    return Shown(
        metric,
        by,
        ordered(table, by, (row[by] for row in rows)),
        [
            Line(name, {place: spread(metric, seeds.values()) for place, seeds in places.items()})
            for name, places in labels.items()
        ],
        [axis for axis in axes if any(len({row[axis] for row in group}) > 1 for group in groups)],
    )


def spread(metric: str, seeds: Iterable[Sequence[Mapping[str, Any]]]) -> Spread:
    """The spread over the seeds of the mean that each has."""
    return Spread.of(fmean(row[metric] for row in group) for group in seeds)


def text(table: Table, name: str, value: object) -> str:
    """A value of a column, with its unit."""
    if value is None:
        return "-"
    unit = table.column(name).unit
    return (f"{value:g}" if isinstance(value, float) else str(value)) + (f" {unit}" if unit else "")


def ordered(table: Table, name: str, values: Iterable[Any]) -> list[str]:
    """The different values of a column: numbers by their size, others as they come."""
    different = list(dict.fromkeys(values))
    if all(isinstance(value, (int, float)) for value in different):
        different.sort()
    return [text(table, name, value) for value in different]


def known(name: str, names: Iterable[str], what: str) -> None:
    """Refuses what is not among these."""
    there = list(names)
    if name not in there:
        near = difflib.get_close_matches(name, there, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(there)}"
        raise SweepError(f"no {what} `{name}` in this sweep", hint)
