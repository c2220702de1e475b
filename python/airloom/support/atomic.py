"""Files that are complete or absent, even if the process is killed or the machine fails meanwhile."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import tempfile
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


PARTIAL = ".airloom-partial"
"""The suffix of a file or a folder that is not complete yet."""


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Yields a path to write to; the file there replaces the target when the block ends without an error.

    Raises:
        FileExistsError: What is at the target is never replaced.
    """
    if kept := never_replaced(target):
        raise FileExistsError(errno.EEXIST, kept, str(target))
    with beside(target, empty_file) as partial:
        yield partial
        partial.chmod(0o644)
        sync(partial)
        partial.replace(target)
    sync(target.parent)


def never_replaced(target: Path) -> str:
    """Why what is at a place is never replaced, with whatever option; empty where there is a regular file, or nothing.

    A folder is not for this to judge, nor a link to one. As root, a device would be gone, or what `/dev/stdout` is.
    """
    try:
        mode = target.lstat().st_mode
    except OSError:
        return ""
    if stat.S_ISREG(mode) or target.is_dir():
        return ""
    if stat.S_ISLNK(mode):
        return "is a link, so it is not replaced; name the file itself, or another"
    return "is not a regular file, so it is not replaced; name another"


def folder_of(texts: Mapping[str, str], target: Path, exchange: Callable[[Path, Path], object] | None = None) -> None:
    """Makes a folder with files of these texts by name, where there is none, or an empty one.

    One that is there is replaced by `exchange`, which exchanges two folders, and removed.
    """
    with beside(target, tempfile.mkdtemp) as partial:
        for name, text in texts.items():
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            (partial / name).write_text(text, encoding="utf-8")
            sync(partial / name)
        partial.chmod(0o755)
        sync(partial)
        if exchange is None:
            os.replace(partial, target)  # noqa: PTH105 - over an empty folder too
        else:
            exchange(partial, target)
            remove(partial)
    sync(target.parent)


@contextmanager
def made_meanwhile() -> Iterator[None]:
    """Goes on where another process has made a folder since it was looked for."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


@contextmanager
def beside(target: Path, make: Callable[[str, str, Path], str]) -> Iterator[Path]:
    """Gives a new file or folder next to the target, which is removed if the block fails.

    It is locked until the block ends: what has no lock is left over from a process that was killed.
    """
    clear(target)
    while True:
        try:
            partial = Path(make(PARTIAL, f".{target.name}.", target.parent))
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(target)) from error
        handle = locked(partial)
        if handle is not None:
            break
    try:
        yield partial
    except BaseException as error:
        remove(partial)
        # A write that fails names no file, and nobody knows the partial one.
        if isinstance(error, OSError) and error.errno and str(error.filename or partial).startswith(str(partial)):
            raise type(error)(error.errno, error.strerror, str(target)) from error
        raise
    finally:
        os.close(handle)


def empty_file(suffix: str, prefix: str, folder: Path) -> str:
    """Makes a file with a name of its own, as `tempfile.mkdtemp` makes a folder."""
    handle, name = tempfile.mkstemp(suffix, prefix, folder)
    os.close(handle)
    return name


def locked(path: Path) -> int | None:
    """Locks a file or a folder that was just made; none if another process has cleared it before the lock."""
    with suppress(FileNotFoundError):
        handle = os.open(path, os.O_RDONLY)
        try:
            # Where there are no locks, nothing is ever cleared either.
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            path.lstat()
        except BaseException:
            os.close(handle)
            raise
        return handle
    return None


def clear(target: Path) -> None:
    """Removes partial files and folders that killed processes have left."""
    for left in target.parent.glob(f".{escape(target.name)}.*{PARTIAL}"):
        with suppress(OSError):
            # Anyone may put something of that name into a shared folder: a FIFO, or a link to one, must not block.
            handle = os.open(left, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                mode = os.fstat(handle).st_mode
                if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    remove(left)
            finally:
                os.close(handle)


def remove(path: Path) -> None:
    """Removes a file, or a folder with all that is in it, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Waits until a file's content, or a folder's list of files, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
