"""The parameters of a class: what scenarios may give values to, and the seed that an object has of its own."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Protocol, TypeGuard, runtime_checkable

from airloom.own.hooks import NAMED

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

Value = bool | int | float | str
"""A value of a parameter that a scenario can write."""

SEED = "seed"
"""The argument of `__init__` that gets a number of the object's own, unless the decorator gives it."""

COLLECTING = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
"""Kinds of arguments that take what is left."""

LARGEST = 1 << 63
"""Whole numbers of a scenario are below it, and not below its negative."""


@runtime_checkable
class Scalar(Protocol):
    """A value of an array library, which has one of Python's own."""

    def item(self) -> object:
        """That of Python's own."""


def arguments(own: type) -> Mapping[str, inspect.Parameter]:
    """What a class may be called with by name; nothing of one that does not say it."""
    try:
        found = inspect.signature(own).parameters
    except (TypeError, ValueError):
        return {}
    return {name: argument for name, argument in found.items() if argument.kind in NAMED}


def takes_seed(own: type) -> bool:
    """Whether its objects want a seed."""
    return SEED in arguments(own)


def defaults_of(own: type) -> dict[str, object]:
    """The defaults of its arguments, but for the seed."""
    found = arguments(own).items()
    return {name: one.default for name, one in found if one.default is not one.empty and name != SEED}


def missing(own: type, given: Container[str]) -> list[str]:
    """The arguments without which it cannot be called, and that nobody gives."""
    try:
        found = inspect.signature(own).parameters.values()
    except (TypeError, ValueError):
        return []
    needed = [one for one in found if one.default is one.empty and one.kind not in COLLECTING]
    return [one.name for one in needed if one.kind not in NAMED or (one.name not in given and one.name != SEED)]


def settable(parameters: Mapping[str, object]) -> list[tuple[str, Value]]:
    """Those that a scenario can write: numbers, true or false, and texts, also as numpy has them."""
    plain = {name: value.item() if isinstance(value, Scalar) else value for name, value in parameters.items()}
    return [(name, value) for name, value in plain.items() if is_settable(value)]


def is_settable(value: object) -> TypeGuard[Value]:
    """Whether a scenario can write such a value."""
    if isinstance(value, int):
        return -LARGEST <= value < LARGEST
    return isinstance(value, str) or (isinstance(value, float) and not math.isnan(value))
