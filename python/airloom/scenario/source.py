"""What a run is made from: the text of a scenario file, values over it, and a seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.scenario.text_file import STREAMS, is_text, text_of
from airloom.scenario.traces import spelled_out, spelled_out_value
from airloom.support.library import found

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from airloom.scenario.grid import Overrides


def read(scenario: str | os.PathLike[str], what: str = "scenario") -> tuple[str, str]:
    """The text of a scenario, or of another such file, and the name that messages about it use.

    `examples/...` and `papers/...` come with the package; files of that name in the current folder go first. A trace
    that it names is spelled out; its file lies beside it.
    """
    if isinstance(scenario, str) and "\n" in scenario:
        if not is_text(scenario):
            raise RunError(f"the {what}: not text in UTF-8")
        return spelled_out(scenario, Path()), "<scenario>"
    text, name = text_of(scenario, what)
    folder = Path() if str(scenario) in STREAMS else found(Path(scenario)).parent
    return spelled_out(text, folder), name


def worded(settings: Mapping[str, str]) -> Overrides:
    """Values of a command line by dotted key, as the engine takes them: TOML, or else text."""
    for key, value in settings.items():
        if not is_text(key + value):
            raise RunError(f"{key}={value}: not text in UTF-8")
    return [(key, spelled_out_value(key, value)) for key, value in settings.items()]


def check_seed(seed: int | None) -> None:
    """Refuses what cannot be a seed."""
    if seed is not None and not 0 <= seed < 1 << 64:
        raise RunError(f"seed {seed}: out of range; a seed is a whole number from 0 to 2^64 - 1")
