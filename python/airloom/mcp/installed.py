"""Whether what the server needs is installed: few need it."""

from __future__ import annotations

from importlib.util import find_spec

from airloom.errors import RunError

NEEDED = ("mcp", "mcp_types")
"""The modules that `airloom[mcp]` brings; the first version of the SDK has only one of them."""


def needed() -> None:
    """Finds them.

    Raises:
        RunError: One is missing; the message says how to install it.
    """
    if any(find_spec(name) is None for name in NEEDED):
        raise RunError("`airloom mcp` needs the SDK of the protocol: pip install 'airloom[mcp]'")
