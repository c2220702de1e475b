"""A file of JSON, one document a line, to which one process at a time appends: each line outlives the process."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from typing import TYPE_CHECKING

from airloom.errors import GO_ON, SweepError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import FileIO
    from pathlib import Path


def opened(path: Path) -> FileIO:
    """The file, for this process and no other until it is closed.

    Raises:
        SweepError: Another process has it.
    """
    file = path.open("a+b", buffering=0)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise SweepError(f"{path.parent}: another airloom is at work on it") from None
    return file


def append(file: FileIO, path: Path, content: Mapping[str, object]) -> int:
    """Appends a line to a file, which messages call by its path; gives the line's length in bytes.

    Raises:
        SweepError: It cannot be written.
    """
    line = (json.dumps(content, separators=(",", ":")) + "\n").encode()
    try:
        written = file.write(line)
    except OSError as error:
        raise SweepError(f"{path}: {error.strerror}; {GO_ON}") from None
    if written < len(line):
        raise SweepError(f"{path}: {os.strerror(errno.ENOSPC)}; {GO_ON}")
    return len(line)
