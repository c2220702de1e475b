"""Says after Ctrl-C that a folder is whole, if it was made by then."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def telling(what: str, target: Path | None) -> Iterator[None]:
    """Has Ctrl-C say that a folder is whole, if the block has made it by then."""
    before = identity(target)
    try:
        yield
    except KeyboardInterrupt:
        if identity(target) == before:
            raise
        raise KeyboardInterrupt(f"{what} is whole: {target}") from None


def identity(target: Path | None) -> int | None:
    """The number of a folder on its disk, which another one in its place has not; None if there is none."""
    try:
        return target.stat().st_ino if target else None
    except OSError:
        return None
