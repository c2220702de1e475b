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
        EmulationError: It is no shell, or gone, or another user has a part in it.
    """
    try:
        (beside,) = children(shell)
        (first,) = children(beside)
        held = sorted(children(first), key=innermost)[: len(names)]
    except (OSError, ValueError):
        held = []
    if len(held) < len(names):
        raise EmulationError(f"process {shell} is no shell that runs")
    for process in (shell, beside, first, *held):
        refuse_foreign(process)
    return dict(zip(names, held, strict=True))


def children(process: int) -> list[int]:
    """The processes that a process began and that have not ended."""
    found = Path(f"/proc/{process}/task").glob("*/children")
    return [int(word) for file in found for word in file.read_text(encoding="ascii").split()]


def innermost(process: int) -> int:
    """A process's number in the innermost namespace that it is in (`NSpid` of proc(5))."""
    return int(status(process, "NSpid")[-1])


def refuse_foreign(process: int) -> None:
    """Refuses a process that is not this user's: in its namespaces another user decides what each program is.

    Raises:
        EmulationError: It is another user's, or gone.
    """
    try:
        users = set(map(int, status(process, "Uid")))
    except OSError:
        raise EmulationError(f"process {process} is gone") from None
    if users != {os.geteuid()}:
        raise EmulationError(f"process {process} belongs to another user, who decides what runs in its namespaces")


def status(process: int, key: str) -> list[str]:
    """The words of a line of a process's status (proc(5))."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    return next(line for line in lines if line.startswith(f"{key}:")).split()[1:]


def within(holder: int) -> list[str]:
    """What goes before a command that runs where a process does, in the folder in which the shell was started.

    A process that enters another user namespace loses all rights over this one, also as root. So no program that is
    mounted there runs with rights that count outside.
    """
    same = Path(f"/proc/{holder}/ns/user").readlink() == Path("/proc/self/ns/user").readlink()
    user = [] if same else ["--user", "--preserve-credentials"]
    return ["nsenter", "--target", str(holder), *user, "--mount", "--net", "--pid", "--wd", "--"]
