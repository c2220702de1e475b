"""The kernel's side of docs/airloom-rate.md: the arf paper's two uploads, carried by a kernel in the emulated machine.

`make beside-rate` builds airloom-rate's package, has the machine carry every cell and writes two_uploads.json, which
the page shows. The same build gives the same numbers. The world's program takes time of
the machine too, so that another build of it moves them, by 2 % at most so far. A cell takes four minutes of one core.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel import machine
from kernel.air import machine as air

MEASURED = Path(__file__).with_name("two_uploads.json")
SCENARIO = machine.ROOT / "papers" / "arf" / "two.toml"
BEFORE = machine.ROOT / "testbed" / "rate-before.sh"
HOSTS = {"S1": "10.0.0.1", "S2": "10.0.0.2", "server": "10.0.0.3"}
START_S, FALL_S, END_S = 1.0005, 20.0, 100.0
"""When the uploads begin, when the first link falls, when it is over."""
CLOCK = {"tsc_early_khz": "2000000", "tsc": "reliable"}
"""The kernel takes its processor for twice as fast as it is (air/machine.py)."""
MARK = 'echo "kernel $(uname -r)"\n'
"""Of the machine's first program: by then hosts are there, and no flow has begun."""


@dataclass(frozen=True)
class Cell:
    """Two uploads.

    Attributes:
        control: The congestion control of both.
        options: Options of the daemon.
    """

    control: str
    options: tuple[str, ...] = ()


CELLS = (
    Cell("reno"),
    Cell("airloom_reno"),
    Cell("airloom_reno", ("--floor", "4")),
    Cell("cubic"),
    Cell("airloom_cubic"),
)


def main() -> None:
    """Has the machine carry every cell, and writes what came of it."""
    air.build()
    daemon = built()
    kernels, cells = [], []
    for cell in CELLS:
        kernel, found = carried(cell, daemon)
        kernels.append(kernel)
        cells.append(found)
    MEASURED.write_text(json.dumps({"kernel": kernels[0], "cells": cells}, indent=1) + "\n", encoding="utf-8")


def built() -> Path:
    """The daemon, as its package has it."""
    package = subprocess.run(
        [machine.ROOT / "packaging" / "build.sh", "airloom-rate"], check=True, capture_output=True, text=True
    )
    return Path(package.stdout.strip()).with_name("airloom-rate")


def carried(cell: Cell, daemon: Path) -> tuple[str, dict[str, Any]]:
    """The kernel's version, and what it made of a cell."""
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder), cell, daemon)
        run = air.carried(Path(folder), CLOCK | {"seed": "1", "trace": "yes"})
    before, after, took = reaction(run.said)
    return run.kernel, {
        "control": cell.control,
        "options": list(cell.options),
        "kbps": [round(8e-3 * flow["bytes"] / END_S, 1) for flow in run.flows],
        "retransmissions": [flow["retransmissions"] for flow in run.flows],
        "window_before": before,
        "window_after": after,
        "took_ms": took,
        "timing": run.timing["verdict"],
    }


def lay(files: Path, cell: Cell, daemon: Path) -> None:
    """Lays the files of a cell into a folder."""
    (files / "rate").mkdir()
    shutil.copy(daemon, files / "rate")
    linked = subprocess.run(["ldd", daemon], check=True, capture_output=True, text=True).stdout
    for library in re.findall(r"(/\S+) \(", linked):
        shutil.copy(library, files / "rate" / ("loader" if "/ld-linux" in library else Path(library).name))
    flows = [f"flow {host} server {HOSTS['server']} {cell.control} {START_S}" for host in ("S1", "S2")]
    lines = [*(f"host {name}" for name in HOSTS), *flows, f"seconds {END_S:.0f}"]
    first = (air.SOURCES / "init").read_text(encoding="utf-8")
    if first.count(MARK) != 1:
        raise ValueError(f"{air.SOURCES / 'init'}: there is no one {MARK!r}")
    before = f"options='{' '.join(cell.options)}'\n{BEFORE.read_text(encoding='utf-8')}"
    for name, text in {
        "init": first.replace(MARK, before + MARK),
        "scenario.toml": SCENARIO.read_text(encoding="utf-8"),
        "settings": "flow=[]\n",
        "addresses": "".join(f"{name} {address}\n" for name, address in HOSTS.items()),
        "cell": "".join(f"{line}\n" for line in lines),
    }.items():
        (files / name).write_text(text, encoding="utf-8")
    (files / "init").chmod(0o755)


def reaction(said: list[str]) -> tuple[int, int, int | None]:
    """The first sender's window before the fall and 1 s after it, and in how many ms it was below half, if it was."""
    words = [line.split() for line in said if line.startswith("trace 0 ")]
    windows = [(float(at), int(window)) for _, _, at, window, *_ in words]
    before = [window for at, window in windows if at <= FALL_S][-1]
    after = next(window for at, window in windows if at > FALL_S + 1)
    low = next((at for at, window in windows if FALL_S < at < FALL_S + 1 and window < before / 2), None)
    return before, after, None if low is None else round(1e3 * (low - FALL_S))


if __name__ == "__main__":
    main()
