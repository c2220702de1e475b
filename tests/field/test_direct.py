"""Data that no access point passes on has lines of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.monitor import RETRY, STATION, Monitor

if TYPE_CHECKING:
    from pathlib import Path

CELL = bytes.fromhex("06000000000a")
OTHER = bytes.fromhex("020000000002")


def test_data_of_an_ad_hoc_network_is_told(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(60):
        at = 0.1 + turn * 0.01
        source, target = (STATION, OTHER) if turn % 3 else (OTHER, STATION)
        flags = RETRY if turn % 4 == 1 else 0
        air.frame(at, bytes([0x08, flags, 44, 0]) + target + source + CELL + air.number() + bytes(500))
        air.ack(at + 0.0005, source)
        if turn % 10 == 0:
            air.beacon(at + 0.002, of=STATION)
    told = diagnose([air.write(tmp_path / "cell.pcap")])
    assert not told["links"]
    there = [line for line in facts(told) if "not through an access point" in line]
    way = "not through an access point (ad hoc, direct, a bridge)"
    assert there == [
        f"02:00:00:00:00:01 to 02:00:00:00:00:02, {way}: 40 MPDUs at 24 Mbit/s, 25 % retries",
        f"02:00:00:00:00:02 to 02:00:00:00:00:01, {way}: 20 MPDUs at 24 Mbit/s, 25 % retries",
    ]
