"""Files that are whole or not there, whatever ends the process or the machine meanwhile."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


PARTIAL = ".airloom-partial"
"""What the name of a file ends with that is not whole yet."""


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Gives a place to write to; what lies there takes the place of the target once the block has ended well.

    The place is locked until then, so that what has no lock is known to be left over from a process that was killed.
    """
    clear(target)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=PARTIAL, dir=target.parent)
    partial = Path(name)
    try:
        # Where there are no locks, nothing is ever cleared either.
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield partial
        partial.chmod(0o644)
        sync(partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
    sync(target.parent)


def clear(target: Path) -> None:
    """Removes what killed processes have left that were about to write a file."""
    for left in target.parent.glob(f".{escape(target.name)}.*{PARTIAL}"):
        with suppress(OSError), left.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()


def folder_of(texts: Mapping[str, str], target: Path) -> None:
    """Makes a folder with files of these texts by name, where there is none, or an empty one."""
    partial = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for name, text in texts.items():
            (partial / name).write_text(text, encoding="utf-8")
            sync(partial / name)
        partial.chmod(0o755)
        sync(partial)
        os.replace(partial, target)  # noqa: PTH105 - over an empty folder too
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    sync(target.parent)


def sync(path: Path) -> None:
    """Waits until a file's content, or a folder's list of files, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
