"""Captures of different connections between the same ends, which do not belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from airloom.errors import CaptureError
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

ROUND = 0.02


def upload(first: int, second: int, begin: float = 0.0, *, handshake: bool = True) -> Conversation:
    """Segments and their acknowledgments for two seconds, from these initial sequence numbers on."""
    talk = Conversation([first, second])
    if handshake:
        talk.open(begin, ROUND)
    for segment in range(200):
        at = begin + 0.1 + segment * 0.01
        talk.put(at, 0, MSS)
        talk.put(at + ROUND / 4, 1)
    return talk


def test_connections_with_other_sequence_numbers_are_not_taken_for_one(tmp_path: Path) -> None:
    ours = upload(1_000, 5_000_000).write(tmp_path / "ours.pcap")
    theirs = upload(3_000_000_000, 77_000_000).write(tmp_path / "theirs.pcap")
    with pytest.raises(CaptureError, match="of the same network, and of the same run") as raised:
        diagnose([ours, theirs])
    assert "one at a time" in str(raised.value.args[1])
    # Neither shows its handshake.
    middle = upload(1_000, 5_000_000, handshake=False).write(tmp_path / "middle.pcap")
    with pytest.raises(CaptureError, match="other sequence numbers"):
        diagnose([middle, theirs])


def test_the_same_connection_is_one_whatever_either_capture_shows_of_it(tmp_path: Path) -> None:
    whole = upload(2**32 - 5_000, 5_000_000)
    capture = whole.write(tmp_path / "whole.pcap")
    late = Conversation(packets=[packet for packet in whole.packets if packet[0] > 1.0])
    found = diagnose([capture, late.write(tmp_path / "late.pcap")])
    assert [one["tells_most"] for one in found["connections"]].count(True) == 1


def test_connections_one_after_the_other_on_the_same_ports_are_two(tmp_path: Path) -> None:
    first, second = upload(1_000, 5_000_000), upload(3_000_000_000, 77_000_000, begin=5.0)
    both = Conversation(packets=[*first.packets, *second.packets]).write(tmp_path / "both.pcap")
    found = diagnose([both, first.write(tmp_path / "first.pcap")])
    assert [one["tells_most"] for one in found["connections"]].count(True) == 2
