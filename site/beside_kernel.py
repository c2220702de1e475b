"""Prints what docs/tcp.md shows of airloom's TCP beside a kernel's.

Over a wire: `kernel`, the `table` of cells, BBR's `phases`; on simulated air: `air-kernel` and `air`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from kernel import measured, phases, table
from kernel.air import kept as kept_air
from kernel.air import table as table_air


def main(what: str) -> None:
    """Prints it."""
    if what == "kernel":
        sys.stdout.write(f"Linux {measured.read()['kernel']}\n")
        return
    if what == "phases":
        sys.stdout.write(phases.table())
        return
    if what == "air":
        air = table_air.both()
        said = f"Near are {table_air.share(air)}. Timing: {table_air.verdict(air)}."
        each = f"The flows of the cells that have two:\n\n{table_air.flows(air)}"
        sys.stdout.write(f"{table_air.table(air)}\n\n{said}\n\n{each}\n")
        return
    if what == "air-kernel":
        sys.stdout.write(f"Linux {kept_air.read()['kernel']}\n")
        return
    found = table.differences()
    sys.stdout.write(f"{table.table(found)}\n\nNear are {table.shares(found)}.\n")


if __name__ == "__main__":
    main(sys.argv[1])
