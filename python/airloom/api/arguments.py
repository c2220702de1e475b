"""What may be wrong with the arguments of a call."""

from __future__ import annotations

import os
from pathlib import Path

from airloom.errors import AirloomError, RunError


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
