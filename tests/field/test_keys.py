"""Handshakes of keys that fail: which message comes again and again, and what the answers show."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead

from .monitor import AP, INTERVAL, RETRY, STATION, Monitor
from .test_roams import ASKS, GRANTS, LEAVES, SNAP, data, told

if TYPE_CHECKING:
    from pathlib import Path

INFORMATION = {1: 0x008A, 2: 0x010A, 3: 0x13CA, 4: 0x030A}
"""The key information of the four messages (802.11-2020 clause 12.7.6.1)."""


def message(number: int, counter: int) -> bytes:
    """A message of the handshake of four, behind LLC."""
    material = bytes(22 if number in {2, 3} else 0)
    nonce = bytes(32 if number == 4 else 0) or b"\7" * 32
    key = struct.pack(">BHHQ", 2, INFORMATION[number], 16, counter) + nonce + bytes(48)
    key += struct.pack(">H", len(material)) + material
    return SNAP + b"\x88\x8e" + struct.pack(">BBH", 2, 3, len(key)) + key


def says(monitor: Monitor, at: float, number: int, counter: int) -> None:
    """A message of the handshake, with its ACK."""
    up = number % 2 == 0
    data(monitor, at, up=up, bssid=AP, body=message(number, counter))
    monitor.ack(at + 0.0003, STATION if up else AP)


def joined(at: float, monitor: Monitor) -> None:
    """An association, and its answer."""
    told(monitor, at, ASKS, struct.pack("<HH", 1, 10) + AP, up=True, bssid=AP)
    told(monitor, at + 0.003, GRANTS, struct.pack("<HHH", 1, 0, 0xC001), up=False, bssid=AP)


def heard(messages: list[tuple[float, int, int]]) -> Monitor:
    """A station that associates, these messages by time, number and counter, and what ends it."""
    monitor = Monitor()
    for number in range(100):
        monitor.beacon(number * INTERVAL)
    joined(1.0, monitor)
    for at, number, counter in messages:
        says(monitor, at, number, counter)
    return monitor


THREE = [(1.01, 1, 1), (1.02, 2, 1), (1.03, 3, 2), (2.03, 3, 3), (3.03, 3, 4), (4.03, 3, 5)]
"""As `test/test1.pcap` of aircrack-ng has it in records 30 to 38."""
WRONG = [(second + part, number, 1 + second) for second in (1, 2, 3, 4) for part, number in ((0.01, 1), (0.013, 2))]
"""As `3e80211_wpaauthfail.pcapng` of Chris Sanders has it."""


def lines(monitor: Monitor, path: Path) -> tuple[str, str]:
    """What is said first, and of the station."""
    found = diagnose([monitor.write(path)])
    (line,) = [line for line in facts(found) if line.startswith("station ")]
    return f"{headline(found)}: {' '.join(lead(found))}", line


def test_message_3_that_comes_again_and_again_is_told(tmp_path: Path) -> None:
    monitor = heard(THREE)
    told(monitor, 5.03, LEAVES, struct.pack("<H", 15), up=False, bssid=AP)
    first, line = lines(monitor, tmp_path / "three.pcap")
    assert first.startswith(f"Handshakes of keys failed: 1 handshake of keys of {STATION.hex(':')} failed")
    assert "passphrase" not in first
    assert "1 handshake of keys failed (message 3 sent 4 times, each under a new number, as where no" in line
    assert "reason 15: the handshake of keys timed out" in line


def test_message_2_that_is_not_taken_may_be_of_a_wrong_passphrase(tmp_path: Path) -> None:
    first, line = lines(heard(WRONG), tmp_path / "wrong.pcap")
    assert "compare the passphrases" in first
    assert "3 times after a message 2, 3 of them acknowledged, that it did not take" in line


def test_a_handshake_that_comes_to_its_end_late_has_not_failed(tmp_path: Path) -> None:
    first, line = lines(heard([*THREE, (4.04, 4, 5)]), tmp_path / "late.pcap")
    assert "of keys" not in first + line
    monitor = heard(THREE)
    data(monitor, 4.1, up=True, bssid=AP)
    first, line = lines(monitor, tmp_path / "unheard.pcap")
    assert "of keys" not in first + line, "message 4 was not heard, and data went"


def test_each_answer_counts_as_an_association_and_its_retries_do_not(tmp_path: Path) -> None:
    monitor = heard([(1.01, 1, 1)])
    for at in (2.0, 3.0):
        joined(at, monitor)
    answer = bytes([GRANTS, RETRY, 0, 0]) + STATION + AP + AP + struct.pack("<H", (monitor.numbers & 4095) << 4)
    monitor.frame(3.004, answer + struct.pack("<HHH", 1, 0, 0xC001))
    _, line = lines(monitor, tmp_path / "joins.pcap")
    assert "associated 3 times" in line
