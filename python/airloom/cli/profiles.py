"""`airloom profiles`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom import _engine
from airloom.api.catalogues import profile
from airloom.api.catalogues import profiles as catalogue
from airloom.cli.common import AsJson
from airloom.cli.terminal import print_json
from airloom.support.formatting import count

if TYPE_CHECKING:
    from airloom.api.profile import Profile
    from airloom.cli.screen import Screen

KINDS = {"host": "hosts", "adapter": "adapters", "scanner": "scanners", "processor": "processors"}
"""The kinds of profiles, and what several of them are called."""


def profiles(name: str | None = None, /, *, as_json: AsJson = False) -> None:
    """List the hosts, adapters, scanners and processors that a scenario can name; or show one, with its sources.

    A host is an operating system: its TCP, its queue, and how its radio leaves the channel. It stands in a scenario as
    host = "linux-6.18". An adapter is a wireless device with its driver: adapter = "ath9k". A scanner is a program
    that makes a station scan: scan = { by = "networkmanager-0.9.8" }. A processor is an access point's, which takes
    time for each packet: processor = "ar7161". A value in place of a profile's stands beside its name:
    host = { profile = "linux-6.18", initial_window = 4 }.

    Examples:
        airloom profiles
        # each value, and where it is from
        airloom profiles linux-6.18
        airloom profiles ath9k --json

    Args:
        name: A profile, or a chip that one stands for, such as qca9984. Without it, all are listed.
        as_json: Print JSON: the profile, or all of them, whole.
    """
    if name is not None:
        one = profile(name)
        if as_json:
            print_json("profile", next(other for other in _engine.profiles() if other["name"] == one.name))
        else:
            show(one)
        return
    if as_json:
        print_json("profiles", {"profiles": _engine.profiles()})
        return
    from airloom.cli.screen import Screen

    screen = Screen()
    for number, (kind, several) in enumerate(KINDS.items()):
        if number:
            screen.say("")
        screen.say(several, style="bold")
        named = [one for one in catalogue().values() if one.kind == kind]
        rows(screen, [(one.name, one.description) for one in named])
    screen.say("")
    screen.say("airloom profiles NAME shows the values of one, with their sources", style="dim")


def rows(screen: Screen, pairs: list[tuple[str, str]]) -> None:
    """Prints names, and beside them what they stand for."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column()
    for pair in pairs:
        table.add_row(*pair)
    screen.table(table)


def show(profile: Profile) -> None:
    """Prints a profile: its values, and the source of each."""
    from rich.table import Table

    from airloom.cli.screen import Screen

    screen = Screen()
    screen.say(profile.name, style="bold", end=f"  {profile.kind}\n")
    screen.print(profile.description)
    if profile.chips:
        screen.say(f"for {', '.join(profile.chips)}", style="dim")
    screen.say("")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("key")
    table.add_column("value")
    table.add_column("source")
    for key, one in profile.values.items():
        calibrated = f" (calibrated to {one.calibrated})" if one.calibrated else ""
        table.add_row(key, one.value, f"{one.source}{calibrated}")
    screen.table(table)
    screen.say("")
    fitted = sum(one.calibrated is not None for one in profile.values.values())
    if fitted:
        screen.say(f"calibrated, since no source has it: {fitted} of {count(len(profile.values), 'value')}")
    screen.say(f"file: {profile.path}", style="dim")
