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
        tables: The tables that it may be, or hold.
    """

    path: str
    meaning: str
    values: str
    default: str
    required: bool
    profile: str | None
    tables: tuple[Table, ...]

    @property
    def name(self) -> str:
        """Itself alone."""
        return self.path.rpartition(".")[2]

    @property
    def keys(self) -> Iterator[Key]:
        """The keys of all tables that it may be."""
        for table in self.tables:
            yield from table.keys


@dataclass(frozen=True)
class Table:
    """A table that a key may be.

    Attributes:
        meaning: Its description.
        apart: The key that has one value in it, by which it is told from others there.
        several: Whether the key holds several of it.
        profiled: Whether a profile has the values of keys that are left out.
        keys: Its other keys.
    """

    meaning: str
    apart: Key | None
    several: bool
    profiled: bool
    keys: tuple[Key, ...]

    @property
    def told(self) -> str:
        """What sets it apart, as it is written; nothing if nothing does."""
        return f"{self.apart.name} = {self.apart.values}" if self.apart else ""


@cache
def scenario() -> Key:
    """The whole file, as a table."""
    return described("", json.loads(_engine.schema()), required=True, profile=None)


def described(path: str, schema: Schema, *, required: bool, profile: str | None) -> Key:
    """A key from its part of the schema."""
    default = inline(schema["default"]) if "default" in schema else ""
    meaning = schema.get("description", "")
    found = tuple(tables(path, schema, profile, several=False))
    return Key(path, meaning, values_of(schema), default, required, profile, found)


def tables(path: str, schema: Schema, profile: str | None, *, several: bool) -> Iterator[Table]:
    """The tables that a value may be."""
    if "properties" in schema:
        inner = schema.get("x-profile", profile)
        keys: list[Key] = []
        apart: Key | None = None
        for key, value in schema["properties"].items():
            needed = key in schema.get("required", [])
            full = f"{path}.{key}" if path else key
            one = described(full, value, required=needed, profile=None if needed else inner)
            if "const" in value:
                apart = one
            else:
                keys.append(one)
        yield Table(schema.get("description", ""), apart, several, "x-profile" in schema, tuple(keys))
    for one in schema.get("anyOf", []):
        yield from tables(path, one, profile, several=several)
    if "items" in schema:
        yield from tables(path, schema["items"], profile, several=True)


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
        known.setdefault(key.path.replace("-", "_"), key)
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
    hint = f"did you mean `{near[0]}`?" if near else f"tables are {tables}"
    if wanted.startswith("own.") and not any(full.startswith("own.") for full in near):
        hint = "what is of your own comes with its Python module: `--with MODULE` (docs/own-congestion-control.md)"
    raise AirloomError(f"no key is called `{path}`", _engine.serves_for_key(wanted) or hint)


def with_each(key: Key) -> Key:
    """A key that several tables have, with the default in each where they differ."""
    own = [
        (one.default, table.told)
        for every_key in every(scenario())
        for table in every_key.tables
        for one in table.keys
        if one.path == key.path and one.default and table.told
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


OF_TYPES = {"boolean": "true or false", "object": "a table", "integer": "a whole number", "number": "a number"}
"""What can be written for a value of a type of JSON without bounds."""


def values_of_type(schema: Schema) -> str:
    """What can be written for a value of a type of TOML."""
    match schema:
        case {"minimum": least, "maximum": most}:
            said = f"{'a whole number' if schema['type'] == 'integer' else 'a number'} from {least:,} to {bound(most)}"
        case {"type": "array", "items": {"properties": _}}:
            said = "an array of tables"
        case {"type": "array", "items": items}:
            said = f"a list of {values_of(items)}"
        case {"examples": [*examples]}:
            said = f"text such as {listed([inline(example) for example in examples])}"
        case {"type": kind}:
            said = OF_TYPES.get(kind, "text")
    return said


def bound(most: float) -> str:
    """The greatest number; that of the widest whole number as a power."""
    return "2^64 - 1" if most == 2**64 - 1 else f"{most:,}"


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
