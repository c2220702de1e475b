"""Which methods of a class are hooks, and which arguments each of them wants."""

from __future__ import annotations

import inspect
import warnings
from difflib import get_close_matches
from types import CodeType
from typing import TYPE_CHECKING

from airloom.errors import OwnClassError, ScenarioWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
"""Kinds of arguments that can be given by name, as the engine gives them."""


def hooks_of(own: type, known: Mapping[str, Sequence[str]]) -> list[tuple[str, list[str]]]:
    """The hooks of a class and the arguments that each wants.

    Args:
        own: The class.
        known: The hooks that the engine calls, and what each may be told.

    Raises:
        OwnClassError: It is no class, a method has nearly a hook's name, or a hook wants what there is not.
    """
    if not isinstance(own, type):
        raise OwnClassError(
            f"{own!r} is no class", "put the decorator above a class: each connection has an object of it"
        )
    methods = {name: method for name, method in inspect.getmembers(own, callable) if not name.startswith("_")}
    unused = methods.keys() - known.keys() - called(own)
    for name in methods.keys() - known.keys():
        alike = 0.7 if name in unused else 0.8
        if likely := get_close_matches(name, known.keys() - methods.keys(), 1, alike):
            raise OwnClassError(
                f"{own.__name__}: `{name}` is no hook; did you mean `{likely[0]}`?",
                "a method of another purpose may begin with an underscore",
            )
    for name in sorted(unused):
        hooks = ", ".join(known)
        said = f"{own.__name__}: `{name}` is no hook, and nothing in the class calls it; hooks are {hooks}"
        warnings.warn(said, ScenarioWarning, stacklevel=3)
    return [(name, wants(own, name, may)) for name, may in known.items() if name in methods]


def called(own: type) -> set[str]:
    """The names that the code of a class's methods mentions."""
    defined = (one for base in own.__mro__[:-1] for one in vars(base).values())
    methods = (inspect.unwrap(getattr(one, "fget", None) or getattr(one, "__func__", one)) for one in defined)
    left = [one.__code__ for one in methods if hasattr(one, "__code__")]
    found: set[str] = set()
    while left:
        code = left.pop()
        found.update(code.co_names)
        left += [one for one in code.co_consts if isinstance(one, CodeType)]
    return found


def wants(own: type, hook: str, may: Iterable[str]) -> list[str]:
    """The arguments that a hook wants, of those that it may be told."""
    found = []
    # A method of a class, or of none, has no `self` before its arguments.
    bound = isinstance(inspect.getattr_static(own, hook), classmethod | staticmethod)
    for name, argument in list(inspect.signature(getattr(own, hook)).parameters.items())[0 if bound else 1 :]:
        if argument.kind in NAMED and name in may:
            found.append(name)
        elif argument.kind not in NAMED or argument.default is argument.empty:
            there = f"there are {', '.join(may)}" if may else "there is none"
            raise OwnClassError(f"{own.__name__}: `{hook}` cannot be told `{name}`", f"name what it wants: {there}")
    return found
