"""What happens in the worlds of testbed/src/sets/captures.rs, and what has to be found in the captures of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from foreign import worlds

HERE = Path(__file__).resolve().parent
World = partial(worlds.World, at="station", folder=HERE)

WORLDS = (
    World("quiet", "a program that writes 1000 octets on average every 20 ms", host=("W402",)),
    World("scans", "the same, and a scan of all channels that `iw` asks for", air=("W101",), host=("W108", "W402")),
    World("dozes", "a datagram every third of a second for a station that dozes", air=("W102",)),
    World("roam", "the same program, and a station sent to another access point", air=("W103",)),
    World("lost", "the same program, and an access point that vanishes", air=("W103",), host=("W306",)),
)
