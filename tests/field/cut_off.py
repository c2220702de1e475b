"""A host that asks three servers for names, until nothing comes back any more."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address
from typing import TYPE_CHECKING

from .calls import at_host

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOST = "192.168.1.9"
SERVERS = ("192.168.1.1", "198.51.100.2", "203.0.113.3")
OTHER, EVERYBODY = "192.168.1.7", "224.0.0.251"

ANSWERED = 12
"""Seconds in which every question is answered."""

Timed = tuple[float, bytes]


def datagram(ends: tuple[str, str], ports: tuple[int, int], octets: int = 40) -> bytes:
    """A datagram of UDP from the first end to the second."""
    udp = struct.pack(">HHHH", *ports, 8 + octets, 0) + bytes(octets)
    addresses = b"".join(IPv4Address(end).packed for end in ends)
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + addresses + udp


def questions(begin: float, end: float, every: float = 0.25, servers: tuple[str, ...] = SERVERS) -> Iterator[Timed]:
    """Questions for names, to one server after the other."""
    for turn in range(round((end - begin) / every)):
        yield begin + turn * every, datagram((HOST, servers[turn % len(servers)]), (40_000 + turn, 53))


def answers(asked: Iterator[Timed], after: float = 0.02) -> Iterator[Timed]:
    """The questions, and what answers each of them."""
    for at, octets in asked:
        yield at, octets
        ports, body = struct.unpack(">HH", octets[20:24]), len(octets) - 28
        back = (str(IPv4Address(octets[16:20])), str(IPv4Address(octets[12:16])))
        yield at + after, datagram(back, (ports[1], ports[0]), body)


def others(begin: float, end: float) -> Iterator[Timed]:
    """What another host tells everybody, every second."""
    for turn in range(round(end - begin)):
        yield begin + turn + 0.1, datagram((OTHER, EVERYBODY), (5353, 5353))


def cut_off(capture: Path, seconds: float = 10, *, comes_again: bool = False) -> Path:
    """Nothing comes back for so many seconds, while another host is still heard."""
    end = ANSWERED + seconds
    packets = [
        *answers(questions(0, ANSWERED)),
        *questions(ANSWERED, end),
        *others(ANSWERED, end),
        *(answers(questions(end, end + 2)) if comes_again else ()),
    ]
    return at_host(iter(sorted(packets)), capture)
