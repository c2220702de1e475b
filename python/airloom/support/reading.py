"""Structured text from files, read into the shape that it is declared to have.

Files may be damaged or come from strangers. Everything here raises `ValueError` for content that is not as it should
be, with one line that says where; the reader of a file turns that into its own `AirloomError`.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

Shape = TypeVar("Shape")

LONGEST = 256 << 20
"""Bytes of the longest file that is read at once."""

DEEPEST = 64
"""Levels of the deepest table or list: no file of ours has ten, and Python can follow some hundreds."""

BITS = 64
"""Bits of a whole number, which TOML limits likewise."""


def read(file: Path, longest: int = LONGEST) -> bytes:
    """The bytes of a file.

    Raises:
        ValueError: It is longer than this, or its name can be no file's.
        OSError: It cannot be read.
    """
    with opened(file) as content:
        found = content.read(longest + 1)
    if len(found) > longest:
        raise ValueError(f"longer than {longest >> 20} MiB")
    return found


def opened(file: Path) -> BufferedReader:
    """A file to be read, and no pipe or device, which might never end.

    Raises:
        OSError: It is none, or cannot be read.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "is no regular file", str(file))
    return open(handle, "rb")  # noqa: PTH123 - by its handle


LONG_KEY = re.compile(rf"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")
"""A key with more than `DEEPEST` parts; the memory to read it grows with the square of its length."""


def toml(text: str) -> dict[str, Any]:
    """The content of a TOML file."""
    if LONG_KEY.search(text):
        raise ValueError(f"nested deeper than {DEEPEST} levels")
    try:
        return sane(tomllib.loads(text))
    except RecursionError:
        raise ValueError(f"nested deeper than {DEEPEST} levels") from None


PLACED = re.compile(r"(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", re.DOTALL)
"""What tomllib says of a text that is no TOML, and where."""


def located(error: ValueError) -> tuple[int, int, str]:
    """Where in a text it is no TOML, by line and column, and what is wrong there; 0 and 0 where that is not said."""
    if not isinstance(error, tomllib.TOMLDecodeError):
        return 0, 0, str(error)
    found = PLACED.fullmatch(str(error))
    what = found["what"] if found else str(error)
    if what.endswith("character '\\n'"):
        what = "a quote is not closed"  # it is in text alone that a line's end is no character
    line, column = (int(found["line"]), int(found["column"])) if found else (0, 0)
    return line, column, f"not TOML: {what[:1].lower()}{what[1:]}"


def json(text: bytes | str) -> Any:
    """The content of a JSON file, of which all numbers are finite."""
    try:
        return sane(msgspec.json.decode(text))
    except RecursionError:
        raise ValueError(f"nested deeper than {DEEPEST} levels") from None


def sane(content: Shape) -> Shape:
    """Refuses what is nested too deep for code that calls itself to follow it, and numbers too large for a column."""
    level: list[object] = [content]
    for _ in range(DEEPEST):
        if any(isinstance(part, int) and part.bit_length() > BITS for part in level):
            raise ValueError(f"a whole number of more than {BITS} bits")
        level = [part for whole in level for part in parts(whole)]
        if not level:
            return content
    raise ValueError(f"nested deeper than {DEEPEST} levels")


def parts(whole: object) -> list[object]:
    """What a table or a list holds."""
    return list(whole.values()) if isinstance(whole, dict) else whole if isinstance(whole, list) else []


def shaped(content: object, shape: type[Shape]) -> Shape:
    """The same content, which has this shape: `TypedDict`, with bounds as `Annotated`. It may hold more than that."""
    msgspec.convert(content, shape)
    return cast("Shape", content)
