"""A capture of both sides of a router was made at neither end: it tells no end's own delay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airloom.diagnosis.captures_in_words import parts
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

TTL = 14 + 8
"""Where in a frame of Ethernet the TTL is."""

ROUTER = 6e-3
"""What a router takes to pass a full packet on, in seconds."""


@dataclass
class Tapped(Conversation):
    """What a tap has of data from end 1, before and behind a router."""

    number: int = 0

    def passes(self, at: float) -> None:
        """A full packet of end 1, and again as the router has passed it on, with a number of its own."""
        self.put(at, 1, MSS)
        when, octets, length = self.packets.pop()
        self.number += 1
        numbered = octets[:18] + self.number.to_bytes(2, "big") + octets[20:]
        on = numbered[:TTL] + bytes([numbered[TTL] - 1]) + numbered[TTL + 1 :]
        self.packets += [(when, numbered, length), (when + ROUTER, on, length)]


def test_copies_behind_a_router_hide_where_the_capture_was_made(tmp_path: Path) -> None:
    talk = Tapped()
    talk.open(0, 9e-3)
    talk.put(0.02, 0, 300)
    talk.put(0.021, 1)
    # An answer that comes at once shows a receiver that is near.
    for turn in range(100):
        at = 0.03 + 0.02 * turn
        talk.passes(at)
        talk.put(at + (5e-5 if turn == 50 else ROUTER + 2e-4), 0)
    told = diagnose([talk.write(tmp_path / "tap.pcap")])
    [line] = [line for line in facts(told) if line.startswith("10.0.0.2")]
    [flow] = [one for one in told["connections"] if one["from"].startswith("10.0.0.2")]
    assert flow["seen_from"] == "unknown"
    assert "where the capture was made" not in line
    assert "100 of these with another TTL, on the other side of a router" in parts(told["captures"][0])


def test_a_clock_that_steps_back_does_not_show_a_receiver_that_holds_back(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0, 9e-3)
    talk.put(0.02, 0, 300)
    talk.put(0.021, 1)
    for turn in range(60):
        at = 0.03 + 0.02 * turn
        talk.put(at, 1, MSS)
        talk.put(at + 6e-3, 0)
    path = talk.write(tmp_path / "steps.pcap")
    path.write_bytes(stepped(path.read_bytes(), 100))
    [line] = [line for line in facts(diagnose([path])) if line.startswith("10.0.0.2")]
    assert "where the capture was made" not in line


def stepped(octets: bytes, record: int) -> bytes:
    """A capture in which a record is stamped as early as the one before it, less 4 ms."""
    at, number, micros = 24, 0, 0
    while number < record:
        micros = int.from_bytes(octets[at + 4 : at + 8], "little")
        at += 16 + int.from_bytes(octets[at + 8 : at + 12], "little")
        number += 1
    return octets[: at + 4] + (micros - 4000).to_bytes(4, "little") + octets[at + 8 :]
