"""A command of ours in a process of its own, which is ended when its time is over or nobody waits for it any more."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from airloom.errors import RunError
from airloom.scenario.text_file import is_text
from airloom.support.itself import itself

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.abc import ByteReceiveStream, Process

GRACE_S = 1.0
"""Seconds that a command has to end in order: clients end a server two seconds after they have left it."""

LONGEST = 64 << 20
"""Bytes of the longest answer that is read; longer ones are those of captures with very many connections."""


RUNNING: set[Process] = set()
"""The commands that have not ended."""


@dataclass(frozen=True)
class Said:
    """What came of a command.

    Attributes:
        code: Its exit code.
        out: What it printed.
        errors: What it printed as errors.
    """

    code: int
    out: bytes
    errors: bytes


async def command(words: Sequence[str]) -> Said:
    """Runs `airloom` with these words, and no shell; if that is cancelled, the command is ended.

    Raises:
        RunError: It cannot be begun, or prints too much.
    """
    if any("\0" in word or not is_text(word) for word in words):
        raise RunError("an argument is not text in UTF-8")
    try:
        process = await anyio.open_process(itself(*words), stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        raise RunError(f"the command cannot be begun: {error.strerror}") from None
    RUNNING.add(process)
    found: dict[str, bytes] = {}

    async def kept(name: str, stream: ByteReceiveStream | None) -> None:
        found[name] = await content(stream) if stream is not None else b""

    try:
        async with anyio.create_task_group() as readers:
            readers.start_soon(kept, "out", process.stdout)
            readers.start_soon(kept, "errors", process.stderr)
        if len(found["out"]) > LONGEST:
            raise RunError(f"the answer is longer than {LONGEST >> 20} MiB")
        return Said(await process.wait(), **found)
    finally:
        with anyio.CancelScope(shield=True):
            await end(process)
        RUNNING.discard(process)


async def content(stream: ByteReceiveStream) -> bytes:
    """All that comes out of a stream, as far as it is kept: a byte more than the longest."""
    parts: list[bytes] = []
    left = LONGEST + 1
    async for part in stream:
        parts.append(part[: max(left, 0)])
        left -= len(part)
    return b"".join(parts)


async def end(process: Process) -> None:
    """Ends a process with all that it began: in order, or else at once."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with anyio.move_on_after(GRACE_S):
                await process.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # what it began may have outlived it
    await process.aclose()


async def end_all() -> None:
    """Ends all commands that run."""
    async with anyio.create_task_group() as ends:
        for process in tuple(RUNNING):
            ends.start_soon(end, process)
