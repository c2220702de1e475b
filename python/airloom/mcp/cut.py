"""Answers that are not longer than an agent can read: long lists are cut, and it is said what was left out."""

from __future__ import annotations

import json
from typing import Any

from airloom.errors import RunError

LONGEST = 64_000
"""Characters of the longest answer: some twenty thousand tokens of a language model."""

STEPS = (200, 100, 50, 20, 10, 5, 2, 1)
"""How many entries of each list are kept, until the whole is short enough."""

NAMED = 100
"""Entries of the longest table that is taken for one of keys, and never cut."""

LINE = 4_000
"""Characters that are left of a text in an answer that is too long."""

LEFT_OUT = "left_out"
"""The key that says how much of what was left out."""


def fitting(document: dict[str, Any]) -> dict[str, Any]:
    """A document, cut until it is short enough; then `left_out` has how many entries each list has lost, by its place.

    >>> document = fitting({"flows": [{"name": "a" * 100}] * 1000})
    >>> len(document["flows"]), document["left_out"]
    (200, {'flows': 800})

    Raises:
        RunError: It is too long however much is cut.
    """
    if len(compact(document)) <= LONGEST:
        return document
    for most in STEPS:
        left_out: dict[str, int] = {}
        found = {key: shortened(value, key, most, left_out) for key, value in document.items()}
        if len(compact({**found, LEFT_OUT: left_out})) <= LONGEST:
            return {**found, LEFT_OUT: left_out}
    raise RunError(f"the answer is longer than {LONGEST:,} characters, however much of it is left out")


def clipped(text: str) -> str:
    """A text without its middle, if it is long.

    >>> clipped("a" * 9000).count("a"), "[...]" in clipped("a" * 9000)
    (4000, True)
    """
    return text if len(text) <= LINE else f"{text[: LINE // 2]}[...]{text[-LINE // 2 :]}"


def compact(document: object) -> str:
    """A document as text without blanks."""
    return json.dumps(document, separators=(",", ":"))


def shortened(value: Any, place: str, most: int, left_out: dict[str, int]) -> Any:
    """A value with its long lists, tables and texts cut."""
    if isinstance(value, str) and len(value) > LINE:
        left_out[place] = len(value) - LINE
        return value[:LINE]
    if isinstance(value, list):
        if len(value) > most:
            left_out[place] = len(value) - most
        return [shortened(one, f"{place}.{at}", most, left_out) for at, one in enumerate(value[:most])]
    if isinstance(value, dict):
        kept = max(most, NAMED)
        if len(value) > kept:
            left_out[place] = len(value) - kept
        pairs = list(value.items())[:kept]
        return {key: shortened(one, f"{place}.{key}", most, left_out) for key, one in pairs}
    return value
