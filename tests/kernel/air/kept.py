"""The kernel's side as `kept.json` has it, and of which system it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel import machine as wired
from kernel import measured
from kernel.measured import OutdatedError, digest

from . import machine
from .cells import CELLS, SEEDS
from .sides import Side
from .simulated import air

if TYPE_CHECKING:
    from .cells import Cell
    from .machine import Run

FILE = Path(__file__).with_name("kept.json")
UNFINISHED = wired.SYSTEM.with_name("air.json")
"""What has been measured while not every run has been: the file stays as it is until then."""


def sources() -> str:
    """What decides how a kernel is measured, the world aside."""
    files = [file for file in sorted(machine.SOURCES.iterdir()) if file.is_file() and file.suffix != ".toml"]
    return digest(measured.sources().encode(), *(file.read_bytes() for file in files))


def given(cell: Cell) -> dict[str, str]:
    """What decides what a cell is, and what its air does."""
    words = {"about": digest(cell.about.encode()), "hosts": machine.files(cell)["cell"], "air": air(cell.name)}
    return machine.clock(cell) | words


def entry(run: Run) -> dict[str, Any]:
    """A run in the file: what the flows came to, the ping, and how late the world was."""
    pings = [flow["rtt_mean_ms"] for flow in run.summary["flows"] if flow["kind"] == "ping"]
    timing = {key: run.timing[key] for key in ("verdict", "valid_below_mbps", "peak_mbps", "late_us", "lost")}
    return {"flows": run.flows, "ping_ms": pings[0] if pings else None, "timing": timing}


def side(cell: Cell, kept: dict[str, Any]) -> Side:
    """A run of the file as the table has it."""
    return Side.of(cell, kept["flows"], kept["ping_ms"])


def runs(kept: dict[str, Any], cell: Cell) -> dict[str, Any]:
    """What the file has of a cell by its seeds, if the cell was the same one then."""
    found = kept.get("cells", {}).get(cell.name, {})
    return found["runs"] if found.get("given") == given(cell) else {}


def read() -> dict[str, Any]:
    """The file, which has every run of these sources.

    Raises:
        OutdatedError: if it has not.
    """
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    if kept["sources"] != sources():
        raise OutdatedError(f"{FILE.name} is not of these files of testbed/kernel and testbed/air")
    if lacking := [cell.name for cell in CELLS.values() if missing(kept, cell)]:
        raise OutdatedError(f"{FILE.name} lacks {'; '.join(lacking)}")
    return kept


def missing(kept: dict[str, Any], cell: Cell) -> list[int]:
    """The seeds with which it has not been measured."""
    return [seed for seed in SEEDS if str(seed) not in runs(kept, cell)]


def begun() -> dict[str, Any]:
    """What has been measured of the system that has been built here, be it all runs or a few; of whichever world."""
    now = {"sources": sources(), "system": measured.system()}
    for file in (UNFINISHED, FILE):
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        if now.items() <= kept.items():
            return kept
    return now | {"cells": {}}


def add(kept: dict[str, Any], world: str, cell: Cell, seed: int, run: Run) -> None:
    """Writes the file with a run more, once all are there; until then what has been measured lies elsewhere."""
    kept["kernel"] = run.kernel
    found = runs(kept, cell) | {str(seed): entry(run)}
    kept["cells"][cell.name] = {"given": given(cell), "world": world, "runs": dict(sorted(found.items()))}
    kept["cells"] = {name: kept["cells"][name] for name in CELLS if name in kept["cells"]}
    UNFINISHED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if not any(missing(kept, one) for one in CELLS.values()):
        UNFINISHED.replace(FILE)
