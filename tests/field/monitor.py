"""Captures of a monitor, frame by frame: a radiotap header and what went over the air, cut to 140 octets."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

AP = bytes.fromhex("020000000000")
STATION = bytes.fromhex("020000000001")
EVERYBODY = b"\xff" * 6
RADIOTAP = 127
KEPT = 140
INTERVAL = 0.1024
"""Seconds between beacons."""

RETRY, SLEEPS = 0x08, 0x10
TO_AP, FROM_AP = 0x01, 0x02


@dataclass
class Monitor:
    """What a monitor hears on a channel, with a signal and noise in dBm; its clock may be ahead, in seconds.

    Its radio may name neither the noise nor the A-MPDU that a frame came in.
    """

    channel_mhz: int = 2437
    ahead: float = 0.0
    signal: int = -50
    noise: int = -95
    tells_noise: bool = True
    names_ampdus: bool = True
    heard: list[tuple[float, int, bytes]] = field(default_factory=list)
    numbers: int = 0

    def frame(self, time: float, octets: bytes, mbps: float = 24) -> None:
        """A frame at a rate of 802.11g."""
        noise = struct.pack("b", self.noise) if self.tells_noise else b""
        of_radio = struct.pack("<BBHHb", 0, round(2 * mbps), self.channel_mhz, 0x00A0, self.signal) + noise
        present = 0b101110 | self.tells_noise << 6
        head = struct.pack("<BBHI", 0, 0, 8 + len(of_radio), present) + of_radio
        self.heard.append((time + self.ahead, len(head + octets), head + octets))

    def mpdu(self, time: float, octets: bytes, mcs: int, ampdu: int) -> None:
        """A frame of an A-MPDU of 802.11n in 20 MHz."""
        present = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 19 | self.names_ampdus << 20
        of_radio = struct.pack("<BxHHbbBBBB", 0, 5180, 0x0140, self.signal, self.noise, 0, 0x37, 0, mcs)
        body = of_radio + (struct.pack("<xxIHBB", ampdu, 0, 0, 0) if self.names_ampdus else b"")
        head = struct.pack("<BBHI", 0, 0, 8 + len(body), present) + body
        self.heard.append((time, len(head + octets), head + octets))

    def number(self) -> bytes:
        """The sequence control field of the next frame."""
        self.numbers += 1
        return struct.pack("<H", (self.numbers & 4095) << 4)

    def beacon(self, time: float, waiting: bool = False, of: bytes = AP, more: bytes = b"") -> None:
        """A beacon, which says whether frames wait for somebody, with more elements."""
        body = struct.pack("<QHH", round(time * 1e6), 100, 1) + b"\0\4home" + b"\1\4\x82\x84\x8b\x96" + b"\3\1\6"
        tim = bytes([5, 4, 0, 1, 0, 2 if waiting else 0])
        self.frame(time, bytes([0x80, 0, 0, 0]) + EVERYBODY + of + of + self.number() + body + tim + more, 1)

    def null(self, time: float, asleep: bool) -> None:
        """A null frame of the station, with its ACK."""
        flags = TO_AP | (SLEEPS if asleep else 0)
        self.frame(time, bytes([0x48, flags, 44, 0]) + AP + STATION + AP + self.number())
        self.ack(time + 0.0003, STATION)

    def probe(self, time: float) -> None:
        """A probe request of the station."""
        self.frame(time, bytes([0x40, 0, 0, 0]) + EVERYBODY + STATION + EVERYBODY + self.number() + bytes([0, 0]), 1)

    def ack(self, time: float, to: bytes) -> None:
        """An ACK."""
        self.frame(time, bytes([0xD4, 0, 0, 0]) + to)

    def data(self, time: float, *, up: bool, octets: int = 1000) -> None:
        """Data of 802.11g between the station and its access point, with its ACK."""
        source, target = (STATION, AP) if up else (AP, STATION)
        head = bytes([0x08, TO_AP if up else FROM_AP, 44, 0]) + target + source + AP + self.number()
        self.frame(time, head + bytes(octets))
        self.ack(time + 0.0004, source)

    def qos(
        self,
        time: float,
        number: int,
        ampdu: int,
        *,
        mcs: int = 7,
        again: bool = False,
        octets: int = 1500,
        to: bytes = STATION,
    ) -> None:
        """An MPDU of 802.11n from the access point to a station."""
        flags = 0x40 | FROM_AP | (RETRY if again else 0)
        head = bytes([0x88, flags, 44, 0]) + to + AP + AP
        head += struct.pack("<HH", (number & 4095) << 4, 0) + bytes(8)
        self.mpdu(time, head + bytes(octets), mcs, ampdu)

    def packets(self, time: float, of: list[bytes], lengths: list[int], ampdu: int, *, up: bool) -> None:
        """IP packets of the station, or for it, in one A-MPDU of 802.11n that arrives whole."""
        source, target = (STATION, AP) if up else (AP, STATION)
        first = self.numbers + 1
        for packet, length in zip(of, lengths, strict=True):
            head = bytes([0x88, TO_AP if up else FROM_AP, 44, 0]) + target + source + AP + self.number()
            body = head + bytes(2) + b"\xaa\xaa\3\0\0\0\x08\0" + packet
            self.mpdu(time, body + bytes(length - len(packet)), 15, ampdu)
        answer = bytes([0x94, 0, 0, 0]) + source + target
        bitmap = struct.pack("<HHQ", 5, (first & 4095) << 4, (1 << len(of)) - 1)
        self.frame(time + 0.00005, answer + bitmap)

    def block_ack(self, time: float, start: int, bitmap: int, of: bytes = STATION) -> None:
        """A station's answer to an A-MPDU."""
        body = struct.pack("<HHQ", 5, (start & 4095) << 4, bitmap)
        self.frame(time, bytes([0x94, 0, 0, 0]) + AP + of + body)

    def request(self, time: float, start: int) -> None:
        """The access point's request for a BlockAck, at the lowest rate."""
        body = struct.pack("<HH", 5, (start & 4095) << 4)
        self.frame(time, bytes([0x84, 0, 0, 0]) + STATION + AP + body, 1)

    def write(self, path: Path) -> Path:
        """Writes all that was heard, in the order of time."""
        with path.open("wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, KEPT, RADIOTAP))
            for time, length, octets in sorted(self.heard, key=lambda one: one[0]):
                kept = octets[:KEPT]
                file.write(struct.pack("<IIII", int(time), round(time % 1 * 1e6), len(kept), length) + kept)
        return path
