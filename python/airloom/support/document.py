"""JSON documents that say what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def named(name: str, content: Mapping[str, object]) -> dict[str, object]:
    """The same content with the name and the version of its schema first, whatever document it came from.

    The version rises when a key goes away or comes to mean something else, not when one is added.
    """
    schema: dict[str, object] = {"schema": f"airloom-{name}/1"}
    return {**schema, **content, **schema}
