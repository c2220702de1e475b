"""What a monitor does not have: frames that it did not hear, and what is encrypted."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from airloom.diagnosis.pcapng import FCS, checked, frame, packed, rewrite, sizes, stamp

if TYPE_CHECKING:
    from pathlib import Path

DATA, NO_DATA, QOS = 0x08, 0x40, 0x80
"""Bits of a frame's first octet: it is of data, has none, has a QoS field (802.11-2020 clause 9.2.4.1.3)."""

BOTH_DS = 0x03
"""Bits of the second octet: from one access point to another, with a fourth address (clause 9.2.4.1.4)."""

PROTECTED = 0x40
"""The bit of the second octet that says that a body is encrypted (clause 9.2.4.1.9)."""

CCMP_HEADER = bytes([0, 0, 0, 0x20, 0, 0, 0, 0])
"""Before an encrypted body: packet number, key identifier and the bit that says that it is there (clause 12.5.3.2)."""

MIC = 8
"""Octets behind an encrypted body (clause 12.5.3.3.6)."""


def lose(capture: Path, share: float, seed: int) -> None:
    """Takes this share of the packets out, at random but the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - a simulation
    rewrite(capture, lambda block: (block,) if chance.random() >= share else ())


def encrypt(capture: Path) -> None:
    """Encrypts the bodies of data frames as CCMP-128 does, as it looks without a key: right lengths, no octets."""
    rewrite(capture, lambda block: (encrypted(block),))


def encrypted(block: bytes) -> bytes:
    """A block with a frame behind a radiotap header, its body encrypted if it has one."""
    mpdu = frame(block)
    if mpdu[0] & 0x0C != DATA or mpdu[0] & NO_DATA or mpdu[1] & PROTECTED:
        return block
    header = (26 if mpdu[0] & QOS else 24) + (6 if mpdu[1] & BOTH_DS == BOTH_DS else 0)
    captured, sent = sizes(block)
    whole = captured == sent
    body = len(mpdu) - header - (FCS if whole else 0)
    coded = mpdu[:1] + bytes([mpdu[1] | PROTECTED]) + mpdu[2:header] + CCMP_HEADER + bytes(body)
    if whole:
        coded = checked(coded + bytes(MIC))
    return packed(block, stamp(block), coded, sent + len(CCMP_HEADER) + MIC)
