"""A monitor that does not hear everything."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ENHANCED_PACKET = 6
"""The type of a block with a packet (draft-ietf-opsawg-pcapng section 4.3)."""


def lose(capture: Path, share: float, seed: int) -> None:
    """Takes this share of the packets out of a little-endian pcapng file, at random but the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - a simulation
    octets = capture.read_bytes()
    kept = []
    offset = 0
    while offset + 8 <= len(octets):
        kind, length = struct.unpack_from("<II", octets, offset)
        if kind != ENHANCED_PACKET or chance.random() >= share:
            kept.append(octets[offset : offset + length])
        offset += length
    capture.write_bytes(b"".join(kept))
