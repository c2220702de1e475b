"""ICMP echo has a line as flows have: how much was asked and answered, how long that took, and how much data went."""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ASKS, ANSWERS = ("10.0.0.1", "10.0.0.2"), ("fd00::1", "fd00::2")
RAW = 101
REQUEST, REPLY = 0, 1
ECHO = {4: (8, 0), 6: (128, 129)}
"""Types of ICMP for a request and its answer, by the version of IP."""


def packet(version: int, kind: int, number: int, octets: int) -> bytes:
    """An echo message between the hosts of a version."""
    body = struct.pack(">BBHHH", ECHO[version][kind], 0, 0, 7, number) + bytes(octets)
    hosts = ASKS if version == 4 else ANSWERS
    source, target = hosts if kind == REQUEST else hosts[::-1]
    if version == 4:
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 1, 0)
        return head + socket.inet_aton(source) + socket.inet_aton(target) + body
    head = struct.pack(">IHBB", 6 << 28, len(body), 58, 64)
    addresses = [socket.inet_pton(socket.AF_INET6, host) for host in (source, target)]
    return head + b"".join(addresses) + body


def captured(path: Path, version: int, octets: int, *, trip_us: int, answered: Callable[[int], int]) -> Path:
    """A capture of 400 requests, of which some are answered after a time."""
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, RAW))
        for number in range(400):
            kinds = [(REQUEST, 0), (REPLY, trip_us)] if answered(number) else [(REQUEST, 0)]
            for kind, later in kinds:
                at = number * 100_000 + later
                one = packet(version, kind, number, octets)
                file.write(struct.pack("<IIII", at // 10**6, at % 10**6, len(one), len(one)) + one)
    return path


def asked(path: Path, version: int, octets: int) -> tuple[float, list[str]]:
    """The usual round trip and the lines of 400 requests, of which each fourth has no answer, others after 20 ms."""
    told = diagnose([captured(path, version, octets, trip_us=20_000, answered=lambda number: number % 4)])
    (seen,) = told["pings"]
    return seen["rtt_ms"]["p50"], [line.replace("\N{NO-BREAK SPACE}", " ") for line in facts(told)]


@pytest.mark.parametrize("version", [4, 6])
def test_requests_answers_and_round_trips_of_icmp_are_told(tmp_path: Path, version: int) -> None:
    usual_ms, (line,) = asked(tmp_path / "pings.pcap", version, 56)
    source, target = ASKS if version == 4 else ANSWERS
    assert line.startswith(f"{source} to {target}: ICMP echo, 400 requests in 39.9 s, 100 without an answer")
    assert usual_ms == pytest.approx(20, rel=0.01)
    assert f"; round trips {usual_ms:.1f} ms" in line
    assert "of data" not in line


def test_much_data_in_echoes_is_told(tmp_path: Path) -> None:
    _, (line,) = asked(tmp_path / "tunnel.pcap", 4, 1000)
    assert line.endswith("; up to 1,000 octets of data in each, 700 kB in all")


def test_a_capture_of_the_host_that_answers_gives_way_to_one_that_has_round_trips(tmp_path: Path) -> None:
    asks = captured(tmp_path / "laptop.pcap", 4, 56, trip_us=150_000, answered=lambda number: number < 390)
    answers = captured(tmp_path / "server.pcap", 4, 56, trip_us=1, answered=lambda _: 1)
    (line,) = (line.replace("\N{NO-BREAK SPACE}", " ") for line in facts(diagnose([asks, answers])))
    assert "400 requests in 39.9 s" in line
    assert "; round trips 150 ms" in line


def test_where_only_the_host_that_answers_was_captured_no_round_trip_is_claimed(tmp_path: Path) -> None:
    path = captured(tmp_path / "server.pcap", 4, 56, trip_us=1, answered=lambda _: 1)
    (line,) = facts(diagnose([path]))
    assert "round trips" not in line
    assert line.endswith("all answered; the capture is of the host that answers, 10.0.0.2, where no round trip shows")
