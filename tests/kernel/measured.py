"""The kernel's numbers as `measured.json` keeps them, and of which system they are."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import machine
from .numbers import Numbers

if TYPE_CHECKING:
    from .cells import Cell

FILE = Path(__file__).with_name("measured.json")


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def sources() -> str:
    """What decides how a kernel is measured: the machine's files and how it is started."""
    files = sorted((machine.ROOT / "testbed" / "kernel").iterdir())
    return _digest(*(file.read_bytes() for file in files), machine.MACHINE.encode(), machine.BOOT.encode())


def system() -> dict[str, str]:
    """Which system has been built here, and what runs it. The same one gives the same numbers."""
    version = subprocess.run(("qemu-system-x86_64", "--version"), capture_output=True, text=True, check=True).stdout
    images = [(machine.SYSTEM / name).read_bytes() for name in ("vmlinuz", "initrd.cpio")]
    return {"qemu": version.splitlines()[0], "images": _digest(*images)}


def read() -> dict[str, Any]:
    """The file; without cells if there is none, or if it is of other sources."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return kept if kept.get("sources") == sources() else {"sources": sources(), "cells": {}}


def write(kept: dict[str, Any]) -> None:
    """Writes the file, its cells in order."""
    kept["cells"] = dict(sorted(kept["cells"].items()))
    FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def entry(cell: Cell, numbers: Numbers) -> dict[str, Any]:
    """A cell in the file: what the machine was given, and what it gave."""
    return {"given": machine.words(cell), "numbers": {key: round(value, 4) for key, value in asdict(numbers).items()}}


def numbers(kept: dict[str, Any], cell: Cell) -> Numbers | None:
    """What the file has of a cell; none if it has nothing, or if the cell was another one then."""
    found = kept["cells"].get(cell.name)
    return Numbers(**found["numbers"]) if found and found["given"] == machine.words(cell) else None
