"""Congestion controls of one's own: a decorator that gives a class a name in scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from airloom import _engine
from airloom.errors import OwnClassError
from airloom.own import brought, doubts
from airloom.own.hooks import hooks_of

if TYPE_CHECKING:
    from collections.abc import Callable

Class = TypeVar("Class", bound=type)

MOVES = ("grow", "acked", "round", "sampled")
"""The hooks that can move a window; a class has one of them at least."""


def congestion_control(name: str, **parameters: object) -> Callable[[Class], Class]:
    """Gives a class a name, by which hosts and flows use it as their congestion control.

    >>> import airloom
    >>> @airloom.congestion_control("by-one")
    ... class ByOne:
    ...     def grow(self, cwnd, segments):
    ...         return cwnd + segments / cwnd
    ...     def lost(self, cwnd):
    ...         return cwnd / 2
    >>> run = airloom.run("examples/upload.toml", set={"duration": "2 s", "flow.0.tcp.congestion": "by-one"})
    >>> run.flow("upload").congestion
    'by-one'

    Every connection has an object of the class. Its hooks are methods, each of which may be left out and names those
    arguments that it wants. Windows are in segments, times in seconds, rates in Mbit/s. See
    docs/own-congestion-control.md.

    Args:
        name: A lower-case letter, then letters, digits, `-`, `_` or `+`; not that of a control which is built in.
        parameters: What the class is called with, so that one class can have several names.

    Raises:
        OwnClassError: The name cannot be used, or a hook wants what there is not.
    """

    def bring(own: Class) -> Class:
        hooks = hooks_of(own, dict(_engine.hooks()))
        found = [hook for hook, _ in hooks]
        if not any(hook in MOVES for hook in found):
            raise OwnClassError(f"{own.__name__}: nothing moves its window", f"it needs one of {', '.join(MOVES)}")
        if "sampled" in found and (beside := [hook for hook in found if hook in ("grow", "acked", "round")]):
            wrong = f"{own.__name__}: `sampled` alone sets the window, so that `{beside[0]}` would never be called"
            raise OwnClassError(wrong, "a class that models the path has `sampled`, any other has the rest")
        try:
            _engine.register(name, lambda: own(**parameters), hooks)
        except ValueError as error:
            raise OwnClassError(f"{own.__name__}: {error}") from None
        doubts.warn(own, [hook for hook, _ in hooks])
        brought.keep(name, own, parameters)
        return own

    return bring
