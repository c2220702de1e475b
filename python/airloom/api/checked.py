"""A scenario that was checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from airloom.support import reading


@dataclass(frozen=True)
class Checked:
    """A scenario without a mistake, every default spelled out.

    Attributes:
        toml: The scenario; `str(checked)` is the same.
        warnings: What it says but probably does not mean, each with its place.
    """

    toml: str
    warnings: list[str]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What it says, as tables."""
        return reading.toml(self.toml)

    def __str__(self) -> str:
        """The scenario."""
        return self.toml
