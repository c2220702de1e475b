"""What comes with the package to be read and run: `papers` and `examples`, and the help of the guard.

In a checkout they are links to where they belong; a wheel has the files themselves.
"""

from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[1] / "library"
FOLDERS = ("papers", "examples")


def folder(name: str) -> Path:
    """A folder of the library, as it lies on disk."""
    return (LIBRARY / name).resolve()


def found(path: Path) -> Path:
    """The file of a path; one of `examples/` or `papers/` that is not there is the library's."""
    first = path.parts[:1]
    if first and first[0] in FOLDERS and not path.exists() and ".." not in path.parts:
        there = folder(first[0]).joinpath(*path.parts[1:])
        if there.exists():
            return there
    return path
