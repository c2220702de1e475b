"""Spells in which a flow goes slower than it mostly does, or stands still: said as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.flows import flow
from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import FlowSeen

ROUND = 0.02
SECONDS = 30
WINDOW = 10


def upload(slow: set[int]) -> Conversation:
    """A window goes each round trip, with an acknowledgment that takes three times as long in some seconds."""
    talk = Conversation()
    talk.open(0.0, ROUND)
    at = 0.1
    while at < SECONDS:
        for step in range(WINDOW):
            talk.put(at + step * 1e-5, 0, MSS)
        at += 3 * ROUND if int(at) in slow else ROUND
        talk.put(at - 1e-4, 1)
    return talk


def sent(talk: Conversation, capture: Path) -> FlowSeen:
    """The data of the first end."""
    (one,) = [one for one in diagnose([talk.write(capture)])["connections"] if one["from"].startswith("10.0.0.1")]
    return one


def test_a_spell_of_a_third_of_the_rate_is_told(tmp_path: Path) -> None:
    one = sent(upload({10, 11, 12}), tmp_path / "slow.pcap")
    assert one["slow"] is not None
    assert one["slow"]["spans_s"] == [pytest.approx([10.1, 13.1], abs=0.2)]
    assert one["slow"]["mbps"] == pytest.approx(one["slow"]["usual_mbps"] / 3, rel=0.2)
    assert "in 10 to 13 s it went at " in flow(one)


@pytest.mark.parametrize("slow", [set(), set(range(0, SECONDS, 2))], ids=["even", "changing"])
def test_a_rate_that_is_even_or_changes_all_the_time_has_no_spells(tmp_path: Path, slow: set[int]) -> None:
    one = sent(upload(slow), tmp_path / "even.pcap")
    assert one["slow"] is None
    assert "instead of" not in flow(one)


@pytest.mark.parametrize("waits", [0.3, 2.2])
def test_how_long_data_stood_still_is_said_if_somebody_notices(tmp_path: Path, waits: float) -> None:
    talk = upload(set())
    at = SECONDS + 1.0
    talk.put(at, 0, MSS)
    talk.sequence[0] -= MSS
    talk.put(at + waits - ROUND, 0, MSS)
    talk.put(at + waits, 1)
    said = flow(sent(talk, tmp_path / "still.pcap"))
    assert ("stood still for up to 2.20 s with data underway" in said) == (waits > 1)
