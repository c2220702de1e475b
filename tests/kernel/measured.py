"""The kernel's numbers as `measured.json` keeps them, and of which system they are."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import machine
from .cells import CELLS
from .numbers import Numbers

if TYPE_CHECKING:
    from .cells import Cell

FILE = Path(__file__).with_name("measured.json")
UNFINISHED = machine.SYSTEM.with_name("measured.json")
"""What has been measured while not every cell has been: the file stays as it is until then."""


class OutdatedError(RuntimeError):
    """What is kept is not of these cells, or not of this machine."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: run `make beside-kernel`, which measures anew what is missing")


def digest(*parts: bytes) -> str:
    """SHA-256 of parts that cannot run into each other."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def sources() -> str:
    """What decides how a kernel is measured: the machine's files and how it is started."""
    files = sorted((machine.ROOT / "testbed" / "kernel").iterdir())
    return digest(*(file.read_bytes() for file in files), machine.MACHINE.encode(), machine.BOOT.encode())


def system() -> dict[str, str]:
    """Which system has been built here, and what runs it. The same one gives the same numbers."""
    version = subprocess.run(("qemu-system-x86_64", "--version"), capture_output=True, text=True, check=True).stdout
    images = [(machine.SYSTEM / name).read_bytes() for name in ("vmlinuz", "initrd.cpio")]
    return {"qemu": version.splitlines()[0], "images": digest(*images)}


def read() -> dict[str, Any]:
    """The file, which has every cell of these sources.

    Raises:
        OutdatedError: if it has not.
    """
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if kept.get("sources") != sources():
        raise OutdatedError(f"{FILE.name} is not of these files of testbed/kernel")
    if missing := [cell.name for cell in CELLS.values() if runs(kept, cell) is None]:
        raise OutdatedError(f"{FILE.name} lacks {'; '.join(missing)}")
    return kept


def begun() -> dict[str, Any]:
    """What has been measured of the system that has been built here, be it all cells or a few."""
    now = {"sources": sources(), "system": system()}
    for file in (UNFINISHED, FILE):
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        if now.items() <= kept.items():
            return kept
    return now | {"cells": {}}


def write(kept: dict[str, Any]) -> None:
    """Writes the file, its cells in order, once all are there; until then what has been measured lies elsewhere."""
    cells = {name: kept["cells"][name] for name in sorted(CELLS) if name in kept["cells"]}
    text = json.dumps(kept | {"cells": cells}, indent=1) + "\n"
    UNFINISHED.write_text(text, encoding="utf-8")
    if len(cells) == len(CELLS):
        UNFINISHED.replace(FILE)


def entry(cell: Cell, runs: list[Numbers]) -> dict[str, Any]:
    """A cell in the file: what the machine was given, and what it gave for each time at which it began."""
    rounded = [{key: round(value, 4) for key, value in asdict(run).items()} for run in runs]
    return {"given": machine.words(cell), "runs": rounded}


def runs(kept: dict[str, Any], cell: Cell) -> list[Numbers] | None:
    """What the file has of a cell; none if it has nothing, or if the cell was another one then."""
    found = kept.get("cells", {}).get(cell.name)
    return [Numbers(**run) for run in found["runs"]] if found and found["given"] == machine.words(cell) else None
