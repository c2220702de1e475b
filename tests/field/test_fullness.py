"""Segments that make room for their options: they are as full as those without."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

ROUND = 0.05
WINDOW = 10
SECONDS = 4

STAMPS = b"\x01\x01\x08\x0a" + struct.pack(">II", 1, 1)
ACCECN = b"\xac\x0b" + bytes(9) + b"\x01" * 5
"""The option of AccECN with three counters (RFC 9768 section 3.2.3), and its padding."""

MPTCP = b"\x1e\x14" + bytes(18)
"""A data sequence signal of MPTCP (RFC 8684 section 3.3)."""


def bulk(short_by: int, options: bytes, *, handshake: bool) -> Conversation:
    """A sender that always has a window on its way; all but each tenth segment have more options than time stamps."""
    talk = Conversation()
    if handshake:
        talk.open(0.0, ROUND)
    for turn in range(round(SECONDS / ROUND)):
        at = 0.2 + turn * ROUND
        for segment in range(WINDOW):
            own = options if segment else STAMPS
            talk.put(at + segment * 1e-5, 0, MSS - len(own) - (short_by if segment else 0), options=own)
        talk.put(at + ROUND - 1e-4, 1, options=STAMPS)
    return talk


@pytest.mark.parametrize("handshake", [True, False], ids=["whole", "begun-late"])
@pytest.mark.parametrize("options", [STAMPS + ACCECN, STAMPS + MPTCP], ids=["accecn", "mptcp"])
def test_a_segment_with_options_is_full(tmp_path: Path, options: bytes, handshake: bool) -> None:
    found = diagnose([bulk(0, options, handshake=handshake).write(tmp_path / "bulk.pcap")])
    (flow,) = found["connections"]
    assert flow["limits"]["congestion"] > 0.9
    assert "W402" not in {one["code"] for one in found["findings"]}


def test_a_segment_with_room_left_is_not(tmp_path: Path) -> None:
    found = diagnose([bulk(100, STAMPS + ACCECN, handshake=True).write(tmp_path / "short.pcap")])
    assert {one["code"] for one in found["findings"]} == {"W402"}


@pytest.mark.parametrize("behind", [0, 60], ids=["at-once", "later"])
def test_a_transfer_that_is_over_is_not_its_programs_idleness(tmp_path: Path, behind: float) -> None:
    # A file at once, a word before it and another long after: what a program does not send then makes nothing slow.
    talk = Conversation()
    talk.open(0.0, ROUND)
    talk.put(0.1, 0, 100)
    talk.put(0.1 + ROUND, 1)
    for turn in range(20):
        at = 5 + behind + turn * ROUND
        for segment in range(WINDOW):
            talk.put(at + segment * 1e-5, 0, MSS)
        talk.put(at + ROUND - 1e-4, 1)
    talk.put(20 + behind, 0, 100)
    talk.put(20 + behind + ROUND, 1)
    assert "W402" not in {one["code"] for one in diagnose([talk.write(tmp_path / "over.pcap")])["findings"]}
