"""Prints what docs/tcp.md shows of airloom's TCP beside a kernel's: `kernel`, the `table` of cells, BBR's `phases`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kernel import measured, phases, table


def main(what: str) -> None:
    """Prints it."""
    if what == "kernel":
        sys.stdout.write(f"Linux {measured.read()['kernel']}\n")
        return
    if what == "phases":
        sys.stdout.write(phases.table())
        return
    found = table.differences()
    sys.stdout.write(f"{table.table(found)}\n\nNear are {table.shares(found)}.\n")


if __name__ == "__main__":
    main(sys.argv[1])
