"""`airloom schema`."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from airloom import _engine
from airloom.api import json_schemas
from airloom.cli.common import AsJson, With, bring_along
from airloom.cli.terminal import print_file, print_json, say
from airloom.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airloom.api.printed import Described, KeyInTable
    from airloom.scenario.reference import Key

WIDEST = 110
"""Characters of the longest line."""


def schema(
    key: str | None = None,
    /,
    *,
    summary: bool = False,
    json_of: Annotated[str | None, Parameter(name="--json-of")] = None,
    modules: With = (),
    as_json: AsJson = False,
) -> None:
    """Describe a key or a table of scenario files, or print the JSON Schema of all, for editors.

    Examples:
        airloom schema flow.tcp
        # for an editor
        airloom schema > airloom.schema.json
        # with the parameters of classes of your own
        airloom schema own --with vegas
        airloom schema --summary
        # what a script can rely on in the answer of a command
        airloom schema --json-of run

    Args:
        key: A table or a key, such as air, station.rate or flow.tcp. Without it, the JSON Schema is printed.
        summary: Print that of summary.json instead: what a run found out, with the meaning and the unit of each value.
        json_of: Print that of what a command prints with --json: run, compare, "sweep show", diagnose and so on, the
            NAME in its "schema": "airloom-NAME/1", or all of that.
        modules: A module of classes, whose names and parameters are keys of the table `own` and words of others.
        as_json: Print what a key means as JSON; without a key, what tables there are.
    """
    bring_along(modules)
    tables = as_json and key is None and json_of is None
    alone(key, {"--summary": summary, "--json-of": json_of is not None, "--json": tables})
    if json_of is not None:
        print_file(json.dumps(json_schemas.json_of(json_of), indent=2))
    elif as_json:
        print_json("schema", dict(described(key)))
    elif key is None:
        print_file(_engine.summary_schema() if summary else _engine.schema())
    else:
        show(key)


def alone(key: str | None, options: dict[str, bool]) -> None:
    """Refuses more than one thing to be printed."""
    given = [*([f"`{key}`"] if key is not None else []), *(name for name, there in options.items() if there)]
    if len(given) > 1:
        raise RunError(f"{given[1]} does not describe {given[0]}: leave one of them out")


def described(key: str | None) -> Described:
    """What a key means, or what tables a scenario has."""
    from airloom.scenario import reference

    found = reference.scenario() if key is None else reference.find(key)
    profiles = [] if key is None else reference.in_profiles(found)
    return {
        **in_table(found),
        "tables": [{"told": table.told, "keys": [*map(in_table, table.keys)]} for table in found.tables],
        "profiles": [{"profile": name, "value": value, "source": source} for name, value, source in profiles],
    }


def in_table(key: Key) -> KeyInTable:
    """A key of a table, without the tables in it."""
    return {
        "path": key.path,
        "values": key.values,
        "default": key.default,
        "required": key.required,
        "profile": key.profile,
        "meaning": key.meaning,
    }


def show(key: str) -> None:
    """Prints what a key means."""
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
