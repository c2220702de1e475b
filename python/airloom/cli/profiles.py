"""`airloom profiles`."""

from __future__ import annotations

import json

from airloom import _engine
from airloom.cli.common import AsJson, console


def profiles(*, as_json: AsJson = False) -> None:
    """List the hosts and adapters that a scenario can name.

    Args:
        as_json: Print them whole, as JSON.
    """
    if as_json:
        print(_engine.profiles())
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("kind", "name", "what"):
        table.add_column(column)
    for profile in json.loads(_engine.profiles()):
        table.add_row(profile.get("kind", ""), profile.get("name", ""), profile.get("what", ""))
    console().print(table)
