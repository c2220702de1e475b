"""What comes with the package to be read and run: `papers` and `examples`, and the help of the guard.

In a checkout they are links to where they belong; a wheel has the files themselves.
"""

from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[1] / "library"
FOLDERS = ("papers", "examples")
FIRST = tuple((folder,) for folder in FOLDERS)


def folder(name: str) -> Path:
    """A folder of the library, as it lies on disk."""
    return (LIBRARY / name).resolve()


def beside(folder: Path, name: str) -> Path:
    """The file of a name that a file in a folder gives: beside that file, or of the library if nothing is there."""
    there = folder / name
    return there if there.exists() else found(Path(name)) if Path(name).parts[:1] in FIRST else there


def found(path: Path) -> Path:
    """The file of a path; one of `examples/` or `papers/` that is not there is the library's."""
    first = path.parts[:1]
    if first and first[0] in FOLDERS and not path.exists() and ".." not in path.parts:
        there = folder(first[0]).joinpath(*path.parts[1:])
        if there.exists():
            return there
    return path
