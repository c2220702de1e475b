"""A station on other channels says so by its sequence numbers: they go on by frames that its own channel has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose

from .monitor import AP, INTERVAL, RETRY, STATION, TO_AP, Monitor

if TYPE_CHECKING:
    from pathlib import Path

AWAY = [8.0 + 1.4 * turn for turn in range(4)]
LENGTH = 1.25
"""When a scan's absences begin, and how long each lasts, in seconds."""


def scans(*, unheard: int, probes: bool) -> Monitor:
    """A station that wakes for each beacon with its bit set, and then is away four times while data waits."""
    ap, station = Monitor(), Monitor()
    dozes = [number * INTERVAL + 0.03 for number in range(4, 70, 4)]
    for number in range(round(16 / INTERVAL)):
        at = number * INTERVAL
        ap.beacon(at, waiting=any(begin < at < begin + LENGTH for begin in AWAY) or number % 4 == 2 < number < 70)
    for begin in dozes:
        end = begin - 0.03 + 2 * INTERVAL + 0.0005
        station.null(begin, asleep=True)
        station.null(end, asleep=False)
        ap.data(end + 0.002, up=False)
    for begin in AWAY:
        station.null(begin, asleep=True)
        station.numbers += unheard
        if probes:
            station.probe(begin + 1.2)
        station.null(begin + LENGTH, asleep=False)
    ap.heard += station.heard
    return ap


def test_absences_with_frames_on_other_channels_are_a_scan(tmp_path: Path) -> None:
    found = diagnose([scans(unheard=18, probes=True).write(tmp_path / "scan.pcap")])["findings"]
    (scan,) = [one for one in found if one["code"] == "W101"]
    assert [round(begin, 1) for begin, _ in scan["spans"]] == pytest.approx(AWAY)
    assert scan["value"] == pytest.approx(1000 * LENGTH, abs=1)
    assert "In 4 of these times the station sent 72 frames that were not heard on its channel" in scan["says"]


@pytest.mark.parametrize(("unheard", "probes"), [(0, True), (18, False), (1, True)])
def test_absences_alone_are_none(tmp_path: Path, unheard: int, probes: bool) -> None:
    found = diagnose([scans(unheard=unheard, probes=probes).write(tmp_path / "away.pcap")])["findings"]
    assert not [one for one in found if one["code"] == "W101"]


def test_numbers_that_are_missing_at_home_too_show_a_monitor_that_misses_frames(tmp_path: Path) -> None:
    air = scans(unheard=18, probes=True)
    deaf = Monitor()
    for turn in range(40):
        deaf.numbers += 3
        deaf.null(0.001 + turn * 0.002, asleep=False)
    # All come before the rest, and the count of the rest begins anew: a jump that is no frames.
    air.heard += deaf.heard
    found = diagnose([air.write(tmp_path / "deaf.pcap")])["findings"]
    assert not [one for one in found if one["code"] == "W101"]


def test_what_waited_in_vain_for_a_station_is_told_beside_what_woke_it(tmp_path: Path) -> None:
    """One of the four ends right behind a beacon, by chance."""
    found = diagnose([scans(unheard=18, probes=True).write(tmp_path / "waits.pcap")])["findings"]
    (dozes,) = [one for one in found if one["code"] == "W102"]
    assert "In 3 more spells the station came back without heed to its beacons" in dozes["says"]


def test_a_station_that_asks_for_the_air_has_come_back(tmp_path: Path) -> None:
    """Its frame with PM=0 was not heard: the absence begins with what it announced last."""
    air = scans(unheard=18, probes=True)
    late = Monitor()
    begin = AWAY[0]
    late.frame(begin + 0.1, bytes([0xB4, 0, 200, 0]) + AP + STATION)
    again = bytes([0x48, TO_AP | 0x10 | RETRY, 44, 0]) + AP + STATION + AP
    # With the number of the null frame before it.
    number = next(octets[-2:] for at, _, octets in air.heard if at == begin)
    late.frame(begin + 0.15, again + number)
    air.heard += late.heard
    found = diagnose([air.write(tmp_path / "back.pcap")])["findings"]
    (scan,) = [one for one in found if one["code"] == "W101"]
    assert scan["spans"][0][0] == pytest.approx(begin + 0.15, abs=1e-3)
