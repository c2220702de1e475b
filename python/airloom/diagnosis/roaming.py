"""A station that roams: a capture of one access point made one of two, with what goes between the two."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    Block = tuple[int, bytes]

ENHANCED_PACKET = 6
"""The type of a block with a packet (draft-ietf-opsawg-pcapng section 4.3)."""

HEADER = struct.Struct("<IIIIIII")
"""Type, length, interface, high and low half of the time, octets captured and sent."""

AT, GAP = 0.5, 0.03
"""When the station leaves and how long it is without an access point, as shares of the capture."""

OLD, STATION = (bytes.fromhex(f"0200000000{last:02x}") for last in (0, 1))
NEW = bytes.fromhex("0200000000ff")
"""The access point before, the station that comes first in a scenario, and the access point after."""

BEACON = 0x80
"""The first octet of a beacon."""

EXCHANGE = (
    (0xB0, NEW, STATION, "000001000000"),
    (0xB0, STATION, NEW, "000002000000"),
    (0x20, NEW, STATION, "11040a00" + OLD.hex()),
    (0x30, STATION, NEW, "1104000001c0"),
)
"""Authentication and reassociation (802.11-2020 clauses 9.3.3.7, 9.3.3.8, 9.3.3.11): type, receiver, sender, body."""


def roam(capture: Path) -> None:
    """Rewrites a little-endian pcapng file: its first station goes to another access point in the middle of it."""
    octets = capture.read_bytes()
    blocks: list[Block] = []
    offset = 0
    while offset + 8 <= len(octets):
        kind, length = struct.unpack_from("<II", octets, offset)
        blocks.append((kind, octets[offset : offset + length]))
        offset += length
    times = [stamp(block) for kind, block in blocks if kind == ENHANCED_PACKET]
    begin, span = times[0], times[-1] - times[0]
    leaves, arrives = begin + AT * span, begin + (AT + GAP) * span
    beacon = next(block for kind, block in blocks if kind == ENHANCED_PACKET and frame(block)[0] == BEACON)
    kept: list[bytes] = []
    asked = False
    for kind, block in blocks:
        if kind != ENHANCED_PACKET or stamp(block) < leaves:
            kept.append(block)
        elif stamp(block) >= arrives:
            if not asked:
                asked = True
                step = int(GAP * span / 20)
                kept += [
                    told(beacon, int(arrives) - step * (len(EXCHANGE) - n), *one) for n, one in enumerate(EXCHANGE)
                ]
            kept.append(moved(block))
    capture.write_bytes(b"".join(kept))


def stamp(block: bytes) -> int:
    """When a packet was captured, in the units of its file."""
    _, _, _, high, low, _, _ = HEADER.unpack_from(block)
    return int(high << 32 | low)


def radiotap(block: bytes) -> bytes:
    """The radiotap header of a packet."""
    (length,) = struct.unpack_from("<H", block, HEADER.size + 2)
    return block[HEADER.size : HEADER.size + length]


def frame(block: bytes) -> bytes:
    """The frame of a packet, as far as it was captured."""
    captured = HEADER.unpack_from(block)[5]
    return block[HEADER.size : HEADER.size + captured][len(radiotap(block)) :]


def packed(block: bytes, at: int, mpdu: bytes, sent: int) -> bytes:
    """A packet like another with this frame, of which so many octets were sent."""
    data = radiotap(block) + mpdu
    length = HEADER.size + (len(data) + 3) // 4 * 4 + 4
    interface = HEADER.unpack_from(block)[2]
    header = HEADER.pack(ENHANCED_PACKET, length, interface, at >> 32, at & 0xFFFFFFFF, len(data), sent)
    return header + data.ljust(length - HEADER.size - 4, b"\0") + struct.pack("<I", length)


def told(beacon: bytes, at: int, kind: int, receiver: bytes, transmitter: bytes, body: str) -> bytes:
    """A management frame, heard as a beacon was."""
    mpdu = bytes([kind, 0, 0, 0]) + receiver + transmitter + NEW + b"\0\0" + bytes.fromhex(body)
    mpdu += checked(mpdu)
    return packed(beacon, at, mpdu, len(radiotap(beacon)) + len(mpdu))


def moved(block: bytes) -> bytes:
    """A packet with the other access point."""
    mpdu = frame(block)
    addresses = mpdu[4:22].replace(OLD, NEW)
    changed = mpdu[:4] + addresses + mpdu[4 + len(addresses) :]
    if mpdu[-4:] == checked(mpdu[:-4]):
        changed = changed[:-4] + checked(changed[:-4])
    return packed(block, stamp(block), changed, HEADER.unpack_from(block)[6])


def checked(mpdu: bytes) -> bytes:
    """The frame check sequence (802.11-2020 clause 9.2.4.8)."""
    return struct.pack("<I", zlib.crc32(mpdu))
