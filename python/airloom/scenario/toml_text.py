"""Python values as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from numbers import Integral, Real
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Value = Union[bool, int, float, str, timedelta, "Sequence[Value]", "Mapping[str, Value]", None]
"""What a scenario can hold, as Python has it; `None` stands for a key that is left out."""

DEEPEST = 32
"""Levels of tables and lists within each other; no scenario has ten."""


@dataclass
class Document:
    """A file of TOML in the making.

    Attributes:
        lines: Its lines.
        places: What each of them says, as a path of keys and places from the top.
    """

    lines: list[str] = field(default_factory=list)
    places: list[tuple[str | int, ...]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The whole file."""
        return "".join(f"{line}\n" for line in self.lines)

    def write(self, line: str, place: tuple[str | int, ...]) -> None:
        """Adds a line that says what stands at a place."""
        self.lines.append(line)
        self.places.append(place)


def document(content: Mapping[str, Value]) -> Document:
    """A file with this content, one value a line; its first line is empty, as the place of what is missing at the top.

    Raises:
        TypeError: There is something in it that TOML has no form for.
    """
    made = Document()
    made.write("", ())
    table(made, content, (), "")
    return made


def table(into: Document, content: Mapping[str, Value], place: tuple[str | int, ...], header: str) -> None:
    """Writes a table: its own values first, since what follows a table's header belongs to that."""
    if len(place) > DEEPEST:
        raise TypeError(f"is nested deeper than {DEEPEST} levels")
    below: list[tuple[str, Value]] = []
    for key, value in content.items():
        if isinstance(value, Mapping) or is_tables(value):
            below.append((key, value))
        elif value is not None:
            into.write(f"{quoted_key(key)} = {inline(value)}", (*place, key))
    for key, value in below:
        name = f"{header}.{quoted_key(key)}" if header else quoted_key(key)
        if isinstance(value, Mapping):
            into.write(f"[{name}]", (*place, key))
            table(into, value, (*place, key), name)
        elif isinstance(value, Sequence):
            for number, one in enumerate(value):
                into.write(f"[[{name}]]", (*place, key, number))
                if isinstance(one, Mapping):
                    table(into, one, (*place, key, number), name)


def is_tables(value: Value) -> bool:
    """Whether a value is a list of tables."""
    return is_list(value) and len(value) > 0 and all(isinstance(one, Mapping) for one in value)


def is_list(value: object) -> TypeIs[Sequence[object]]:
    """Whether a value is a list of others."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def inline(value: object, depth: int = 0) -> str:
    """A value on one line.

    Raises:
        TypeError: TOML has no form for it.
    """
    if depth > DEEPEST:
        raise TypeError(f"is nested deeper than {DEEPEST} levels")
    if isinstance(value, Mapping):
        pairs = [f"{quoted_key(key)} = {inline(one, depth + 1)}" for key, one in value.items() if one is not None]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if is_list(value):
        return f"[{', '.join(inline(one, depth + 1) for one in value)}]"
    tolist = getattr(value, "tolist", None)
    if callable(tolist):  # a number, an array or a column of numpy, pandas or polars
        return inline(tolist(), depth + 1)
    return scalar(value)


def scalar(value: object) -> str:
    """A value that is no table and no list."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return quoted(value)
        case Integral():
            return str(int(value))
        case Real():
            return repr(float(value))
        case timedelta():
            return quoted(f"{value.total_seconds():.9f}".rstrip("0").rstrip(".") + " s")
        case None:
            raise TypeError("has None in a list")
    raise TypeError(f"is {article(type(value).__name__)}, which a scenario has no form for")


def article(word: str) -> str:
    """A word behind its article."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def quoted(text: str) -> str:
    """A text as TOML has it: JSON's form, in which DEL is escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def quoted_key(key: object) -> str:
    """A key as TOML has it, in quotation marks where it needs them."""
    if not isinstance(key, str):
        raise TypeError(f"has the key {key!r}, which is no text")
    bare = key.isascii() and key.replace("-", "_").replace("_", "a").isalnum()
    return key if bare else quoted(key)
