"""What a run is made from: the text of a scenario file, values over it, and a seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.support.library import found
from airloom.support.visible import visible

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from airloom.scenario.grid import Overrides

LONGEST = 16 << 20
"""Bytes of the longest scenario file."""

STDIN = "/dev/stdin"
"""What `-` stands for on a command line."""

STDIN_NAME = "<stdin>"
"""What messages call it."""

STREAMS = (STDIN, *(f"/dev/fd/{number}" for number in range(64)))
"""Where a shell puts the output of other commands."""


def read(scenario: str | os.PathLike[str], what: str = "scenario") -> tuple[str, str]:
    """The text of a scenario, or of another such file, and the name that messages about it use.

    `examples/...` and `papers/...` come with the package; files of that name in the current folder go first.
    """
    if isinstance(scenario, str) and "\n" in scenario:
        if not is_text(scenario):
            raise RunError(f"the {what}: not text in UTF-8")
        return scenario, "<scenario>"
    path = Path(scenario)
    try:
        return text_in(found(path), what), STDIN_NAME if str(path) == STDIN else visible(str(path))
    except FileNotFoundError:
        raise RunError(f"{path}: no such {what} file") from None
    except IsADirectoryError:
        raise RunError(f"{path}: a folder, not a {what} file") from None
    except UnicodeDecodeError:
        raise RunError(f"{path}: not a text file in UTF-8") from None
    except ValueError:
        raise RunError(f"{path}: no file can have such a name") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror}") from None


def text_in(path: Path, what: str) -> str:
    """The text of a file, or what comes out of a stream, such as a pipe."""
    if str(path) not in STREAMS and path.exists() and not (path.is_file() or path.is_dir()):
        raise RunError(f"{path}: not a regular file")
    with path.open("rb") as stream:
        content = stream.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise RunError(f"{path}: longer than {LONGEST >> 20} MiB; a {what} is a short text")
    return content.decode().replace("\r\n", "\n").replace("\r", "\n")


def worded(settings: Mapping[str, str]) -> Overrides:
    """Values of a command line by dotted key, as the engine takes them: TOML, or else text."""
    found = list(settings.items())
    for key, value in found:
        if not is_text(key + value):
            raise RunError(f"{key}={value}: not text in UTF-8")
    return found


def is_text(given: str) -> bool:
    """Whether a string can be written: some stand for bytes of a command line that are no text."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_seed(seed: int | None) -> None:
    """Refuses what cannot be a seed."""
    if seed is not None and not 0 <= seed < 1 << 64:
        raise RunError(f"seed {seed}: out of range; a seed is a whole number from 0 to 2^64 - 1")
