"""Rate controls of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class


def rate_control(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which stations use it as their rate control, in both directions.

    >>> import airloom
    >>> @airloom.rate_control("down-only")
    ... class DownOnly:
    ...     def completed(self, place, mpdus, succeeded):
    ...         return max(place - 1, 0) if succeeded < mpdus / 2 else None
    >>> run = airloom.run("examples/download.toml", set={"duration": "2 s", "station.0.rate": "down-only"})
    >>> run.flow("download").goodput_mbps > 1
    True

    Every link has an object of the class. The hook `started` gets the `rates` to choose from in Mbit/s, slowest first;
    `completed` gets what became of a PPDU that the driver has back. What a hook returns holds from the next PPDU on: a
    place in that list, or up to four pairs of a place and how many attempts are made there.
    See docs/own-rate-control.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of a control which is built in.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("rate_control", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that chooses no rate."""
    if not hooks:
        raise OwnClassError(f"{own}: nothing chooses a rate", "it needs `started` or `completed`")
