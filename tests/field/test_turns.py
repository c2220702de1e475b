"""Programs that ask and answer in turn: a pause belongs to the end whose turn it is, and is no round trip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

CLIENT, SERVER = "10.0.0.1:49154", "10.0.0.2:445"
WAY = 1e-3
PAUSE = 2.0
SEGMENTS = 12


def asks(path: Path, *, asked: int, slow: int, acked: bool = True) -> Diagnosis:
    """Twenty exchanges near the server: so many segments ask, and the end `slow` pauses before it sends.

    Answers are acknowledged when they come, or by the next request alone (not `acked`).
    """
    talk = Conversation()
    talk.open(0.0, WAY)
    at = 1.0
    for _ in range(20):
        at += PAUSE if slow == 0 else WAY
        for segment in range(asked):
            talk.put(at + segment * 1e-5, 0, MSS)
        at += WAY
        talk.put(at, 1)
        at += PAUSE if slow == 1 else WAY
        for segment in range(SEGMENTS):
            talk.put(at + segment * 1e-5, 1, MSS)
        at += WAY
        if acked:
            talk.put(at, 0)
    return diagnose([talk.write(path)])


@pytest.mark.parametrize("asked", [1, SEGMENTS])
def test_a_client_that_is_silent_lets_its_server_wait(tmp_path: Path, asked: int) -> None:
    found = asks(tmp_path / "silent.pcap", asked=asked, slow=0)
    (one,) = found["findings"]
    assert one["code"] == "W402"
    if asked == 1:
        assert one["subject"] == f"{SERVER} to {CLIENT}"
        assert f"both waited for the program at {CLIENT}, whose data ended these pauses" in one["says"]
        assert CLIENT in one["remedy"]
        # What is said first must be true of either end.
        assert "that sends" not in one["name"] + one["means"]
    else:
        assert one["subject"] == f"{CLIENT} to {SERVER}"
        assert "is what the program wrote" in one["says"]


def test_a_server_that_thinks_is_named_itself(tmp_path: Path) -> None:
    (one,) = asks(tmp_path / "thinks.pcap", asked=1, slow=1)["findings"]
    assert (one["code"], one["subject"]) == ("W402", f"{SERVER} to {CLIENT}")
    assert "is what the program wrote" in one["says"]


def test_an_answer_behind_a_pause_is_no_round_trip(tmp_path: Path) -> None:
    found = asks(tmp_path / "pause.pcap", asked=1, slow=0, acked=False)
    (down,) = [one for one in found["connections"] if one["from"] == SERVER]
    assert down["rtt_ms"].get("p95", 0) < 1000 * PAUSE / 2


def test_all_pauses_tell_whose_turn_it_was_not_the_first_ones_alone(tmp_path: Path) -> None:
    """The server pauses 300 times for 20 ms, and then the client thirty times for two seconds."""
    talk = Conversation()
    talk.open(0.0, WAY)
    at = 1.0
    for turn in range(330):
        at += PAUSE if turn >= 300 else WAY
        talk.put(at, 0, 100)
        at += 0.02 if turn < 300 else WAY
        for segment in range(SEGMENTS):
            talk.put(at + segment * 1e-5, 1, MSS)
        at += WAY
        talk.put(at, 0)
    (one,) = diagnose([talk.write(tmp_path / "many.pcap")])["findings"]
    assert (one["code"], one["subject"]) == ("W402", f"{SERVER} to {CLIENT}")
    assert f"both waited for the program at {CLIENT}" in one["says"]
