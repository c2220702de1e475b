"""What a monitor does not have: frames that it did not hear, and what is encrypted."""

from __future__ import annotations

import random
import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENHANCED_PACKET = 6
"""The type of a block with a packet (draft-ietf-opsawg-pcapng section 4.3)."""

HEAD = 28
"""Octets of such a block before its packet; behind it come padding and, without options, its length once more."""

DATA, NO_DATA, QOS = 0x08, 0x40, 0x80
"""Bits of a frame's first octet: it is of data, has none, has a QoS field (802.11-2020 clause 9.2.4.1.3)."""

BOTH_DS = 0x03
"""Bits of the second octet: from one access point to another, with a fourth address (clause 9.2.4.1.4)."""

PROTECTED = 0x40
"""The bit of the second octet that says that a body is encrypted (clause 9.2.4.1.9)."""

CCMP_HEADER = bytes([0, 0, 0, 0x20, 0, 0, 0, 0])
"""Before an encrypted body: packet number, key identifier and the bit that says that it is there (clause 12.5.3.2)."""

FCS = 4
MIC = 8


def changed(capture: Path, change: Callable[[bytes], bytes]) -> None:
    """Puts what `change` makes of each block with a packet in its place, in a little-endian pcapng file."""
    octets = capture.read_bytes()
    kept = []
    offset = 0
    while offset + 8 <= len(octets):
        kind, length = struct.unpack_from("<II", octets, offset)
        block = octets[offset : offset + length]
        kept.append(change(block) if kind == ENHANCED_PACKET else block)
        offset += length
    capture.write_bytes(b"".join(kept))


def lose(capture: Path, share: float, seed: int) -> None:
    """Takes this share of the packets out, at random but the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - a simulation
    changed(capture, lambda block: block if chance.random() >= share else b"")


def encrypt(capture: Path) -> None:
    """Encrypts the bodies of data frames as CCMP-128 does, as it looks without a key: right lengths, no octets."""
    changed(capture, encrypted)


def encrypted(block: bytes) -> bytes:
    """A block with a frame behind a radiotap header, its body encrypted if it has one."""
    had, original = struct.unpack_from("<II", block, 20)
    packet = block[HEAD : HEAD + had]
    (radiotap,) = struct.unpack_from("<H", packet, 2)
    frame = packet[radiotap:]
    if frame[0] & 0x0C != DATA or frame[0] & NO_DATA or frame[1] & PROTECTED:
        return block
    header = (26 if frame[0] & QOS else 24) + (6 if frame[1] & BOTH_DS == BOTH_DS else 0)
    whole = had == original
    body = len(frame) - header - (FCS if whole else 0)
    coded = frame[:1] + bytes([frame[1] | PROTECTED]) + frame[2:header] + CCMP_HEADER + bytes(body)
    if whole:
        coded += bytes(MIC)
        coded += struct.pack("<I", zlib.crc32(coded))
    packet = packet[:radiotap] + coded
    length = HEAD + len(packet) + -len(packet) % 4 + 4
    head = struct.pack("<II", ENHANCED_PACKET, length) + block[8:20]
    sizes = struct.pack("<II", len(packet), original + len(CCMP_HEADER) + MIC)
    return head + sizes + packet + bytes(-len(packet) % 4) + struct.pack("<I", length)
