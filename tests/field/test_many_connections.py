"""Captures with thousands of connections: the large ones are told, the rest is counted, and equal findings are one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.captures_in_words import described
from airloom.diagnosis.reading import diagnose
from field.conversation import ACK, FIN, OFFER, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

SEGMENT = 1448


def download(ports: tuple[int, int], begin: float, segments: int, again: int) -> Conversation:
    """A download that is closed, of which the first segments come once more although all had been acknowledged."""
    talk = Conversation(ports=ports)
    talk.open(begin, 5e-5)
    for number in range(segments):
        at = begin + 0.02 + number * 1e-3
        talk.put(at, 1, SEGMENT)
        talk.put(at + 2e-4, 0)
    end = list(talk.sequence)
    for number in range(again):
        talk.sequence[1] = end[1] - (segments - number) * SEGMENT
        talk.put(begin + 0.4 + segments * 1e-3 + number * 1e-3, 1, SEGMENT)
    talk.sequence = end
    talk.put(begin + 0.8 + segments * 1e-3, 1, 0, FIN | ACK)
    talk.put(begin + 0.81 + segments * 1e-3, 0, 0, FIN | ACK)
    return talk


def test_a_scan_of_ports_displaces_no_download(tmp_path: Path) -> None:
    talk = download((40_000, 5001), 0, 300, 100)
    for port in range(3000):
        scan = Conversation(ports=(50_000, 1 + port))
        scan.put(3 + port * 1e-3, 0, 0, SYN, OFFER)
        talk.packets += scan.packets
    found = diagnose([talk.write(tmp_path / "scan.pcap")])
    (down,) = found["connections"]
    assert (down["bytes"], down["retransmissions"]["needless"]) == (400 * SEGMENT, 100)
    (capture,) = found["captures"]
    left_out = capture["left_out"]
    assert left_out["connections"] > 3000 - 2048
    assert (left_out["packets"], left_out["bytes"]) == (left_out["connections"], 0)
    assert f"{left_out['connections']:,} small connections left out" in described(capture)


def test_what_is_found_of_many_connections_is_told_once(tmp_path: Path) -> None:
    few, many = Conversation(), Conversation()
    for place in range(40):
        talk = download((30_000 + place, 443), place * 0.1, 30, 5)
        many.packets += talk.packets
        if place < 4:
            few.packets += talk.packets
    (of_few,) = diagnose([few.write(tmp_path / "few.pcap")])["summed_up"]
    assert (of_few["code"], of_few["more"]) == ("W303", 3)
    found = diagnose([many.write(tmp_path / "many.pcap")])
    (finding,) = found["findings"]
    assert "39 more connections" in finding["says"]
    (summed_up,) = found["summed_up"]
    assert (summed_up["code"], summed_up["more"], summed_up["subject"]) == ("W303", 39, finding["subject"])
