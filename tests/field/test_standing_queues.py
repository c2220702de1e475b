"""A queue that stands is found whatever captures are added, and none where no packet waits."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from airloom.diagnosis.corpus import worlds
from airloom.diagnosis.self_test import Trial, captured
from airloom.diagnosis.told import diagnose
from field.conversation import ACK, FIN, MSS, PSH, Conversation

if TYPE_CHECKING:
    from pathlib import Path

NEAR = 3e-5
"""A round trip over a wired network, in seconds."""

HELD = 0.2
"""For how long Windows holds an acknowledgment back, in seconds."""

QUEUE = "upload, 802.11g, a slow station"
"""A world in which packets of the laptop wait for 120 ms on average, and a few find the queue nearly empty."""


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
    for station in world.stations:
        world = world.with_station(station, host="linux-6.18")
    _, captures = captured(Trial(world, 7, 0.0), tmp_path / "run")
    found = {
        chosen: {one["subject"] for one in diagnose(chosen)["findings"] if one["code"] == "W301"}
        for size in range(1, len(captures) + 1)
        for chosen in combinations(captures, size)
    }
    assert any(found.values())
    for some, queues in found.items():
        assert all(queues <= others for more, others in found.items() if set(some) < set(more)), some
