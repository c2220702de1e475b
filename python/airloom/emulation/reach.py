"""Reaches the hosts of a shell from outside: which processes hold them, and what runs a program in their namespaces."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import EmulationError

if TYPE_CHECKING:
    from collections.abc import Sequence


def holders(shell: int, names: Sequence[str]) -> dict[str, int]:
    """The processes in whose namespaces the hosts of a shell live, by the names of the hosts in their order.

    The shell's first process within began them before anything else, one after the other.

    Raises:
        EmulationError: It is no shell, or gone.
    """
    try:
        (beside,) = children(shell)
        (first,) = children(beside)
        held = sorted(children(first), key=innermost)
    except (OSError, ValueError):
        held = []
    if len(held) < len(names):
        raise EmulationError(f"process {shell} is no shell that runs")
    return dict(zip(names, held, strict=False))


def children(process: int) -> list[int]:
    """The processes that a process began and that have not ended."""
    found = Path(f"/proc/{process}/task").glob("*/children")
    return [int(word) for file in found for word in file.read_text(encoding="ascii").split()]


def innermost(process: int) -> int:
    """A process's number in the innermost namespace that it is in (`NSpid` of proc(5))."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    numbers = next(line for line in status.splitlines() if line.startswith("NSpid:"))
    return int(numbers.split()[-1])


def within(holder: int) -> list[str]:
    """What goes before a command that runs where a process does, in the folder in which the shell was started."""
    user = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
    return ["nsenter", "--target", str(holder), *user, "--mount", "--net", "--pid", "--wd", "--"]
