"""Captures of different times in one file, of one direction alone, and with frames that carry no IP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.captures_in_words import described
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose, rules
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

DAY = 24 * 3600.0
HEAD, RECORD = 24, 16
"""Octets of a pcap's header, and of a record's."""

NOT_IP = (0x0806, 0x888E, 0x88CC, 0x0026)
"""ARP, EAPOL, LLDP, and the length of a frame of spanning trees."""


def talks(*begins: float, apart: float = 1e-3) -> Conversation:
    """As many downloads, one after the other."""
    talk = Conversation()
    for turn, begin in enumerate(begins):
        one = Conversation(ports=(40_000 + turn, 80))
        one.open(begin, 0.02)
        for segment in range(100):
            one.put(begin + 0.1 + segment * apart, 1, MSS)
            one.put(begin + 0.1 + segment * apart + 1e-5, 0)
        talk.packets += one.packets
    return talk


def test_captures_of_different_years_are_no_wrong_stamps(tmp_path: Path) -> None:
    told = diagnose([talks(0.0, 1000 * DAY, 2000 * DAY).write(tmp_path / "joined.pcap")])
    (capture,) = told["captures"]
    assert (capture["misplaced"], capture["leaps"]) == (0, 2)
    assert "2 gaps of more than 30 days" in described(capture)
    assert "out of order" not in described(capture)
    assert len(told["abstained"]) == len(rules())
    because = {one["because"] for one in told["abstained"]}
    assert len(because) == 1
    (said,) = because
    # The first conversation has 3 records of its handshake and 200 of its data.
    assert "record 204 is 1000 days later" in said
    assert "1 more such gap" in said
    assert "captures of different times are joined there" in said
    assert "1-203" in said
    assert "wrong" not in said


def test_a_record_of_another_age_between_others_has_a_wrong_stamp(tmp_path: Path) -> None:
    path = talks(0.0).write(tmp_path / "aged.pcap")
    octets = bytearray(path.read_bytes())
    second = HEAD + RECORD + int.from_bytes(octets[HEAD + 8 : HEAD + 12], "little")
    octets[second : second + 4] = int(100 * DAY).to_bytes(4, "little")
    path.write_bytes(octets)
    told = diagnose([path])
    assert (told["captures"][0]["misplaced"], told["captures"][0]["leaps"]) == (1, 1)
    assert all("some of them are wrong" in one["because"] for one in told["abstained"])


def test_a_conversation_of_which_one_direction_was_captured_says_so(tmp_path: Path) -> None:
    both = talks(0.0)
    half = Conversation(packets=[one for one in both.packets if one[2] > MSS])
    said = "nothing of the other direction is in the capture"
    assert said in facts(diagnose([half.write(tmp_path / "half.pcap")]))[0]
    assert said not in facts(diagnose([both.write(tmp_path / "both.pcap")]))[0]


def test_what_is_sound_but_no_ip_can_be_read(tmp_path: Path) -> None:
    talk = talks(0.0)
    for ethertype in NOT_IP:
        talk.packets.append((1.0, bytes(12) + ethertype.to_bytes(2, "big") + bytes(46), 60))
    # An IP packet of version 15, and one of which a part of the header is missing.
    talk.packets.append((1.0, bytes(12) + b"\x08\0" + b"\xf5" + bytes(45), 60))
    talk.packets.append((1.0, bytes(12) + b"\x08\0" + b"\x45" + bytes(3), 60))
    (capture,) = diagnose([talk.write(tmp_path / "others.pcap")])["captures"]
    assert (capture["not_ip"], capture["unread"]) == (len(NOT_IP), 2)
    assert "4 not IP, 2 cannot be read" in described(capture)
