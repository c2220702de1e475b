"""Texts that users name: files, and what comes out of a stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airloom.errors import RunError
from airloom.support.library import found
from airloom.support.visible import visible

if TYPE_CHECKING:
    import os

LONGEST = 16 << 20
"""Bytes of the longest scenario file."""

STDIN = "/dev/stdin"
"""What `-` stands for on a command line."""

STDIN_NAME = "<stdin>"
"""What messages call it."""

STREAMS = (STDIN, *(f"/dev/fd/{number}" for number in range(64)))
"""Where a shell puts the output of other commands."""


def text_of(file: str | os.PathLike[str], what: str) -> tuple[str, str]:
    """The text of a file as it is, and the name that messages about it use."""
    path = Path(file)
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


def file_of(file: str | os.PathLike[str], what: str) -> tuple[Path, str]:
    """A file that is no text, as it lies on disk, and the name that messages about it use."""
    path = found(Path(file))
    if not path.exists():
        raise RunError(f"{file}: no such {what} file")
    if not path.is_file():
        raise RunError(f"{file}: not a regular file")
    return path, visible(str(file))


def text_in(path: Path, what: str) -> str:
    """The text of a file, or what comes out of a stream, such as a pipe."""
    if str(path) not in STREAMS and path.exists() and not (path.is_file() or path.is_dir()):
        raise RunError(f"{path}: not a regular file")
    with path.open("rb") as stream:
        content = stream.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise RunError(f"{path}: longer than {LONGEST >> 20} MiB; a {what} is a short text")
    return content.decode().replace("\r\n", "\n").replace("\r", "\n")


def is_text(given: str) -> bool:
    """Whether a string can be written: some stand for bytes of a command line that are no text."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True
