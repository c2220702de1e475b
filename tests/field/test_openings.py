"""A connection that opens late, since its SYN or the answer to it was sent again, is told with what it took."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.openings import openings
from airloom.diagnosis.reading import diagnose
from field.conversation import ACK, OFFER, RST, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

WAY = 0.018
"""From the client, where the capture is made, to the server and back, in seconds."""
WAITS = 3.06
"""After so many seconds the client sends its SYN again."""
FOREIGN = 0x12345678
"""What a host acknowledges that still has an earlier connection of these ports."""


def opened(path: Path, *, known: bool = False, syns: int = 1, answers: int = 1) -> Diagnosis:
    """Two connections that move some data: each opens by so many SYNs, the last of which is answered so often."""
    talk = Conversation()
    for at, port in ((0.0, 50_000), (0.5, 50_001)):
        talk.ports, talk.sequence = (port, 443), [1_000, 5_000_000]
        for turn in range(syns):
            talk.sequence[0] = 1_000
            talk.put(at + turn * WAITS, 0, 0, SYN, OFFER)
        opens = at + (syns - 1) * WAITS
        if known:
            talk.sequence = [FOREIGN, 77]
            talk.put(at + WAY, 1)
            talk.put(at + WAY + 1e-4, 0, 0, RST)
            talk.sequence = [1_001, 5_000_000]
        for turn in range(answers):
            talk.sequence[1] = 5_000_000
            talk.put(opens + WAY + turn, 1, 0, SYN | ACK, OFFER)
        opens += WAY + answers - 1
        talk.put(opens + 1e-4, 0)
        talk.put(opens + 2e-4, 0, 300)
        talk.put(opens + WAY, 1, 900)
        talk.put(opens + WAY + 1e-4, 0)
    return diagnose([talk.write(path)])


def test_what_opens_at_once_is_not_told(tmp_path: Path) -> None:
    told = opened(tmp_path / "once.pcap")
    assert (told["openings"], openings(told)) == ([], [])


def test_a_syn_that_is_sent_again_is_told_with_what_it_took(tmp_path: Path) -> None:
    told = opened(tmp_path / "late.pcap", syns=2)
    took = WAITS + WAY
    assert [round(one["took_s"], 2) for one in told["openings"]] == [round(took, 2)] * 2
    assert openings(told) == [
        "2 connections to 10.0.0.2:443 from 10.0.0.1 took 3.08 s to open: the SYN was sent again 2 times"
    ]


def test_an_answer_that_is_sent_again_is_told_too(tmp_path: Path) -> None:
    told = opened(tmp_path / "answers.pcap", answers=2)
    [line] = openings(told)
    assert "the SYN-ACK was sent again 2 times" in line


def test_an_answer_for_an_earlier_connection_is_named(tmp_path: Path) -> None:
    told = opened(tmp_path / "known.pcap", known=True, syns=2)
    assert [one["was_known"] for one in told["openings"]] == [True, True]
    [line] = openings(told)
    assert "; 2 times an acknowledgment of something else came first" in line


@pytest.mark.parametrize("apart", [1e-5, 0.05])
def test_a_syn_that_was_captured_twice_was_not_sent_again(tmp_path: Path, apart: float) -> None:
    talk = Conversation()
    talk.put(0, 0, 0, SYN, OFFER)
    talk.sequence[0] -= 1
    talk.put(apart, 0, 0, SYN, OFFER)
    talk.put(apart + WAY, 1, 0, SYN | ACK, OFFER)
    talk.put(apart + WAY + 1e-4, 0)
    talk.put(apart + WAY + 2e-4, 0, 300)
    assert diagnose([talk.write(tmp_path / "twice.pcap")])["openings"] == []


@pytest.mark.parametrize(
    ("echo", "says"),
    [
        (700, "; 1 time the first SYN had come, and the answer to it was lost or late"),
        (3760, "; 1 time the SYN-ACK answers a SYN that was sent again"),
    ],
)
def test_the_time_stamp_of_an_answer_shows_which_syn_came(tmp_path: Path, echo: int, says: str) -> None:
    def stamps(value: int, back: int) -> bytes:
        return struct.pack(">BBBBII", 1, 1, 8, 10, value, back)

    talk = Conversation()
    talk.put(0, 0, 0, SYN, OFFER + stamps(700, 0))
    talk.sequence[0] -= 1
    talk.put(WAITS, 0, 0, SYN, OFFER + stamps(3760, 0))
    talk.put(WAITS + WAY, 1, 0, SYN | ACK, OFFER + stamps(9_000, echo))
    talk.put(WAITS + WAY + 1e-4, 0, 0, options=stamps(3778, 9_000))
    told = diagnose([talk.write(tmp_path / "which.pcap")])
    [line] = openings(told)
    assert says in line
