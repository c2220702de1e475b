"""What changed nothing along some lines of a chart alone, though it did along others."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from airloom.analysis.idle_settings import idle_nodes, never_waited, setting
from airloom.support.formatting import enumerated, some
from airloom.sweep.results import values
from airloom.sweep.without_effect import alike, outcomes, without_effect

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from airloom.results.summary import Summary
    from airloom.scenario.grid import Axis
    from airloom.sweep.results import Results
    from airloom.sweep.without_effect import Came

ANSWERS = ("yes", "no", "on", "off", "true", "false", "none", "never", "always", "-")
"""Values that say nothing by themselves."""

Line = tuple[str, ...]
"""The values of all axes that are shown, but for the one that is looked at."""


def idle_lines(made: Results, keys: Collection[str]) -> list[str]:
    """Where values of an axis have the same numbers at some values of the other axes that are shown: a sentence each.

    Args:
        made: The sweep, with the cells that it is about.
        keys: The keys by which rows, lines and panels differ.
    """
    axes = [axis for axis in made.varying if not {axis.name, *sets(axis)}.isdisjoint(keys)]
    if len(axes) == 1:
        return []
    runs = list(made.summaries())
    came = outcomes(made.plan.grid, runs)
    return [text for axis in axes for text in along(made, axis, [one for one in axes if one is not axis], runs, came)]


def sets(axis: Axis) -> list[str]:
    """The keys that an axis sets."""
    return [key for choice in axis.choices for key in choice.sets]


def along(
    made: Results,
    axis: Axis,
    others: Sequence[Axis],
    runs: Sequence[tuple[int, Summary]],
    every: Mapping[str, Came],
) -> list[str]:
    """The same of one axis: lines with the same sentence have it together."""
    whole = {frozenset(some) for some in same(every[axis.name])}
    lines = by_line(made, others, runs)
    told: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line, there in lines.items():
        for names in same(outcomes(made.plan.grid, there)[axis.name]):
            if frozenset(names) not in whole:
                told[called(axis.name, enumerated(names)), why(axis, names, there, runs)].append(line)
    return [f"{names} have the same numbers with {in_words(of, others)}{so}" for (names, so), of in told.items()]


def in_words(lines: Sequence[Line], others: Sequence[Axis]) -> str:
    """Lines in a sentence, by their values; of one axis its name stands but once."""
    if len(others) == 1:
        return called(others[0].name, some([value for (value,) in lines]))
    names = [axis.name for axis in others]
    return some([" ".join(map(called, names, line)) for line in lines])


def by_line(
    made: Results, others: Iterable[Axis], runs: Iterable[tuple[int, Summary]]
) -> dict[Line, list[tuple[int, Summary]]]:
    """The runs of each line."""
    found: dict[Line, list[tuple[int, Summary]]] = defaultdict(list)
    for number, summary in runs:
        choices = made.plan.grid[number].choices
        found[tuple(choices[axis.name].name for axis in others)].append((number, summary))
    return found


def called(axis: str, value: str) -> str:
    """A value of an axis in a sentence, or several: of a number, or of a yes, it has to be said what it is."""
    return f"`{axis}` {value}" if value[:1].isdigit() or value in ANSWERS else value


def same(came: Came) -> list[list[str]]:
    """The values of an axis that have the same numbers."""
    return [list(came)] if without_effect(came) else alike(came)


def why(
    axis: Axis, names: Sequence[str], there: Iterable[tuple[int, Summary]], runs: Iterable[tuple[int, Summary]]
) -> str:
    """That no packet waited in these runs, if queues are all that the axis sets; the rest is of other lines too."""
    varied = values([axis])
    queues = [one for key in varied if (one := setting(key)) is not None and one.what == "queue"]
    if len(names) < len(axis.choices) or set(sets(axis)) - set(varied) or len(queues) < len(varied):
        return ""
    here = [idle_nodes(one, [summary for _, summary in there]) for one in queues]
    if not all(here):
        return ""
    always = [idle_nodes(one, [summary for _, summary in runs]) for one in queues]
    alone = [node for nodes, of_all in zip(here, always, strict=True) if not of_all for node in nodes]
    if not alone:
        return ""
    every = [node for _, summary in there for node in summary["nodes"]]
    return f": {never_waited(alone, every, ' either' if any(always) else '')}"
