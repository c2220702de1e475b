"""Files that are whole or not there, whatever ends the process or the machine meanwhile."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Gives a place to write to; what lies there takes the place of the target once the block has ended well."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        partial.chmod(0o644)
        sync(partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    sync(target.parent)


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
