"""What W303 says agrees with the flow's line; and why rules cannot tell is one phrase where they are many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead, reasons, silent
from field.conversation import Conversation

if TYPE_CHECKING:
    from pathlib import Path

LENGTH = 200


def test_a_small_flow_that_sends_again_lost_no_window(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.02)
    for turn in range(4):
        at = 1 + 2 * turn
        talk.put(at, 0, LENGTH)
        talk.put(at + 0.02, 1)
        talk.sequence[0] -= LENGTH
        talk.put(at + 0.5, 0, LENGTH)
        talk.put(at + 0.52, 1)
    found = diagnose([talk.write(tmp_path / "needless.pcap")])
    (finding,) = [one for one in found["findings"] if one["code"] == "W303"]
    assert "4 of 4 retransmitted segments had not been lost" in finding["says"]
    # A probe is no fault of the sender, but it had not been lost either.
    talk.put(9, 0, LENGTH)
    talk.put(9.02, 1)
    talk.sequence[0] -= LENGTH
    talk.put(9.1, 0, LENGTH)
    probed = diagnose([talk.write(tmp_path / "probed.pcap")])
    (told,) = [one["says"] for one in probed["findings"] if one["code"] == "W303"]
    assert told.startswith("5 of 5 retransmitted segments had not been lost (4 by the timer, 1 as tail loss probes)")
    assert "halved" not in finding["says"]
    (line,) = facts(found)
    assert "4 segments sent again (" in line
    assert "4 needless" in line
    # Nothing was heard of the air: fifteen rules, and one phrase.
    many = [(codes, because) for codes, because in reasons(found["abstained"]) if "W001" in codes]
    assert [silent(*one) for one in many] == ["no capture of the air by a monitor: 15 rules (W001 ...)"]


def test_who_repeats_what_was_acknowledged_again_and_again_never_got_the_acknowledgment(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0, 5e-3)
    for number in range(3):
        talk.put(0.1 + number * 0.1, 0, 1448)
        talk.put(0.11 + number * 0.1, 1)
    last = talk.sequence[0] - 1448
    for at in (2.3, 6.3, 14.3, 30.3, 62.3):
        talk.sequence[0] = last
        talk.put(at, 0, 1448)
    (flow,) = diagnose([talk.write(tmp_path / "vain.pcap")])["connections"]
    again = flow["retransmissions"]
    assert (again["all"], again["needless"]) == (5, 2)


def many(talk: Conversation, begin: float, *, lost: int, needless: int) -> None:
    """Segments that are sent again: some before anything acknowledged them, some behind their acknowledgment."""
    for turn in range(lost + needless):
        at = begin + turn
        talk.put(at, 0, LENGTH)
        if turn >= lost:
            talk.put(at + 0.02, 1)
        talk.sequence[0] -= LENGTH
        talk.put(at + 0.5, 0, LENGTH)
        talk.put(at + 0.52, 1)


def test_what_is_sent_again_beside_more_that_was_lost_is_not_the_matter(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.02)
    many(talk, 1, lost=13, needless=5)
    assert "W303" not in {one["code"] for one in diagnose([talk.write(tmp_path / "lost.pcap")])["findings"]}


def test_a_capture_without_bare_acknowledgments_does_not_show_what_was_needless(tmp_path: Path) -> None:
    # The client's data acknowledges all of the server's, which goes on sending the first of it.
    talk = Conversation()
    talk.open(0.0, 0.02)
    talk.packets.pop()
    talk.put(0.1, 0, 500)
    for _ in range(4):
        talk.put(0.12, 1, 1440)
    talk.put(0.13, 0, 64)
    for at in (2.1, 6.5, 14.5):
        talk.sequence[1] -= 1440
        talk.put(at, 1, 1440)
    assert "W303" not in {one["code"] for one in diagnose([talk.write(tmp_path / "data.pcap")])["findings"]}


def test_losses_that_no_finding_is_about_are_told_first(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.02)
    for turn in range(200):
        talk.put(1 + turn * 0.5, 0, LENGTH)
        talk.put(1.02 + turn * 0.5, 1)
    many(talk, 102, lost=7, needless=0)
    said = lead(diagnose([talk.write(tmp_path / "losses.pcap")]))[0]
    assert said.startswith("Of 214 packets from 10.0.0.1:49154 to 10.0.0.2:445 7 were sent again after losses, ")


def test_one_duplicate_acknowledgment_long_before_asks_for_nothing(tmp_path: Path) -> None:
    """Of two segments on their way the first goes again 75 ms behind it: by the timer of a sender without SACK."""
    talk = Conversation()
    talk.open(0, 0.4)
    talk.put(0.5, 0, 1000)
    talk.put(0.9, 1)
    for turn in range(3):
        at = 1.0 + 2 * turn
        talk.put(at, 0, 1000)
        talk.put(at + 0.001, 0, 1000)
        sent = talk.sequence[0]
        talk.sequence[0] = sent - 2000
        talk.put(at + 0.38, 1)
        talk.put(at + 0.455, 0, 1000)
        talk.sequence[0] = sent
        talk.put(at + 0.84, 1)
    (flow, *_) = diagnose([talk.write(tmp_path / "timer.pcap")])["connections"]
    again = flow["retransmissions"]
    assert (again["all"], again["timeout"], again["fast"]) == (3, 3, 0)
