"""What waits for an answer as nothing at all is captured for long may have got it: that is no time of waiting."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose

from .conversation import OFFER, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

DAYS = 2 * 86_400.0


def ping(talk: Conversation, at: float, number: int, *, back: bool) -> None:
    """A request of ICMP echo, or the answer to it."""
    ends = [bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])]
    icmp = struct.pack(">BBHHH", 0 if back else 8, 0, 0, 7, number) + bytes(56)
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(icmp), 0, 0x4000, 64, 1, 0) + ends[back] + ends[not back]
    talk.packets.append((at, bytes(12) + b"\x08\0" + ip + icmp, 34 + len(icmp)))


@pytest.mark.parametrize(("before", "waits"), [(0.3, False), (20.0, True)])
def test_a_syn_and_a_ping_before_a_gap_of_days_are_not_unanswered(tmp_path: Path, before: float, waits: bool) -> None:
    """Both go so many seconds before the gap, with other pings meanwhile."""
    talk = Conversation()
    talk.put(100 - before, 0, 0, SYN, OFFER)
    ping(talk, 100 - before, 1, back=False)
    for number, at in enumerate([78.0, 79.0, 100.0, 100 + DAYS, 101 + DAYS], 10):
        ping(talk, at, number, back=False)
        ping(talk, at + 0.02, number, back=True)
    found = diagnose([talk.write(tmp_path / "days.pcap")])
    assert [one["syns"] for one in found["attempts"]] == [1] * waits
    (pings,) = found["pings"]
    assert (pings["requests"], pings["answered"]) == (6, 5)
