"""The classes that were brought, and the code that they are: what identifies runs that may use them."""

from __future__ import annotations

import hashlib
import inspect
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

CLASSES: dict[str, str] = {}
"""For each kind and name a hash of the class behind it."""


def keep(name: str, own: type, parameters: Mapping[str, object]) -> None:
    """Keeps what a class is: its file, or itself where it has none, and its parameters."""
    text = json.dumps([own.__qualname__, *sorted((key, repr(value)) for key, value in parameters.items())])
    CLASSES[name] = hashlib.sha256(text.encode() + source(own)).hexdigest()


def source(own: type) -> bytes:
    """The file in which a class stands; what is imported from there is not looked at."""
    try:
        return Path(inspect.getfile(own)).read_bytes()
    except (OSError, TypeError):
        return own.__qualname__.encode()


def digest() -> str:
    """A hash of all of them; empty where there are none."""
    said = json.dumps(sorted(CLASSES.items()))
    return hashlib.sha256(said.encode()).hexdigest() if CLASSES else ""
