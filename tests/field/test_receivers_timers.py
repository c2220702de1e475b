"""At the receiver itself its own timers show: for its acknowledgments, and for its window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.flows import flow
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import FlowSeen

WAY = 5e-4
"""From the SYN-ACK's host to the capture at the receiver and back, in seconds."""


def seen(path: Path) -> FlowSeen:
    """Data of which the capture was made at the receiver, 5 ms from its sender."""
    talk = Conversation()
    talk.open(0, 5e-3)
    talk.put(0.01, 0, 300)
    for turn in range(30):
        talk.put(0.02 + 0.01 * turn, 1, MSS)
        talk.put(0.02 + 0.01 * turn + 5e-5, 0)
    return next(one for one in diagnose([talk.write(path)])["connections"] if one["from"].startswith("10.0.0.2"))


def fetched(path: Path, *, closed: float, hops: int = 64) -> str:
    """What is said of data that its receiver acknowledges on a beat of 20 ms; its window closes once, and it pauses."""
    talk = Conversation(hops=(hops, 55))
    talk.open(0, WAY)
    talk.put(0.01, 0, 300)
    talk.put(0.01 + WAY, 1)
    for beat in range(20):
        at = 0.02 + 0.02 * beat + (closed if beat >= 10 else 0)
        for segment in range(6):
            talk.put(at + segment * 1e-4, 1, MSS)
        talk.put(at + 0.0195, 0, window=0 if beat == 9 and closed else 65_000)
        if beat == 9 and closed:
            talk.put(at + 0.0195 + closed, 0)
    talk.put(8, 1, 200)
    talk.put(8.02, 0)
    return next(line for line in facts(diagnose([talk.write(path)])) if line.startswith("10.0.0.2"))


def test_what_a_receiver_holds_back_at_its_own_interface_is_no_way(tmp_path: Path) -> None:
    line = fetched(tmp_path / "beat.pcap", closed=0)
    assert "the receiver, where the capture was made, acknowledges after 19" in line
    assert "no way is in that" in line
    assert "timer" not in line
    assert "round trips" not in line
    assert "closed" not in line


@pytest.mark.parametrize(("hops", "where"), [(128, "where"), (126, "near which"), (255, "where"), (253, "near which")])
def test_a_capture_is_at_its_receiver_only_if_no_router_passed_its_packets_on(
    hops: int, where: str, tmp_path: Path
) -> None:
    assert f"the receiver, {where} the capture was made, " in fetched(tmp_path / "near.pcap", closed=0, hops=hops)


def test_a_closed_window_is_told_however_long_the_sender_was_idle(tmp_path: Path) -> None:
    assert "the receiver's window was closed for 0.19 s" in fetched(tmp_path / "closed.pcap", closed=0.19)


def test_the_longer_half_of_the_way_is_told_at_the_receiver(tmp_path: Path) -> None:
    assert "; 5 ms at best to the sender and back" in flow(seen(tmp_path / "far.pcap"))


def test_a_window_that_holds_the_sender_has_no_share_where_only_a_part_of_its_flight_shows(tmp_path: Path) -> None:
    one = seen(tmp_path / "held.pcap")
    held = {**one["limits"], "receiver": 0.09}
    assert "held by the receiver's window 9" not in flow({**one, "near_sender": False, "limits": held})
    assert "held by the receiver's window 9" in flow({**one, "near_sender": True, "limits": held})
