"""Writes the reference: the keys of scenarios and summaries from their schemas, profiles, commands from their help."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.cli.app import app
from airloom.scenario.toml_text import inline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cyclopts import App

Schema = dict[str, Any]

WIDTH = 100
"""Of the help of a command, in characters."""


def scenario() -> str:
    """Every key of a scenario file."""
    lines = [
        "# Scenario files",
        "",
        "Every key, as `airloom schema` defines it: meaning, with its source where it has one; values; what holds if",
        "it is left out. A dot stands for a table within a table, `[]` for one table of several: `ap[].queue.limit` is",
        "written `ap.0.queue.limit` by `--set` and in grids.",
        "",
    ]
    return "\n".join([*lines, *Tables(json.loads(_engine.schema())).sections()]) + "\n"


class Tables:
    """The tables of a schema as sections of a page, each written once, wherever it may stand."""

    def __init__(self, schema: Schema) -> None:
        """Names the tables: after the place at which each is met first."""
        self.titles: dict[str, str] = {}
        self.found: list[Schema] = []
        self.find(schema, "", "")

    def find(self, schema: Schema, place: str, detail: str) -> None:
        """Names a table and those in it."""
        if same(schema) in self.titles:
            return
        self.titles[same(schema)] = f"`{place}`{detail}" if place else "The file itself"
        self.found.append(schema)
        for key, value in in_order(schema):
            for inner in tables(value, f"{place}.{key}" if place else key):
                self.find(*inner)

    def sections(self) -> Iterator[str]:
        """The lines of all sections."""
        for schema in self.found:
            yield from (f"## {self.titles[same(schema)]}", "")
            if text := schema.get("description"):
                yield from (sentence(text), "")
            if "x-profile" in schema:
                yield from ("With a `profile`, a key that is left out has the value of the [profile](profiles.md).", "")
            yield from ("| key | meaning | values | if left out |", "| --- | --- | --- | --- |")
            for key, value in in_order(schema):
                left_out = "*needed*" if key in schema.get("required", ()) else default(value)
                yield f"| `{key}` | {cell(value.get('description', ''))} | {self.values(value)} | {left_out} |"
            yield ""

    def values(self, schema: Schema) -> str:
        """What a key may be, with references to its tables."""
        plain = [text for text in dict.fromkeys(alternatives(schema)) if text]
        titles = dict.fromkeys(self.titles[same(table)] for table, *_ in tables(schema, ""))
        links = ", ".join(f"[{title}](#{slug(title)})" for title in titles)
        return cell("; or ".join([*plain, *([f"a table: {links}"] if links else [])]))


def in_order(schema: Schema) -> list[tuple[str, Schema]]:
    """The keys of a table: those that are tables themselves come last."""
    return sorted(schema["properties"].items(), key=lambda item: any(True for _ in tables(item[1], "")))


def same(schema: Schema) -> str:
    """A name that two tables share if they have the same keys with the same meaning."""
    return json.dumps(schema["properties"], sort_keys=True)


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def tables(schema: Schema, place: str) -> Iterator[tuple[Schema, str, str]]:
    """The tables that a key may be or hold: each with its place, and with what tells it from others there."""
    if "properties" in schema:
        fixed = [
            f"{key} = {json.dumps(value['const'])}" for key, value in schema["properties"].items() if "const" in value
        ]
        yield schema, place, f" with `{fixed[0]}`" if fixed else ""
    for one in variants(schema):
        yield from tables(one, place)
    if "items" in schema:
        yield from tables(schema["items"], f"{place}[]")


def variants(schema: Schema) -> list[Schema]:
    """The alternatives of a schema that has some."""
    return [*schema.get("anyOf", []), *schema.get("oneOf", [])]


def alternatives(schema: Schema) -> Iterator[str]:
    """What a key may be, but for tables."""
    if "const" in schema:
        yield f"`{json.dumps(schema['const'])}`"
    elif "enum" in schema:
        yield ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    elif variants(schema):
        for one in variants(schema):
            yield from alternatives(one)
    elif "items" in schema:
        inner = [text for text in dict.fromkeys(alternatives(schema["items"])) if text]
        if inner:
            yield f"a list of: {' or '.join(inner)}"
    elif "properties" not in schema:
        yield f"{kind(schema)}{extent(schema)}{example(schema)}"


def kind(schema: Schema) -> str:
    """A number, a truth value, or a text and what it measures."""
    if "x-what" in schema:
        units = f" in {', '.join(schema['x-units'])}"
        return f"{schema['x-what'].removesuffix(units)}{units}"
    words = {"integer": "a whole number", "number": "a number", "boolean": "`true` or `false`"}
    return words.get(schema.get("type", ""), "text")


def extent(schema: Schema) -> str:
    """From where to where a value may be."""
    if "x-least" in schema:
        return f", {schema['x-least']} to {schema['x-most']}"
    low, high = (plain(schema[name]) if name in schema else "" for name in ("minimum", "maximum"))
    if low and high:
        return f", {low} to {high}"
    return f" from {low}" if low else f" up to {high}" if high else ""


def plain(value: float) -> str:
    """A bound; that of the widest whole number as a power."""
    powers = {2**bits - 1: f"2^{bits} - 1" for bits in (32, 64)}
    return powers.get(int(value)) or f"{value:,g}"


def example(schema: Schema) -> str:
    """An example of a value."""
    examples = schema.get("examples", [])
    return f", such as `{json.dumps(examples[0], ensure_ascii=False)}`" if examples else ""


def default(schema: Schema) -> str:
    """What holds if a key is left out, where the definition says; as in a file."""
    return f"`{inline(schema['default'])}`" if "default" in schema else ""


def cell(text: str) -> str:
    """A text as it may stand in a table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def sentence(text: str) -> str:
    """A text as a paragraph."""
    return text.replace("<", "&lt;")


def summary() -> str:
    """Every value of summary.json."""
    schema = json.loads(_engine.summary_schema())
    lines = [
        "# The summary of a run",
        "",
        "Every value in `summary.json` of a bundle, as `airloom schema --summary` defines it: meaning and unit.",
        "",
    ]
    titles = {"The run": schema} | schema["$defs"]
    for title, table in titles.items():
        if "properties" in table:
            lines += [f"## {title}", "", sentence(table.get("description", "")), "", *values_of(table), ""]
        elif several := variants(table):
            lines += [f"## {title}", "", sentence(table.get("description", "")), ""]
            for one in several:
                if "properties" in one:
                    lines += [sentence(one.get("description", "")), "", *values_of(one), ""]
                else:
                    lines += [f"- `{json.dumps(one.get('const', one.get('enum')))}`: {one.get('description', '')}", ""]
        else:
            lines += [f"## {title}", "", sentence(table.get("description", "")), "", f"One of {shape(table)}.", ""]
    return "\n".join(lines) + "\n"


def values_of(table: Schema) -> Iterator[str]:
    """The rows of a table of the summary."""
    yield from ("| value | meaning | type |", "| --- | --- | --- |")
    for key, value in table["properties"].items():
        yield f"| `{key}` | {cell(value.get('description', ''))} | {shape(value)} |"


def shape(schema: Schema) -> str:
    """What a value of the summary is, with a reference to its table."""
    match schema:
        case {"$ref": str(place)}:
            name = place.rsplit("/", 1)[1]
            text = f"[{name}](#{slug(name)})"
        case {"const": value}:
            text = f"`{json.dumps(value)}`"
        case {"enum": values}:
            text = ", ".join(f"`{json.dumps(value)}`" for value in values)
        case {"anyOf": several} | {"oneOf": several}:
            text = " or ".join(map(shape, several))
        case {"items": items}:
            text = f"list of {shape(items)}"
        case {"prefixItems": items}:
            text = f"list of {', '.join(map(shape, items))}"
        case {"additionalProperties": dict(values)}:
            text = f"by name: {shape(values)}"
        case {"type": kinds}:
            text = " or ".join(WORDS.get(name, name) for name in ([kinds] if isinstance(kinds, str) else kinds))
        case _:
            text = "anything"
    return text


WORDS = {"integer": "whole number", "string": "text", "boolean": "truth value"}
"""The types of JSON in plain words."""


def profiles() -> str:
    """Every profile with its values and their sources."""
    lines = [
        "# Profiles",
        "",
        'What a scenario means by a word such as `"linux-6.18"` or `"ath9k"`. Each value has its source; one that was',
        "fitted names the published result that it was fitted to.",
        "",
    ]
    for profile in _engine.profiles():
        lines += [
            f"## {profile['name']}",
            "",
            f"{profile['kind'].capitalize()}. {sentence(profile['description'])}",
            "",
        ]
        lines += ["| key | value | source |", "| --- | --- | --- |"]
        for value in profile["values"]:
            fitted = f"fitted to `{value['calibrated']}`" if value["calibrated"] else ""
            source = "; ".join(filter(None, [cell(value["source"] or ""), fitted]))
            lines.append(f"| `{value['key']}` | `{cell(value['value'])}` | {source} |")
        lines.append("")
    return "\n".join(lines) + "\n"


def commands() -> str:
    """Every command with its options, as `--help` prints them."""
    lines = [
        "# Commands",
        "",
        "As `airloom COMMAND --help` prints them. What `airloom guard` takes: [the guard](../docs/guard.md).",
        "",
    ]
    for words in named(app, ()):
        lines += [f"## airloom {' '.join(words)}".rstrip(), "", "```text", usage(words), "```", ""]
    return "\n".join(lines) + "\n"


def named(group: App, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A command and those below it; not the guard's, which answers for itself."""
    yield words
    for name in group:
        if not name.startswith("-") and name != "guard":
            yield from named(group[name], (*words, name))


def usage(words: tuple[str, ...]) -> str:
    """What a command prints about itself."""
    command = [sys.executable, "-m", "airloom", *words, "--help"]
    fixed = os.environ | {"COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    printed = subprocess.run(command, env=fixed, capture_output=True, text=True, check=True).stdout
    return "\n".join(line.rstrip() for line in printed.strip().splitlines())
