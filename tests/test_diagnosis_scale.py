"""What `airloom diagnose` takes: memory does not grow with a connection's length, and time not with the stations."""

from __future__ import annotations

from struct import pack
from time import process_time
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from diagnosing import made, simulated, taken

if TYPE_CHECKING:
    from pathlib import Path

SHORT, LONG = "60 s", "240 s"
"""How long one connection sends."""

MORE = 6
"""MiB that four times as long a connection may take more."""

OCTETS = 48_000_000
"""Of a capture of many connections."""

MOST = 130
"""MiB for two thousand connections, or a thousand stations, with what Python takes for itself."""

CROWD = """
title = "Many flows of many stations"
duration = "2 s"
[air]
standard = "802.11n"
band = "5 GHz"
width = "20 MHz"
[[ap]]
name = "ap"
adapter = "ath9k"
[[station]]
name = "phone"
count = {stations}
host = "linux-6.18"
adapter = "ath9k"
distance = "4 m"
rate = "minstrel"
[[server]]
name = "server"
host = "linux-6.18"
link = {{ rate = "100 Mbit/s", delay = "5 ms" }}
"""

FLOW = """
[[flow]]
from = "{}"
to = "{}"
tcp = {{ congestion = "cubic" }}
"""

CROWDS = (15, 60)
"""Stations with four flows each: they share the air, so that the captures have about as many records."""

LONGER = 6
"""How many times as long a capture of the many may take, whose records are about as many."""


SINGLE = (10_000, 40_000)
"""Segments of one octet each."""


def single_octets(segments: int) -> bytes:
    """A capture of segments of one octet, each a hole away from the one before, which SACKs alone acknowledge."""
    records = [pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)]
    for place in range(segments):
        seq = 1 + 2 * place
        sack = pack(">BBBBII", 1, 1, 5, 10, seq, seq + 1)
        both = (
            (
                (40000, 5001),
                bytes([10, 0, 0, 1, 10, 0, 0, 2]),
                pack(">IIBBHHH", seq, 1, 0x50, 0x18, 65535, 0, 0) + b"x",
            ),
            ((5001, 40000), bytes([10, 0, 0, 2, 10, 0, 0, 1]), pack(">IIBBHHH", 1, 1, 0x80, 0x10, 65535, 0, 0) + sack),
        )
        for ports, addresses, rest in both:
            segment = pack(">HH", *ports) + rest
            packet = pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), place % 65536, 0, 64, 6, 0) + addresses + segment
            records.append(pack("<IIII", *divmod(100 * place, 1_000_000), len(packet), len(packet)) + packet)
    return b"".join(records)


def test_time_does_not_grow_with_the_pieces_that_single_octets_make(tmp_path: Path) -> None:
    took = []
    for segments in SINGLE:
        capture = tmp_path / f"{segments}.pcap"
        capture.write_bytes(single_octets(segments))
        begin = process_time()
        (flow,) = diagnose([capture])["connections"]
        took.append(process_time() - begin)
        assert flow["new_bytes"] == segments
    assert took[1] < LONGER * took[0], took


@pytest.mark.sample(1)
@pytest.mark.long
@pytest.mark.parametrize("where", ["server", "air"])
def test_memory_does_not_grow_with_a_connection(where: str, tmp_path: Path) -> None:
    captures = [simulated(tmp_path / of, of, "100 Mbit/s") / f"{where}.pcapng" for of in (SHORT, LONG)]
    (_, short), (_, long) = (taken(capture) for capture in captures)
    assert captures[1].stat().st_size > 3 * captures[0].stat().st_size
    assert long < short + MORE, f"{short:.0f} MiB for {SHORT}, {long:.0f} MiB for {LONG}"


@pytest.mark.sample(1)
@pytest.mark.long
@pytest.mark.parametrize("kind", ["at once", "crowd"])
def test_memory_is_bounded(kind: str, tmp_path: Path) -> None:
    _, most = taken(made(kind, tmp_path, OCTETS))
    assert most < MOST, f"{most:.1f} MiB"


def test_time_does_not_grow_with_pairs_of_stations_and_flows(tmp_path: Path) -> None:
    took = []
    for stations in CROWDS:
        scenario = tmp_path / f"{stations}.toml"
        ways = 2 * [("server", "phone"), ("phone", "server")]
        scenario.write_text(CROWD.format(stations=stations) + "".join(FLOW.format(*way) for way in ways))
        capture = airloom.run(scenario, out=tmp_path / str(stations), capture=True).path / "air.pcapng"
        begin = process_time()
        told = diagnose([capture])
        took.append(process_time() - begin)
        assert len({flow["from"] for flow in told["connections"]}) >= 2 * stations
    assert took[1] < LONGER * took[0], took
