"""How this program begins itself anew, in a process of its own."""

from __future__ import annotations

import sys


def itself(*words: str) -> list[str]:
    """The command that runs this program with these words.

    By `-m` alone Python would look for its modules in the current folder first, where anybody may have left some.
    """
    return [sys.executable, "-P", "-m", "airloom", *words]
