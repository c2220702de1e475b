"""Where a capture was made, between ends that are both near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

SERVER, CLIENT = 5.4e-5, 9e-6
"""How soon each end answers at best, in seconds: by their handshake the server takes 0.35 ms."""


def test_ends_that_are_both_near_are_named_with_how_near_they_are(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 3.5e-4)
    for turn in range(100):
        at = 0.1 + turn * 1e-2
        talk.put(at, 0, 500)
        talk.put(at + SERVER, 1)
        talk.put(at + 5e-3, 1, MSS)
        talk.put(at + 5e-3 + CLIENT, 0)
    told = diagnose([talk.write(tmp_path / "near.pcap")])
    because = {one["code"]: one["because"] for one in told["abstained"]}["W404"]
    assert because.startswith("10.0.0.2:445 to 10.0.0.1:49154: both ends are so near")
    assert "the sender answers within 54 us at best, the receiver within 9 us" in because


def test_a_flow_that_was_not_captured_at_its_sender_is_named(tmp_path: Path) -> None:
    """A host's own capture of a download: what it sends itself is too little to look at."""
    talk = Conversation()
    talk.open(0, 0.02)
    talk.put(0.03, 0, 500)
    talk.put(0.05, 1)
    for packet in range(300):
        talk.put(0.06 + packet * 0.02, 1, 1400)
        talk.put(0.06 + packet * 0.02 + 1e-5, 0)
    abstained = diagnose([talk.write(tmp_path / "download.pcap")])["abstained"]
    (because,) = [one["because"] for one in abstained if one["code"] == "W402"]
    said = "it was not captured at its sender or next to it, and no other flow is large enough"
    assert because == f"10.0.0.2:445 to 10.0.0.1:49154: {said}"
