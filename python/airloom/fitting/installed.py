"""Whether what fits need is installed: it is three times as much as all the rest."""

from __future__ import annotations

from importlib.util import find_spec

from airloom.errors import RunError

NEEDED = ("sklearn", "emcee")
"""The modules that `airloom[fit]` brings."""


def needed() -> None:
    """Finds them.

    Raises:
        RunError: One is missing; the message says how to install it.
    """
    for name in NEEDED:
        if find_spec(name) is None:
            raise RunError(f"a fit needs {name}: pip install 'airloom[fit]'")
