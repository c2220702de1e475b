"""Small pieces that wait for held acknowledgments, a few of each connection, are told for both hosts together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.conversation import ACK, OFFER, PSH, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

CONNECTIONS = 4
WAY = 2e-4


def said(path: Path, *, goes_on: float) -> list[str]:
    """Connections near both ends, each with a piece, and another so long after its acknowledgment, in seconds."""
    all_of_them = Conversation()
    for number in range(CONNECTIONS):
        talk = Conversation(ports=(50_000 + number, 554))
        at = 10.0 * number
        talk.put(at, 0, 0, SYN, OFFER)
        talk.put(at + WAY, 1, 0, SYN | ACK, OFFER)
        talk.put(at + 2 * WAY, 0)
        for turn in range(4):
            now = at + 0.02 + 0.2 * turn
            talk.put(now, 0, 120, PSH | ACK)
            talk.put(now + WAY, 1, 125, PSH | ACK)
            if turn == 2:
                talk.put(now + 0.042, 0)
                talk.put(now + 0.042 + goes_on, 1, 695, PSH | ACK)
            talk.put(now + 0.0425 + goes_on, 0, 140, PSH | ACK)
            talk.put(now + 0.0425 + goes_on + WAY, 1)
        all_of_them.packets += talk.packets
    return [line for line in facts(diagnose([all_of_them.write(path)])) if "held back" in line]


def test_pieces_that_wait_for_held_acknowledgments_are_told_of_all_connections_of_two_hosts(tmp_path: Path) -> None:
    (line,) = said(tmp_path / "nagle.pcap", goes_on=WAY)
    assert line.startswith(
        "10.0.0.2 to 10.0.0.1: 4 times in 4 flows a part of a segment went just as an acknowledgment came"
    )
    assert "held back for 41" in line


def test_who_goes_on_some_time_after_an_acknowledgment_did_not_wait_for_it(tmp_path: Path) -> None:
    assert not said(tmp_path / "pause.pcap", goes_on=0.003)
