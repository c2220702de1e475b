"""What the daemons did on each walk, as it is kept in a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .reading import PHASES, frames, way
from .walks import CHANNELS, WALKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .reading import Frame

TABLE = Path(__file__).resolve().parent / "daemons.txt"
HEAD = ("daemon", "walk", "scans", *(phase.replace(" ", "_") for phase in PHASES), "frames")
DAEMONS = {
    "wpa_supplicant": ("wpa_supplicant", False),
    "iwd": ("iwd", False),
    "wpa_supplicant-ft": ("wpa_supplicant", True),
}
"""Who decides, and whether between access points of a domain of fast transitions."""
STATION = "02:00:00:00:00:00"
"""The first simulated radio of Linux."""
HOME_MHZ = 5000 + 5 * CHANNELS[0]


@dataclass(frozen=True)
class Done:
    """What a station did on a walk."""

    daemon: str
    walk: int
    """The walk's place, from 1 on."""
    scans: tuple[str, ...]
    """The second in which each scan began, and the levels of the two access points then: it went after the last."""
    phases: tuple[float, ...]
    """In ms; see `PHASES`."""
    frames: str
    """From the last scan to the first data."""


def done(daemon: str, walk: int, began: float, seen: Sequence[Frame]) -> Done:
    """What a station did on a walk that began at this time."""
    way_there = way([one for one in seen if one.at >= began], HOME_MHZ)
    if way_there is None:
        message = f"{daemon}, walk {walk}: it did not go to the other access point"
        raise ValueError(message)
    levels = WALKS[walk - 1].levels()
    scans = []
    for at in way_there.scans:
        second = int(at - began)
        scans.append(f"{second}:{levels[second][0]}/{levels[second][1]}")
    return Done(daemon, walk, tuple(scans), way_there.phases, way_there.frames)


def of_machine(folder: Path) -> list[Done]:
    """All walks that the emulated machine captured."""
    all_done = []
    for daemon in DAEMONS:
        seen = frames(folder / f"{daemon}.pcap", STATION)
        marks = [float(line) for line in (folder / f"{daemon}.began").read_text().split()]
        for walk, (began, walked) in enumerate(zip(marks, WALKS, strict=True), 1):
            until = began + len(walked.places())
            all_done.append(done(daemon, walk, began, [one for one in seen if one.at < until]))
    return all_done


def written(made_by: str, rows: Sequence[Done]) -> str:
    """The table."""
    lines = [f"# {made_by}", "\t".join(HEAD)]
    for row in rows:
        times = [f"{ms:.2f}" for ms in row.phases]
        lines.append("\t".join([row.daemon, str(row.walk), " ".join(row.scans), *times, row.frames]))
    return "\n".join(lines) + "\n"


def read() -> list[Done]:
    """The table that is kept."""
    rows = []
    for line in TABLE.read_text(encoding="utf-8").splitlines()[2:]:
        daemon, walk, scans, *times, told = line.split("\t")
        rows.append(Done(daemon, int(walk), tuple(scans.split(" ")), tuple(float(ms) for ms in times), told))
    return rows
