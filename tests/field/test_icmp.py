"""What ICMP says of packets that did not arrive: too big for their way, or for a service that is not there."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

UDP, TCP = 17, 6
ROUTER = bytes([10, 0, 0, 254])


def error(talk: Conversation, at: float, code: int, most: int, quoted: int, port: int, sequence: int = 0) -> None:
    """An error of a router to the first end about a packet of it, of which it quotes the headers and eight octets."""
    ends = [bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])]
    about = struct.pack(">BBHHHBBH", 0x45, 0, 1500, 0, 0x4000, 63, quoted, 0) + ends[0] + ends[1]
    body = struct.pack(">BBHHH", 3, code, 0, 0, most) + about + struct.pack(">HHI", talk.ports[0], port, sequence)
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 1, 0) + ROUTER + ends[0]
    talk.packets.append((at, bytes(12) + b"\x08\0" + ip + body, 34 + len(body)))


def test_packets_that_are_too_big_are_told_and_were_not_lost(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.02)
    for burst in range(10):
        at, first = 1.0 + burst, talk.sequence[0]
        talk.put(at, 0, MSS)
        error(talk, at + 0.001, 4, 1350, TCP, talk.ports[1], first)
        talk.sequence[0] = first
        talk.put(at + 0.4, 0, MSS // 2)
        talk.put(at + 0.4, 0, MSS // 2)
        talk.put(at + 0.42, 1)
    told = diagnose([talk.write(tmp_path / "narrow.pcap")])
    said = " ".join(lead(told))
    assert "from 10.0.0.1 to 10.0.0.2 packets of more than 1,350 octets do not fit, as 10.0.0.254 says 10 times" in said
    assert told["findings"] == []
    assert "66.7 % sent again (20 since they had been too big)" in " ".join(facts(told))


def test_a_service_that_is_not_there_is_told(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.02)
    for time in range(6):
        error(talk, 1.0 + time, 3, 0, UDP, 53)
        # The ports of a traceroute, or of a late answer.
        error(talk, 1.5 + time, 3, 0, UDP, 33434)
    told = diagnose([talk.write(tmp_path / "away.pcap")])
    away = "10.0.0.1 to 10.0.0.2 port 53: nothing listens there, as 10.0.0.254 says 6 times (ICMP)"
    assert f"{away}." in " ".join(lead(told))
    assert away in facts(told)
    assert "33434" not in " ".join(facts(told))
