"""A laboratory of one's own in Rust: a package with all commands of airloom, and kinds that its source registers."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from airloom.errors import RunError
from airloom.support.atomic import folder_of

TEMPLATE = Path(__file__).parent / "lab"
"""What a laboratory begins with, under the name of `EXAMPLE`."""

EXAMPLE = "my-lab"

PLACES = {
    "Cargo.toml": "Cargo.toml",
    "pyproject.toml": "pyproject.toml",
    "lib.rs": "src/lib.rs",
    "package.txt": "python/my_lab/__init__.py",
    "main.txt": "python/my_lab/__main__.py",
}
"""Where each file of the template belongs."""

LOCK = "Cargo.lock"
"""The versions that the engine was tried with, which hold for a laboratory too."""

CRATE = Path("crates/tools/airloom")
"""A folder that the engine's sources have."""

TAKEN = {"airloom", "airloom-python", "pyo3", "core", "alloc", "std", "crate", "self", "super"}
"""Names that mean something else in Rust, or in what a laboratory is made of."""


def write(name: str, folder: Path, sources: Path | None) -> None:
    """Writes a laboratory of this name into a folder that is not there, or is empty.

    Raises:
        RunError: The name cannot be a package's, the sources are not there, or the folder holds something.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise RunError(f"{name}: is no name for a laboratory", f"small letters, digits and hyphens, as {EXAMPLE}")
    if is_taken(name):
        raise RunError(f"{name}: Python or Rust has something of this name; choose another")
    root = found(sources)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise RunError(f"{folder}: exists already; choose another folder with -o")
    texts = {
        filled(place, name, root): filled((TEMPLATE / file).read_text(), name, root) for file, place in PLACES.items()
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder_of(texts | {LOCK: (root / LOCK).read_text()}, folder)


def is_taken(name: str) -> bool:
    """Whether it is a word or a module of Python, or one of `TAKEN`."""
    return name in TAKEN or keyword.iskeyword(name) or name.replace("-", "_") in sys.stdlib_module_names


def filled(text: str, name: str, sources: Path) -> str:
    """A text of the template, with the laboratory's name and the place of the sources."""
    for old, new in ((EXAMPLE, name), (EXAMPLE.replace("-", "_"), name.replace("-", "_")), ("SOURCES", str(sources))):
        text = text.replace(old, new)
    return text


def found(sources: Path | None) -> Path:
    """The sources of the engine: those that are named, or those of the checkout that runs.

    Raises:
        RunError: They are not there.
    """
    root = (sources or Path(__file__).parents[3]).resolve()
    if not (root / CRATE).is_dir() or not (root / LOCK).is_file():
        place = f"{sources}: holds" if sources else "this installation has"
        raise RunError(f"{place} no sources of the engine; --sources names a clone of airloom")
    if set('"\\') & set(str(root)):
        raise RunError(
            f"{root}: a laboratory cannot name this folder; move the clone to one without quotes and backslashes"
        )
    return root
