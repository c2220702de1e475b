"""What a run of a paper is given: its scenario with the paper's values over it, and every profile and default."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from airloom import _engine
from airloom.scenario.differences import flat
from airloom.scenario.source import read

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.grid import Overrides


def resolved(scenario: Path, overrides: Overrides, seed: int | None) -> str:
    """The scenario of a run, as TOML.

    Raises:
        ScenarioError: There is a mistake in it.
    """
    text, file = read(scenario)
    return _engine.check(text, file, overrides, seed)


def values(scenario: Path, overrides: Overrides, seed: int | None) -> dict[str, str]:
    """The same by dotted key; each value as `airloom.scenario.grid.written` has it."""
    return flat(tomllib.loads(resolved(scenario, overrides, seed)))
