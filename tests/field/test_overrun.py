"""A sender that does not keep to the receiver's window, and sends again what that throws away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.flows import flow
from airloom.diagnosis.reading import diagnose
from field.conversation import ACK, MSS, OFFER, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import FlowSeen

SCALE = 8
ROUNDS = 10


def overrunning(*, beyond: int) -> Conversation:
    """Each round four segments fit, and so many more are sent, thrown away, and sent again once there is room."""
    talk = Conversation()
    at = 0.1
    room = (4 * MSS >> SCALE) + 1
    talk.put(0.0, 0, 0, SYN, OFFER)
    talk.put(0.02, 1, 0, SYN | ACK, OFFER)
    talk.put(0.02001, 0, window=room)
    for _ in range(ROUNDS):
        for step in range(4):
            talk.put(at + step * 1e-4, 1, MSS)
        kept = talk.sequence[1]
        for step in range(beyond):
            talk.put(at + 4e-4 + step * 1e-4, 1, MSS)
        talk.sequence[1] = kept
        for step in range(beyond + 1):
            talk.put(at + 1e-3 + step * 1e-4, 0, window=0)
        talk.put(at + 0.1, 0, window=room)
        for step in range(beyond):
            talk.put(at + 0.12 + step * 1e-4, 1, MSS)
        talk.put(at + 0.13, 0, window=room)
        at += 0.2
    return talk


def download(talk: Conversation, capture: Path) -> tuple[FlowSeen, set[str]]:
    """The data of the second end, and the codes of what was found."""
    found = diagnose([talk.write(capture)])
    (one,) = found["connections"]
    return one, {finding["code"] for finding in found["findings"]}


def test_what_a_full_receiver_throws_away_is_no_loss(tmp_path: Path) -> None:
    one, codes = download(overrunning(beyond=3), tmp_path / "beyond.pcap")
    assert (one["overran"], one["thrown_away"]) == (3 * ROUNDS, 3 * ROUNDS)
    assert "30 segments sent beyond the receiver's window, 30 of them again since it threw them away" in flow(one)
    assert "W306" not in codes


def test_who_keeps_to_the_window_goes_beyond_none(tmp_path: Path) -> None:
    one, _ = download(overrunning(beyond=0), tmp_path / "within.pcap")
    assert (one["overran"], one["thrown_away"]) == (0, 0)
    assert "beyond" not in flow(one)
