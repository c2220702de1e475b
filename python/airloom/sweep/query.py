"""One metric of a sweep against one of its keys."""

from __future__ import annotations

import difflib
import math
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any

from airloom.errors import SweepError
from airloom.results.aggregates import OVER_OWN_TIME, half_bin
from airloom.results.metric_names import did_you_mean
from airloom.support.formatting import count, enumerated, interval, some
from airloom.support.html_table import block, heading, table
from airloom.support.statistics import Spread
from airloom.sweep.as_groups import Row, as_one, having, of_one, way, without_run
from airloom.sweep.unlike import unlike

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from airloom.results.table import Table


MOST_LINES = 2
"""Keys whose values have a line each: a colour tells one, a shape the other."""


DOUBTS = {"unsettled": "runs unsettled", "silent": "runs with silent flows"}
"""What makes figures doubtful, and what a column is called that counts such runs: a figure still changes as they end,
or they were too short to tell; flows delivered nothing."""


@dataclass(frozen=True)
class Line:
    """The spread over the seeds at each value of a key, as text: for one entity, and one value of each other key.

    Attributes:
        label: All that tells it from others, in words.
        points: The spreads, by value.
        hue: What its colour stands for; the label, if that is all there is.
        shape: What its shape stands for, if that is something else.
        panel: The panel that it belongs to, where there are several.
        doubts: In how many runs of each spread something makes it doubtful, by value, in the order of `DOUBTS`.
    """

    label: str
    points: dict[str, Spread]
    hue: str = ""
    shape: str = ""
    panel: str = ""
    doubts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What tells it from others in its panel."""
        return ", ".join(filter(None, (self.hue, self.shape))) or self.label

    def doubtful(self, place: str) -> tuple[int, ...]:
        """How many runs of a spread are doubtful, for each of `DOUBTS`."""
        return self.doubts.get(place, (0,) * len(DOUBTS))


@dataclass(frozen=True)
class Encoding:
    """The keys that colours, shapes and panels stand for; an empty one stands for nothing."""

    hue: str = ""
    shape: str = ""
    panel: str = ""


@dataclass(frozen=True)
class Shown:
    """A metric by a key.

    Attributes:
        metric: What is shown.
        by: The key.
        places: The values of the key, in order.
        lines: What is shown at them.
        over: The axes over which a seed's value is a mean.
        told: The keys that colours, shapes and panels stand for, those that do.
        entity: Whose metric it is, if it is one entity's.
        seeds: How many seeds a mean is taken over, at most.
        fewest: How many at least, where points have not equally many.
        unlike: The keys whose values are not the same at all points, or not equally often.
        members: What is shown over the members of groups, where there are any: their sum, median, worst or mean.
        missing: In how many runs there is no such value, and a mean goes without.
        partial: In how many runs only some members of a group have a value, and what is shown is of these.
        own_times: What a value is over, in words, where flows are under way for a part of what was measured.
        numbers: The numbers without a unit that values are the text of, by key.
        unfinished: How many cells are done, in words, where some are not: their points are missing, or of fewer seeds.
        unsettled: In how many of these runs a figure still changes as they end, in words; nothing where in none.
        silent: In how many of these runs flows delivered nothing, and which, in words; nothing where in none.
        idle: What changed nothing in any of these runs, and what never acted of all that varies among them.
    """

    metric: str
    by: str
    places: list[str]
    lines: list[Line]
    over: list[str]
    told: Encoding = field(default_factory=Encoding)
    entity: str = ""
    seeds: int = 1
    fewest: int | None = None
    unlike: tuple[str, ...] = ()
    members: str = ""
    missing: int = 0
    partial: int = 0
    own_times: str = ""
    numbers: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    unfinished: str = ""
    unsettled: str = ""
    silent: str = ""
    idle: tuple[str, ...] = ()

    @property
    def panels(self) -> list[str]:
        """The panels, in their order."""
        return list(dict.fromkeys(line.panel for line in self.lines))

    @property
    def columns(self) -> list[str]:
        """What stands above each column of a table: the key, and what tells the lines apart."""
        return [self.by, *(line.label or self.metric for line in self.lines)]

    @property
    def rows(self) -> list[list[str]]:
        """A row for each value of the key, with the mean and its interval for each line that has one there."""
        return [
            [place, *(interval(line.points[place]) if place in line.points else "" for line in self.lines)]
            for place in self.places
        ]

    @property
    def about(self) -> tuple[str, str]:
        """What a table of it shows, and how often it was seen."""
        of = f" of {self.entity}" if self.entity else ""
        return f"{self.metric}{of}", "; ".join([f"mean over {self.over_seeds}", *self.notes])

    @property
    def over_seeds(self) -> str:
        """How many seeds a mean is taken over."""
        least = "" if self.fewest in (None, self.seeds) else f"{self.fewest:,} to "
        return f"{least}{count(self.seeds, 'seed')}"

    def unlike_in(self, words: Sequence[str]) -> list[str]:
        """What the points do not have alike, in a sentence, with its keys in these words; none if there is nothing."""
        if not words:
            return []
        same = f"the points do not have the same values of {enumerated(words)}, or not equally often"
        return [f"{same}: they may differ by that alone"]

    @property
    def notes(self) -> list[str]:
        """What a value is, beside a mean over the seeds."""
        whose = "over its members" if self.entity else "over the members of each group"
        return [
            *self.unlike_in(self.unlike),
            *([self.some_alone] if self.fewest == 1 < self.seeds else []),
            *filter(None, [self.unfinished, *self.doubtful]),
            *([f"in each run the {self.members} {whose}"] if self.members else []),
            *([self.own_times] if self.own_times else []),
            *([f"each seed's value is a mean over {', '.join(self.over)}"] if self.over else []),
            *(
                [f"{count(self.missing, 'run')} left out: there a member of the group has no value"]
                if self.missing
                else []
            ),
            *([f"in {count(self.partial, 'run')} {self.of_some}"] if self.partial else []),
        ]

    @property
    def doubtful(self) -> list[str]:
        """In how many runs a figure still changes as they end, and in how many flows delivered nothing, and where."""
        said = {"unsettled": self.unsettled, "silent": self.silent}
        return [f"{text}{self.where(doubt)}" for doubt, text in said.items() if text]

    def where(self, doubt: str) -> str:
        """The points that such runs belong to, with how many there are, most first; nothing where there is one point.

        Args:
            doubt: What makes them doubtful, a key of `DOUBTS`.
        """
        points = len({(line.name, line.panel, place) for line in self.lines for place in line.points})
        at = list(DOUBTS).index(doubt)
        found: dict[str, int] = {}
        for line in self.lines:
            # Entities of a cell are doubtful together.
            names = (line.shape, line.panel) if self.told.hue == "entity" else (line.hue, line.shape, line.panel)
            for place in line.points:
                named = [" ".join(filter(None, names)), place if self.by != "entity" else ""]
                if many := line.doubtful(place)[at]:
                    found[" at ".join(filter(None, named))] = many
        found.pop("", None)
        most = sorted(found.items(), key=lambda one: -one[1])
        return f"; {some([f'{name} ({many:,})' for name, many in most])}" if found and points > 1 else ""

    @property
    def some_alone(self) -> str:
        """What intervals are where some points are of one seed."""
        return f"points are of {self.over_seeds}; that of one has no interval"

    @property
    def of_some(self) -> str:
        """What a value is where only some members have one."""
        return f"some members have no value; the {self.members} is of the rest"

    def __str__(self) -> str:
        """What `print` shows of it."""
        cells = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        aligned = (
            "  ".join([first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]).rstrip() for first, *rest in cells
        )
        return "\n".join([", ".join(self.about), *aligned, *self.idle])

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        return block(heading(*self.about), table(self.columns, self.rows))

    def as_json(self) -> list[dict[str, object]]:
        """An object for each point; what is not a number is null.

        `from` and `to` are the ends of the mean's interval, as in a table; `low` and `high` the least and the greatest
        seed.
        """
        told = self.told.hue, self.told.shape, self.told.panel
        parts = [(line.hue, line.shape, line.panel) for line in self.lines]

        def value(key: str, text: str) -> float | str:
            return self.numbers.get(key, {}).get(text, text)

        return [
            {
                self.by: value(self.by, place),
                "line": line.label,
                **{key: value(key, part) for key, part in zip(told, of, strict=True) if key},
                "metric": self.metric,
                **({"members": self.members} if self.members else {}),
                **{key: None if isinstance(v, float) and math.isnan(v) else v for key, v in figures(point).items()},
                **dict(zip(DOUBTS, line.doubtful(place), strict=True)),
            }
            for line, of in zip(self.lines, parts, strict=True)
            for place, point in line.points.items()
        ]


@dataclass(frozen=True)
class Question:
    """What is to be shown.

    Attributes:
        metric: The metric.
        by: The key along which it is shown.
        lines: The keys whose values have a line each, at most two: a colour for each value of the first, a shape for
            each of the second.
        panels: The key whose values have a panel each, if there is one.
        of: The entity or the group whose metric it is; all that have it, if none is given.
        members: What is shown over a group's members: `sum`, `median`, `worst` or `mean`; what is usual of the metric,
            if none is given.
        where: Only the cells with these values, by key.
    """

    metric: str
    by: str
    lines: tuple[str, ...] = ()
    panels: str | None = None
    of: str | None = None
    members: str | None = None
    where: Mapping[str, str] | None = None


def show(
    table: Table,
    axes: Sequence[str],
    question: Question,
    at_stations: Mapping[str, Sequence[str]] | None = None,
    doubted: Mapping[str, Collection[int]] | None = None,
    sets: Mapping[str, Collection[str]] | None = None,
) -> Shown:
    """Gathers a metric of a sweep's table by the values of a key.

    Args:
        table: The table.
        axes: What was varied.
        question: What is to be shown.
        at_stations: The groups of stations, each with the groups of its flows.
        doubted: The cells whose figures are doubtful, by what makes them so.
        sets: The keys that each axis sets, where these are others than its name.

    Raises:
        SweepError: The table has no such metric, key or value.
    """
    by_keys = keys(table, axes, question)
    rows, members, missing, partial = asked(table, question, at_stations or {}, each="entity" in by_keys)
    entities = dict.fromkeys(row["entity"] for row in rows)
    told = ways(question, tuple(entities) if "entity" not in by_keys else ())
    labels = cells(table, question.by, told, rows)
    seeds_of = [seeds for places in labels.values() for seeds in places.values()]
    points = [list(seeds.values()) for seeds in seeds_of]
    groups = [group for point in points for group in point]
    return Shown(
        question.metric,
        question.by,
        ordered(table, question.by, (row[question.by] for row in rows)),
        [
            Line(
                " ".join(filter(None, names)),
                {place: spread(question.metric, seeds.values()) for place, seeds in places.items()},
                *names,
                {place: doubts(doubted or {}, seeds.values()) for place, seeds in places.items()},
            )
            for names, places in labels.items()
        ],
        [axis for axis in axes if any(len({row[axis] for row in group}) > 1 for group in groups)],
        told,
        next(iter(entities)) if len(entities) == 1 else "",
        max(map(len, seeds_of), default=1),
        min(map(len, seeds_of), default=1),
        tuple(unlike({axis: (sets or {}).get(axis, ()) for axis in axes}, by_keys, points)),
        members,
        missing,
        partial,
        own_times(question.metric, members, rows),
        numbers={key: numbers(table, key, (row[key] for row in rows)) for key in by_keys},
    )


def named(question: Question) -> list[str]:
    """All keys that a question names."""
    return [*told_by(question), *(question.where or {})]


def told_by(question: Question) -> list[str]:
    """The keys by which it tells rows apart."""
    return [question.by, *question.lines, *([question.panels] if question.panels else [])]


def keys(table: Table, axes: Sequence[str], question: Question) -> list[str]:
    """The keys by which a question tells rows apart.

    Raises:
        SweepError: The table has no such metric or key, or a key is asked for twice or once too often.
    """
    columns = table.column_names
    known_metric(question.metric, columns[columns.index("entity") + 1 :])
    if len(question.lines) > MOST_LINES:
        raise SweepError(f"lines over {', '.join(question.lines)}: two keys at most; a third can have panels")
    told = told_by(question)
    for place, key in enumerate(told):
        known(key, [*axes, *columns[: columns.index("entity") + 1]], "key")
        if key in told[:place]:
            raise SweepError(f"`{key}` twice: each key is shown in one way")
    return told


def ways(question: Question, entities: Sequence[str]) -> Encoding:
    """The keys of colours, shapes and panels: the entity comes first if no key of the question tells several apart.

    Raises:
        SweepError: That is more than one chart shows.
    """
    several = len(entities) > 1
    if several and len(question.lines) == MOST_LINES:
        raise SweepError(
            f"lines over {', '.join(question.lines)}, for each of {', '.join(entities)}: too much for one chart; "
            "name one with --of, or let --panels have a key"
        )
    hue, shape = [*(["entity"] if several else []), *question.lines, "", ""][:MOST_LINES]
    return Encoding(hue, shape, question.panels or "")


def cells(
    table: Table, by: str, told: Encoding, rows: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str, str], dict[str, dict[int, list[Mapping[str, Any]]]]]:
    """The rows by line, by the value of the key `by` and by seed."""

    def line(row: Mapping[str, Any]) -> tuple[str, str, str]:
        hue, shape, panel = (text(table, key, row[key]) if key else "" for key in (told.hue, told.shape, told.panel))
        return hue, shape, panel

    found: dict[tuple[str, str, str], dict[str, dict[int, list[Mapping[str, Any]]]]] = {}
    for row in rows:
        place = text(table, by, row[by])
        found.setdefault(line(row), {}).setdefault(place, {}).setdefault(row["seed"], []).append(row)
    return found


def asked(
    table: Table, question: Question, at_stations: Mapping[str, Sequence[str]], *, each: bool
) -> tuple[list[Row], str, int, int]:
    """The rows that are asked about, in which groups are one, over what of their members, and how many are not whole.

    Those are the groups' rows without a value, and those whose value is of some members.

    Args:
        table: The table.
        question: What is to be shown.
        at_stations: The groups of stations, each with the groups of its flows.
        each: Whether members are shown by themselves.
    """
    metric, over = question.metric, way(question.metric, question.members)
    rows = having(table, metric)
    for key, value in (question.where or {}).items():
        known(key, table.column_names, "key")
        known(value, dict.fromkeys(text(table, key, row[key]) for row in rows), key)
        rows = [row for row in rows if text(table, key, row[key]) == value]
    if question.of is not None:
        rows = of_one(rows, metric, question.of, at_stations)
    elif "entity" not in (question.where or {}):
        rows = without_run(rows)
    alone = each or {row["entity"] for row in rows} == {question.of}
    grouped = not alone and any(row["group"] is not None for row in rows)
    if question.members is not None and not grouped:
        raise SweepError(f"--over {over}: each value is of one entity", "it is for a group; leave it out")
    if not grouped:
        return [row for row in rows if row[metric] is not None], "", 0, 0
    groups = as_one(rows, metric, over)
    there = [row for row in groups if row[metric] is not None]
    return there, over, len(groups) - len(there), partly(rows, there, metric)


def chosen(table: Table, where: Mapping[str, str]) -> frozenset[int]:
    """The cells with these values, by key."""
    wanted = where.items()
    return frozenset(row["cell"] for row in table if all(text(table, key, row[key]) == value for key, value in wanted))


def partly(members: Iterable[Row], groups: Iterable[Row], metric: str) -> int:
    """How many of these rows of groups have a value though a member in their cell has none."""
    lacking = {(row["cell"], row["kind"], row["group"]) for row in members if row[metric] is None}
    return sum((row["cell"], row["kind"], row["group"]) in lacking for row in groups)


def doubts(doubted: Mapping[str, Collection[int]], seeds: Iterable[Sequence[Mapping[str, Any]]]) -> tuple[int, ...]:
    """In how many of the cells of some rows there is each of `DOUBTS`."""
    there = {row["cell"] for group in seeds for row in group}
    return tuple(len(there.intersection(doubted.get(what, ()))) for what in DOUBTS)


def own_times(metric: str, members: str, rows: Iterable[Row]) -> str:
    """What a value is over, in words, where some of these rows are of flows that have times of their own."""
    if metric not in OVER_OWN_TIME or all(row.get("time_share") is None for row in rows):
        return ""
    if members == "sum":
        return "a sum is over the time that was measured, whatever the flows' own times are"
    return "a flow's value is over its own time, which is not all that was measured"


def figures(point: Spread) -> dict[str, float]:
    """A spread and the ends of its interval."""
    return {**asdict(point), "from": point.mean - point.margin, "to": point.mean + point.margin}


def spread(metric: str, seeds: Iterable[Sequence[Mapping[str, Any]]]) -> Spread:
    """The spread over the seeds of the mean that each has."""
    return Spread.of((fmean(row[metric] for row in group) for group in seeds), half_bin(metric))


def text(table: Table, name: str, value: object) -> str:
    """A value of a column, with its unit."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()  # as a grid has it
    unit = table.column(name).unit
    return (f"{value:g}" if isinstance(value, float) else str(value)) + (f" {unit}" if unit else "")


def numbers(table: Table, name: str, values: Iterable[Any]) -> dict[str, float]:
    """The numbers among the values of a column that has no unit, by their text."""
    plain = {v for v in values if isinstance(v, int | float) and not isinstance(v, bool)}
    return {} if table.column(name).unit else {text(table, name, value): value for value in plain}


def ordered(table: Table, name: str, values: Iterable[Any]) -> list[str]:
    """The different values of a column: numbers by their size, others as they come."""
    different = list(dict.fromkeys(values))
    if all(isinstance(value, (int, float)) for value in different):
        different.sort()
    return [text(table, name, value) for value in different]


def known_metric(name: str, there: Sequence[str]) -> None:
    """Refuses what is not among these metrics, of which there are too many to name them all."""
    if name not in there:
        many = f"there are {len(there):,}; `airloom sweep show FOLDER` lists them"
        raise SweepError(f"no metric `{name}` in this sweep", did_you_mean(name, there) or many)


def known(name: str, names: Iterable[str], what: str) -> None:
    """Refuses what is not among these; of names with dots the last word may be what is meant."""
    there = list(dict.fromkeys(names))
    if name not in there:
        near = [one for one in there if one.endswith(f".{name}")] or difflib.get_close_matches(name, there, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(there)}"
        raise SweepError(f"no {what} `{name}` in this sweep", hint)
