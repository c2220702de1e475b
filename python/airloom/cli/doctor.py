"""`airloom doctor`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from airloom import _engine
from airloom.api import machine
from airloom.cli.common import AsJson
from airloom.cli.fail_on import FailOn, asked, fail
from airloom.cli.terminal import print_file, print_json

STYLES = {"heading": "bold", "wrong": "bold red", "dim": "dim"}
"""How the words for styles look."""


def doctor(
    file: Path | None = None,
    /,
    *,
    snapshot: bool = False,
    checks: Annotated[bool, Parameter(name="--checks")] = False,
    schema: bool = False,
    fail_on: FailOn = None,
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
        # for scripts: the exit code is 1 if a radio dozes or scans in the background
        airloom doctor --fail-on D101,D102

    Args:
        file: A snapshot of a machine, or a folder of `airloom collect`, in place of this machine.
        snapshot: Print what was read, as JSON, and judge nothing.
        checks: Print what each check looks for, and where that is from.
        schema: Print the JSON Schema of snapshots, with the meaning of each key.
        fail_on: Exit with code 1 if anything is found, or one of these codes: any|CODE,...; else with 0.
        as_json: Print what was found as JSON.
    """
    machine.on_linux()
    codes = asked(fail_on, [check[0] for check in _engine.machine_checks()])
    if schema:
        print_file(_engine.machine_schema())
        return
    if checks:
        show_checks(as_json=as_json)
        return
    if snapshot:
        print_file(machine.snapshot(file).rstrip("\n") + "\n")
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    examination, page = machine.examined(file, screen.width)
    told = json.loads(examination)
    if as_json:
        print_json("doctor", told)
        fail([finding["code"] for finding in told["findings"]], codes)
        return
    for style, text in page:
        screen.say(text, style=STYLES.get(style))
    fail([finding["code"] for finding in told["findings"]], codes)


def show_checks(*, as_json: bool) -> None:
    """Prints what the checks say of themselves."""
    told = [dict(zip(("code", "name", "finds", "source"), check, strict=True)) for check in _engine.machine_checks()]
    if as_json:
        print_json("doctor-checks", {"checks": told})
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    for check in told:
        screen.say(f"{check['code']} {check['name']}", style="bold")
        screen.fold(f"found if {check['finds']}", indent=2)
        screen.fold(check["source"], indent=2, style="dim")
