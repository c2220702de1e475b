"""`python -m foreign [WORLD...]`: has ns-3 3.37 make the captures of this folder anew (Debian: libns3-dev and g++)."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

from .worlds import CARRIED, HERE, WORLDS, World, table

LIBRARIES = [
    "applications",
    "core",
    "internet",
    "mobility",
    "network",
    "point-to-point",
    "propagation",
    "traffic-control",
    "wifi",
]
OCTETS = 140
"""That are kept of each packet: enough for the longest headers."""


def compiled(folder: Path, source: str = "ns3.cc") -> Path:
    """Builds a program of this folder and returns its path."""
    program = (folder / source).with_suffix("")
    libraries = [f"-lns3-{library}" for library in LIBRARIES]
    command = ["g++", "-std=c++17", "-O1", str(HERE / source), "-o", str(program), *libraries]
    subprocess.run(command, check=True)
    return program


def run(program: Path, name: str, folder: Path) -> str:
    """Runs a world; what its flows carried, in a line."""
    command = [str(program), name, str(folder), f"--octets={OCTETS}"]
    return f"{name} {subprocess.run(command, check=True, capture_output=True, text=True).stdout}"


def make(program: Path, world: World, folder: Path) -> str:
    """Runs a world and keeps its captures."""
    carried = run(program, world.name, folder)
    for place in ("air", world.at):
        if place:
            octets = (folder / f"{world.name}.{place}.pcap").read_bytes()
            world.capture(place).write_bytes(gzip.compress(octets, 9, mtime=0))
    return carried


def main() -> None:
    """Makes the captures of all worlds, or of those that are named, and prints the table."""
    with tempfile.TemporaryDirectory() as name:
        program = compiled(Path(name))
        known = CARRIED.read_text(encoding="utf-8").splitlines() if CARRIED.exists() else []
        carried = {line.split()[0]: f"{line}\n" for line in known}
        for world in WORLDS:
            if len(sys.argv) == 1 or world.name in sys.argv[1:]:
                line = make(program, world, Path(name))
                if world.without:
                    carried |= {world.name: line, world.without: run(program, world.without, Path(name))}
        CARRIED.write_text("".join(carried[name] for name in sorted(carried)), encoding="utf-8")
    sys.stdout.write(table())


if __name__ == "__main__":
    main()
