"""Queue disciplines of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class


def queue(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which any `queue` of a scenario has it as its discipline.

    >>> import airloom
    >>> @airloom.queue("step", above=0.01)
    ... class Step:
    ...     def __init__(self, above):
    ...         self.above = above
    ...
    ...     def dequeue(self, sojourn):
    ...         return "mark" if sojourn > self.above else None
    >>> run = airloom.run("examples/download.toml", set={"duration": "2 s", "ap.0.queue": {"discipline": "step"}})
    >>> run.flow("download").goodput_mbps > 1
    True

    Every queue has an object of the class. Packets wait first in, first out, as many as the queue's `limit` says. The
    hook `enqueue` decides about a packet for which there is room, `dequeue` about one that is about to leave: nothing
    or True lets it go on, "mark" marks it, or drops it where its transport does not understand ECN, "drop" or False
    drops it.
    See docs/own-queue.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of a discipline which is built in.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("queue", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that decides about no packet."""
    if not hooks:
        raise OwnClassError(f"{own}: nothing decides about packets", "it needs `enqueue` or `dequeue`")
