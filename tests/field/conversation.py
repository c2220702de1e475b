"""A TCP connection written packet by packet, as a host's interface has it."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
ETHERNET = 1
SNAP_LENGTH = 120
MSS = 1460
ROOM = 65_000
OFFER = struct.pack(">BBHBBBB", 2, 4, MSS, 1, 3, 3, 8)
"""What a SYN says: the largest segment, and a scale of windows."""


@dataclass
class Conversation:
    """Packets of one connection, each sent by end 0 or 1.

    Attributes:
        sequence: The next sequence number of each end.
        hops: How many hops packets of each end have left.
        ports: The port of each end.
    """

    sequence: list[int] = field(default_factory=lambda: [1_000, 5_000_000])
    ports: tuple[int, int] = (49154, 445)
    hops: tuple[int, int] = (64, 64)
    packets: list[tuple[float, bytes, int]] = field(default_factory=list)

    def put(
        self, at: float, end: int, length: int = 0, flags: int = ACK, options: bytes = b"", window: int = ROOM
    ) -> None:
        """A packet of an end at a time in seconds, with all that the other has sent acknowledged, and a window."""
        offset = (20 + len(options)) // 4 << 4
        ports = (self.ports[end], self.ports[1 - end])
        numbers = (self.sequence[end], self.sequence[1 - end] if flags & ACK else 0)
        header = struct.pack(">HHIIBBHHH", *ports, *numbers, offset, flags, window, 0, 0) + options
        hosts = [bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])]
        whole = 20 + len(header) + length
        ip = struct.pack(">BBHHHBBH", 0x45, 0, whole, 0, 0x4000, self.hops[end], 6, 0) + hosts[end] + hosts[1 - end]
        self.packets.append((at, bytes(12) + b"\x08\0" + ip + header, 14 + whole))
        self.sequence[end] = (self.sequence[end] + length + (flags & SYN) // SYN + (flags & FIN)) % 2**32

    def open(self, at: float, round_trip: float) -> None:
        """The handshake, as the first end sees it."""
        self.put(at, 0, 0, SYN, OFFER)
        self.put(at + round_trip, 1, 0, SYN | ACK, OFFER)
        self.put(at + round_trip + 1e-5, 0)

    def write(self, capture: Path) -> Path:
        """The capture, with the packets in the order of their times."""
        with capture.open("wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, ETHERNET))
            for at, octets, length in sorted(self.packets, key=lambda packet: packet[0]):
                micros = round(at * 1e6)
                kept = octets[:SNAP_LENGTH]
                file.write(struct.pack("<IIII", micros // 10**6, micros % 10**6, len(kept), length) + kept)
        return capture
