"""Temporary folders that go when nobody needs them any more."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path


class Scratch:
    """A temporary folder: it is there as long as this object, and no longer than the process that made it.

    Attributes:
        path: The folder.
        close: Removes it at once.
    """

    def __init__(self) -> None:
        """Makes the folder."""
        self.path = Path(tempfile.mkdtemp(prefix="airloom-"))
        self.close = weakref.finalize(self, remove, self.path, os.getpid())

    @property
    def closed(self) -> bool:
        """Whether it was removed."""
        return not self.close.alive


def remove(folder: Path, owner: int) -> None:
    """Removes a folder, unless this process is a fork of the one that made it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
