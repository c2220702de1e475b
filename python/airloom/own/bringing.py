"""How a class comes to the engine: its hooks are found, what it needs is checked, and it has a name from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from airloom import _engine
from airloom.errors import OwnClassError
from airloom.own import brought, doubts
from airloom.own.hooks import hooks_of
from airloom.own.parameters import SEED, defaults_of, missing, settable, takes_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from airloom.own.parameters import Value

Class = TypeVar("Class", bound=type)


def bringing(
    kind: str, name: str, parameters: Mapping[str, object], sound: Callable[[str, list[str]], None]
) -> Callable[[Class], Class]:
    """A decorator that brings a class.

    Args:
        kind: What it is: `congestion_control`, `queue`, `rate_control`, `roaming_policy`,
            `scan_policy`, `scheduler`, `traffic`.
        name: What scenarios call it.
        parameters: What it is called with, where a scenario gives no other value.
        sound: Called with the name of the class and those of its hooks; raises `OwnClassError` if these make no sense.
    """
    if not isinstance(name, str):
        raise OwnClassError(f"@airloom.{kind} needs a name", f'@airloom.{kind}("mine")')

    def bring(own: Class) -> Class:
        hooks = hooks_of(own, dict(_engine.hooks(kind)))
        names = [hook for hook, _ in hooks]
        sound(own.__name__, names)
        if left := missing(own, parameters):
            hint = f'give it a default, or a value: @airloom.{kind}("{name}", {left[0]}=...)'
            raise OwnClassError(f"{own.__name__}: `__init__` wants `{left[0]}`, which nobody gives it", hint)
        seeded = SEED not in parameters and takes_seed(own)

        def make(seed: int, values: Mapping[str, Value]) -> object:
            return own(**{**parameters, **values, **({SEED: seed} if seeded else {})})

        try:
            _engine.register(kind, name, make, hooks, settable({**defaults_of(own), **parameters}))
        except ValueError as error:
            raise OwnClassError(f"{own.__name__}: {error}") from None
        doubts.warn(own)
        brought.keep(f"{kind} {name}", own, parameters)
        return own

    return bring
