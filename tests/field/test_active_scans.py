"""Of a station that asks for networks on its trips, a spell in which it sent nothing and that data ended is a doze."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose

from .monitor import AP, EVERYBODY, INTERVAL, SLEEPS, STATION, TO_AP, Monitor

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding

AWAY = 0.09
"""How long the station is away, in seconds."""


class Station:
    """A station that counts its frames: all but QoS data together (802.11-2020 table 10-5)."""

    def __init__(self, monitor: Monitor) -> None:
        self.monitor, self.count, self.of_qos = monitor, 0, 0

    def null(self, at: float, *, asleep: bool) -> None:
        """It says that it sleeps, or not."""
        self.count += 1
        self.says(at, 0x48, SLEEPS if asleep else 0, struct.pack("<H", self.count << 4))

    def data(self, at: float) -> None:
        """QoS data, which it has a count of its own for."""
        self.of_qos += 1
        self.says(at, 0x88, 0, struct.pack("<HH", self.of_qos << 4, 0) + bytes(300))

    def says(self, at: float, kind: int, flags: int, rest: bytes) -> None:
        """A frame to its access point, and its ACK."""
        self.monitor.frame(at, bytes([kind, TO_AP | flags, 44, 0]) + AP + STATION + AP + rest)
        self.monitor.ack(at + 0.0003, STATION)

    def probe(self, at: float) -> None:
        """A probe request that the monitor hears."""
        self.count += 1
        octets = EVERYBODY + STATION + EVERYBODY + struct.pack("<H", self.count << 4) + bytes([0, 0])
        self.monitor.frame(at, bytes([0x40, 0, 0, 0]) + octets, 1)

    def is_away(self, at: float, unheard: int, *, probes: int = 0, by_data: bool = False) -> None:
        """A spell in which it sends so many frames on another channel, and so many on its own."""
        self.null(at, asleep=True)
        for probe in range(probes):
            self.probe(at + 0.003 + 0.02 * probe)
        self.count += unheard
        if by_data:
            self.data(at + AWAY)
        self.null(at + AWAY + 0.0005, asleep=False)


def scan(path: Path, *, unheard: int, probes: int = 0, first: int = 0) -> Finding:
    """Eight trips behind a spell that data ends, in which the station sends so many frames (`first`) elsewhere."""
    monitor = Monitor()
    for number in range(50):
        monitor.beacon(number * INTERVAL)
    station = Station(monitor)
    for turn in range(40):
        station.data(0.02 + turn * 0.02)
        monitor.data(0.03 + turn * 0.02, up=False)
    station.null(0.95, asleep=False)
    station.is_away(1.2, first, by_data=True)
    for trip in range(8):
        station.is_away(1.39 + trip * 0.14, unheard, probes=probes if trip == 0 else 0)
    (found,) = [one for one in diagnose([monitor.write(path)])["findings"] if one["code"] == "W101"]
    return found


@pytest.mark.parametrize(("unheard", "first", "trips"), [(4, 0, 8), (4, 4, 9), (0, 0, 9)])
def test_a_spell_without_a_frame_that_data_ends_is_no_trip_of_who_asks(
    tmp_path: Path, unheard: int, first: int, trips: int
) -> None:
    found = scan(tmp_path / "scan.pcap", unheard=unheard, first=first)
    assert found["says"].startswith(f"1 scan with {trips} trips to other channels in all")
    assert found["cost"]["value"] == pytest.approx(1000 * AWAY * trips, rel=0.02)


def test_a_trip_whose_probe_requests_were_heard_is_not_called_one_to_another_channel(tmp_path: Path) -> None:
    found = scan(tmp_path / "scan.pcap", unheard=4, probes=4)
    assert found["says"].startswith("1 scan with 8 trips in all")
    assert "hannel" not in found["says"]
