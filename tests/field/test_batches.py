"""A sender that sends as much each time and then waits until all of it is acknowledged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

ROUND = 0.2
SIZE = 32_768


def line(path: Path, *, answers: bool) -> str:
    """The line of a server's flow at its client, which asks for each batch or acknowledges alone."""
    talk = Conversation()
    talk.open(0.0, ROUND)
    talk.put(ROUND + 1e-3, 0, 400)
    for turn in range(40):
        at = 1.0 + turn * 1.05 * ROUND
        left = SIZE
        while left:
            talk.put(at, 1, min(left, MSS))
            left -= min(left, MSS)
            at += 2e-4 + left % 7 * 1e-6  # stamps of one distance would be of no clock
        talk.put(at, 0, 100 if answers else 0)
    return next(line for line in facts(diagnose([talk.write(path)])) if line.startswith("10.0.0.2"))


def test_a_sender_that_waits_for_all_that_it_sent_is_told(tmp_path: Path) -> None:
    told = line(tmp_path / "batches.pcap", answers=False).replace("\N{NO-BREAK SPACE}", " ")
    assert told.endswith("39 of 39 times it sent 32,768 octets, and nothing more until all were acknowledged")


def test_what_is_asked_for_each_time_is_no_batch(tmp_path: Path) -> None:
    assert "times it sent" not in line(tmp_path / "asked.pcap", answers=True)


def test_a_window_that_acknowledgments_move_on_does_not_wait_for_all(tmp_path: Path) -> None:
    """The next round begins a round trip after the first acknowledgment, before that of the last can be there."""
    talk = Conversation()
    talk.open(0.0, ROUND)
    talk.put(ROUND + 1e-3, 0, 400)
    for turn in range(40):
        at = 1.0 + turn * (ROUND + 5e-4)
        for _ in range(20):
            talk.put(at, 1, MSS)
            talk.put(at + 3e-4, 0)
            at += 4e-3
    told = next(line for line in facts(diagnose([talk.write(tmp_path / "window.pcap")])) if line.startswith("10.0.0.2"))
    told = told.replace("\N{NO-BREAK SPACE}", " ")
    assert told.endswith(
        "39 of 39 times it sent 29,200 octets in a round trip, which acknowledgments moved on: a window"
    )
