"""The differences between resolved scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def differences(scenarios: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """The values in which scenarios differ, by dotted key: one for each scenario, `-` where it has none."""
    flats = [flat(scenario) for scenario in scenarios]
    keys = dict.fromkeys(key for one in flats for key in one)
    rows = {key: [one.get(key, "-") for one in flats] for key in keys if key not in ("title", "description", "seed")}
    return {key: values for key, values in rows.items() if len(set(values)) > 1}


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
    return {name: leaf for own, part in parts for name, leaf in flat(part, f"{key}.{own}" if key else own).items()}
