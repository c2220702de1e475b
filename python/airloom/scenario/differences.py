"""The differences between resolved scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

KINDS = ("ap", "station", "server", "flow")
"""The tables of a scenario of which there are several, each with a name."""

TEXTS = ("title", "description", "seed")
"""What is said of a scenario or chosen for a run, and is no setting of what is simulated."""


def differences(scenarios: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """The values in which scenarios differ, by dotted key: one for each scenario, `-` where it has none.

    What differs for a group of stations, or for its flows, is said once: `station.sta (15): host.queue.discipline`.
    Of a part that some scenarios lack there is only its name: `station`.
    """
    more = {kind: own for kind in KINDS if (own := added(scenarios, kind))}
    parts = {
        kind: [listed(scenario, kind, names) for scenario, names in zip(scenarios, own, strict=True)]
        for kind, own in more.items()
    }
    scenarios = [
        without(scenario, {kind: own[place] for kind, own in more.items()}) for place, scenario in enumerate(scenarios)
    ]
    sizes = [groups(scenario) for scenario in scenarios]
    shared = {name: size for name, size in sizes[0].items() if all(own.get(name) == size for own in sizes)}
    alike = {kind for kind in KINDS if len({names(scenario, kind) for scenario in scenarios}) == 1}
    flats = [flat(named(scenario, shared, alike)) for scenario in scenarios]
    first: dict[str, int] = {}
    keys = list(dict.fromkeys(key for one in flats for key in one))
    for place, key in enumerate(keys):
        first.setdefault(whose(key), place)
    keys.sort(key=lambda key: first[whose(key)])
    rows = {key: [one.get(key, "-") for one in flats] for key in keys if key not in TEXTS}
    return parts | {key: values for key, values in rows.items() if len(set(values)) > 1}


def added(scenarios: Sequence[Mapping[str, Any]], kind: str) -> list[list[str]]:
    """The parts of a kind that each scenario has and not all have, by name.

    None if each scenario has equally many of them, of which none is a group or a group's: what has another name may be
    the same part.
    """
    each = [names(scenario, kind) for scenario in scenarios]
    least = min(each, key=len)
    shared = set(least).intersection(*each)
    found = [[name for name in own if name not in shared] for own in each]
    if not any(found) or any(own == tuple(map(str, range(len(own)))) for own in each if own):
        return []
    if len({tuple(name for name in own if name in shared) for own in each}) > 1:
        return []
    paired = len({len(own) for own in found}) == 1
    return [] if paired and not any(map(has_groups, scenarios, [kind] * len(found), found)) else found


def has_groups(scenario: Mapping[str, Any], kind: str, some: Collection[str]) -> bool:
    """Whether some parts of a kind, by their names, are groups or flows of groups."""
    own = groups(scenario)
    there = zip(tables(scenario, kind), names(scenario, kind), strict=True)
    return any(group_of(one, kind, own) is not None for one, name in there if name in some)


def group_of(one: Mapping[str, Any], kind: str, own: Collection[str]) -> str | None:
    """The group that a part is, or that is an end of it if it is a flow; none if there is none."""
    ends = (one.get("name"),) if kind == "station" else (one.get("from"), one.get("to"))
    return next((end for end in ends if end in own), None)


def listed(scenario: Mapping[str, Any], kind: str, some: Collection[str]) -> str:
    """Parts of a kind by their names, groups of stations with their size; a dash where there are none."""
    there = zip(tables(scenario, kind), names(scenario, kind), strict=True)
    found = [f"{name} ({one['count']})" if "count" in one else name for one, name in there if name in some]
    return ", ".join(found) or "-"


def without(scenario: Mapping[str, Any], parts: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """A scenario without some parts: for each kind their names."""
    left = {
        kind: [one for one, name in zip(tables(scenario, kind), names(scenario, kind), strict=True) if name not in gone]
        for kind, gone in parts.items()
    }
    return {**scenario, **left}


def groups(scenario: Mapping[str, Any]) -> dict[str, int]:
    """The groups of stations, each with how many there are."""
    return {one["name"]: one["count"] for one in tables(scenario, "station") if "count" in one}


def names(scenario: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """The names of all parts of a kind, in their order; numbers where a name would not do as a part of a key."""
    found = [called(one) for one in tables(scenario, kind)]
    told_apart = len(set(found)) == len(found) and not any("." in name for name in found)
    return tuple(found if told_apart else map(str, range(len(found))))


def called(one: Mapping[str, Any]) -> str:
    """The name of a part; a flow without one is called by its ends."""
    return str(one["name"] if "name" in one else f"{one.get('from')}-{one.get('to')}")


def named(scenario: Mapping[str, Any], sizes: Mapping[str, int], alike: Collection[str]) -> dict[str, Any]:
    """A scenario whose parts are called by their names instead of numbers, groups and their flows with their size.

    Args:
        scenario: A resolved scenario.
        sizes: The groups that all scenarios have with the same size.
        alike: The kinds of parts that have the same names in all scenarios.
    """
    own = groups(scenario)

    def key(kind: str, one: Mapping[str, Any], name: str, place: int) -> str:
        group = group_of(one, kind, own)
        if group is not None and group in sizes:
            return f"{called(one)} ({sizes[group]}):"
        return name if kind in alike else called(one) if group is not None else str(place)

    parts = {
        kind: {
            key(kind, one, name, place): one
            for place, (one, name) in enumerate(zip(tables(scenario, kind), names(scenario, kind), strict=True))
        }
        for kind in KINDS
    }
    return {kind: parts.get(kind, value) for kind, value in scenario.items()}


def tables(scenario: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables of a scenario under a key."""
    return [one for one in scenario.get(key, []) if isinstance(one, dict)]


def flat(value: object, key: str = "") -> dict[str, str]:
    """The leaves of a scenario, by dotted key."""
    match value:
        case dict():
            parts = [(str(name), part) for name, part in value.items()]
        case list():
            parts = [(str(place), part) for place, part in enumerate(value)]
        case bool():
            return {key: str(value).lower()}
        case _:
            return {key: str(value)}
    return {name: leaf for own, part in parts for name, leaf in flat(part, below(key, own)).items()}


def whose(key: str) -> str:
    """Whose key it is, of those of a group; itself of others."""
    return key.partition(": ")[0]


def below(key: str, own: str) -> str:
    """A key within a table; what ends in a colon has said whose it is."""
    return own if not key else f"{key}{' ' if key.endswith(':') else '.'}{own}"
