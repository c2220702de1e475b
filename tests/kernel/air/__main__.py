"""`python -m kernel.air`: has a kernel carry what `kept.json` does not have yet, two runs at a time.

`python -m kernel.air CELL SEED` shows a run of both sides second by second.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from . import kept, machine, table, trace
from .cells import CELLS, SEEDS

AT_ONCE = 2


def main() -> None:
    """Measures what is missing, seed after seed, of which nothing is lost whatever ends this; prints both sides."""
    world, file = machine.build(), kept.begun()
    missing = [(seed, cell) for seed in SEEDS for cell in CELLS.values() if seed in kept.missing(file, cell)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {pool.submit(machine.run, cell, seed): (seed, cell) for seed, cell in missing}
        for done in as_completed(asked):
            seed, cell = asked[done]
            kept.add(file, world, cell, seed, done.result())
            side = kept.side(cell, file["cells"][cell.name]["runs"][str(seed)])
            sys.stdout.write(f"{cell.name}, seed {seed}: {side.whole}\n")
            sys.stdout.flush()
    both = table.both()
    sys.stdout.write(f"{table.table(both)}\n\nNear are {table.share(both)}. Timing: {table.verdict(both)}.\n\n")
    sys.stdout.write(f"The flows of the cells that have two:\n\n{table.flows(both)}\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        machine.build()
        sys.stdout.write(trace.show(CELLS[sys.argv[1]], int(sys.argv[2])))
    else:
        main()
