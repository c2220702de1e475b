"""What may be wrong with the arguments of a call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import AirloomError, RunError

if TYPE_CHECKING:
    from typing import SupportsIndex

    from airloom.scenario.given import Given, Scenario, Settings


def path(given: object, name: str, example: str, wrong: type[AirloomError] = RunError) -> Path:
    """An argument that is a file or a folder.

    Raises:
        AirloomError: It is neither text nor a path; of the kind `wrong`.
    """
    if isinstance(given, (str, os.PathLike)) and isinstance(os.fspath(given), str):
        return Path(given)
    raise wrong(f"{name}: needs a path, such as {example!r}, not {given!r}")


def optional_callable(given: object, name: str) -> None:
    """Refuses an argument that is there and cannot be called."""
    if given is not None and not callable(given):
        raise RunError(f"{name}: needs a function, not {given!r}")


def one_scenario(scenario: Scenario, settings: Settings | None = None, seed: SupportsIndex | None = None) -> Given:
    """Reads a scenario, and refuses a grid, or a scenario with something of one.

    Raises:
        GridMistakesError: It is a scenario in which something of a grid stands.
        RunError: It is a grid, it cannot be read, or an argument is not what it should be.
    """
    from airloom.scenario.given import given
    from airloom.sweep.plan import refuse_grid

    asked = given(scenario, settings, seed)
    if not asked.places:
        refuse_grid(asked.text, asked.file, f"`airloom.sweep({asked.file!r})` runs it")
    return asked
