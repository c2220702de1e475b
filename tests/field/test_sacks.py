"""What the receiver's SACKs tell where the data is not in the capture."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.facts.flows import flow
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

WAITS = 2.0


def reported(left: int, octets: int) -> bytes:
    """A SACK of some octets (RFC 2018)."""
    return struct.pack(">BBBBII", 1, 1, 5, 10, left, left + octets)


def thinned(*, twice: bool) -> Conversation:
    """A download of which the capture has every second segment and no repetition, and all acknowledgments.

    What is missing behind a hole waits for two seconds, and the receiver reports that something came twice.
    """
    talk = Conversation()
    talk.open(0.0, 0.02)
    at = 0.1
    for number in range(60):
        talk.put(at, 1, MSS)
        if number % 2:
            talk.packets.pop()
        talk.put(at + 1e-4, 0)
        at += 0.01
    hole = talk.sequence[1]
    talk.put(at, 1, MSS)
    talk.packets.pop()
    talk.put(at + 1e-3, 1, MSS)
    talk.sequence[1] = hole
    for wait in (2e-3, WAITS / 2, WAITS + 2e-3):
        talk.put(at + wait, 0, options=reported(hole + MSS, MSS))
    talk.sequence[1] = hole + 2 * MSS
    talk.put(at + WAITS + 3e-3, 0, options=reported(hole, MSS) if twice else b"")
    return talk


def seen(talk: Conversation, capture: Path) -> Diagnosis:
    return diagnose([talk.write(capture)])


def test_a_thinned_capture_has_what_the_sacks_prove(tmp_path: Path) -> None:
    found = seen(thinned(twice=True), tmp_path / "thinned.pcap")
    (one,) = found["connections"]
    assert (one["twice"], round(one["hole_s"], 2)) == (1, WAITS)
    line = flow(one)
    assert "nothing sent again in the capture; 1 time something came to the receiver twice (D-SACK)" in line
    assert "the receiver's SACKs show data behind holes for up to 2.00 s" in line
    because = {one["code"]: one["because"] for one in found["abstained"]}
    assert all("so that what was sent again does not show" in because[code] for code in ("W303", "W306"))
    assert headline(found) == "Data was missing at a receiver"
    said = " ".join(lead(found))
    assert "too much is not in the capture to tell what was lost, but the receivers' SACKs show" in said
    assert "nothing wrong" not in said


def test_a_keepalive_that_comes_twice_is_none(tmp_path: Path) -> None:
    talk = thinned(twice=False)
    talk.put(5.0, 0, options=reported(talk.sequence[1] - 1, 1))
    (one,) = seen(talk, tmp_path / "alive.pcap")["connections"]
    assert one["twice"] == 0


def test_a_whole_capture_has_no_such_words(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.02)
    for number in range(100):
        talk.put(0.1 + number * 0.01, 1, MSS)
        talk.put(0.1 + number * 0.01 + 1e-4, 0)
    found = seen(talk, tmp_path / "whole.pcap")
    (one,) = found["connections"]
    assert "nothing sent again" in flow(one)
    assert "in the capture" not in flow(one)
    assert "SACK" not in " ".join(lead(found))
