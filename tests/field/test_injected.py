"""Frames that a program has a monitor send are in its capture as they were asked for, and again as they were sent."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose

from .monitor import AP, EVERYBODY, FROM_AP, RETRY, STATION, TO_AP, Monitor

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

NOBODY = bytes(6)


def asked(monitor: Monitor, at: float, octets: bytes) -> None:
    """A frame as a program writes it: with a radiotap header that has transmission flags alone."""
    head = struct.pack("<BBHIH", 0, 0, 10, 1 << 15, 0x0030)
    monitor.heard.append((at, len(head + octets), head + octets))


def data(monitor: Monitor, *, source: bytes = STATION, retry: bool = False) -> bytes:
    """A frame with data of a station."""
    flags = TO_AP | (RETRY if retry else 0)
    return bytes([0x08, flags, 44, 0]) + AP + source + AP + monitor.number() + bytes(200)


def injected(path: Path, *, beside: bool) -> Diagnosis:
    """Forty injected frames, each reported 0.4 ms later, or behind what another station sends meanwhile."""
    monitor = Monitor()
    monitor.beacon(0.0)
    for number in range(40):
        at = 0.1 + number * 0.05
        frame = data(monitor)
        asked(monitor, at, frame)
        if beside:
            monitor.ack(at + 2e-4, AP)
        monitor.frame(at + 4e-4, frame)
        monitor.ack(at + 8e-4, STATION)
    return diagnose([monitor.write(path)])


@pytest.mark.parametrize("beside", [False, True])
def test_an_injected_frame_counts_once(tmp_path: Path, *, beside: bool) -> None:
    told = injected(tmp_path / "air.pcap", beside=beside)
    (link,) = told["links"]
    assert (link["mpdus"], link["retried"], told["captures"][0]["copies"]) == (40, 0, 40)
    if not beside:
        assert link["mbps"] == 24
        assert link["answered"] == 40


def test_without_reports_injected_frames_count_as_they_were_asked_for(tmp_path: Path) -> None:
    monitor = Monitor()
    monitor.beacon(0.0)
    for number in range(40):
        asked(monitor, 0.1 + number * 0.05, data(monitor))
        monitor.ack(0.1005 + number * 0.05, STATION)
    (link,) = diagnose([monitor.write(tmp_path / "air.pcap")])["links"]
    assert (link["mpdus"], link["answered"]) == (40, 40)


def test_the_address_of_zeros_is_no_station(tmp_path: Path) -> None:
    monitor = Monitor()
    for number in range(40):
        monitor.beacon(number * 0.1024)
        monitor.data(number * 0.1024 + 0.01, up=True)
        monitor.frame(number * 0.1024 + 0.02, data(monitor, source=NOBODY))
    told = diagnose([monitor.write(tmp_path / "air.pcap")])
    assert not any("00:00:00:00:00:00" in line for line in facts(told))


@pytest.mark.parametrize("answers", [True, False])
def test_a_receiver_that_answers_nothing_has_no_collisions(tmp_path: Path, *, answers: bool) -> None:
    """Each frame goes six times, and is answered at last or never; nobody else is there to collide with."""
    monitor = Monitor()
    for number in range(60):
        monitor.beacon(number * 0.1024)
        frame = data(monitor)
        for again in range(6):
            octets = bytes([frame[0], frame[1] | (RETRY if again else 0)]) + frame[2:]
            monitor.frame(number * 0.1024 + 0.01 + again * 2e-3, octets)
        if answers:
            monitor.ack(number * 0.1024 + 0.0204, STATION)
    codes = {one["code"] for one in diagnose([monitor.write(tmp_path / "air.pcap")])["findings"]}
    assert ("W107" in codes, "W106" in codes) == (answers, False)


def qos(number: int, tid: int, target: bytes = STATION) -> bytes:
    """A frame with data of an access point, with a traffic identifier."""
    return bytes([0x88, FROM_AP, 44, 0]) + target + AP + AP + struct.pack("<HH", number << 4, tid) + bytes(200)


@pytest.mark.parametrize("other", [STATION, EVERYBODY])
@pytest.mark.parametrize("heard", [True, False])
def test_a_number_that_another_stream_had_is_not_missing(tmp_path: Path, other: bytes, *, heard: bool) -> None:
    """A program counts what it sends with any identifier, to anyone, together; the monitor may miss one in three."""
    monitor = Monitor()
    monitor.beacon(0.0)
    for number in range(60):
        at = 0.1 + number * 0.05
        if number % 3 != 1:
            monitor.frame(at, qos(number, 1))
            monitor.ack(at + 4e-4, AP)
        elif heard:
            monitor.frame(at, qos(number, 2, other))
    links = diagnose([monitor.write(tmp_path / "air.pcap")])["links"]
    assert sum(one["left_out"] for one in links) == (0 if heard else 20)


@pytest.mark.parametrize("reported", [True, False])
def test_an_ack_may_answer_what_was_reported_before_another_frame(tmp_path: Path, *, reported: bool) -> None:
    """Two frames and then two ACKs: the first is stamped when the radio reported it."""
    monitor = Monitor()
    monitor.beacon(0.0)
    for number in range(60):
        at = 0.1 + number * 0.05
        one, other = data(monitor), data(monitor)
        if reported:
            asked(monitor, at, one)
        monitor.frame(at + 5e-4, one)
        monitor.frame(at + 8e-4, other)
        monitor.ack(at + 8.1e-4, STATION)
        monitor.ack(at + 9.2e-4, STATION)
    codes = {one["code"] for one in diagnose([monitor.write(tmp_path / "air.pcap")])["findings"]}
    assert ("W001" in codes) == (not reported)
