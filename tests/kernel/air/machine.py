"""A kernel carries a cell over simulated air, in the emulated machine whose clock counts instructions.

World, hosts and kernel share its one processor. How late the world was is measured all the same, and kept with each
run.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom import _engine
from airloom.scenario.given import overriding
from kernel import machine, measured

if TYPE_CHECKING:
    from .cells import Cell

SOURCES = machine.ROOT / "testbed" / "air"
SYSTEM = machine.SYSTEM.with_name("air")
FILES = SYSTEM / "initrd.cpio"
OVER = SYSTEM / "air.cpio"


@dataclass(frozen=True)
class Run:
    """What the machine says of a run."""

    kernel: str
    """Its version."""
    flows: list[dict[str, Any]]
    """`bytes`, `cwnd`, `srtt_ms` and `retransmissions` of each."""
    timing: dict[str, Any]
    """How late packets were handed out (`crates/engine/emulate/src/lateness.rs`)."""
    summary: dict[str, Any]
    """The world's own, with the flows that it simulated."""
    said: list[str]
    """All of it."""


def build() -> str:
    """Builds the machine's system and what lies over it: which world that is."""
    machine.build()
    environment = os.environ | {"CARGO_TARGET_DIR": str(machine.SYSTEM.parents[1])}
    subprocess.run([SOURCES / "archive.sh", machine.SYSTEM, SYSTEM], check=True, env=environment)
    over = OVER.read_bytes()
    FILES.write_bytes((machine.SYSTEM / "initrd.cpio").read_bytes() + over)
    return measured.digest(over)


def clock(cell: Cell) -> dict[str, str]:
    """How the kernel is told that its clock ticks several times for an instruction.

    That is as much as to say that its processor is as many times as fast. The machine's timers are not, and fire early,
    whereupon the kernel sets them again.
    """
    return {"tsc_early_khz": f"{cell.ticks}000000", "tsc": "reliable"}


def files(cell: Cell) -> dict[str, str]:
    """What the machine reads of a cell."""
    settings = overriding(cell.set(simulated=False))
    hosts = _engine.hosts(cell.text, cell.file, settings, None)
    address = dict(hosts)
    flows = [
        f"flow {flow.source} {flow.to} {address[flow.to]} {flow.control} {start:.4f}"
        for flow, start in zip(cell.flows, cell.starts(), strict=True)
    ]
    lines = [*(f"host {name}" for name, _ in hosts), *flows, f"seconds {cell.seconds}"]
    return {
        "scenario.toml": cell.text,
        "settings": "".join(f"{key}={value}\n" for key, value in settings),
        "addresses": "".join(f"{name} {address}\n" for name, address in hosts),
        "cell": "".join(f"{line}\n" for line in lines),
    }


def run(cell: Cell, seed: int, *, trace: bool = False) -> Run:
    """Has the machine carry a cell; `build` comes first."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files(cell).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        return carried(Path(folder), clock(cell) | {"seed": str(seed), "trace": "yes" if trace else ""})


def carried(folder: Path, words: dict[str, str]) -> Run:
    """Boots the machine with the files of a folder over its own, and with words for its first program."""
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place, "initrd.cpio")
        whole.write_bytes(FILES.read_bytes() + archive(folder))
        said = machine.run(words, whole).splitlines()
    of = {line.partition(" ")[0]: line.partition(" ")[2] for line in said}
    flows = next(line for line in said if line.startswith("["))
    timing, summary = json.loads(of["timing"]), json.loads(of["summary"])
    return Run(of["kernel"], json.loads(flows), timing, summary, said)


def archive(folder: Path) -> bytes:
    """An archive of a folder's files as the kernel unpacks it."""
    names = sorted(folder.rglob("*"))
    for name in names:
        os.utime(name, (0, 0))
    command = ["cpio", "--null", "--create", "--format=newc", "--reproducible", "--quiet", "--owner=0:0"]
    listed = "\0".join(str(name.relative_to(folder)) for name in names) + "\0"
    return subprocess.run(command, input=listed.encode(), cwd=folder, capture_output=True, check=True).stdout
