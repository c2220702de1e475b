"""Whether there is what `airloom.gym` needs beyond the rest."""

from __future__ import annotations

from importlib.util import find_spec

from airloom.errors import RunError

MODULES = ("gymnasium", "numpy", "pettingzoo")
"""The modules that `airloom[gym]` brings."""


def need() -> None:
    """Refuses to go on without them.

    Raises:
        RunError: One is missing.
    """
    for name in MODULES:
        if find_spec(name) is None:
            raise RunError(f"airloom.gym needs {name}: pip install 'airloom[gym]'")
