"""The folder that a server may use: nothing out of it is read, and nothing is written elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom.errors import RunError
from airloom.scenario import source
from airloom.scenario.text_file import is_text
from airloom.support.atomic import whole
from airloom.support.library import found
from airloom.sweep.plan import content_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1 << 20
"""Characters of the longest text that is taken for a file; a scenario has some thousand."""

MOST = 100_000
"""Entries of the largest folder that is looked through for links: a sweep of ten thousand bundles has fewer."""


class Folder:
    """A folder, and what lies in it. It is the current one, so that commands know its files by the same names."""

    def __init__(self, root: Path) -> None:
        """Takes the folder, which is there."""
        self.root = root.resolve()

    def read(self, name: str) -> str:
        """The word for a file or a folder that is read, with all that a folder holds.

        Raises:
            RunError: It lies elsewhere, or a link of it leads there.
        """
        word = self.word(name)
        place = self.root / word
        if is_odd(place):
            raise RunError(f"{name}: is neither a file nor a folder")
        if place.is_dir():
            for odd in odd_ones(place):
                self.inside(odd, f"{name}: holds a link, {odd.name}, that leads")
                if is_odd(odd):
                    raise RunError(f"{name}: holds {odd.name}, which is neither a file nor a folder")
        return word

    def described(self, name: str) -> str:
        """The same of a scenario, a grid or a problem, with the files that it names.

        Raises:
            RunError: One lies elsewhere, or Python code would run.
        """
        word = self.read(name)
        text, _ = source.read(Path(word))
        content = content_of(text)
        if "paper" in content:
            raise RunError(
                f"{name}: names a paper, whose Python code a fit runs, which this server does not",
                f"`airloom fit {name}` in a shell does",
            )
        for beside in named_in(content):
            there = found(Path(word)).parent / beside
            if not library(Path(word)):
                self.inside(self.root / there, f"{name}: names {beside}, which lies")
        return word

    def written(self, name: str) -> str:
        """The word for a file or a folder that a command makes.

        Raises:
            RunError: It would lie elsewhere.
        """
        if (self.root / self.word(name)).resolve() == self.root:
            raise RunError(f"{name}: is the folder of this server itself; name one within it")
        return self.read(name)

    def put(self, name: str, text: str, *, replace: bool) -> None:
        """Writes a text into a file, whole or not at all.

        Raises:
            RunError: Its name is no text's, it lies elsewhere, or another one is there.
        """
        file = Path(self.written(name))
        if file.suffix != ".toml":
            raise RunError(f"{name}: a text is written into a file that ends in .toml")
        if len(text) > LONGEST:
            raise RunError(f"text: longer than {LONGEST >> 20} MiB; a scenario is a short text")
        if not is_text(text):
            raise RunError("text: not text in UTF-8")
        if not file.parent.is_dir():
            raise RunError(f"{name}: no such folder; a text is written into one that is there")
        if file.exists() and not replace and (not file.is_file() or file.read_bytes() != text.encode()):
            raise RunError(f"{name}: is there with another content; `force` replaces it")
        with whole(file) as partial:
            partial.write_text(text, encoding="utf-8")

    def word(self, name: str) -> str:
        """A name as a word of a command: from the folder on, and no option."""
        if not name or "\0" in name or not is_text(name):
            raise RunError(f"{name!r}: no file can have such a name")
        self.inside(self.root / name, f"{name}: lies")
        short = os.path.relpath(name, self.root) if Path(name).is_absolute() else name
        return f"./{short}" if short.startswith("-") else short

    def inside(self, place: Path, said: str) -> None:
        """Refuses what lies elsewhere, once every link has been followed."""
        try:
            there = place.resolve()
        except (OSError, RuntimeError):
            raise RunError(f"{said} where no link ends") from None
        if not there.is_relative_to(self.root):
            raise RunError(f"{said} outside of the folder that this server may use")


def is_odd(place: Path) -> bool:
    """Whether something is there that is neither a file nor a folder, such as a FIFO, which nobody may ever fill."""
    return place.exists() and not place.is_file() and not place.is_dir()


def odd_ones(folder: Path) -> Iterator[Path]:
    """What in a folder, and in those below it, is neither a file nor a folder: links, too.

    Raises:
        RunError: There is more in it than is looked through.
    """
    seen = 0
    for place, folders, files in os.walk(folder):
        seen += len(folders) + len(files)
        if seen > MOST:
            raise RunError(f"{folder}: holds more than {MOST:,} files, too many to look through")
        yield from (path for name in (*folders, *files) if (path := Path(place, name)).is_symlink() or is_odd(path))


def library(path: Path) -> bool:
    """Whether a path stands for a file that comes with the package."""
    return found(path) != path


def named_in(content: dict[str, Any]) -> list[str]:
    """The files that a grid or a problem names: its scenario, and tables of measurements."""
    tables = content.get("table", [])
    rows = tables if isinstance(tables, list) else [tables]
    named = [content.get("scenario"), *(row.get("file") for row in rows if isinstance(row, dict))]
    return [one for one in named if isinstance(one, str)]
