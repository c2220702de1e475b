"""Captures as the engine writes them, rewritten: little-endian pcapng files of frames behind radiotap headers."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

ENHANCED_PACKET = 6
"""The type of a block with a packet (draft-ietf-opsawg-pcapng section 4.3)."""

HEADER = struct.Struct("<IIIIIII")
"""Type, length, interface, high and low half of the time, octets captured and sent."""

FCS = 4
"""Octets of a frame check sequence (802.11-2020 clause 9.2.4.8)."""


def blocks(octets: bytes) -> Iterator[bytes]:
    """The blocks of a file, as far as they are whole."""
    offset = 0
    while offset + 8 <= len(octets):
        (length,) = struct.unpack_from("<I", octets, offset + 4)
        yield octets[offset : offset + length]
        offset += length


def is_packet(block: bytes) -> bool:
    """Whether a block has a packet."""
    return block.startswith(struct.pack("<I", ENHANCED_PACKET))


def rewrite(capture: Path, change: Callable[[bytes], Iterable[bytes]]) -> None:
    """Puts what `change` makes of each block with a packet in its place."""
    kept = [new for block in blocks(capture.read_bytes()) for new in (change(block) if is_packet(block) else (block,))]
    capture.write_bytes(b"".join(kept))


def stamp(block: bytes) -> int:
    """When a packet was captured, in the units of its file."""
    high, low = HEADER.unpack_from(block)[3:5]
    return int(high << 32 | low)


def sizes(block: bytes) -> tuple[int, int]:
    """How many octets of a packet were captured, and how many were sent."""
    captured, sent = HEADER.unpack_from(block)[5:]
    return int(captured), int(sent)


def radiotap(block: bytes) -> bytes:
    """The radiotap header of a packet."""
    (length,) = struct.unpack_from("<H", block, HEADER.size + 2)
    return block[HEADER.size : HEADER.size + length]


def frame(block: bytes) -> bytes:
    """The frame of a packet, as far as it was captured."""
    captured, _ = sizes(block)
    return block[HEADER.size : HEADER.size + captured][len(radiotap(block)) :]


def packed(block: bytes, at: int, mpdu: bytes, sent: int) -> bytes:
    """A packet like another at a time with this frame, of which so many octets were sent."""
    data = radiotap(block) + mpdu
    length = HEADER.size + len(data) + -len(data) % 4 + 4
    interface = HEADER.unpack_from(block)[2]
    header = HEADER.pack(ENHANCED_PACKET, length, interface, at >> 32, at & 0xFFFFFFFF, len(data), sent)
    return header + data + bytes(-len(data) % 4) + struct.pack("<I", length)


def checked(mpdu: bytes) -> bytes:
    """A frame with its check sequence."""
    return mpdu + struct.pack("<I", zlib.crc32(mpdu))
