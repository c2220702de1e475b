"""`python -m foreign [WORLD...]`: has ns-3 3.37 make the captures of this folder anew (Debian: libns3-dev and g++)."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

from .worlds import HERE, WORLDS, World, table

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


def compiled(folder: Path) -> Path:
    """Builds the program and returns its path."""
    program = folder / "ns3"
    libraries = [f"-lns3-{library}" for library in LIBRARIES]
    command = ["g++", "-std=c++17", "-O1", str(HERE / "ns3.cc"), "-o", str(program), *libraries]
    subprocess.run(command, check=True)
    return program


def make(program: Path, world: World, folder: Path) -> None:
    """Runs a world and keeps its captures."""
    subprocess.run([program, world.name, folder, f"--octets={OCTETS}"], check=True, stdout=subprocess.DEVNULL)
    for place in ("air", world.at):
        if place:
            octets = (folder / f"{world.name}.{place}.pcap").read_bytes()
            world.capture(place).write_bytes(gzip.compress(octets, 9, mtime=0))


def main() -> None:
    """Makes the captures of all worlds, or of those that are named, and prints the table."""
    with tempfile.TemporaryDirectory() as name:
        program = compiled(Path(name))
        for world in WORLDS:
            if len(sys.argv) == 1 or world.name in sys.argv[1:]:
                make(program, world, Path(name))
    sys.stdout.write(table())


if __name__ == "__main__":
    main()
