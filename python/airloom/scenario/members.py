"""The stations of a resolved scenario, in which those of a group stand as one with a `count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def stations(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every station by its name, members of groups by their own."""
    found: dict[str, dict[str, Any]] = {}
    for one in settings.get("station", ()):
        names = [f"{one['name']}{number}" for number in range(1, one.get("count", 0) + 1)] or [one["name"]]
        found |= dict.fromkeys(names, one)
    return found
