"""What a student draws: values, a seed, and the order of what there is to choose.

All of it is of the SHA-256 of the sheet's and the student's names: the same on every machine, and with every Python.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from airloom.errors import AirloomError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Drawable = int | float | str
"""What a student may get of a list."""

STUDENT = re.compile(r"\w[\w.@+-]{0,63}")
"""Who somebody is: it becomes a part of the name of a folder."""

MOST_SEEDS = 9999

DRAWN = re.compile(r"\{(\w+)\}")
"""What stands for a value in a text; an inline table of TOML has blanks behind its brace."""


def checked(student: str) -> str:
    """A student's ID.

    Raises:
        AirloomError: It cannot be one.
    """
    if STUDENT.fullmatch(student):
        return student
    raise AirloomError(
        f"--student {student}: no ID",
        "it has up to 64 letters, digits and any of . _ @ + -, and begins with a letter or a digit: anna.schmidt",
    )


def number(sheet: str, student: str, what: str) -> int:
    """A large number that this sheet, this student and what it is for have, and no other."""
    return int.from_bytes(hashlib.sha256("\0".join((sheet, student, what)).encode()).digest()[:8], "big")


def seed(sheet: str, student: str) -> int:
    """The seed of a student's runs."""
    return 1 + number(sheet, student, "seed") % MOST_SEEDS


def values(sheet: str, student: str, lists: Mapping[str, Sequence[Drawable]]) -> dict[str, Drawable]:
    """What a student gets of each list."""
    return {name: some[number(sheet, student, f"draw {name}") % len(some)] for name, some in lists.items()}


def shuffled(sheet: str, student: str, question: str, options: Sequence[str]) -> list[str]:
    """What there is to choose, in an order of the student's own."""
    return sorted(options, key=lambda one: number(sheet, student, f"option {question} {one}"))


def filled(content: Any, drawn: Mapping[str, Drawable]) -> Any:
    """The same content with the values in place of their names; a text that is a name alone becomes the value."""
    if isinstance(content, dict):
        return {filled(key, drawn): filled(one, drawn) for key, one in content.items()}
    if isinstance(content, list):
        return [filled(one, drawn) for one in content]
    if not isinstance(content, str):
        return content
    if (alone := DRAWN.fullmatch(content)) and alone[1] in drawn:
        return drawn[alone[1]]
    return DRAWN.sub(lambda found: str(drawn[found[1]]), content)
