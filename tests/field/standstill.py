"""Connections that stand still, packet by packet."""

from __future__ import annotations

import struct

from field.conversation import Conversation

FULL = 1460
WINDOW = slice(14 + 20 + 14, 14 + 20 + 16)
"""Where a packet has its window, behind Ethernet, IPv4 and the first fields of TCP."""


def talking(seconds: float) -> Conversation:
    """A conversation of short lines, each answered."""
    talk = Conversation()
    talk.open(0, 0.02)
    for line in range(int(seconds / 0.5)):
        at = 0.5 + line * 0.5
        talk.put(at, 0, 48)
        talk.put(at + 0.021, 1, 64)
        talk.put(at + 0.0211, 0)
    return talk


def again(talk: Conversation, begin: float, length: int, waits: int) -> float:
    """The first end sends what it had sent `length` octets ago, with a timer that doubles; when it did so last."""
    wait = 0.22
    for _ in range(waits):
        begin += wait
        wait *= 2
        talk.sequence[0] -= length
        talk.put(begin, 0, length)
    return begin


def full_window(talk: Conversation, begin: float) -> None:
    """Nine full packets and a short one; only the short one arrives, says a SACK. The first goes again by timer."""
    una, short = talk.sequence[0], talk.sequence[0] + 9 * FULL
    for packet in range(9):
        talk.put(begin + packet * 1e-4, 0, FULL)
    talk.put(begin + 1e-3, 0, 300)
    talk.sequence[0] = una
    talk.put(begin + 0.0215, 1, options=struct.pack(">BBBBII", 1, 1, 5, 10, short, short + 300))
    talk.sequence[0] = una + FULL
    again(talk, begin + 0.0225, FULL, 8)


def hole() -> Conversation:
    """A conversation of short lines, and then full packets, which vanish."""
    talk = talking(60)
    full_window(talk, 61)
    return talk


def dead(repeats: int) -> Conversation:
    """A conversation whose last line is repeated so often, and nothing answers."""
    talk = talking(10)
    talk.put(11, 0, 48)
    again(talk, 11, 48, repeats)
    return talk


def closed(seconds: float) -> Conversation:
    """One whose receiver closes its window for so long."""
    talk = talking(10)
    talk.put(11, 0, 1000)
    for at, window in ((11.02, 0), (11.02 + seconds, 65_000)):
        talk.put(at, 1)
        time, octets, length = talk.packets[-1]
        changed = bytearray(octets)
        changed[WINDOW] = struct.pack(">H", window)
        talk.packets[-1] = (time, bytes(changed), length)
    talk.put(11.03 + seconds, 0, 1000)
    talk.put(11.05 + seconds, 1)
    return talk
