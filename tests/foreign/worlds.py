"""What ns3.cc puts into each of its worlds, and what has to be found in the captures of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

CARRIED = HERE / "carried.txt"
"""A world in a line: its name, Mbit/s of each flow, and the median round trip."""

HOSTS_ALONE = {"W108", "W306"}
"""The rules that say nothing beside a monitor's capture, where that shows the cause."""


@dataclass(frozen=True)
class World:
    """A world that others simulate and its captures: the monitor's, and of a host if it has TCP."""

    name: str
    planted: str
    air: tuple[str, ...] = ()
    """Codes that the monitor's capture is enough for."""
    host: tuple[str, ...] = ()
    """Codes that the host's capture is enough for."""
    wrong: tuple[str, ...] = ()
    """Codes that the monitor's capture alone gives, and that are not so."""
    missed: tuple[str, ...] = ()
    """Codes that say what is wrong, and are found in none of the captures."""
    at: str | None = "server"
    """The host that captures."""
    folder: Path = HERE
    """Where the captures are kept."""
    without: str = ""
    """The same world without what is wrong in it, if it uses all of the air: it is run, its captures are not kept."""

    @property
    def first(self) -> set[str]:
        """Codes of which one has to come first: not of what follows from it."""
        return {"W202"} if "W202" in self.air else {*(self.air or self.host)} - {"W301" if len(self.air) > 1 else ""}

    def capture(self, place: str) -> Path:
        """The file of a capture: of `air` or of a host."""
        return self.folder / f"{self.name}.{place}.pcap.gz"

    def captures(self) -> dict[tuple[Path, ...], set[str]]:
        """What has to be found in each capture, and in both."""
        found: dict[tuple[Path, ...], set[str]] = {(self.capture("air"),): {*self.air, *self.wrong}}
        if self.at:
            found[self.capture(self.at),] = set(self.host)
            found[self.capture("air"), self.capture(self.at)] = {*self.air, *self.host} - HOSTS_ALONE
        return found


SLOW = ("W105", "W201", "W202")
"""What a slow station among fast ones is."""

WORLDS = (
    World("sound", "nothing: TCP at 24 Mbit/s, 802.11a"),
    World("sound-n", "nothing: TCP at MCS 7, 802.11n with A-MPDUs", at=None),
    World("sound-ac", "nothing: TCP at MCS 8, 802.11ac", at=None),
    World("sound-ax", "nothing: an upload by TCP at MCS 9, 802.11ax", at=None),
    World("far-monitor", "a monitor that does not hear a quarter of the frames", air=("W001",), at=None),
    World("away", "a station out of reach for 1.5 s", air=("W103",), at=None),
    World("slow", "12 Mbit/s with 40 dB", air=("W104",), at=None, without="queue-wire-not"),
    World("weak", "13 dB of signal above the noise at MCS 3", air=("W105",), at=None),
    World("too-fast", "MCS 7 with 19 dB", air=("W105", "W302"), at=None),
    World("hidden", "two uploads that do not hear each other", air=("W106",), at=None),
    World("jammed", "a station that hears nothing for 40 ms in each 400 ms", air=("W107",), at=None),
    World("contention", "five uploads that hear each other", air=("W201",), at=None),
    World(
        "anomaly",
        "a station at 6 Mbit/s with 12 dB beside one at 54",
        air=("W104", "W201", "W202"),
        at=None,
        without="anomaly-not",
    ),
    World("overhead", "RTS and CTS before datagrams of 200 octets", air=("W203",), at=None, without="overhead-not"),
    World("queue", "a FIFO of 1000 packets in front of 12 Mbit/s", air=("W301",), host=("W301",)),
    World("queue-up", "the same at the station that sends", air=("W301",), host=("W301",), at="station"),
    World("alone", "802.11n without A-MPDUs", air=("W304",)),
    World("receiver", "a receive buffer of 16 KiB, 40 ms away", air=("W401",), host=("W401",), at="station"),
    World("program", "a program that sends for 10 ms in each 100 ms", host=("W402",)),
    World("stream", "a program that sends 4 Mbit/s in full segments, evenly", missed=("W402",)),
    World("wire-loss", "2 % loss on the wire, 40 ms away", air=("W403",), host=("W306",)),
    World(
        "wire-rate",
        "5 Mbit/s on the wire, behind a queue of 100 packets",
        air=("W301", "W403"),
        host=("W301",),
        without="queue-wire-not",
    ),
    World("held", "a send buffer of one segment, acknowledgments after 200 ms", host=("W404",)),
    World("held-up", "the same, captured where it is received", host=("W404",)),
    World("crowd", "ten uploads by TCP", air=("W201",), host=("W301",), without="crowd-alone"),
    World("crowd-n", "eight uploads by TCP, 802.11n with A-MPDUs", air=("W201",), without="crowd-n-alone"),
    World("one-slow", "a station at 6 Mbit/s among four at 54", air=SLOW, at=None, without="one-slow-not"),
    World("one-slow-of-three", "one at 9 Mbit/s among two at 54", air=SLOW, at=None, without="one-slow-of-three-not"),
    World("sends-little", "a send buffer of 16 KiB, 40 ms away", air=("W405",), host=("W405",), without="large-up-20"),
    World(
        "sends-little-down",
        "a send buffer of 24 KiB at the server, 30 ms away",
        air=("W405",),
        host=("W405",),
        without="large-down-15",
    ),
    World(
        "takes-little", "a receive buffer of 20 KiB, 30 ms away", air=("W401",), host=("W401",), without="large-up-15"
    ),
    World("takes-little-down", "one of 24 KiB at the station", air=("W401",), host=("W401",), without="large-down-15"),
    World(
        "queue-deep",
        "a FIFO of 400 packets in front of 12 Mbit/s",
        air=("W301",),
        host=("W301",),
        without="queue-short",
    ),
    World(
        "queue-deep-up",
        "the same at the station that sends",
        air=("W301",),
        host=("W301",),
        without="queue-short-up",
    ),
    World(
        "queue-wire",
        "3 Mbit/s on the wire, behind a queue of 150 packets",
        air=("W301", "W403"),
        host=("W301",),
        without="queue-wire-not",
    ),
    World("crowd-calls", "nothing: ten calls, 802.11a"),
    World("far-sound", "nothing: an upload by TCP, 40 ms away"),
    World("far-sound-down", "nothing: a download by TCP, 30 ms away"),
)


@dataclass(frozen=True)
class Carried:
    """What the flows of a world carried in Mbit/s, and the median round trip of its TCP in ms: as ns-3 counts."""

    mbps: list[float]
    rtt_ms: float


def carried() -> dict[str, Carried]:
    """The same of every world that has another without what is wrong in it, and of those."""
    lines = [line.split() for line in CARRIED.read_text(encoding="utf-8").splitlines()]
    return {name: Carried(list(map(float, mbps)), float(rtt)) for name, *mbps, rtt in lines}


def table(worlds: tuple[World, ...] = WORLDS) -> str:
    """The worlds as a table in Markdown."""

    def told(codes: tuple[str, ...]) -> str:
        return ", ".join(codes) or "nothing"

    lines = ["| planted | found by the monitor | found by a host | missed | wrong |", "| --- | --- | --- | --- | --- |"]
    for world in worlds:
        host = f"{told(world.host)} ({world.at})" if world.at else "-"
        lines.append(
            f"| {world.planted} | {told(world.air)} | {host} | {', '.join(world.missed)} | {', '.join(world.wrong)} |"
        )
    return "\n".join(lines) + "\n"
