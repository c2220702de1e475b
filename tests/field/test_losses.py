"""Where segments were lost, as far as one capture shows, and that few losses keep a long way slow."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.conversation import ACK, MSS, Conversation
from foreign.worlds import HERE as FOREIGN

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, Finding

ROUND = 0.5


def lost(told: Diagnosis) -> list[Finding]:
    """What was found of losses."""
    return [one for one in told["findings"] if one["code"] == "W306"]


@pytest.mark.parametrize("seen", [False, True], ids=["before", "behind"])
def test_one_capture_in_between_tells_on_which_side_of_it_segments_were_lost(tmp_path: Path, *, seen: bool) -> None:
    """The capture is 5 ms from the server and 4 ms from the client; every fourth segment comes again 300 ms later."""
    talk = Conversation()
    talk.put(0.0, 0, 0, 2, struct.pack(">BBHBBBB", 2, 4, MSS, 1, 3, 3, 8))
    talk.put(0.005, 1, 0, 18, struct.pack(">BBHBBBB", 2, 4, MSS, 1, 3, 3, 8))
    talk.put(0.009, 0)
    for number in range(200):
        at = 0.1 + number * 0.4
        begins = talk.sequence[1]
        if number % 2:
            talk.put(at, 1, MSS)
            if not seen:
                talk.packets.pop()
            talk.put(at + 1e-3, 1, MSS)
            talk.sequence[1] = begins
            for step in range(3):
                talk.put(at + 6e-3 + step * 1e-4, 0)
            talk.put(at + 0.3, 1, MSS)
            talk.sequence[1] = begins + 2 * MSS
        else:
            talk.put(at, 1, MSS)
        talk.put(at + (0.39 if number % 2 else 0.004), 0)
    (found,) = lost(diagnose([talk.write(tmp_path / "between.pcap")]))
    where = "lost behind this capture" if seen else "lost on the way to this capture, which has them only as they were"
    assert where in found["says"]


@pytest.mark.parametrize("shrinks", [True, False])
def test_few_losses_that_keep_a_long_way_slow_have_a_cost(tmp_path: Path, *, shrinks: bool) -> None:
    """Eighty segments go in a round trip, and after six were lost twenty, or as many as before."""
    talk = Conversation()
    talk.open(0.0, ROUND)
    at, window = 1.0, 80
    for turn in range(80):
        lose = turn == 12
        for segment in range(window):
            talk.put(at + segment * 1e-3, 0, MSS)
        sent = talk.sequence[0]
        if lose:
            talk.sequence[0] = sent - (window - 10) * MSS
            for step in range(4):
                talk.put(at + ROUND + 0.01 + step * 1e-3, 1)
            for segment in range(6):
                talk.put(at + ROUND + 0.02 + segment * 1e-3, 0, MSS)
            talk.sequence[0] = sent
            at += ROUND + 0.02
            talk.put(at + ROUND, 1)
            window = 20 if shrinks else window
        else:
            for segment in range(0, window, 2):
                talk.sequence[0] = sent - (window - segment - 2) * MSS
                talk.put(at + ROUND + (segment + 1) * 1e-3, 1, 0, ACK)
            talk.sequence[0] = sent
        at += ROUND + window * 1e-3
    found = lost(diagnose([talk.write(tmp_path / "long.pcap")]))
    if not shrinks:
        assert found == []
        return
    assert found[0]["cost"]["unit"] == "Mbit/s"
    # Eighty segments in a round trip and 80 ms, and then twenty in one and 20 ms.
    assert found[0]["cost"]["value"] == pytest.approx(8e-6 * MSS * (80 / 0.58 - 20 / 0.52), rel=0.15)
    assert "since at" in found[0]["says"]


def test_an_acknowledgment_that_goes_on_shows_what_was_sent_before_it(tmp_path: Path) -> None:
    """A segment is lost before the capture, and its sender acknowledges before it sends it again by its timer."""
    talk = Conversation()
    talk.open(0.0, 1e-3)
    for number in range(40):
        at = 1.0 + number
        talk.put(at, 1, MSS)
        talk.put(at + 1e-3, 0)
        if number == 20:
            talk.put(at + 0.1, 1, MSS)
            talk.packets.pop()
            talk.sequence[1] -= MSS
            talk.put(at + 0.15, 0, 500)
            talk.sequence[1] += MSS
            talk.put(at + 0.2, 1)
            talk.sequence[1] -= MSS
            talk.put(at + 0.5, 1, MSS)
            talk.put(at + 0.501, 0)
    told = diagnose([talk.write(tmp_path / "shown.pcap")])
    (down,) = [one for one in told["connections"] if one["from"] == "10.0.0.2:445"]
    assert (down["retransmissions"]["all"], down["retransmissions"]["timeout"]) == (1, 1)


def test_what_lies_before_a_stream_s_first_octet_is_none_of_it(tmp_path: Path) -> None:
    """The server's answer to the SYN is damaged: its number is 9,727 octets too high, as in a capture of OISF's."""
    talk = Conversation()
    talk.open(0.0, 1e-3)
    for number in range(12):
        talk.put(1.0 + number * 0.05, 1, 1391)
        talk.put(1.001 + number * 0.05, 0)
    at, answer, length = talk.packets[1]
    sequence = int.from_bytes(answer[38:42], "big") + 9727
    talk.packets[1] = (at, answer[:38] + sequence.to_bytes(4, "big") + answer[42:], length)
    told = diagnose([talk.write(tmp_path / "damaged.pcap")])
    (down,) = [one for one in told["connections"] if one["from"] == "10.0.0.2:445"]
    assert (down["retransmissions"]["all"], told["findings"]) == (0, [])


def test_a_dead_connection_recovers_from_nothing(tmp_path: Path) -> None:
    """The client repeats a segment for 30 s, and nothing comes back."""
    talk = Conversation()
    talk.open(0.0, 1e-3)
    for number in range(40):
        talk.put(1.0 + number, 0, 500)
        talk.put(1.001 + number, 1)
    begins = talk.sequence[0]
    for after in (0, 0.3, 0.9, 2.1, 4.5, 9.3, 18.9, 30.0):
        talk.sequence[0] = begins
        talk.put(41.0 + after, 0, 500)
    told = diagnose([talk.write(tmp_path / "dead.pcap")])
    assert [one["code"] for one in told["findings"]] == ["W406"]
    assert told["connections"][0]["limits"]["recovery"] == 0


def test_where_segments_were_lost_is_told_beside_a_monitor_too() -> None:
    found = diagnose([FOREIGN / "wire-loss.air.pcap.gz", FOREIGN / "wire-loss.server.pcap.gz"])
    told = {one["code"]: one["says"] for one in found["findings"]}
    assert "They were lost " in told["W403"]
