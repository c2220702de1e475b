"""How long the receiver of a TCP connection waits for data as the station goes to the other access point."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .kept import DAEMONS, HOME_MHZ, STATION
from .reading import frames
from .walks import STREAMS

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE = Path(__file__).resolve().parent / "streams.txt"
HEAD = ("daemon", "way", "walk", "went_s", "waited_ms", "otherwise_ms")
FIRST = 8
"""The first of the walks."""
AFTER_S = 1.0
"""What begins so long after the first frame to the other access point has another cause, in seconds."""


@dataclass(frozen=True)
class Stream:
    """A connection over a walk."""

    daemon: str
    way: str
    """Whether the station receives, "down", or sends, "up"."""
    walk: int
    """The walk's place, from 1 on."""
    went: float
    """When the station sent its first frame to the other access point, in seconds from the beginning of the walk."""
    waited: float
    """How long the receiver waited for data, at most, as the station went, in ms."""
    otherwise: float
    """And otherwise, in scans; 0 if for less than 20 ms."""


def stream(key: tuple[str, str, int], began: float, asked: float, waits: Sequence[tuple[float, float]]) -> Stream:
    """A connection by its receiver's waits, on a walk that `began` and whose station `asked` the other access point."""
    here = [(since, ms) for since, ms in waits if since + ms / 1000 >= asked and since <= asked + AFTER_S]
    others = [ms for since, ms in waits if (since, ms) not in here]
    longest = max((ms for _, ms in here), default=0.0)
    return Stream(*key, asked - began, longest, max(others, default=0.0))


def of_machine(folder: Path) -> list[Stream]:
    """All connections of the emulated machine."""
    streams = []
    for daemon in DAEMONS:
        for way in STREAMS:
            name = f"{daemon}.{way}"
            seen = frames(folder / f"{name}.pcap", STATION)
            lines = [line.split() for line in (folder / f"{name}.waits").read_text().splitlines()]
            waits = [(float(since), float(ms)) for since, ms in lines]
            marks = [float(line) for line in (folder / f"{name}.began").read_text().split()]
            ends = [*marks[1:], float("inf")]
            for walk, (began, end) in enumerate(zip(marks, ends, strict=True), FIRST):
                there = (one for one in seen if began <= one.at < end and one.mhz != HOME_MHZ)
                asked = next(one.at for one in there if one.word.startswith("authentication"))
                own = [(since, ms) for since, ms in waits if began <= since < end]
                streams.append(stream((daemon, way, walk), began, asked, own))
    return streams


def written(made_by: str, rows: Sequence[Stream]) -> str:
    """The table."""
    lines = [f"# {made_by}", "\t".join(HEAD)]
    for row in rows:
        times = (f"{row.went:.2f}", f"{row.waited:.1f}", f"{row.otherwise:.1f}")
        lines.append("\t".join([row.daemon, row.way, str(row.walk), *times]))
    return "\n".join(lines) + "\n"


def read() -> list[Stream]:
    """The table that is kept."""
    rows = []
    for line in TABLE.read_text(encoding="utf-8").splitlines()[2:]:
        daemon, way, walk, *times = line.split("\t")
        rows.append(Stream(daemon, way, int(walk), *map(float, times)))
    return rows
