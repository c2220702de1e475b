"""`airloom.doctor`: what is silently wrong for TCP over a machine's Wi-Fi."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypedDict, cast

from airloom.api.arguments import path
from airloom.errors import MachineError

if TYPE_CHECKING:
    import os
    from pathlib import Path

LONGEST = 64 << 20
"""Octets of the longest snapshot that is read; one of a machine with a hundred interfaces has less than one million."""

RECORDED = "machine.json"
"""The snapshot in a folder of `airloom collect`."""


class Looked(TypedDict):
    """An interface, and what it is and does, in a line."""

    name: str
    says: str


Evidence = TypedDict("Evidence", {"read": str, "from": str})
"""Something that was read, and where."""


class MachineFinding(TypedDict):
    """Something that is wrong.

    Attributes:
        code: The check's code; D1 is the air, D2 the queue, D3 the bus, D4 TCP.
        name: The check's name.
        subject: What it is about: an interface, a radio, TCP.
        evidence: What was read.
        why: Why that matters.
        command: The command that mends it, mostly until the next start, or that finds out more.
        only_looks: Whether the command finds out more, and mends nothing.
        keep: The command that keeps it so.
        advice: What else helps.
        source: Where the knowledge is from.
    """

    code: str
    name: str
    subject: str
    evidence: list[Evidence]
    why: str
    command: str
    only_looks: bool
    keep: str | None
    advice: str | None
    source: str


class MachineAbstention(TypedDict):
    """A check that cannot judge, and why."""

    code: str
    name: str
    because: str


class Unread(TypedDict):
    """Something that could not be read, and why."""

    what: str
    because: str


class Examination(TypedDict):
    """A machine, judged: its kernel's release, whether it was read as root, its interfaces, and what the checks say."""

    schema: str
    kernel: str
    root: bool
    interfaces: list[Looked]
    findings: list[MachineFinding]
    abstained: list[MachineAbstention]
    unread: list[Unread]


def doctor(file: str | os.PathLike[str] | None = None) -> Examination:
    """What is silently wrong for TCP over this machine's Wi-Fi, or a kept one's: what `airloom doctor --json` prints.

    Reading a machine changes nothing and takes a second; without root some things cannot be read.

    >>> import airloom
    >>> found = airloom.doctor("crates/linux/doctor/tests/machines/planted.json")
    >>> [finding["code"] for finding in found["findings"]]
    ['D101', 'D102', 'D104', 'D201', 'D401', 'D402', 'D403']

    Args:
        file: A snapshot of a machine, as `airloom doctor --snapshot` prints it, or a folder of `airloom collect`, in
            place of this machine.

    Raises:
        MachineError: This machine has no Wi-Fi or no Linux, or the file is no snapshot.
    """
    import json

    snapshot_of = None if file is None else path(file, "file", "laptop.json", MachineError)
    return cast("Examination", json.loads(examined(snapshot_of, 80)[0]))


def examined(file: Path | None, columns: int) -> tuple[str, list[tuple[str, str]]]:
    """The examination of this machine or of a file as JSON, and the lines of its page with the words for their styles.

    Raises:
        MachineError: As `doctor`.
    """
    from airloom import _engine

    text = snapshot(file)
    try:
        return _engine.examine_machine(text, columns)
    except MachineError as error:
        raise MachineError(f"{file}: {error}") from None


def snapshot(file: Path | None) -> str:
    """A snapshot of this machine, or what a file has, which may be a pipe, or a folder of `airloom collect`.

    Raises:
        MachineError: This machine cannot be read, or the file is longer than any snapshot.
    """
    on_linux()
    if file is None:
        from airloom import _engine

        return _engine.read_machine()
    if file.is_dir():
        file /= RECORDED
    try:
        with file.open("rb") as there:
            content = there.read(LONGEST + 1)
    except OSError as error:
        raise MachineError(f"{file}: cannot be read: {error.strerror}") from None
    if len(content) > LONGEST:
        raise MachineError(f"{file}: is no snapshot of a machine: it has more than {LONGEST >> 20} MiB")
    return content.decode(errors="replace")


def on_linux() -> None:
    """Refuses what only Linux can be asked.

    Raises:
        MachineError: This machine has another system.
    """
    if sys.platform != "linux":
        raise MachineError("works on Linux: it asks the kernel about its Wi-Fi")
