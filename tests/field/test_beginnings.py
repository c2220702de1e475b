"""Captures that begin within a connection, lack its bare acknowledgments or have each packet several times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_sent_before_the_capture_is_not_missing_in_it(tmp_path: Path) -> None:
    """Twenty segments are underway as the capture begins, whose acknowledgments come in it."""
    talk = Conversation()
    before = talk.sequence[1]
    for segment in range(0, 20, 2):
        talk.sequence[1] = before + (segment + 2) * MSS
        talk.put(segment * 1e-3, 0)
    for segment in range(40):
        talk.put(0.1 + segment * 1e-2, 1, MSS)
        talk.put(0.101 + segment * 1e-2, 0)
    (down,) = diagnose([talk.write(tmp_path / "middle.pcap")])["connections"]
    assert (down["missing"], down["new_bytes"]) == (0, 40 * MSS)


def test_packets_that_are_captured_four_times_are_not_sent_again(tmp_path: Path) -> None:
    """A switch gives a capture what passes several of its ports, 1, 4 or 50 ms later."""
    talk = Conversation()
    talk.open(0.0, 3e-3)
    for turn in range(40):
        talk.put(1.0 + turn * 0.3, 0, 600)
        talk.put(1.01 + turn * 0.3, 1, 144)
        talk.put(1.012 + turn * 0.3, 0)
    packets = list(talk.packets)
    talk.packets = []
    for number, (at, octets, length) in enumerate(packets):
        # Each has a number of its own (IPv4's identification).
        one = octets[:18] + (number + 1).to_bytes(2, "big") + octets[20:]
        late = (0.0, 5e-6, 1.004e-3, 5e-2) if number % 10 == 7 else (0.0, 5e-6, 1.004e-3, 4e-3)
        talk.packets += [(at + after, one, length) for after in late]
    told = diagnose([talk.write(tmp_path / "span.pcap")])
    assert [one["retransmissions"]["all"] for one in told["connections"]] == [0, 0]
    assert told["findings"] == []


def test_without_bare_acknowledgments_round_trips_are_so_long_or_less(tmp_path: Path) -> None:
    """A filter lets nothing but data through; the client asks again every tenth segment."""
    talk = Conversation()
    talk.open(0.0, 0.1)
    for segment in range(200):
        at = 1.0 + segment * 0.02
        talk.put(at, 1, MSS)
        if segment % 10 == 9:
            talk.put(at + 0.001, 0, 100)
    told = diagnose([talk.write(tmp_path / "filtered.pcap")])
    line = next(line for line in facts(told) if line.startswith("10.0.0.2")).replace("\N{NO-BREAK SPACE}", " ")
    assert "or less: no acknowledgment without data is in the capture" in line
    assert "95th" not in line
