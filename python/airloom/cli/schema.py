"""`airloom schema`."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.cli.terminal import print_file, say
from airloom.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.scenario.reference import Key

WIDEST = 110
"""Characters of the longest line."""


def schema(key: str | None = None, /, *, summary: bool = False) -> None:
    """Describe a key or a table of scenario files, or print the JSON Schema of all, for editors.

    Examples:
        airloom schema flow.tcp
        # for an editor
        airloom schema > airloom.schema.json
        airloom schema --summary

    Args:
        key: A table or a key, such as air, station.rate or flow.tcp. Without it, the JSON Schema is printed.
        summary: Print that of summary.json instead: what a run found out, with the meaning and the unit of each value.
    """
    if key is None:
        print_file(_engine.summary_schema() if summary else _engine.schema())
        return
    if summary:
        raise RunError(f"--summary prints a JSON Schema, which does not describe `{key}`: leave one of them out")
    from airloom.scenario import reference

    found = reference.find(key)
    say(*block(found.path, found))
    if profiles := reference.in_profiles(found):
        say("", "in the profiles:")
        for name, value, source in profiles:
            say(f"  {name}: {value}", *wrapped(source, "    "))
    for table in found.tables:
        if table.told:
            say("", f"with {table.told}:" if table.keys else f"with {table.told}")
        for one in table.keys:
            say("", *block(one.name, one))


def block(name: str, key: Key) -> Iterator[str]:
    """A key's name, what it can be, its default and its meaning."""
    yield f"{name}: {key.values}"
    if key.required:
        yield "    required"
    elif key.profile and not key.default:
        yield f"    default: that of the {key.profile} profile"
    elif key.default:
        yield from wrapped(f"default: {key.default}", "    ")
    yield from wrapped(key.meaning, "    ")


def wrapped(text: str, indent: str) -> list[str]:
    """A text in lines that fit the terminal."""
    width = min(WIDEST, max(40, shutil.get_terminal_size((WIDEST, 1)).columns))
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
