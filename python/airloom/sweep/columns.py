"""What a sweep can be asked for, in groups: the columns of its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.analysis.summary_table import RUN
from airloom.sweep import words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from airloom.results.table import Table

ENTITY = "entity"
"""The last of the keys; what follows are metrics."""

WHOSE = {"of the run": (RUN,), "of each flow": ("flow",), "of each node": ("ap", "station", "server")}
"""Whose metrics there are, with the kinds of entities."""

UNITS = (*words.UNITS.values(), "dB")
"""The units that metrics are listed by; what has another is a count, a share or a ratio."""

MEANING = "docs/bundle.md says what each of them is, and so does `airloom schema --summary`."


def listed(table: Table) -> list[tuple[str, list[str]]]:
    """Headings, each with its lines: the keys, and the metrics by whose they are and by their units."""
    names = table.column_names
    last = names.index(ENTITY)
    keys = [name for name in names[:last] if name not in ("cell", "kind", "group")]
    there = having(table, names[last + 1 :])
    return [
        ("keys, for --by, --lines, --panels and --where", [", ".join([*keys, ENTITY])]),
        *((f"metrics {whose}, for --metric", of) for whose, kinds in WHOSE.items() if (of := by_unit(there, kinds))),
    ]


def having(table: Table, metrics: Iterable[str]) -> dict[str, set[str]]:
    """The kinds of entities that have each metric."""
    kinds = list(table["kind"])
    return {
        name: {kind for kind, value in zip(kinds, table[name], strict=True) if value is not None} for name in metrics
    }


def by_unit(there: dict[str, set[str]], kinds: Collection[str]) -> list[str]:
    """The metrics of some kinds: a line for each unit, and one for what has none."""
    found: dict[str, list[str]] = {}
    for name, of in there.items():
        if not of.isdisjoint(kinds):
            unit = words.metric(name).unit
            found.setdefault(unit if unit in UNITS else "", []).append(name)
    rest = found.pop("", [])
    return [
        *(f"{unit}: {', '.join(names)}" for unit, names in found.items()),
        *([f"counts, shares and ratios: {', '.join(rest)}"] if rest else []),
    ]
