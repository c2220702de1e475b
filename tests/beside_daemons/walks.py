"""The walks: a station goes from one access point to another; the levels are those of the simulated world."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVELS = HERE / "walks.txt"
"""What the emulated machine reads."""

CHANNELS = (36, 44)
REST_S = 10
"""The station rests for so long before it goes, in seconds."""
STAYS_S = 75
"""It rests there for longer than iwd waits between two scans."""
BESIDE_M = 3.0
"""How close to an access point a walk begins and ends, in metres."""


@dataclass(frozen=True)
class Walk:
    """A walk in a line between two access points."""

    apart: float
    """Metres between the two."""
    speed: float
    """In metres per second."""

    def places(self) -> list[float]:
        """How far the station is from the first access point, second by second, in metres."""
        far = self.apart - BESIDE_M
        going = math.ceil((far - BESIDE_M) / self.speed)
        steps = [min(BESIDE_M + self.speed * second, far) for second in range(going + 1)]
        return [BESIDE_M] * REST_S + steps + [far] * STAYS_S

    def levels(self) -> list[tuple[int, int]]:
        """What the station receives of the two, in dBm."""
        return [(received(place, CHANNELS[0]), received(self.apart - place, CHANNELS[1])) for place in self.places()]


WALKS = tuple(Walk(apart, speed) for apart in (50.0, 75.0) for speed in (0.5, 0.8, 1.2, 2.0, 3.0))


def received(metres: float, channel: int) -> int:
    """The level in whole dBm at a distance: log-distance path loss, with an exponent of 3, of 17 dBm."""
    first = 20 * math.log10(4 * math.pi * (5000 + 5 * channel) * 1e6 / 299_792_458)
    return -math.floor(first - 17 + 30 * math.log10(metres) + 0.5)


def text() -> str:
    """All levels: a walk a line, of each second the two with a slash between."""
    lines = (" ".join(f"{one}/{other}" for one, other in walk.levels()) for walk in WALKS)
    return "\n".join(lines) + "\n"


SCENARIO = """
title = "A walk between two access points"
duration = "{duration} s"
air = {{ standard = "802.11a", band = "5 GHz", width = "20 MHz" }}

[[ap]]
name = "first"
ssid = "home"
channel = {channels[0]}
adapter = "edca-ac"
ft = {fast}
position = ["0 m", "0 m"]

[[ap]]
name = "second"
ssid = "home"
channel = {channels[1]}
adapter = "edca-ac"
ft = {fast}
position = ["{apart} m", "0 m"]

[[station]]
name = "laptop"
ap = "first"
host = "linux-6.12"
adapter = "edca-ac"
roam = "{manager}"
path = [{path}]

[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "1 Gbit/s", delay = "1 ms" }}

[[flow]]
{flow}
"""
DATAGRAMS = """name = "datagrams"
from = "laptop"
to = "server"
kind = "udp"
payload = "40 B"
rate = "6.4 kbit/s"
"""
"""Twenty a second."""
WRITES = 'write = { size = "2896 B", every = "4.2 ms" }'
STREAMS = {
    "down": f'name = "stream"\nfrom = "server"\nto = "laptop"\n{WRITES}\n',
    "up": f'name = "stream"\nfrom = "laptop"\nto = "server"\n{WRITES}\n',
}
"""A connection on which two segments are written at a time: 5.5 Mbit/s."""
BEFORE_S = 3
"""It begins so many seconds before the scan after which the station goes, as in `testbed/src/sets/streams.rs`."""


def stream(way: str, goes: int) -> str:
    """A connection from then on: what it carried before tells how much TCP sends into the scan."""
    return f'{STREAMS[way]}start = "{goes - BEFORE_S} s"\n'


def scenario(walk: Walk, manager: str, *, fast: bool, flow: str = DATAGRAMS) -> str:
    """The world of a walk: the station stands still for each second, and is elsewhere as the next one begins."""
    places = walk.places()
    path = [
        f'{{ at = "{at} s", position = ["{place:.6f} m", "0 m"] }}'
        for second, place in enumerate(places)
        for at in (f"{second}", f"{second}.999")
    ]
    return SCENARIO.format(
        duration=len(places),
        channels=CHANNELS,
        fast=str(fast).lower(),
        apart=walk.apart,
        manager=manager,
        flow=flow,
        path=", ".join(path),
    )
