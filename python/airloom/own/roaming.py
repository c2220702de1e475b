"""Roaming policies of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class


DECIDES = ("associated", "beacon", "scanned")
"""Hooks without which nothing ever begins: a wait begins from one of them."""


def roaming_policy(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which the `roam` of a station has it as what decides where the station goes.

    >>> import airloom
    >>> @airloom.roaming_policy("strongest", below=-65)
    ... class Strongest:
    ...     def __init__(self, below):
    ...         self.below = below
    ...
    ...     def beacon(self, dbm):
    ...         return "scan" if dbm < self.below else None
    ...
    ...     def scanned(self, dbm, heard):
    ...         best = max(heard, key=heard.get, default=None)
    ...         return ("go", best) if best and (dbm is None or heard[best] > dbm) else None
    >>> run = airloom.run("examples/roaming.toml", set={"station.0.roam": "strongest"})
    >>> len(run.summary["roams"]) > 0
    True

    Every station has an object of the class. `associated` is called as it is at an access point, `beacon` with each of
    that one's beacons, `scanned` after a scan, `waited` after a wait. A hook returns nothing, "scan",
    ("wait", seconds), ("go", name), or a list of these.
    See docs/own-roaming.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of a policy which is built in.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("roaming_policy", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that decides nothing."""
    if not any(hook in DECIDES for hook in hooks):
        raise OwnClassError(f"{own}: nothing decides where to go", "it needs `associated`, `beacon` or `scanned`")
