"""When access points lost their power and had it back, by a run's scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.scenario.quantities import seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.results.timing import Change


def power_cuts(scenario: Mapping[str, Any], until_s: float) -> list[Change]:
    """Each change of an access point's power until this time, as a change of the world."""
    at: list[Change] = [
        {"time_s": seconds(cut[key]), "change": f"{ap['name']} {word}"}
        for ap in scenario.get("ap", [])
        for cut in ap.get("off", [])
        for key, word in (("from", "off"), ("to", "on"))
    ]
    return [change for change in at if change["time_s"] < until_s]
