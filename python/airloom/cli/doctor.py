"""`airloom doctor`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom import _engine
from airloom.cli.common import AsJson, on_linux
from airloom.cli.terminal import print_json, say
from airloom.errors import MachineError

STYLES = {"heading": "bold", "wrong": "bold red", "dim": "dim"}
"""How the words for styles look."""

LONGEST = 64 << 20
"""Octets of the longest snapshot that is read; one of a machine with a hundred interfaces has less than one million."""


def doctor(
    file: Path | None = None,
    /,
    *,
    snapshot: bool = False,
    checks: Annotated[bool, Parameter(name="--checks")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is silently wrong for TCP over this machine's Wi-Fi, and what mends it.

    On a laptop or an access point with Linux. It reads and changes nothing, and takes a second. Without root some
    things cannot be read; it says which. Best run during a transfer, which shows the rates that frames have.

    Examples:
        airloom doctor
        # as root: it may read debugfs, and what wpa_supplicant has set
        airloom doctor --json
        # what was read, to be examined elsewhere or later
        airloom doctor --snapshot > laptop.json
        airloom doctor laptop.json

    Args:
        file: A snapshot of a machine, in place of this machine.
        snapshot: Print what was read, as JSON, and judge nothing.
        checks: Print what each check looks for, and where that is from.
        as_json: Print what was found as JSON.
    """
    on_linux()
    if checks:
        show_checks(as_json=as_json)
        return
    read = _engine.read_machine() if file is None else kept(file)
    if snapshot:
        say(read.rstrip("\n"))
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    try:
        examination, page = _engine.examine_machine(read, screen.width)
    except MachineError as error:
        raise MachineError(f"{file}: {error}") from None
    if as_json:
        print_json(json.loads(examination))
        return
    for style, text in page:
        screen.say(text, style=STYLES.get(style))


def kept(file: Path) -> str:
    """What a file has, which may be a pipe.

    Raises:
        MachineError: It is longer than any snapshot.
    """
    with file.open("rb") as there:
        content = there.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise MachineError(f"{file}: is no snapshot of a machine: it has more than {LONGEST >> 20} MiB")
    return content.decode(errors="replace")


def show_checks(*, as_json: bool) -> None:
    """Prints what the checks say of themselves."""
    told = [dict(zip(("code", "name", "finds", "source"), check, strict=True)) for check in _engine.machine_checks()]
    if as_json:
        print_json(told)
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    for check in told:
        screen.say(f"{check['code']} {check['name']}", style="bold")
        screen.fold(f"found if {check['finds']}", indent=2)
        screen.fold(check["source"], indent=2, style="dim")
