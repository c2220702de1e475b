"""What comes with the package to be read and run: `papers` and `examples`, and the help of the guard.

In a checkout they are links to where they belong; a wheel has the files themselves.
"""

from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[1] / "library"
FOLDERS = ("papers", "examples")


def folder(name: str) -> Path:
    """A folder of the library, as it lies on disk."""
    return (LIBRARY / name).resolve()


def beside(place: Path, name: str) -> Path:
    """The file of a name that a file in a folder gives: beside that file, or the library's if nothing is there."""
    there = place / name
    return there if there.exists() else of_library(Path(name)) or there


def found(path: Path) -> Path:
    """The file of a path; one of `examples/` or `papers/` that is not there is the library's."""
    return path if path.exists() else of_library(path) or path


def of_library(path: Path) -> Path | None:
    """The library's file of a path in `examples/` or `papers/`; none if it has none."""
    if not path.parts or path.parts[0] not in FOLDERS or ".." in path.parts:
        return None
    there = folder(path.parts[0]).joinpath(*path.parts[1:])
    return there if there.exists() else None
