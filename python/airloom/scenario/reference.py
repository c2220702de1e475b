"""What the keys of a scenario file mean, from its JSON Schema: the description of one key or one table, for people."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.errors import AirloomError
from airloom.scenario.toml_text import inline

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]
"""A part of the JSON Schema."""


@dataclass(frozen=True)
class Key:
    """A key of a scenario file.

    Attributes:
        path: Its tables and itself, with dots.
        meaning: Its description.
        values: What can be written.
        default: What it is if it is left out: a value in TOML, or words; empty if it has none.
        required: Whether it cannot be left out.
        profile: The kind of profile that has its value if it is left out.
        tables: The tables that it may be: what sets each apart, and its keys.
    """

    path: str
    meaning: str
    values: str
    default: str
    required: bool
    profile: str | None
    tables: tuple[tuple[str, tuple[Key, ...]], ...]

    @property
    def keys(self) -> Iterator[Key]:
        """The keys of all tables that it may be."""
        for _, keys in self.tables:
            yield from keys


@cache
def scenario() -> Key:
    """The whole file, as a table."""
    return described("", json.loads(_engine.schema()), required=True, profile=None)


def described(path: str, schema: Schema, *, required: bool, profile: str | None) -> Key:
    """A key from its part of the schema."""
    ways = []
    for table in tables(schema):
        inner = table.get("x-profile", profile)
        keys, apart = [], ""
        for key, value in table["properties"].items():
            if "const" in value:
                apart = f"{key} = {inline(value['const'])}"
                continue
            full = f"{path}.{key}" if path else key
            needed = key in table.get("required", [])
            keys.append(described(full, value, required=needed, profile=None if needed else inner))
        ways.append((apart, tuple(keys)))
    default = inline(schema["default"]) if "default" in schema else ""
    meaning = schema.get("description", "")
    return Key(path, meaning, values_of(schema), default, required, profile, tuple(ways))


def tables(schema: Schema) -> Iterator[Schema]:
    """The tables that a value may be."""
    if "properties" in schema:
        yield schema
    for one in schema.get("anyOf", []):
        yield from tables(one)
    if "items" in schema:
        yield from tables(schema["items"])


def every(key: Key) -> Iterator[Key]:
    """A key and all below it."""
    yield key
    for one in key.keys:
        yield from every(one)


def find(path: str) -> Key:
    """The key of this path, such as `air` or `station.rate`; numbers of items are left out.

    Raises:
        AirloomError: There is none, or there are several that end so.
    """
    known: dict[str, Key] = {}
    for key in every(scenario()):
        known.setdefault(key.path, key)
    wanted = ".".join(word for word in path.replace("-", "_").split(".") if not word.isdecimal())
    if wanted in known:
        return with_each(known[wanted])
    ending = [full for full in known if full.endswith(f".{wanted}")]
    if ending and len({known[full].meaning for full in ending}) == 1:
        return known[ending[0]]
    if ending:
        raise AirloomError(f"there are several keys `{path}`", f"name one of {', '.join(ending)}")
    last = {full.rpartition(".")[2]: full for full in known}
    near = difflib.get_close_matches(wanted, known, 1) or [
        last[word] for word in difflib.get_close_matches(wanted.rpartition(".")[2], last, 1)
    ]
    tables = ", ".join(key.path for key in scenario().keys if key.tables)
    raise AirloomError(f"no key is called `{path}`", f"did you mean `{near[0]}`?" if near else f"tables are {tables}")


def with_each(key: Key) -> Key:
    """A key that several tables have, with the default in each where they differ."""
    own = [
        (one.default, apart)
        for table in every(scenario())
        for apart, keys in table.tables
        for one in keys
        if one.path == key.path and one.default and apart
    ]
    if len({default for default, _ in own}) < 2:  # noqa: PLR2004 - one default is that of all
        return key
    return replace(key, default="; ".join(f"{default} with {apart}" for default, apart in own))


def values_of(schema: Schema) -> str:
    """What can be written for a value."""
    if "anyOf" in schema:
        ways = [word for way in schema["anyOf"] for word in values_of(way).split("; or ")]
        return "; or ".join(dict.fromkeys(ways))
    if "enum" in schema or "const" in schema:
        return listed([inline(word) for word in schema.get("enum", [schema.get("const")])])
    if "x-what" in schema:
        return f'{schema["x-what"]} from "{schema["x-least"]}" to "{schema["x-most"]}"'
    return values_of_type(schema)


def values_of_type(schema: Schema) -> str:
    """What can be written for a value of a type of TOML."""
    match schema:
        case {"minimum": least, "maximum": most}:
            said = f"{'a whole number' if schema['type'] == 'integer' else 'a number'} from {least:,} to {most:,}"
        case {"type": "array", "items": {"properties": _}}:
            said = "an array of tables"
        case {"type": "array", "items": items}:
            said = f"a list of {values_of(items)}"
        case {"examples": [*examples]}:
            said = f"text such as {listed([inline(example) for example in examples])}"
        case {"type": kind}:
            said = {"boolean": "true or false", "object": "a table"}.get(kind, "text")
    return said


def listed(words: list[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def in_profiles(key: Key) -> list[tuple[str, str, str]]:
    """The profiles that set a key: name, value and source of each."""
    ending = key.path.split(".")
    names = {".".join(ending[n:]) for n in range(len(ending))}
    return [
        (profile["name"], value["value"], value["calibrated"] or value["source"])
        for profile in _engine.profiles()
        if profile["kind"] == key.profile
        for value in profile["values"]
        if value["key"] in names
    ]
