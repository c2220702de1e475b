"""Networks that ns-3 made: what a fit says of them, whose model lacks what is there.

Each is the home of `hidden_worlds.py`, made by `foreign/home.cc` with ns-3 3.37 (Debian: libns3-dev and g++). In two
nothing is planted, in the others something that the model lacks. `python tests/foreign_worlds.py [FOLDER] [NAME...]`
fits all, or those that are named, and prints what docs/fit.md says; a folder that has a part goes on from there.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom.batch.executor import Threads
from airloom.fitting import folder, problem_file
from airloom.fitting.words import sentences
from foreign.__main__ import compiled
from hidden_worlds import ERROR, MEASURED, SCENARIO, UNKNOWN, entry, say, table, written

if TYPE_CHECKING:
    from airloom.fitting.problem import Problem

SOURCE = "home.cc"
"""The program of these worlds, in the folder `foreign`."""

EXPONENT = 3.5
"""Of the path loss, which is known."""

DISCREPANCIES = ("5 %", "20 %")
"""How far a true world may be off: as in docs/fit.md, and by how much ns-3 is at a rate that both have."""

IDEAL = "--manager=ns3::IdealWifiManager"
"""What comes nearest to the model's Minstrel. ns-3's own sends whole A-MPDUs at the slow rates that it tries."""

SHORT = 300
"""The end of a prior that a long queue lies beyond, in packets."""


@dataclass(frozen=True)
class World:
    """A network.

    Attributes:
        name: What it is called.
        planted: What is there and not in the model.
        truth: Metres of both laptops, the delay in ms, the limit in packets.
        more: Arguments of the program besides.
        most: The end of the limit's prior.
    """

    name: str
    planted: str
    truth: tuple[float, float, float, float]
    more: tuple[str, ...] = (IDEAL,)
    most: float = field(default=UNKNOWN["limit"][2])


NAMES = ("near", "far", "delay", "limit")

WORLDS = (
    World("plain", "nothing", (4, 11, 8, 200)),
    World("plain-far", "nothing", (9, 15, 25, 120)),
    World("neighbour", "a network that sends 30 Mbit/s", (5, 12, 10, 300), (IDEAL, "--neighbour=30")),
    World("neighbour-all", "a network that sends all it can", (7, 10, 15, 150), (IDEAL, "--neighbour=300")),
    World(
        "neighbour-hidden",
        "a network that only the far laptop hears",
        (3, 13, 20, 250),
        (IDEAL, "--neighbour=30", "--hidden=1", "--away=22"),
    ),
    World("minstrel", "ns-3's Minstrel", (4, 12, 12, 250), ()),
    World("constant", "MCS 4 alone", (5, 8, 10, 200), ("--mode=HtMcs4",)),
    World("thompson", "Thompson sampling", (6, 11, 18, 160), ("--manager=ns3::ThompsonSamplingWifiManager",)),
    World("queue", "a queue of 1500 packets, at most 300 thought", (5, 11, 10, 1500), most=SHORT),
    World("queue-far", "a queue of 1500 packets, at most 300 thought", (8, 13, 30, 1500), most=SHORT),
)


def measured(world: World, program: Path, place: Path) -> dict[tuple[str, str], float]:
    """What ns-3 says of a world, by whose it is and the metric; kept in a file."""
    kept = place / "measured.txt"
    if not kept.exists():
        place.mkdir(parents=True, exist_ok=True)
        truth = [f"--{name}={value:g}" for name, value in zip(NAMES, world.truth, strict=True)]
        made = subprocess.run([program, *truth, *world.more], check=True, capture_output=True, text=True)
        kept.write_text(made.stdout)
    lines = (line.split() for line in kept.read_text().splitlines())
    return {(of, metric): float(value) for of, metric, value in lines}


def asked(world: World, values: dict[tuple[str, str], float], discrepancy: str, place: Path) -> Problem:
    """The problem of a world, whose numbers are read as those of hidden worlds are."""
    draw = random.Random(world.name)  # noqa: S311 - the same readings for everybody
    home = SCENARIO.replace('width = "40 MHz"\n', f'width = "40 MHz"\npath_loss = {{ exponent = {EXPONENT} }}\n')
    place.mkdir(exist_ok=True)
    (place / "home.toml").write_text(home)
    tables = [table(name).replace(f'"{UNKNOWN["limit"][2]} packets"', f'"{world.most} packets"') for name in NAMES]
    entries = []
    for of, metric, least in MEASURED:
        value = values[of, metric]
        error = max(least, ERROR * abs(value))
        read = entry(of, metric, value + draw.gauss(0.0, error), error)
        entries.append(f'{read}discrepancy = "{discrepancy}"\n')
    return problem_file.read(written(place, tables, entries))


def fitted(world: World, program: Path, discrepancy: str, place: Path) -> dict[str, Any]:
    """What a fit says of a world."""
    values = measured(world, program, place)
    problem = asked(world, values, discrepancy, place / discrepancy.replace(" %", ""))
    return folder.run(problem, problem.file.parent / "out", Threads(), lambda *_: None, lambda *_: None)


def told(world: World, discrepancy: str, said: dict[str, Any]) -> str:
    """Which truths lie within, and what the fit says, in a few lines."""
    lines = [f"{world.name}, {discrepancy}: {world.planted}"]
    for one, truth in zip(said["parameters"], world.truth, strict=True):
        if one["low"] is not None:
            held = "within" if one["low"] <= truth <= one["high"] else "not within"
            lines.append(f"{one['name']} {truth:g} {held} {one['low']:.3g} to {one['high']:.3g}")
    return "\n    ".join([*lines, *sentences(said)])


def main(place: Path, names: list[str]) -> None:
    """Fits the worlds, and says of each what came of it."""
    place.mkdir(parents=True, exist_ok=True)
    program = compiled(place, SOURCE)
    for world in WORLDS:
        if not names or world.name in names:
            for discrepancy in DISCREPANCIES:
                began = time.monotonic()
                say(told(world, discrepancy, fitted(world, program, discrepancy, place / world.name)))
                say(f"    ({time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]) if given else Path(tempfile.mkdtemp(prefix="foreign-worlds-")), given[1:])
