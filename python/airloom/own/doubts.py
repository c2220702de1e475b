"""What makes a run depend on more than its scenario and seed: a clock, or numbers that nobody seeded."""

from __future__ import annotations

import dis
import inspect
import sys
import types
import warnings
from typing import TYPE_CHECKING

from airloom.errors import ScenarioWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

CLOCK = "a clock: a run is as it is however fast it runs; `now` is its time"
SEED = "`__init__` gets a `seed` of the object's own, for a random.Random(seed)"
PROGRAMS = f"random numbers of the whole program: {SEED}"
NOBODYS = f"random numbers that nobody can have again: {SEED}"

DOUBTFUL = {
    "time": CLOCK,
    "datetime": CLOCK,
    "random": PROGRAMS,
    "numpy.random": PROGRAMS,
    "secrets": NOBODYS,
    "os.urandom": NOBODYS,
}
"""Modules, and a function, that give something else each time, and what to do instead."""

SAFE = ("timedelta", "timezone")
"""What of them gives the same each time."""

NOW = ("now", "utcnow", "today")
"""What of `datetime` looks at the clock."""

UNSEEDED = f"which is seeded by chance: {SEED}"

SEEDED = ("Random", "RandomState", "default_rng", "Generator", "SeedSequence", "PCG64")
"""The same once they are given a seed."""

CALLS = ("CALL", "PRECALL", "CALL_FUNCTION", "CALL_METHOD", "CALL_KW")
"""The names that a call has in versions of Python."""


def warn(own: type) -> None:
    """Warns of what a class does that uses such a thing, by the names in its code and in functions of its module."""
    told = set()
    for place, function in functions(own):
        for used, instead in doubtful(function):
            if used not in told:
                told.add(used)
                warnings.warn(f"{own.__name__}: `{place}` uses {used}, {instead}", ScenarioWarning, stacklevel=3)


def functions(own: type) -> Iterator[tuple[str, types.FunctionType]]:
    """The methods of a class, and the functions of its module that they call, each once."""
    defined = ((name, one) for base in own.__mro__[:-1] for name, one in vars(base).items())
    left = [(name, inspect.unwrap(getattr(one, "__func__", one))) for name, one in defined if not isinstance(one, type)]
    seen = set()
    while left:
        name, function = left.pop(0)
        if not isinstance(function, types.FunctionType) or function in seen:
            continue
        seen.add(function)
        yield name, function
        called = (function.__globals__.get(word) for word in function.__code__.co_names)
        left += [
            (name, one)
            for one in called
            if isinstance(one, types.FunctionType) and one.__module__ == function.__module__
        ]


def doubtful(function: types.FunctionType) -> Iterator[tuple[str, str]]:
    """What a function uses of `DOUBTFUL`, by its full name, and what to do instead."""
    code = [one for one in dis.get_instructions(function) if one.opname not in {"PUSH_NULL", "CACHE", "EXTENDED_ARG"}]
    modules: dict[str, str] = {}
    for place, one in enumerate(code):
        path = ""
        if one.opname == "IMPORT_NAME":
            module = str(one.argval)
            then = code[place + 1]
            if then.opname == "IMPORT_FROM":
                path = f"{module}.{then.argval}"
            else:
                modules[str(then.argval)] = module
                continue
        elif one.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            value = function.__globals__.get(one.argval)
            path = value.__name__ if isinstance(value, types.ModuleType) else taken_from(value)
        elif one.opname.startswith("LOAD_FAST") and one.argval in modules:
            path = modules[one.argval]
        after = place + 1
        while path and after < len(code) and code[after].opname in {"LOAD_ATTR", "LOAD_METHOD"}:
            path += f".{code[after].argval}"
            after += 1
        if path and (instead := reason(path, code[after:])):
            yield path, instead


def reason(path: str, then: list[dis.Instruction]) -> str | None:
    """Why what has this full name is doubtful, if it is, from what follows on it."""
    module = next((one for one in DOUBTFUL if path == one or path.startswith(f"{one}.")), None)
    if module is None:
        return None
    rest = path.removeprefix(module).split(".")[1:]
    if (module == path and module in sys.modules) or any(word in SAFE for word in rest):
        return None  # a module alone does nothing
    if rest and rest[-1] in SEEDED:
        unseeded = bool(then) and then[0].opname in CALLS and then[0].arg == 0
        return UNSEEDED if unseeded else None
    if module == "datetime" and rest[-1] not in NOW:
        return None
    return DOUBTFUL[module]


def taken_from(value: object) -> str:
    """The full name of a function or a class of a doubtful module; nothing of anything else.

    A method of a `random.Random` that somebody seeded is called as one of the module's is, and is another.
    """
    name = getattr(value, "__name__", "") if callable(value) else ""
    if not name:
        return ""
    for module in DOUBTFUL:
        holder, _, function = module.rpartition(".")
        if function == name and value == getattr(sys.modules.get(holder), name, None):
            return module
        if getattr(sys.modules.get(module), name, None) == value:
            return f"{module}.{name}"
    return ""
