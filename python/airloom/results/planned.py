"""What changes by a run's scenario: access points lose their power and have it back, or go to another channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.scenario.quantities import seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.results.timing import Change


def planned(scenario: Mapping[str, Any], until_s: float) -> list[Change]:
    """Each such change until this time, as a change of the world; of a switch to another channel when it is decided."""
    aps = scenario.get("ap", [])
    cuts: list[Change] = [
        {"time_s": seconds(cut[key]), "change": f"{ap['name']} {word}"}
        for ap in aps
        for cut in ap.get("off", [])
        for key, word in (("from", "off"), ("to", "on"))
    ]
    switches: list[Change] = [
        {"time_s": seconds(switch["at"]), "change": f"{ap['name']} to channel {switch['channel']}"}
        for ap in aps
        for switch in ap.get("switch", [])
    ]
    return [change for change in (*cuts, *switches) if change["time_s"] < until_s]
