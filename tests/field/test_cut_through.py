"""What passes a capture and does not come through to an end: it sends again what the capture shows acknowledged."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.facts.flows import flow
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

REPEATS = (0.6, 1.4, 3.0, 6.2)
"""When data is sent again, by a timer that doubles, in seconds after it was sent first."""


def stamps(value: float, echo: float) -> bytes:
    """Timestamps of clocks that tick in milliseconds, from times in seconds."""
    return struct.pack(">BBBBII", 1, 1, 8, 10, round(1000 * value), round(1000 * echo))


def repeated(*, hears: bool) -> Conversation:
    """Data that is acknowledged at once, and sent again; the sender echoes the acknowledgments if it hears them."""
    talk = Conversation()
    talk.open(0.0, 0.02)
    talk.put(1.0, 0, MSS, options=stamps(1.0, 0.5))
    talk.put(1.02, 1, options=stamps(1.02, 1.0))
    heard = 1.02
    for after in REPEATS:
        at = 1 + after
        talk.sequence[0] -= MSS
        talk.put(at, 0, MSS, options=stamps(at, heard if hears else 0.5))
        talk.put(at + 0.02, 1, options=stamps(at + 0.02, at))
        heard = at + 0.02
    return talk


def test_for_how_long_nothing_came_through_is_said(tmp_path: Path) -> None:
    (one,) = diagnose([repeated(hears=False).write(tmp_path / "deaf.pcap")])["connections"]
    assert round(one["cut_off_s"], 2) == round(REPEATS[-1] - 0.02, 2)
    assert "for 6.18 s nothing came through to 10.0.0.1:49154" in flow(one)


def test_a_sender_that_echoes_what_comes_is_not_cut_off(tmp_path: Path) -> None:
    (one,) = diagnose([repeated(hears=True).write(tmp_path / "hears.pcap")])["connections"]
    assert one["cut_off_s"] == 0
    assert "came through" not in flow(one)
