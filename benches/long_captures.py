"""Captures as long as asked for, made of a short one: its packets again and again, at later times or of others.

`diagnosing.py` measures what `airloom diagnose` takes for them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.diagnosis.pcapng import blocks, is_packet, stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PORTS = (40000, 5001)
"""The ports of a run's first flow: of the end that opens it, and of the other."""

STATION = bytes([2, 0, 0, 0, 0, 1])
"""The address of a run's first station."""

FIRST_PORT = 1024
PAUSE = 1_000_000
"""Between the last packet of a connection and the first of the next, in nanoseconds."""


@dataclass(frozen=True)
class Source:
    """A capture of one TCP connection that airloom wrote.

    Attributes:
        head: All before its packets.
        packets: Their blocks, each with its time in nanoseconds.
    """

    head: bytes
    packets: list[tuple[bytes, int]]


def source(capture: Path) -> Source:
    """Reads a capture."""
    every = list(blocks(capture.read_bytes()))
    head = b"".join(block for block in every if not is_packet(block))
    return Source(head, [(block, stamp(block)) for block in every if is_packet(block)])


def at(block: bytes, time: int) -> bytes:
    """A packet at another time."""
    return block[:12] + struct.pack("<II", time >> 32, time & 0xFFFFFFFF) + block[20:]


def places_of_port(block: bytes) -> list[int]:
    """Where a packet has the port of the end that opened the connection."""
    up = block.find(struct.pack(">HH", *PORTS))
    down = block.find(struct.pack(">HH", *reversed(PORTS)))
    return [up] if up >= 0 else [down + 2] if down >= 0 else []


def places_of_station(block: bytes) -> list[int]:
    """Where a frame has the station's address."""
    return [place for place in range(len(block)) if block.startswith(STATION, place)]


def replaced(block: bytes, places: list[int], what: bytes) -> bytes:
    """A packet with something else at some places."""
    for place in places:
        block = block[:place] + what + block[place + len(what) :]
    return block


def one_after_another(of: Source, connections: int) -> Iterator[bytes]:
    """The packets of so many connections, each after the one before."""
    packets = [(block, time, places_of_port(block)) for block, time in of.packets]
    length = packets[-1][1] - packets[0][1] + PAUSE
    for one in range(connections):
        port = struct.pack(">H", FIRST_PORT + one % (65536 - FIRST_PORT))
        for block, time, places in packets:
            yield replaced(at(block, time + one * length), places, port)


def at_once(of: Source, connections: int) -> Iterator[bytes]:
    """Each packet once for each of so many connections, a microsecond apart."""
    for block, time in of.packets:
        places = places_of_port(block)
        for one in range(connections):
            yield replaced(at(block, time + one * 1000), places, struct.pack(">H", FIRST_PORT + one))


def stations(of: Source, count: int) -> Iterator[bytes]:
    """Each frame once for each of so many stations, a microsecond apart."""
    for block, time in of.packets:
        places = places_of_station(block)
        for one in range(count):
            yield replaced(at(block, time + one * 1000), places, STATION[:3] + struct.pack(">BH", 1, one))


def write(out: Path, of: Source, packets: Iterable[bytes], most: int) -> None:
    """Writes a capture of such packets, of about so many octets at most."""
    with out.open("wb") as file:
        written = file.write(of.head)
        for packet in packets:
            if written >= most:
                break
            written += file.write(packet)
