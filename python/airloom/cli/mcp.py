"""`airloom mcp`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom.cli.common import Whole
from airloom.cli.terminal import complain
from airloom.errors import RunError
from airloom.mcp.installed import needed

LIMIT_S = 120
"""Seconds that a call may take."""

LONGEST_S = 86_400
"""The longest limit in seconds."""


def mcp(
    folder: Path = Path(),
    /,
    *,
    limit: Annotated[int, Whole, Parameter(name="--limit")] = LIMIT_S,
) -> None:
    """Serve the commands to an agent, as tools of the Model Context Protocol over standard input and output.

    The tools are check, run, compare, sweep, diagnose, doctor, fit, airtime and schema. They read and write nothing
    outside of one folder, and run no shell. An agent's client begins this command; docs/mcp.md says how.

    Examples:
        airloom mcp
        airloom mcp experiments --limit 600

    Args:
        folder: The folder that the tools may use. Without it, the current one.
        limit: How long a call may take, in seconds. Without it, 120.
    """
    needed()
    if not folder.is_dir():
        raise RunError(f"{folder}: no such folder")
    if not 1 <= limit <= LONGEST_S:
        raise RunError(f"--limit {limit}: needs a number of seconds from 1 to {LONGEST_S}")
    import anyio

    from airloom.mcp.folder import Folder
    from airloom.mcp.server import serve

    os.chdir(folder)
    if sys.stdin.isatty():
        complain("waiting for the messages of a client on standard input; docs/mcp.md shows how to set one up")
    anyio.run(serve, Folder(Path.cwd()), float(limit))
