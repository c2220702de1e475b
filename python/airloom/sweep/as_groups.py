"""The rows of a sweep's table with groups as entities: the members of each as one row, in every cell."""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING, Any

from airloom.analysis.summary_table import RUN
from airloom.errors import SweepError, UnknownNameError
from airloom.results.aggregates import check, of_members, usual

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airloom.results.aggregates import Over
    from airloom.results.table import Table

Row = dict[str, Any]

JOIN = ","
"""What stands between entities that are asked about as one: no name has it."""


def way(metric: str, over: str | None) -> Over:
    """How a metric of a group is made of its members': as asked for, or as is usual.

    Raises:
        SweepError: It makes no sense of this metric.
    """
    try:
        return usual(metric) if over is None else check(metric, over)
    except UnknownNameError as error:
        raise SweepError(*error.args) from None


def having(table: Table, metric: str) -> list[Row]:
    """The rows of the entities that have a metric in any cell, and of those of whose group one has."""
    there = {(row["kind"], row[column]) for row in table if row[metric] is not None for column in ("entity", "group")}

    def has(row: Row) -> bool:
        return (row["kind"], row["entity"]) in there or (row["group"] and (row["kind"], row["group"]) in there)

    return [row for row in table if has(row)]


def of_one(rows: Sequence[Row], metric: str, name: str, at_stations: Mapping[str, Sequence[str]]) -> list[Row]:
    """The rows of an entity of a name, or else of the members of a group; of stations those of their flows.

    Several names, joined by commas, are those of a group of all their members.

    Args:
        rows: The rows of the entities that have the metric.
        metric: The metric.
        name: The name.
        at_stations: The groups of stations, each with the groups of its flows.

    Raises:
        SweepError: There is none, or there are several that may be meant.
    """
    if JOIN in name:
        named = (row for part in name.split(JOIN) for row in of_one(rows, metric, part, at_stations))
        # A group and a member of it have rows in common.
        return [{**row, "group": name} for row in {id(row): row for row in named}.values()]
    for column in ("entity", "group"):
        if found := [row for row in rows if row[column] == name]:
            return found
    there = {row["group"] for row in rows}
    flows = [group for group in at_stations.get(name, ()) if group in there]
    if len(flows) > 1:
        together = f"of all together: {JOIN.join(flows)}"
        raise SweepError(f"{metric} of `{name}`: of which of its flows?", f"there are {', '.join(flows)}; {together}")
    if flows:
        return [row for row in rows if row["group"] == flows[0]]
    if name in at_stations:
        raise SweepError(f"neither the stations of `{name}` nor their flows have {metric}")
    groups = [group for group in dict.fromkeys(row["group"] for row in rows) if group is not None]
    known = list(dict.fromkeys([*groups, *at_stations, *(row["entity"] for row in rows)]))
    near = difflib.get_close_matches(name, known, 1)
    alone = sorted([*groups, *dict.fromkeys(row["entity"] for row in rows if row["group"] is None)], key=RUN.__eq__)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(alone)}"
    raise SweepError(f"no entity `{name}` in this sweep has {metric}", hint)


def without_run(rows: Sequence[Row]) -> list[Row]:
    """The rows without those of the whole run, if there are others."""
    return [row for row in rows if row["entity"] != RUN] or list(rows)


def as_one(rows: Sequence[Row], metric: str, over: Over) -> list[Row]:
    """The same rows with the members of each group as one row in every cell."""
    members: dict[tuple[int, str, str], list[Row]] = {}
    for row in rows:
        if row["group"] is not None:
            members.setdefault((row["cell"], row["kind"], row["group"]), []).append(row)
    found = []
    for row in rows:
        if row["group"] is None:
            found.append(row)
        elif own := members.pop((row["cell"], row["kind"], row["group"]), None):
            value = of_members(metric, own, over)
            found.append({**row, "entity": row["group"], metric: None if math.isnan(value) else value})
    return found
