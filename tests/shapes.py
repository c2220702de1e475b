"""Writes types for Python from JSON Schemas of the engine: of a diagnosis, and of the state of a world in real time.

`make shapes` runs it after a change of what `crates/captures/diagnose` or `crates/engine/emulate` prints.
"""

from __future__ import annotations

import json
import re
import textwrap
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom import _engine

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "airloom"

MODULES = {
    PACKAGE / "diagnosis" / "shapes.py": ("What a diagnosis says", _engine.diagnosis_schema),
    PACKAGE / "emulation" / "shapes.py": ("The state of a world in real time", _engine.state_schema),
}
"""By file what it has, and the schema."""

HEAD = '''"""{}, in the words of its JSON; written by `make shapes` from the engine's schema."""

from __future__ import annotations

from typing import {}
'''

PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
"""Types of JSON that are one of Python."""

WIDEST = 120
"""Characters of the longest line."""


def written(file: Path) -> str:
    """A module."""
    what, schema_of = MODULES[file]
    schema = json.loads(schema_of())
    shapes = {**schema["$defs"], schema["title"]: schema}
    shown = "".join("".join(declaration(name, shapes[name])) for name in in_order(shapes))
    text = HEAD.format(what, "Literal, TypedDict" if "Literal[" in shown else "TypedDict") + shown
    return re.sub("\n{4,}", "\n\n\n", text.rstrip() + "\n")


def in_order(shapes: dict[str, Any]) -> list[str]:
    """Names of shapes, each behind those that it has in it, as what is run from top to bottom needs them."""
    found: list[str] = []

    def add(name: str) -> None:
        for inner in refers(shapes[name]):
            if inner not in found:
                add(inner)
        if name not in found:
            found.append(name)

    for name in shapes:
        add(name)
    return found


def refers(schema: object) -> Iterator[str]:
    """The names of the shapes in a schema, of its own definitions apart."""
    if isinstance(schema, dict):
        if ref := schema.get("$ref"):
            yield ref.rpartition("/")[2]
        for key, value in schema.items():
            if key != "$defs":
                yield from refers(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from refers(value)


def declaration(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """The lines that declare a shape: a class, unless a key is a word of the language, such as `from`."""
    if schema.get("type") != "object":
        yield f"\n{name} = {kind(schema)}\n{documented(schema)}\n"
        return
    # In the order in which the engine writes them.
    keys = {key: schema["properties"][key] for key in schema["required"]}
    if any(map(iskeyword, keys)):
        yield f'\n{name} = TypedDict(\n    "{name}",\n    {{\n'
        for key, value in keys.items():
            yield from commented(value, 8)
            yield f'        "{key}": {kind(value)},\n'
        yield f"    }},\n)\n{documented(schema)}\n"
        return
    yield f"\n\nclass {name}(TypedDict):\n"
    yield textwrap.indent(documented(schema), " " * 4) + "\n\n"
    for key, value in keys.items():
        yield from commented(value, 4)
        yield f"    {key}: {kind(value)}\n"
    yield "\n"


def commented(schema: dict[str, Any], indent: int) -> Iterator[str]:
    """The meaning of a key, in comments."""
    for line in filled(schema.get("description", ""), WIDEST - indent - 2):
        yield f"{' ' * indent}# {line}\n"


def documented(schema: dict[str, Any]) -> str:
    """What follows a declaration in a string."""
    return "\n".join(filled(f'"""{schema["description"]}"""', WIDEST - 4))


def filled(text: str, width: int) -> list[str]:
    """A text in lines."""
    return textwrap.wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)


def kind(schema: dict[str, Any]) -> str:
    """A type of Python."""
    if ref := schema.get("$ref"):
        return str(ref.rpartition("/")[2])
    if words := schema.get("oneOf"):
        return f"Literal[{', '.join(json.dumps(word['const']) for word in words)}]"
    if options := schema.get("anyOf"):
        return " | ".join(map(kind, options))
    names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return " | ".join(one_kind(name, schema) for name in names)


def one_kind(name: str, schema: dict[str, Any]) -> str:
    """The type of Python for a type of JSON."""
    if name == "null":
        return "None"
    if name == "object":
        return f"dict[str, {kind(schema['additionalProperties'])}]"
    if name == "array" and "prefixItems" in schema:
        return f"tuple[{', '.join(map(kind, schema['prefixItems']))}]"
    if name == "array":
        return f"list[{kind(schema['items'])}]"
    return PLAIN[name]


if __name__ == "__main__":
    for file in MODULES:
        file.write_text(written(file))
