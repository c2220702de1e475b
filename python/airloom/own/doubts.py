"""What makes a run depend on more than its scenario and seed: a clock, or numbers that nobody seeded."""

from __future__ import annotations

import dis
import inspect
import sys
import types
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING

from airloom.errors import ScenarioWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SEEDED = "`__init__` gets a `seed` of the object's own, for a random.Random(seed)"

DOUBTFUL = {
    "time": "a clock: a run is as it is however fast it runs; `now` is its time",
    "datetime": "a clock: a run is as it is however fast it runs; `now` is its time",
    "random": f"random numbers of the whole program: {SEEDED}",
    "secrets": f"random numbers that nobody can have again: {SEEDED}",
}
"""Modules whose functions give something else each time, and what to do instead."""

SAFE = ("Random", "timedelta", "timezone")
"""What of them gives the same each time."""


def warn(own: type, hooks: Iterable[str]) -> None:
    """Warns of hooks that use such a module, by the names in their code."""
    for hook in hooks:
        for module, name in doubtful(getattr(own, hook)):
            said = f"{own.__name__}: `{hook}` uses {module}.{name}, {DOUBTFUL[module]}"
            warnings.warn(said, ScenarioWarning, stacklevel=3)


def doubtful(method: object) -> Iterator[tuple[str, str]]:
    """The modules that a method names, and what it takes from each."""
    function = inspect.unwrap(method) if callable(method) else None
    if not isinstance(function, types.FunctionType):
        return
    for loaded, then in pairwise(dis.get_instructions(function)):
        value = function.__globals__.get(loaded.argval) if loaded.opname == "LOAD_GLOBAL" else None
        if isinstance(value, types.ModuleType):
            module, name = value.__name__, str(then.argval)
        else:
            module, name = taken_from(value), str(getattr(value, "__name__", ""))
        if module in DOUBTFUL and name not in SAFE:
            yield module, name


def taken_from(value: object) -> str:
    """The module that a value is a function or a class of; nothing if of none of these.

    A method of a `random.Random` that somebody seeded is called as one of the module's is, and is another.
    """
    name = getattr(value, "__name__", "") if callable(value) else ""
    of = (module for module in DOUBTFUL if name and getattr(sys.modules.get(module), name, None) == value)
    return next(of, "")
