"""A queue that stands is found whatever captures are added, and none where no packet waits."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from airloom.diagnosis.corpus import worlds
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.self_test import Trial, captured
from field.conversation import ACK, FIN, MSS, OFFER, PSH, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

NEAR = 3e-5
"""A round trip over a wired network, in seconds."""

HELD = 0.2
"""For how long Windows holds an acknowledgment back, in seconds."""

QUEUE = "upload, 802.11n at 40 MHz, a slow station, no aggregation"
"""A world in which the queue of the slow station shows in the server's capture, and not in those beside it."""


def test_held_acknowledgments_are_no_queue(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, NEAR)
    for segment in range(280):
        at = 0.01 + segment * 1.5e-3
        talk.put(at, 0, MSS, PSH | ACK)
        talk.put(at + NEAR, 1)
    for second in range(1, 5):
        talk.put(second + 0.1, 0, 120, PSH | ACK)
        talk.put(second + 0.1 + HELD, 1)
    talk.put(5.4, 0, 0, FIN | ACK)
    talk.put(5.4 + NEAR, 1)
    found = diagnose([talk.write(tmp_path / "calls.pcap")])["findings"]
    assert "W301" not in {one["code"] for one in found}


def test_more_captures_lose_no_queue(tmp_path: Path) -> None:
    (world,) = [world for world in worlds() if world.name == QUEUE]
    _, captures = captured(Trial(world, 7, 0.0), tmp_path / "run")
    found = {
        chosen: {one["subject"] for one in diagnose(chosen)["findings"] if one["code"] == "W301"}
        for size in range(1, len(captures) + 1)
        for chosen in combinations(captures, size)
    }
    assert any(found.values())
    for some, queues in found.items():
        assert all(queues <= others for more, others in found.items() if set(some) < set(more)), some


def waiting(*, opened: bool) -> Conversation:
    """An upload whose round trips take a quarter of a second from its first packet on."""
    talk = Conversation()
    if opened:
        talk.open(0.0, 0.25)
    for segment in range(900):
        at = 1 + segment * 0.01
        talk.put(at, 0, MSS)
        talk.put(at + 0.25 + segment % 7 * 1e-4, 1)
    talk.packets.sort(key=lambda packet: packet[0])
    return talk


def test_a_queue_that_stands_from_the_first_record_on_is_not_told_by_itself(tmp_path: Path) -> None:
    told = diagnose([waiting(opened=False).write(tmp_path / "within.pcap")])
    assert "W301" not in {one["code"] for one in told["findings"]}
    assert "begins within it" in {one["code"]: one["because"] for one in told["abstained"]}["W301"]
    whole = diagnose([waiting(opened=True).write(tmp_path / "whole.pcap")])
    assert "W301" not in {one["code"] for one in whole["findings"]}
    # No queue stands on the long way; its sender has no clock values, which alone show what waits above its capture.
    assert "in its sender's own host" in {one["code"]: one["because"] for one in whole["abstained"]}["W301"]


def test_another_connection_between_the_hosts_shows_how_short_the_way_is(tmp_path: Path) -> None:
    talk = waiting(opened=False)
    other = Conversation(ports=(49_200, 445))
    other.open(12.0, 0.02)
    other.put(12.1, 0, MSS)
    other.put(12.12, 1)
    talk.packets += other.packets
    (finding,) = diagnose([talk.write(tmp_path / "both.pcap")])["findings"]
    assert (finding["code"], finding["value"]) == ("W301", 100)


def test_what_round_trips_to_one_end_show_is_told_beside_what_they_do_not(tmp_path: Path) -> None:
    """A capture 3 ms from the sender: the other part of the way takes half a second, and nothing waits."""
    talk = Conversation()
    talk.put(0.0, 0, 0, SYN, OFFER)
    talk.put(0.5, 1, 0, SYN | ACK, OFFER)
    talk.put(0.503, 0)
    for segment in range(900):
        at = 1 + segment * 0.01
        talk.put(at, 0, MSS)
        talk.put(at + 0.5 + segment % 7 * 1e-3, 1)
    talk.packets.sort(key=lambda packet: packet[0])
    told = diagnose([talk.write(tmp_path / "middle.pcap")])
    because = {one["code"]: one["because"] for one in told["abstained"]}["W301"]
    assert because.startswith(
        "10.0.0.1:49154 to 10.0.0.2:445: no queue shows between the place of the capture and the receiver ("
    )
    assert "round trips, 500 ms at best)" in because
    assert "too few to the sender, which answers within 3.0 ms at best, show whether one stands there" in because


def test_long_round_trips_over_a_century_are_not_sought_second_by_second(tmp_path: Path) -> None:
    """Two round trips in each 25 days, as a clock that leaps has them: the bins of their times are years wide."""
    talk = Conversation()
    talk.open(0, 0.001)
    for place in range(1980):
        at = place * 25 * 86_400 + 10
        for begin in (at, at + 2):
            talk.put(begin, 0, 1460)
            talk.put(begin + 1e-4, 0, 1460)
            talk.put(begin + (0.001 if place < 6 else 0.9), 1)
    found = diagnose([talk.write(tmp_path / "century.pcap")])
    assert "W301" not in {one["code"] for one in found["findings"]}
