"""Which end of an association ended it, and why."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead

from .monitor import AP, EVERYBODY, INTERVAL, STATION, Monitor
from .test_roams import ASKS, GRANTS, LEAVES, data, told

if TYPE_CHECKING:
    from pathlib import Path


def lost(*, up: bool, reason: int, ahead: int = 0) -> Monitor:
    """A station that loses its association by frames of both ends, numbered so far ahead of others, and comes back."""
    monitor = Monitor()
    for number in range(100):
        monitor.beacon(number * INTERVAL)
    for step in range(50):
        data(monitor, step * 0.1, up=bool(step % 2), bssid=AP)
    monitor.numbers += ahead
    told(monitor, 5.0, LEAVES, struct.pack("<H", reason), up=up, bssid=AP)
    told(monitor, 5.001, LEAVES, struct.pack("<H", 7), up=not up, bssid=AP)
    monitor.numbers -= ahead
    told(monitor, 6.0, ASKS, struct.pack("<HH", 1, 10) + AP, up=True, bssid=AP)
    told(monitor, 6.003, GRANTS, struct.pack("<HHH", 1, 0, 0xC001), up=False, bssid=AP)
    for step in range(10):
        data(monitor, 6.1 + step * 0.1, up=bool(step % 2), bssid=AP)
    return monitor


@pytest.mark.parametrize(
    ("up", "reason", "says", "log"),
    [
        (
            True,
            2,
            "The station ended the association (reason 2: the authentication is no longer valid); the",
            "wpa_supplicant",
        ),
        (
            False,
            4,
            "The access point ended the association (reason 4: inactivity); the sequence number is of its own count.",
            "access point ended it: its log",
        ),
        (False, 60, "The access point ended the association (reason 60); the", "access point ended it: its log"),
    ],
)
def test_the_end_that_ended_an_association_is_named(tmp_path: Path, up: bool, reason: int, says: str, log: str) -> None:
    found = diagnose([lost(up=up, reason=reason).write(tmp_path / "lost.pcap")])
    (one,) = [finding for finding in found["findings"] if finding["code"] == "W103"]
    assert one["subject"] == "station " + STATION.hex(":")
    assert one["says"].startswith(says)
    assert log in one["remedy"]


def test_one_count_for_both_ends_is_a_third_radio(tmp_path: Path) -> None:
    """Two pairs, in the name of the access point and of the station, each with numbers that follow each other."""
    monitor = lost(up=False, reason=7, ahead=2000)
    monitor.numbers += 2000
    told(monitor, 5.01, LEAVES, struct.pack("<H", 7), up=False, bssid=AP)
    told(monitor, 5.011, LEAVES, struct.pack("<H", 7), up=True, bssid=AP)
    found = diagnose([monitor.write(tmp_path / "forged.pcap")])
    (one,) = [finding for finding in found["findings"] if finding["code"] == "W103"]
    # One looks like an answer of the access point to a station that it does not know.
    assert one["says"].startswith("3 frames ended the association (reason 7")
    assert "a third radio forges them" in one["says"].split(". ")[0]
    assert "802.11w" in one["remedy"]


def test_few_answers_are_counted(tmp_path: Path) -> None:
    found = diagnose([lost(up=True, reason=3).write(tmp_path / "few.pcap")])
    (because,) = [one["because"] for one in found["abstained"] if one["code"] == "W001"]
    assert because.startswith("too few answers to tell what was missed")


def flooded(frames: int) -> Monitor:
    """An access point in whose name so many deauthentications come in ten seconds, to a station and to all in turn."""
    monitor = lost(up=False, reason=7)
    for number in range(frames):
        at = 10 + number * 10 / frames
        to = EVERYBODY if number % 2 else STATION
        monitor.frame(at, bytes([LEAVES, 0, 0, 0]) + to + AP + AP + monitor.number() + struct.pack("<H", 7))
    return monitor


def test_a_flood_that_throws_stations_out_is_said_first_with_what_helps(tmp_path: Path) -> None:
    found = diagnose([flooded(60).write(tmp_path / "flood.pcap")])
    said = " ".join(lead(found))
    assert said.startswith("61 deauthentications")
    assert f"61 deauthentications or disassociations in the name of {AP.hex(':')} throw stations out" in said
    assert "802.11w" in said
    (line,) = [line for line in facts(found) if line.startswith("station ")]
    assert "with all stations by 30 frames" in line
    few = diagnose([flooded(12).write(tmp_path / "few.pcap")])
    assert "throw stations out" not in " ".join(lead(few))


def test_a_flood_comes_before_what_the_monitor_misses(tmp_path: Path) -> None:
    monitor = Monitor()
    for number in range(400):
        monitor.beacon(number * INTERVAL / 4)
        monitor.ack(number * INTERVAL / 4 + 0.01, STATION)
    for number in range(60):
        at = 0.003 + number / 6
        monitor.frame(at, bytes([LEAVES, 0, 0, 0]) + EVERYBODY + AP + AP + monitor.number() + struct.pack("<H", 7))
    found = diagnose([monitor.write(tmp_path / "missed.pcap")])
    assert [one["code"] for one in found["findings"]] == ["W001"]
    said = " ".join(lead(found))
    assert said.index("throw stations out") < said.index("misses a part")
    assert headline(found) == "Stations are thrown out"
