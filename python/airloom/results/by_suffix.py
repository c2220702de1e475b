"""Files that are written as their suffix says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import AirloomError

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path


def known_suffix(file: Path, formats: Collection[str], what: str) -> str:
    """The suffix of a file, which is to hold `what`.

    Raises:
        AirloomError: It is none of the formats, or a folder is there.
    """
    listed = ", ".join(formats)
    if file.is_dir():
        raise AirloomError(f"{file}: is a folder; name a file that ends in {listed}")
    suffix = file.suffix.lower()
    if suffix not in formats:
        raise AirloomError(f"{file}: a {what} is no {file.suffix or 'file without a suffix'}; there are {listed}")
    return suffix
