"""`airloom profiles`."""

from __future__ import annotations

from airloom import _engine
from airloom.cli.common import AsJson
from airloom.cli.terminal import print_json


def profiles(*, as_json: AsJson = False) -> None:
    """List the hosts and adapters that a scenario can name.

    Args:
        as_json: Print them whole, as JSON.
    """
    if as_json:
        print_json(_engine.profiles())
        return
    from rich.table import Table

    from airloom.cli.screen import Screen

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("kind", "name", "what"):
        table.add_column(column)
    for profile in _engine.profiles():
        table.add_row(profile["kind"], profile["name"], profile["description"].strip())
    Screen().print(table)
