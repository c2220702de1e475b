"""The table of `airloom diagnose --table roams`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from airloom.diagnosis.roams import CLOCKS, details, phases
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.cli.screen import Screen
    from airloom.diagnosis.shapes import Roams

ROW = "{:>8} {:17} {:17} {:>6} {:>6} {:>6} {:>6} {:>6}"
HEAD = ROW.format("at s", "from", "to", "gap", "scan", "auth", "assoc", "keys")
KEY = (
    "Phases in ms, from the first frame to the last. A dash: not heard, or by clocks that are not joined. half: only "
    "one end was heard, so its length is not known. The gap is from the last data heard with one "
    "access point, whether it arrived or not, to the first with the other, or to the end of the exchange where nothing "
    "waited."
)


def show_roams(screen: Screen, found: Roams) -> None:
    """Prints how stations went from one access point to another, station by station."""
    for capture in found["captures"]:
        screen.say(f"{capture['name']}: {CLOCKS[capture['clock']]}", style="bold")
    screen.say("")
    if all(capture["place"] != "air" for capture in found["captures"]):
        screen.fold("Cannot tell: no capture of the air, which alone shows roams. Take one with a monitor.", indent=0)
        return
    if not found["roams"]:
        screen.say("No station associated with an access point, or went to another, as far as was heard.")
        return
    for station, roams in groupby(sorted(found["roams"], key=lambda roam: roam["station"]), lambda one: one["station"]):
        screen.say(f"station {station}", style="bold")
        screen.say(HEAD, style="bold")
        for roam in roams:
            cells = (f"{roam['at_s']:,.3f}", roam["from"] or "not heard", roam["to"], *phases(roam))
            screen.say(ROW.format(*cells))
            screen.fold(details(roam), indent=9, style="dim")
        screen.say("")
    screen.fold(KEY, indent=0, hang=0, style="dim")
    if found["left_out"]:
        screen.say(f"{count(found['left_out'], 'more roam')} left out", style="dim")
