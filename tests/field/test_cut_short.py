"""Captures that were cut before their headers end: that nothing is found in them says nothing."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead

from .monitor import AP, INTERVAL, RADIOTAP, Monitor

if TYPE_CHECKING:
    from pathlib import Path


def cut(path: Path, kept: int) -> Path:
    """A capture of a monitor that keeps so many octets of each frame."""
    monitor = Monitor()
    for number in range(200):
        monitor.beacon(number * INTERVAL)
        monitor.qos(number * INTERVAL + 0.05, number, number)
        monitor.ack(number * INTERVAL + 0.0504, AP)
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, kept, RADIOTAP))
        for time, length, octets in sorted(monitor.heard, key=lambda one: one[0]):
            part = octets[:kept]
            file.write(struct.pack("<IIII", int(time), round(time % 1 * 1e6), len(part), length) + part)
    return path


@pytest.mark.parametrize(("kept", "unread"), [(10, 600), (30, 200), (140, 0)])
def test_what_was_cut_before_its_headers_end_is_told(tmp_path: Path, kept: int, unread: int) -> None:
    path = cut(tmp_path / "cut.pcap", kept)
    found = diagnose([path])
    assert found["captures"][0]["cut_unread"] == unread
    said = " ".join(lead(found))
    says = f"{unread:,} of 600 records in {path} cannot be read: they were cut to {kept} octets"
    assert (says in said) == (unread > 0)
    assert ("`tcpdump -s 160`" in said) == (unread > 0)
    assert ("found nothing wrong" in said) == (unread == 0)
    assert (headline(found) == "Captures were cut too short") == (unread > 0)
    # ACKs of data that is there, but cannot be read, are no sign that the monitor misses anything.
    assert "W001" not in [one["code"] for one in found["findings"]]
