"""Schedulers of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class


def scheduler(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which the `turns` of an adapter have it as what says whose PPDU is next.

    >>> import airloom
    >>> @airloom.scheduler("fastest")
    ... class Fastest:
    ...     def next(self, rates):
    ...         return rates.index(max(rates))
    >>> turns = {"duration": "2 s", "ap.0.adapter.turns": "fastest"}
    >>> run = airloom.run("examples/near-and-far.toml", set=turns)
    >>> run.flow("to-near").goodput_mbps > run.flow("to-far").goodput_mbps
    True

    Every access category of a radio has an object of the class. The hook `next` is asked before each PPDU is formed: it
    gets the `stations` that may have something to send, in the order of a round, with `tids` and `rates`, and returns a
    place in that list; `aired` gets what was on the air, and for how long.
    See docs/own-scheduler.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of turns which are built in.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("scheduler", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that gives no turn."""
    if "next" not in hooks:
        raise OwnClassError(f"{own}: nothing gives turns", "it needs `next`")
