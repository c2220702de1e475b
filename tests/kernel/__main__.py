"""`python -m kernel`: has a kernel carry what `measured.json` and `phases.json` do not have yet, two at a time."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from . import machine, measured, phases, table
from .cells import CELLS
from .numbers import Numbers

AT_ONCE = 2


def main() -> None:
    """Measures what is missing, of which nothing is lost whatever ends this, and prints both sides."""
    machine.build()
    kept = measured.begun()
    missing = [cell for cell in CELLS.values() if measured.runs(kept, cell) is None]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {pool.submit(machine.measure, cell): cell for cell in missing}
        for done in as_completed(asked):
            kept["kernel"], runs = done.result()
            kept["cells"][asked[done].name] = measured.entry(asked[done], runs)
            measured.write(kept)
            sys.stdout.write(f"{len(kept['cells'])} of {len(CELLS)}: {asked[done].name}: {Numbers.mean(runs)}\n")
            sys.stdout.flush()
    phases.write()
    found = table.differences()
    sys.stdout.write(f"{table.table(found)}\n\nNear are {table.shares(found)}.\n\n{phases.table()}")


if __name__ == "__main__":
    main()
