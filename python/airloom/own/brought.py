"""The classes that were brought, and the code that they are: what identifies runs that may use them."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from contextvars import ContextVar
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from airloom.errors import OwnClassError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CLASSES: dict[str, str] = {}
"""For each kind and name a hash of the class behind it."""

OF_ONE_COMMAND: ContextVar[dict[str, str] | None] = ContextVar("of_one_command", default=None)
"""While a command brings its modules, the class behind each kind and name: there one cannot take another's place."""

WORD = re.compile(r"[a-z][a-z0-9_+-]*")
"""What may be the name of one in a text."""


def keep(name: str, own: type, parameters: Mapping[str, object]) -> None:
    """Keeps what a class is: its file, or what it does where it has none, those of its bases, and its parameters.

    Raises:
        OwnClassError: Another class of one command has the name.
    """
    if (others := OF_ONE_COMMAND.get()) is not None:
        if name in others:
            raise OwnClassError(f"{own.__name__}: {others[name]} is called `{name.rsplit(maxsplit=1)[-1]}` already")
        others[name] = own.__name__
    text = json.dumps([own.__qualname__, *sorted((key, repr(value)) for key, value in parameters.items())])
    CLASSES[name] = hashlib.sha256(text.encode() + b"".join(map(source, own.__mro__[:-1]))).hexdigest()


def source(own: type) -> bytes:
    """The file in which a class stands; what is imported from there is not looked at."""
    try:
        return Path(inspect.getfile(own)).read_bytes()
    except (OSError, TypeError):
        return typed_in(own)


def typed_in(own: type) -> bytes:
    """What a class does that has no file, as in a notebook: without it a changed one would pass for the old."""
    parts = [(name, getattr(one, "__code__", None), one) for name, one in inspect.getmembers(own)]
    said = [
        (name, [instructions(code), repr(one.__defaults__), repr(one.__kwdefaults__)] if code else repr(one))
        for name, code, one in parts
        if code or not name.startswith("__")
    ]
    return json.dumps([own.__qualname__, said]).encode()


def instructions(code: CodeType) -> list[object]:
    """What a function does, but not in which file and line it stands: the same one typed in again is the same."""
    inner = [instructions(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code.hex(), code.co_names, code.co_varnames, inner]


def digest(texts: Iterable[str]) -> str:
    """A hash of those that these texts name; empty where they name none.

    Classes of different kinds with one name all count.
    """
    words = {word for text in texts for word in WORD.findall(text)}
    named = sorted((name, code) for name, code in CLASSES.items() if name.split()[-1] in words)
    return hashlib.sha256(json.dumps(named).encode()).hexdigest() if named else ""
