"""Writes the reference: the keys of scenarios and summaries from their schemas, profiles, commands from their help."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.cli.app import app
from airloom.diagnosis import reading
from airloom.scenario import reference
from airloom.support.itself import itself

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cyclopts import App

    from airloom.scenario.reference import Key, Table

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
    return "\n".join([*lines, *Sections(reference.scenario()).lines()]) + "\n"


class Sections:
    """The tables of a key and below it as sections of a page, each written once, wherever it may stand."""

    def __init__(self, key: Key) -> None:
        """Names the tables: after the place at which each is met first."""
        self.titles: dict[object, str] = {}
        self.found: list[Table] = []
        self.find(key, "")

    def find(self, key: Key, place: str) -> None:
        """Names the tables that a key at a place may be, and those in them."""
        for table in key.tables:
            if same(table) in self.titles:
                continue
            there = f"{place}[]" if table.several else place
            detail = f" with `{table.told}`" if table.told else ""
            self.titles[same(table)] = f"`{there}`{detail}" if there else "The file itself"
            self.found.append(table)
            for one in in_order(table):
                self.find(one, f"{there}.{one.name}" if there else one.name)

    def lines(self) -> Iterator[str]:
        """The lines of all sections."""
        for table in self.found:
            yield from (f"## {self.titles[same(table)]}", "")
            if table.meaning:
                yield from (sentence(table.meaning), "")
            if table.profiled:
                yield from (
                    "With a `profile`, a key left out has the value of that [profile](../docs/profile-values.md).",
                    "",
                )
            yield from ("| key | meaning | values | if left out |", "| --- | --- | --- | --- |")
            for key in in_order(table):
                left_out = "*needed*" if key.required else f"`{key.default}`" if key.default else ""
                yield f"| `{key.name}` | {cell(key.meaning)} | {self.values(key)} | {left_out} |"
            yield ""

    def values(self, key: Key) -> str:
        """What a key may be, with references to its tables."""
        plain = [way for way in key.values.split("; or ") if way not in ("a table", "an array of tables")]
        titles = dict.fromkeys(self.titles[same(table)] for table in key.tables)
        links = ", ".join(f"[{title}](#{slug(title)})" for title in titles)
        ways = [re.sub(r'"[^"]*"', r"`\g<0>`", way) for way in plain]
        return cell("; or ".join([*ways, *([f"a table: {links}"] if links else [])]))


def in_order(table: Table) -> list[Key]:
    """The keys of a table: those that are tables themselves come last."""
    own = [table.apart] if table.apart else []
    return sorted([*own, *table.keys], key=lambda key: bool(key.tables))


def same(table: Table) -> object:
    """What two tables share that have the same keys with the same meaning."""
    return tuple(
        (key.name, key.meaning, key.values, key.default, key.required, tuple(map(same, key.tables)))
        for key in in_order(table)
    )


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def variants(schema: Schema) -> list[Schema]:
    """The alternatives of a schema that has some."""
    return [*schema.get("anyOf", []), *schema.get("oneOf", [])]


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


def rules() -> str:
    """What each rule of `airloom diagnose` says of itself."""
    lines = ["# Rules of the diagnosis", "", "As `airloom diagnose --rules` prints them.", ""]
    for rule in reading.rules():
        lines += [f"## {rule['code']} {rule['name']}", "", f"Needs {rule['needs']}. {sentence(rule['computes'])}", ""]
        lines += [f"Not taken for it: {sentence(rule['traps'])} Wrong if: {sentence(rule['refuted_by'])}", ""]
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
    command = itself(*words, "--help")
    fixed = os.environ | {"COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    printed = subprocess.run(command, env=fixed, capture_output=True, text=True, check=True).stdout
    return "\n".join(line.rstrip() for line in printed.strip().splitlines())
