"""Stations that an access point does not know, or refuses, and an access point that falls silent."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead

from .monitor import AP, EVERYBODY, INTERVAL, STATION, TO_AP, Monitor
from .test_roams import ASKS, GRANTS, LEAVES, data, told

if TYPE_CHECKING:
    from pathlib import Path

DISMISSES = 0xA0
"""A disassociation."""
UNKNOWN = struct.pack("<H", 7)
"""The reason of frames by which an access point answers those of a station that is not associated."""


def beacons(until: float, monitor: Monitor | None = None, since: float = 0.0) -> Monitor:
    """Beacons from and until some seconds."""
    monitor = monitor or Monitor()
    for number in range(round(since / INTERVAL), round(until / INTERVAL)):
        monitor.beacon(number * INTERVAL)
    return monitor


def asked(at: float, monitor: Monitor, kind: int, *, heard: bool = True) -> None:
    """A frame of the station, its ACK, and what the access point says to it."""
    if heard:
        monitor.frame(at, bytes([0x08, TO_AP, 44, 0]) + AP + STATION + AP + monitor.number() + bytes(60))
    monitor.ack(at + 0.0004, STATION)
    told(monitor, at + 0.002, kind, UNKNOWN, up=False, bssid=AP)


@pytest.mark.parametrize("kind", [DISMISSES, LEAVES])
@pytest.mark.parametrize("heard", [True, False])
def test_answers_to_a_station_that_is_not_associated_throw_nobody_out(tmp_path: Path, kind: int, heard: bool) -> None:
    """As `test/wep_64_ptw.cap` of aircrack-ng has it, where the station itself is not heard."""
    monitor = beacons(10)
    for number in range(300):
        asked(1 + number * 0.02, monitor, kind, heard=heard)
    found = diagnose([monitor.write(tmp_path / "turned.pcap")])
    said = f"{headline(found)} {' '.join(lead(found))}"
    assert "thrown out" not in said
    assert "802.11w" not in said
    text = (
        f"the access point {AP.hex(':')} turned away 300 frames of {STATION.hex(':')}, which is not associated there "
        "(reason 7), in 1.0 to 7.0 s"
    )
    assert [line for line in facts(found) if "turned away" in line] == [text]
    assert not [line for line in facts(found) if "deauthentications or" in line]


def test_a_station_that_answers_nothing_until_it_is_dismissed_is_lost(tmp_path: Path) -> None:
    """As `wlp2s0_ch1.pcap` of WiFi-Doctor has it: requests, a dismissal that cannot be read, and answers (reason 6)."""
    monitor = beacons(10)
    for number in range(20):
        monitor.frame(1 + number * 0.02, bytes([0x08, TO_AP, 44, 0]) + AP + STATION + AP + monitor.number() + bytes(60))
        monitor.ack(1.0004 + number * 0.02, STATION)
    for number in range(200):
        monitor.frame(2 + number * 0.00025, bytes([0x84, 0, 0, 0]) + STATION + AP + bytes([4, 0, 0, 0]), mbps=6)
    monitor.frame(2.2, bytes([LEAVES, 0x40, 0, 0]) + STATION + AP + AP + monitor.number() + bytes(26))
    for number in range(7):
        monitor.ack(2.3 + number * 0.02, STATION)
        told(monitor, 2.302 + number * 0.02, LEAVES, struct.pack("<H", 6), up=False, bssid=AP)
    found = diagnose([monitor.write(tmp_path / "lost.pcap")])
    [station] = [one for one in found["stations"] if one["turned_away"]]
    assert (station["leaves"], station["why_left"]) == (1, [])
    text = " ".join(lead(found))
    assert f"Nothing was heard of {STATION.hex(':')} during 200 requests for a BlockAck from 2.0 to 2.0 s" in text
    assert "it was lost to its network" in text


def test_what_nobody_asked_for_is_a_flood_whatever_its_reason(tmp_path: Path) -> None:
    monitor = beacons(10)
    for number in range(300):
        told(monitor, 1 + number * 0.02, LEAVES, UNKNOWN, up=False, bssid=AP)
    found = diagnose([monitor.write(tmp_path / "flood.pcap")])
    assert headline(found) == "Stations are thrown out"
    assert not [line for line in facts(found) if "turned away" in line]


def test_forged_frames_with_one_count_for_both_ends_are_a_flood(tmp_path: Path) -> None:
    """As `test/pmkid-not-recognized.cap` of aircrack-ng has it: 64 pairs, while the station sends."""
    monitor = beacons(10)
    for number in range(64):
        asked(1 + number * 0.02, monitor, LEAVES)
        told(monitor, 1 + number * 0.02 + 0.003, LEAVES, UNKNOWN, up=True, bssid=AP)
    found = diagnose([monitor.write(tmp_path / "forged.pcap")])
    assert "throw stations out" in lead(found)[0]
    assert sorted(one["frames"] for one in found["leaves"]) == [64, 64]
    assert not [line for line in facts(found) if "turned away" in line]


def refused(times: int, status: int, *, at_last: bool) -> Monitor:
    """A station that asks so often and is refused, and let in at last or not."""
    monitor = beacons(10)
    for number in range(times + 1):
        at = 1 + number * 0.5
        told(monitor, at, ASKS, struct.pack("<HH", 1, 10) + AP, up=True, bssid=AP)
        answer = 0 if at_last and number == times else status
        told(monitor, at + 0.003, GRANTS, struct.pack("<HHH", 1, answer, 0xC001), up=False, bssid=AP)
    return monitor


def test_a_station_that_is_refused_and_never_let_in_is_named(tmp_path: Path) -> None:
    found = diagnose([refused(9, 31, at_last=False).write(tmp_path / "refused.pcap")])
    said = " ".join(lead(found))
    assert f"refused {STATION.hex(':')} 10 times, from 1.0 to 5.5 s, and never let it in (status 31: the poli" in said
    assert "802.11w" in said
    (line,) = [line for line in facts(found) if "never let in" in line]
    assert "refused 10 times" in line
    assert "10 requests of it to associate were heard" in line


@pytest.mark.parametrize(("times", "at_last"), [(9, True), (1, False)])
def test_one_that_is_let_in_or_tried_twice_is_not(tmp_path: Path, times: int, at_last: bool) -> None:
    found = diagnose([refused(times, 17, at_last=at_last).write(tmp_path / "let in.pcap")])
    assert not [line for line in facts(found) if "refused" in line]
    assert "refused" not in " ".join(lead(found))


def lost(*, acknowledges: bool) -> Monitor:
    """A station with data until 5 s that acknowledges until 8 s or not, is sent away at 9 s, and is back at 12 s."""
    monitor = beacons(15)
    for step in range(50):
        data(monitor, step * 0.1, up=bool(step % 2), bssid=AP)
    if acknowledges:
        for step in range(30):
            monitor.block_ack(5.05 + step * 0.1, step, 1)
    told(monitor, 9, LEAVES, struct.pack("<H", 4), up=False, bssid=AP)
    told(monitor, 12, ASKS, struct.pack("<HH", 1, 10) + AP, up=True, bssid=AP)
    told(monitor, 12.003, GRANTS, struct.pack("<HHH", 1, 0, 0xC001), up=False, bssid=AP)
    for step in range(10):
        data(monitor, 12.1 + step * 0.1, up=bool(step % 2), bssid=AP)
    return monitor


@pytest.mark.parametrize(("acknowledges", "since"), [(False, 4.9), (True, 7.95)])
def test_a_gap_begins_after_the_last_sign_of_data(tmp_path: Path, acknowledges: bool, since: float) -> None:
    found = diagnose([lost(acknowledges=acknowledges).write(tmp_path / "lost.pcap")])
    (one,) = [finding for finding in found["findings"] if finding["code"] == "W103"]
    assert one["spans"] == [[pytest.approx(since - INTERVAL, abs=0.2), pytest.approx(12.1, abs=0.2)]]


@pytest.mark.parametrize("dismisses", [True, False])
def test_an_access_point_that_falls_silent_after_a_dismissal_is_one_outage(tmp_path: Path, dismisses: bool) -> None:
    monitor = beacons(20)
    if dismisses:
        bye = bytes([LEAVES, 0, 0, 0]) + EVERYBODY + AP + AP + monitor.number() + struct.pack("<H", 3)
        monitor.frame(20.0, bye)
    for number in range(200):
        monitor.probe(number * 0.4)
    beacons(80, monitor, 60)
    found = diagnose([monitor.write(tmp_path / "outage.pcap")])
    lines = [line for line in facts(found) if line.startswith("access point ")]
    if not dismisses:
        assert not lines
        return
    (line,) = lines
    assert line.startswith(f"access point {AP.hex(':')}: nothing of it was heard from 20.0 to 60.")
    assert line.endswith("after it had dismissed all its stations")


def test_what_stations_lose_beside_an_outage_is_one_finding(tmp_path: Path) -> None:
    """As `test/pmkid-not-recognized.cap` of aircrack-ng has it; one of three stations is lost before, too."""
    monitor = beacons(20)
    monitor.frame(20.0, bytes([LEAVES, 0, 0, 0]) + EVERYBODY + AP + AP + monitor.number() + struct.pack("<H", 3))
    beacons(40, monitor, 30)
    for number in range(100):
        monitor.probe(number * 0.4)
    stations = [bytes.fromhex(f"0200000000{last:02x}") for last in (1, 2, 3)]
    for turn, station in enumerate(stations):
        of = Monitor()
        for begin, end in [(0.5, 12.0), (15.0, 18.0)] if turn == 2 else [(0.5, 18.0)]:
            for step in range(round((end - begin) / 0.1)):
                data(of, begin + step * 0.1 + turn * 0.02, up=bool(step % 2), bssid=AP)
        for back in (14.9, 31.0) if turn == 2 else (31.0 + turn,):
            told(of, back, ASKS, struct.pack("<HH", 1, 10) + AP, up=True, bssid=AP)
            told(of, back + 0.003, GRANTS, struct.pack("<HHH", 1, 0, 0xC001), up=False, bssid=AP)
        for step in range(20):
            data(of, 33.2 + turn + step * 0.1, up=bool(step % 2), bssid=AP)
        monitor.heard += [(at, length, octets.replace(STATION, station)) for at, length, octets in of.heard]
    found = diagnose([monitor.write(tmp_path / "outage.pcap")])["findings"]
    outage, alone = (one for one in found if one["code"] == "W103")
    assert outage["subject"] == f"access point {AP.hex(':')}"
    assert outage["spans"] == [[pytest.approx(20.0, abs=0.2), pytest.approx(30.0, abs=0.2)]]
    assert "3 stations associated anew behind that" in outage["says"]
    assert alone["subject"] == f"station {stations[2].hex(':')}"
    assert alone["spans"] == [[pytest.approx(14.9, abs=0.01), pytest.approx(15.04, abs=0.01)]]


@pytest.mark.parametrize("misses", [0, 2])
def test_what_a_monitor_may_have_missed_makes_counts_the_least(tmp_path: Path, misses: int) -> None:
    """Numbers of an access point's common count are of its data without QoS, or of its other frames."""
    monitor = Monitor()
    for step in range(40):
        monitor.beacon(step * INTERVAL)
        monitor.numbers += misses
        monitor.data(step * INTERVAL + 0.02, up=False)
    (line,) = [line for line in facts(diagnose([monitor.write(tmp_path / "gaps.pcap")])) if "gets" in line]
    least = "by their sequence numbers 80 more frames of its sender, data or other"
    assert ("gets at least 40 MPDUs" if misses else "gets 40 MPDUs") in line
    assert (least in line) == (misses > 0)
