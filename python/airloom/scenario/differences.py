"""The differences between resolved scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEXTS = ("title", "description", "seed")
"""What is said of a scenario or chosen for a run, and makes no difference."""


def differences(scenarios: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """The values in which scenarios differ, by dotted key: one for each scenario, `-` where it has none.

    What differs for a group of stations, or for its flows, is said once: `station.sta (15): host.queue.discipline`.
    """
    sizes = [groups(scenario) for scenario in scenarios]
    shared = {name: size for name, size in sizes[0].items() if all(own.get(name) == size for own in sizes)}
    flats = [flat(named(scenario, shared)) for scenario in scenarios]
    first: dict[str, int] = {}
    keys = list(dict.fromkeys(key for one in flats for key in one))
    for place, key in enumerate(keys):
        first.setdefault(whose(key), place)
    keys.sort(key=lambda key: first[whose(key)])
    rows = {key: [one.get(key, "-") for one in flats] for key in keys if key not in TEXTS}
    return {key: values for key, values in rows.items() if len(set(values)) > 1}


def groups(scenario: Mapping[str, Any]) -> dict[str, int]:
    """The groups of stations, each with how many there are."""
    return {one["name"]: one["count"] for one in tables(scenario, "station") if "count" in one}


def named(scenario: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, Any]:
    """A scenario in which groups of stations, and their flows, are called by name and size where all agree on that."""
    own = groups(scenario)

    def station(one: Mapping[str, Any], place: int) -> str:
        name = one["name"]
        return f"{name} ({sizes[name]}):" if name in sizes else name if name in own else str(place)

    def flow(one: Mapping[str, Any], place: int) -> str:
        group = next((one[end] for end in ("from", "to") if one[end] in own), None)
        name = one.get("name", f"{one['from']}-{one['to']}")
        return str(place) if group is None else f"{name} ({sizes[group]}):" if group in sizes else name

    parts = {"station": station, "flow": flow}
    called = {
        key: {call(one, place): one for place, one in enumerate(tables(scenario, key))} for key, call in parts.items()
    }
    return {key: called.get(key, value) for key, value in scenario.items()}


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
