"""BBR's phases, round by round: a kernel's and ours on the same bottleneck.

The kernel's are read with each ACK in the emulated machine (`testbed/phases`), and kept in `phases.json`; ours are
those of the log of sockets. Both are folded by the same code, here. Which phase of its cycle BBR begins with is drawn
by chance, on both sides: nothing here depends on it but the time until the first probe.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import airloom

from . import machine, measured, simulated
from .cells import STARTS_MS, Cell
from .measured import OutdatedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FILE = Path(__file__).with_name("phases.json")
SOURCES = machine.ROOT / "testbed" / "phases"
SYSTEM = machine.SYSTEM.with_name("phases")
FILES = SYSTEM / "initrd.cpio"
CELLS = {cell.name: cell for cell in (Cell("bbr", 10, 40, 4.0, seconds=25.0), Cell("bbr", 50, 20, 4.0, seconds=25.0))}
"""Queues that never overflow, and time enough for two measurements of the round trip."""
START_MS = STARTS_MS[0]
GAIN = 256
"""Gains are integers in parts of this."""
NAMES = {GAIN * 2885 // 1000 + 1: "start-up", GAIN * 1000 // 2885: "drain", GAIN * 5 // 4: "up", GAIN * 3 // 4: "down"}
"""The phases by their gains of pacing (`tcp_bbr.c`); with a gain of one it is the window's that tells."""


@dataclass(frozen=True)
class Ack:
    """What BBR takes its path to be after an ACK."""

    time: float
    """Seconds from when the connection was established."""
    delivered: int
    in_flight: int
    window: int
    """All in segments."""
    mbps: float
    """The rate, of payload."""
    pacing_gain: int
    window_gain: int

    @property
    def phase(self) -> str:
        """Its name."""
        return NAMES.get(self.pacing_gain) or ("probe-rtt" if self.window_gain == GAIN else "cruise")


@dataclass(frozen=True)
class Round:
    """The end of a round of start-up."""

    time: float
    mbps: float
    window: int


@dataclass(frozen=True)
class Phase:
    """A phase that has ended."""

    name: str
    begin: float
    end: float

    @property
    def ms(self) -> float:
        """How long it was."""
        return (self.end - self.begin) * 1e3


@dataclass(frozen=True)
class Course:
    """What BBR went through."""

    rounds: list[Round]
    """Those of start-up."""
    phases: list[Phase]

    @classmethod
    def of(cls, acks: Sequence[Ack]) -> Course:
        """From all ACKs. A round is over when a segment has arrived that was sent after it began."""
        rounds, phases = [], []
        begin, before = 0.0, acks[0]
        # The handshake is delivered too, over there.
        end = before.delivered
        for ack in acks:
            if ack.phase != before.phase:
                phases.append(Phase(before.phase, begin, ack.time))
                begin, before = ack.time, ack
            if ack.delivered > end:
                end = ack.delivered + ack.in_flight
                if not phases:
                    rounds.append(Round(ack.time, ack.mbps, ack.window))
        return cls(rounds, phases)

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Course:
        """As it is kept."""
        rounds = [Round(float(time), float(mbps), int(window)) for time, mbps, window in map(str.split, kept["rounds"])]
        phases = [Phase(name, float(begin), float(end)) for name, begin, end in map(str.split, kept["phases"])]
        return cls(rounds, phases)

    @cached_property
    def figures(self) -> dict[str, float]:
        """What does not depend on the phase in which the cycle begins, in milliseconds."""
        names = [phase.name for phase in self.phases]
        first = names.index("probe-rtt")
        whole = [phase for phase in self.phases[:first] if names.index("up") <= self.phases.index(phase)]
        ups = [phase.begin for phase in whole if phase.name == "up"]
        measured = [phase for phase in self.phases if phase.name == "probe-rtt"]
        return {
            "start-up": self.phases[0].ms,
            "drain": self.phases[1].ms,
            "a cycle": fmean(b - a for a, b in pairwise(ups)) * 1e3,
            "of it more (1.25)": fmean(phase.ms for phase in whole if phase.name == "up"),
            "of it less (0.75)": fmean(phase.ms for phase in whole if phase.name == "down"),
            "of it the rest (1.0)": fmean(phase.ms for phase in whole[:-1] if phase.name == "cruise"),
            "measuring the round trip": fmean(phase.ms for phase in measured),
            "between two measurements": (measured[1].begin - measured[0].end) * 1e3,
        }


def sources() -> str:
    """What decides how a kernel is asked."""
    files = sorted(SOURCES.iterdir())
    return measured.digest(measured.sources().encode(), *(file.read_bytes() for file in files))


def build() -> dict[str, str]:
    """Builds the machine's system and what lies over it: which it is."""
    machine.build()
    subprocess.run([SOURCES / "archive.sh", SYSTEM], check=True)
    over = (SYSTEM / "phases.cpio").read_bytes()
    FILES.write_bytes((machine.SYSTEM / "initrd.cpio").read_bytes() + over)
    return measured.system() | {"over": measured.digest(over)}


def given(cell: Cell) -> dict[str, str]:
    """A cell as the machine's first program reads it: begun once."""
    return machine.words(cell) | {"phases": f"{START_MS * 1e-3:.4f}"}


def measure(cell: Cell) -> Course:
    """The kernel's course of a cell; `build` comes first."""
    told = [line.split()[1:] for line in machine.run(given(cell), FILES).splitlines() if line.startswith("ack ")]
    rows = [[int(word) for word in row] for row in told]
    return Course.of(
        [
            Ack((us - rows[0][0]) * 1e-6, delivered, in_flight, window, rate * 8e-6, pacing, gain)
            for us, delivered, in_flight, window, rate, _, pacing, gain in rows
        ]
    )


def simulate(cell: Cell) -> Course:
    """Ours."""
    text, settings = simulated.scenario(cell, START_MS)
    rows = airloom.run(text, set=settings, seed=1, capture=True).sockets.to_pylist()
    return Course.of(list(_acks(rows)))


def _acks(rows: Iterable[dict[str, Any]]) -> Iterable[Ack]:
    """Each ACK once: rows are of all changes of the window."""
    begun = before = None
    for row in rows:
        if row["delivered"] == before:
            continue
        before = row["delivered"]
        begun = row["time"] if begun is None else begun
        yield Ack(
            time=row["time"] - begun,
            delivered=round(row["delivered"]),
            in_flight=round(row["in_flight"]),
            window=round(row["cwnd"]),
            mbps=row["path_mbps"],
            pacing_gain=round(row["pacing_gain"] * GAIN),
            window_gain=round(row["window_gain"] * GAIN),
        )


def entry(cell: Cell, course: Course) -> dict[str, Any]:
    """A cell in the file."""
    return {
        "given": given(cell),
        "rounds": [f"{one.time:.4f} {one.mbps:.3f} {one.window}" for one in course.rounds],
        "phases": [f"{one.name} {one.begin:.4f} {one.end:.4f}" for one in course.phases],
    }


def read() -> dict[str, Any]:
    """The file.

    Raises:
        OutdatedError: if it is not of these sources and cells.
    """
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    now = {name: given(cell) for name, cell in CELLS.items()}
    if kept["sources"] != sources() or {name: cell["given"] for name, cell in kept["cells"].items()} != now:
        raise OutdatedError(f"{FILE.name} is not of these files of testbed/kernel and testbed/phases")
    return kept


def write() -> None:
    """Measures every cell, and writes the file, unless it is of the system that is built here."""
    system = build()
    now = {"sources": sources(), "system": system}
    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if now.items() <= kept.items() and kept["cells"].keys() == CELLS.keys():
        return
    cells = {name: entry(cell, measure(cell)) for name, cell in CELLS.items()}
    text = json.dumps(now | {"cells": cells}, indent=1)
    FILE.write_text(text + "\n", encoding="utf-8")


def table() -> str:
    """Both sides as Markdown: the rounds of start-up, then the figures."""
    lines = []
    for name, kept in read()["cells"].items():
        kernel, ours = Course.read(kept), simulate(CELLS[name])
        lines += [f"| {name.removeprefix('bbr, ')} | the kernel | airloom | |", "|---|--:|--:|--:|"]
        for number, (theirs, mine) in enumerate(zip(kernel.rounds, ours.rounds, strict=True), 1):
            sides = (f"{one.time * 1e3:.0f} ms, {one.mbps:.2f} Mbit/s, window {one.window}" for one in (theirs, mine))
            lines.append(f"| round {number} of start-up ends | {' | '.join(sides)} | |")
        for figure, ms in kernel.figures.items():
            own_ms = ours.figures[figure]
            lines.append(f"| {figure} | {ms:,.1f} ms | {own_ms:,.1f} ms | {own_ms / ms - 1:+.1%} |")
        lines.append("")
    return "\n".join(lines)
