"""What W303 says agrees with the flow's line; and why rules cannot tell is one phrase where they are many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import reasons, silent
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
