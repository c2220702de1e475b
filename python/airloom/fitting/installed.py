"""Whether what fits need is installed: it is three times as much as all the rest."""

from __future__ import annotations

from importlib import import_module

from airloom.errors import RunError

NEEDED = ("sklearn", "emcee")
"""The modules that `airloom[fit]` brings."""


def needed() -> None:
    """Finds them.

    Raises:
        RunError: One is missing; the message says how to install it.
    """
    for name in NEEDED:
        try:
            import_module(name)
        except ImportError:
            raise RunError(f"a fit needs {name}: pip install 'airloom[fit]'") from None
