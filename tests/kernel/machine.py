"""A kernel carries a cell: in an emulated machine whose clock counts its instructions, and jumps while it idles.

How busy this machine is shows in no number: the same kernel gives the same ones, to the last digit.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .cells import APART, LATE_MS, ON_THE_WIRE, PACKET, STARTS_MS
from .numbers import Numbers

if TYPE_CHECKING:
    from .cells import Cell

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "testbed", "kernel").resolve()
NEEDS = ("qemu-system-x86_64", "mmdebstrap", "cpio", "modprobe", "xz", "cc")
"""Programs that building and running it take."""
ETHERNET_HEADER = 14
PATIENCE_S, LOOK_S = 1800.0, 0.2
MACHINE = """-accel tcg -cpu max -smp 1 -m 256 -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm -seed 1
    -nodefaults -no-user-config -display none -no-reboot -nic none"""
BOOT = "console=ttyS0 panic=-1 quiet nokaslr mitigations=off init_on_alloc=0 rodata=off ipv6.disable=1"
"""Nothing that is drawn anew at each boot, nothing that takes time for safety's sake."""


def build() -> None:
    """Builds the machine's system, unless it is there."""
    subprocess.run([ROOT / "testbed" / "kernel" / "system.sh", SYSTEM], check=True)


def words(cell: Cell) -> dict[str, str]:
    """A cell as the machine's first program reads it."""
    # A token bucket that holds one packet lets each go as soon as a wire would begin to send it: the time that sending
    # takes is part of the way back, and the packet being sent is no part of the queue.
    sending_ms = (PACKET + ON_THE_WIRE) * 8e-3 / cell.mbps
    return {
        "control": cell.control,
        "flows": str(cell.flows),
        "apart": str(APART),
        "seconds": str(cell.seconds),
        "phases": ",".join(f"{start * 1e-3:.4f}" for start in STARTS_MS),
        "rate": f"{cell.mbps}mbit",
        "limit": str((cell.packets - 1) * (PACKET + ETHERNET_HEADER)),
        "delay": f"{cell.rtt_ms + sending_ms:.4f}ms",
        "fq_codel": ("ecn" if cell.ecn else "noecn") if cell.fq_codel else "",
        "impaired": impaired(cell),
        "sack": str(int(cell.sack)),
        "ecn": str(int(cell.ecn)),
        "offload": "yes" if cell.offload else "",
    }


def impaired(cell: Cell) -> str:
    """What happens on the way to the bottleneck, in netem's words."""
    if cell.late:
        return f"delay,{LATE_MS}ms,reorder,99%"
    return "loss,1%" if cell.loss else ""


def say(cell: Cell, *, trace: bool = False) -> str:
    """Has the machine carry a cell: what it says."""
    return run(words(cell) | ({"trace": "yes"} if trace else {}), SYSTEM / "initrd.cpio")


def run(given: dict[str, str], files: Path, *, only_first: bool = False) -> str:
    """Boots the machine, and switches it off early on demand: what it says.

    Args:
        given: Words for its first program.
        files: An archive of the files that it unpacks into memory.
        only_first: The machine is switched off after the first run. Words for fewer runs would move its clock.
    """
    boot = " ".join([BOOT, *(f"{key}={value}" for key, value in given.items() if value)])
    with tempfile.TemporaryDirectory() as folder:
        console, said = Path(folder, "console"), Path(folder, "said")
        command = [
            "nice",
            "qemu-system-x86_64",
            *MACHINE.split(),
            "-serial",
            f"file:{console}",
            "-serial",
            f"file:{said}",
        ]
        command += ["-kernel", str(SYSTEM / "vmlinuz"), "-initrd", str(files), "-append", boot]
        text = until_off(command, said, only_first=only_first)
        if "FAIL" in text or "\n[" not in text:
            raise RuntimeError(f"{given}: {text}\n{console.read_text(encoding='utf-8', errors='replace')}")
        return text


def until_off(command: list[str], said: Path, *, only_first: bool) -> str:
    """What the machine says until it switches itself off, or is switched off after its first line of numbers."""
    end = time.monotonic() + PATIENCE_S
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            while process.poll() is None and time.monotonic() < end:
                if only_first and "]" in said_by(said):
                    return said_by(said)
                time.sleep(LOOK_S)
        finally:
            process.kill()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return said_by(said)


def said_by(file: Path) -> str:
    """What a serial line has written so far."""
    return file.read_text(encoding="utf-8").replace("\r", "") if file.exists() else ""


def measure(cell: Cell) -> tuple[str, list[Numbers]]:
    """The kernel's version, and its numbers of a cell for each time at which it began."""
    said = say(cell)
    runs = numbers(cell, said)
    if len(runs) != len(STARTS_MS):
        raise RuntimeError(f"{cell.name}: {said}")
    return said.splitlines()[0].removeprefix("kernel "), runs


def first(cell: Cell) -> Numbers:
    """The numbers of the first time at which a cell begins, in a quarter of the time."""
    (found,) = numbers(cell, run(words(cell), SYSTEM / "initrd.cpio", only_first=True))
    return found


def numbers(cell: Cell, said: str) -> list[Numbers]:
    """The numbers of each run of a cell that the machine has said."""
    return [Numbers.of(json.loads(line), cell.seconds) for line in said.splitlines() if line.startswith("[")]
