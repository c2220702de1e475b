"""`python -m kernel`: has a kernel carry every cell that `measured.json` does not have yet, two at a time."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from . import machine, measured
from .cells import CELLS

AT_ONCE = 2


def main() -> None:
    """Measures what is missing; what has been measured is kept, whatever ends this."""
    machine.build()
    kept = measured.read()
    if kept.get("system") != measured.system():
        kept |= {"system": measured.system(), "cells": {}}
    missing = [cell for cell in CELLS.values() if measured.numbers(kept, cell) is None]
    kept["cells"] = {name: one for name, one in kept["cells"].items() if name in CELLS}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {pool.submit(machine.measure, cell): cell for cell in missing}
        for done in as_completed(asked):
            kept["kernel"], numbers = done.result()
            kept["cells"][asked[done].name] = measured.entry(asked[done], numbers)
            measured.write(kept)
            sys.stdout.write(f"{len(kept['cells'])} of {len(CELLS)}: {asked[done].name}: {numbers}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
