"""Traffic of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class


def traffic(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which the `traffic` of a flow has it as the application that sends.

    >>> import airloom
    >>> @airloom.traffic("frames", every=0.02, size=20_000)
    ... class Frames:
    ...     def __init__(self, every, size):
    ...         self.every, self.size = every, size
    ...
    ...     def next(self):
    ...         return self.every, self.size
    >>> run = airloom.run("examples/download.toml", set={"duration": "4 s", "flow.0.traffic": "frames"})
    >>> round(run.flow("download").goodput_mbps, 1)
    8.0

    Every flow has an object of the class. A hook returns how many seconds the application waits, and how many bytes it
    then hands to its socket; or nothing, if it has no more. `started` is called as the flow starts, `next` as well and
    after each hand-over, `delivered` as all that was handed over is acknowledged. Of kind "udp" bytes leave in
    datagrams of at most the flow's `payload`. See docs/own-traffic.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("traffic", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that hands nothing over."""
    if not hooks:
        raise OwnClassError(f"{own}: nothing hands bytes over", "it needs `started`, `next` or `delivered`")
