"""Congestion controls of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import OwnClassError
from airloom.own.bringing import bringing

if TYPE_CHECKING:
    from collections.abc import Callable

    from airloom.own.bringing import Class

MOVES = ("grow", "acked", "round", "sampled")
"""The hooks that can move a window; a class has one of them at least."""


def congestion_control(name: str, /, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which hosts and flows use it as their congestion control.

    >>> import airloom
    >>> @airloom.congestion_control("by-one")
    ... class ByOne:
    ...     def grow(self, cwnd, segments):
    ...         return cwnd + segments / cwnd
    ...     def lost(self, cwnd):
    ...         return cwnd / 2
    >>> run = airloom.run("examples/upload.toml", set={"duration": "4 s", "flow.0.tcp.congestion": "by-one"})
    >>> run.flow("upload").congestion
    'by-one'

    Every connection has an object of the class. Its hooks are methods, each of which may be left out and names those
    arguments that it wants. Windows are in segments, times in seconds, rates in Mbit/s. See
    docs/own-congestion-control.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of a control which is built in.
        parameters: What the class is called with, so that one class can have several names. `[own.NAME]` of a scenario
            gives others, and to arguments of `__init__` with a default. One called `seed` gets a number of the object's
            own.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """
    return bringing("congestion_control", name, parameters, sound)


def sound(own: str, hooks: list[str]) -> None:
    """Refuses a class that moves no window, or moves it in two ways."""
    if not any(hook in MOVES for hook in hooks):
        raise OwnClassError(f"{own}: nothing moves its window", f"it needs one of {', '.join(MOVES)}")
    if "sampled" in hooks and (beside := [hook for hook in hooks if hook in ("grow", "acked", "round")]):
        wrong = f"{own}: `sampled` alone sets the window, so that `{beside[0]}` would never be called"
        raise OwnClassError(wrong, "a class that models the path has `sampled`, any other has the rest")
