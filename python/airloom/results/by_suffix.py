"""What is written: files as their suffix says, and folders, whose names have none of a file's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.errors import AirloomError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path


def known_suffix(file: Path, formats: Collection[str], what: str, elsewhere: Mapping[str, str] | None = None) -> str:
    """The suffix of a file, which is to hold `what`.

    Args:
        file: The file.
        formats: The suffixes that it may have.
        what: What it is to hold.
        elsewhere: What makes files of other suffixes.

    Raises:
        AirloomError: It is none of the formats, or a folder is there.
    """
    listed = ", ".join(formats)
    if file.is_dir():
        raise AirloomError(f"{file}: is a folder; name a file that ends in {listed}")
    suffix = file.suffix.lower()
    if suffix not in formats:
        hint = (elsewhere or {}).get(suffix)
        raise AirloomError(
            f"{file}: a {what} is no {file.suffix or 'file without a suffix'}; there are {listed}",
            *([hint] if hint else []),
        )
    return suffix


FILES = frozenset(
    (".csv", ".gz", ".htm", ".html", ".json", ".parquet", ".pcap", ".pcapng", ".pdf", ".png", ".svg", ".toml", ".zip")
)
"""Suffixes of files that are written or read here, or might be looked for."""


def refuse_file_name(folder: Path, what: str, *instead: str) -> None:
    """Refuses the name of a file for a folder, unless a folder has it already.

    Args:
        folder: The folder that is to be made.
        what: What it is to hold, such as "a bundle".
        instead: What makes such a file, each on a line below the message.

    Raises:
        AirloomError: The name is a file's.
    """
    if folder.suffix.lower() in FILES and not folder.is_dir():
        raise AirloomError(f"{folder}: {what} is a folder, and this is a file's name; choose another with -o", *instead)
