"""Calls: RTP packet by packet, as a host's interface or a monitor has it."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

EVERY = 0.02
"""Seconds between packets."""

OCTETS = 172
"""Of payload: 160 samples behind a header of RTP."""

ETHERNET, RADIOTAP = 1, 127


HOSTS = bytes([10, 0, 0, 2]), bytes([10, 0, 0, 1])
"""The end that calls, and the one that is called."""


PORTS = 40_000, 5004
"""Those of the two ends."""


def datagram(number: int, *, rtp: bool = True, back: bool = False, ports: tuple[int, int] = PORTS) -> bytes:
    """An IP packet of the call, with a number of its own; `back` from the end that is called."""
    head = header(number, 160 * number, source=8 if back else 7) if rtp else b""
    return packet(head + bytes(OCTETS - len(head)), number, back=back, ports=ports)


def header(number: int, stamp: int, *, kind: int = 0, marker: bool = False, source: int = 7) -> bytes:
    """A header of RTP, of a payload type (`kind`)."""
    words = 0x80, marker << 7 | kind, number & 0xFFFF, stamp & 0xFFFFFFFF, source
    return struct.pack(">BBHII", *words)


def packet(payload: bytes, identification: int, *, back: bool = False, ports: tuple[int, int] = PORTS) -> bytes:
    """A payload in UDP and IP."""
    way = -1 if back else 1
    udp = struct.pack(">HHHH", *ports[::way], 8 + len(payload), 0) + payload
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), identification & 0xFFFF, 0, 57, 17, 0)
    return ip + b"".join(HOSTS[::way]) + udp


def call(seconds: float, *, lost: float = 0.0, late: float = 0.0, seed: int = 1) -> Iterator[tuple[float, int]]:
    """When packets come, and their numbers.

    Args:
        seconds: How long it is sent.
        lost: The share of packets that are lost.
        late: The mean of what packets wait, in seconds.
        seed: Of chance.
    """
    chance = random.Random(seed)  # noqa: S311 - a simulation
    at = 0.0
    for number in range(round(seconds / EVERY)):
        at = max(at, number * EVERY + (chance.expovariate(1 / late) if late else 0.0))
        if chance.random() >= lost:
            yield at, number


def heard(
    packets: Iterator[tuple[float, int]],
    capture: Path,
    *,
    rtp: bool = True,
    start: float = 1e6,
    ports: Callable[[int], tuple[int, int]] = lambda _: PORTS,
) -> Path:
    """The call at the interface of the host that it comes to; packets may have ports of their own."""
    return at_host(((at, datagram(number, rtp=rtp, ports=ports(number))) for at, number in packets), capture, start)


def at_host(packets: Iterator[tuple[float, bytes]], capture: Path, start: float = 1e6) -> Path:
    """Packets of IP at their times at the interface of a host."""
    return written(((at, bytes(12) + b"\x08\0" + octets) for at, octets in packets), capture, ETHERNET, start)


def at_both(
    folder: Path, seconds: float, lost: float, *, rtp: bool = False, ahead: float = 0.0, seed: int = 1
) -> list[Path]:
    """A call both ways at its two hosts: packets take 10 ms, and a share of those to the second is lost.

    Args:
        folder: Where the captures go.
        seconds: How long it is.
        lost: The share that is lost.
        rtp: Whether packets are RTP; else nothing but IP's number tells them from each other.
        ahead: How far the second host's clock is ahead, in seconds.
        seed: Of chance, and of the day.
    """
    sent = list(call(seconds))
    came = {number for _, number in call(seconds, lost=lost, seed=seed)}
    frames: list[list[tuple[float, bytes]]] = [[], []]
    for at, number in sent:
        there, back = (bytes(12) + b"\x08\0" + datagram(number, rtp=rtp, back=way) for way in (False, True))
        frames[0] += [(at, there), (at + 0.015, back)]
        frames[1] += [(at + 0.005, back), *([(at + 0.010, there)] if number in came else [])]
    folder.mkdir(exist_ok=True)
    files = [folder / "caller.pcap", folder / "called.pcap"]
    return [
        written(iter(sorted(of)), file, ETHERNET, 1e6 * seed + by)
        for of, file, by in zip(frames, files, (0.0, ahead), strict=True)
    ]


def on_air(packets: Iterator[tuple[float, int]], capture: Path, start: float = 1e6) -> Path:
    """The same as a monitor hears it in an open network: from the station to the access point, and on to another."""

    def frames() -> Iterator[tuple[float, bytes]]:
        ap, one, other = (bytes([2, 0, 0, 0, 0, number]) for number in range(3))
        radio = struct.pack("<BBHIBx", 0, 0, 10, 1 << 2, 108)
        snap = bytes([0xAA, 0xAA, 3, 0, 0, 0, 8, 0])
        for at, number in packets:
            for after, way, ends in ((0.0, 1, (ap, one, other)), (0.001, 2, (other, ap, one))):
                head = bytes([8, way, 0, 0]) + b"".join(ends) + struct.pack("<H", (number & 4095) << 4)
                yield at + after, radio + head + snap + datagram(number)

    return written(frames(), capture, RADIOTAP, start)


def written(frames: Iterator[tuple[float, bytes]], capture: Path, link: int, start: float) -> Path:
    """A capture of frames at their times."""
    with capture.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, link))
        for at, octets in frames:
            micros = round((start + at) * 1e6)
            file.write(struct.pack("<IIII", *divmod(micros, 10**6), len(octets), len(octets)) + octets)
    return capture
