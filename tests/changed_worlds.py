"""Worlds in pairs, those of docs/against.md: of some nothing differs but the seed, of others one thing."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from airloom import _engine
from airloom.diagnosis.against.told import Comparison, against

BASE = """
title = "An upload"
duration = "{duration}"

[air]
standard = "802.11n"
band = "5 GHz"
width = "20 MHz"

[[ap]]
name = "ap"
adapter = "ath9k"
queue = {{ discipline = "mac80211" }}

[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "ath9k"
distance = "4 m"
rate = "minstrel"

[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "5 ms" }}

[[flow]]
name = "upload"
from = "laptop"
to = "server"
tcp = {{ congestion = "cubic" }}
"""

Settings = dict[str, str]

DOWN: Settings = {"flow.upload.from": "server", "flow.upload.to": "laptop"}
FAR: Settings = {"station.laptop.distance": "30 m"}
# Of longer outages nothing of a PPDU comes, and no retry that tells them from what varies anyway.
DISTURBED: Settings = {"air.outages": '{ between = "20 ms", lasting = "3 ms", depth = "50 dB" }'}
SLOW: Settings = {**DOWN, "station.laptop.rate": "MCS 3", "server.server.link.delay": "20 ms"}
SCANS: Settings = {"station.laptop.scan": '{ by = "networkmanager-0.9.8", channels = 13, first = "1 s" }'}
HELD: Settings = {
    "station.laptop.scan": '{ by = "networkmanager-0.9.8", channels = 13, first = "1 s", remedy = "skip-if-moved" }'
}


@dataclass(frozen=True)
class Pair:
    """Two worlds.

    Attributes:
        name: What differs.
        before: What the earlier one has over the base.
        after: What the later one has.
        names: The measure that names what differs; none where nothing does.
        times: Captures of each side, with a seed each.
    """

    name: str
    before: Settings
    after: Settings
    names: str | None = None
    times: int = 3


PAIRS = (
    Pair("nothing: an upload", {}, {}),
    Pair("nothing: one capture a side", {}, {}, times=1),
    Pair("nothing: a download", DOWN, DOWN),
    Pair("nothing: a download, one capture a side", DOWN, DOWN, times=1),
    Pair("nothing: 30 m away", FAR, FAR),
    Pair("nothing: 30 m away, one capture a side", FAR, FAR, times=1),
    Pair("nothing: disturbed", DISTURBED, DISTURBED),
    Pair("nothing: disturbed, one capture a side", DISTURBED, DISTURBED, times=1),
    Pair("nothing: scans", SCANS, SCANS),
    Pair("nothing: a slow download", SLOW, SLOW),
    Pair("scans are held off", SCANS, HELD, "absences"),
    Pair("30 m away rather than 4", {}, FAR, "signal"),
    Pair("the same, one capture a side", {}, FAR, "signal", times=1),
    Pair("MCS 3 rather than 7", {"station.laptop.rate": "MCS 7"}, {"station.laptop.rate": "MCS 3"}, "rate"),
    Pair("A-MPDUs of 4 rather than 32", {}, {"station.laptop.adapter.ampdu_frames": "4"}, "aggregation"),
    Pair("A-MPDUs of 16 rather than 32", {}, {"station.laptop.adapter.ampdu_frames": "16"}, "aggregation"),
    Pair(
        "mac80211's queues rather than a FIFO of 1000 packets",
        {**SLOW, "ap.ap.queue": '{ discipline = "fifo", limit = "1000 packets" }'},
        SLOW,
        "round trip (median)",
    ),
    Pair("interference", {}, DISTURBED, "retries"),
    Pair("1 % loss on the wire", {}, {"server.server.link.loss": "0.01"}, "retransmissions"),
    Pair("a server 25 ms away rather than 5", {}, {"server.server.link.delay": "25 ms"}, "round trip (median)"),
)
"""Ten pairs of which nothing differs, and ten that differ in one thing."""


def captured(settings: Settings, seed: int, out: Path, duration: str = "12 s") -> Path:
    """The folder of a run with its captures."""
    text = BASE.format(duration=duration)
    _engine.run(text, "base.toml", list(settings.items()), seed, out, capture=(0, 0, 2**63 - 1))
    return out


def compared(pair: Pair, folder: Path, seed: int = 1) -> Comparison:
    """What is said of a pair, whose captures are removed again."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        sides = [
            [
                captured(settings, seed + side * pair.times + time, Path(made) / f"{side}{time}")
                for time in range(pair.times)
            ]
            for side, settings in enumerate((pair.before, pair.after))
        ]
        return against(sides[0], sides[1])
