"""SYNs that nothing answers, from many addresses or to one port, are told as a flood; a scan of ports is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.openings import floods
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline
from field.conversation import SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

SAID = "100 SYNs within 0.5 s from"
FORGED = "a flood of SYNs with made-up addresses (RFC 4987)"
SOURCE = slice(14 + 12, 14 + 16)
"""Where a packet has its source, behind Ethernet and the first fields of IPv4."""


def asked(path: Path, *, addresses: int, ports: int) -> Diagnosis:
    """A hundred SYNs within half a second, from so many addresses in turn, to so many ports."""
    talk = Conversation()
    for number in range(100):
        talk.ports, talk.sequence = (2000 + number, 80 + number % ports), [1000 * number, 0]
        talk.put(number * 0.005, 0, 0, SYN)
        at, octets, length = talk.packets[-1]
        whole = bytearray(octets)
        whole[SOURCE] = bytes([51, 142, number % addresses, 91])
        talk.packets[-1] = (at, bytes(whole), length)
    return diagnose([talk.write(path)])


def test_syns_from_many_addresses_that_nothing_answers_are_a_flood(tmp_path: Path) -> None:
    """As `dosattack.pcap` of markofu's pcaps."""
    told = asked(tmp_path / "flood.pcap", addresses=100, ports=1)
    assert floods(told) == [f"{SAID} 100 addresses to 10.0.0.2:80, none of them answered, as in {FORGED}"]
    assert headline(told) == "A flood of SYNs"
    (line,) = floods(asked(tmp_path / "ports.pcap", addresses=100, ports=9))
    assert "to 9 ends" in line


def test_syns_of_one_host_to_one_port_are_a_flood_and_a_scan_is_none(tmp_path: Path) -> None:
    """As the test `tcp-session-syn-flood-drop-precedence` of suricata-verify has them."""
    (line,) = floods(asked(tmp_path / "host.pcap", addresses=1, ports=1))
    assert line.startswith(f"{SAID} 1 address to 10.0.0.2:80, none of them answered")
    assert FORGED not in line
    assert asked(tmp_path / "scan.pcap", addresses=1, ports=50)["floods"] == []
