"""RTP that stands still on its way is told from RTP whose sender pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead
from field.calls import EVERY, OCTETS, at_host, header, packet
from field.standstill import dead

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis


def came(at: Callable[[float], float], stamped: Callable[[float], float], folder: Path) -> Diagnosis:
    """A call of 20 s whose packets come at these times and have these stamps, by when they were due."""
    packets = []
    for number in range(1000):
        due = number * EVERY
        head = header(number, round(8_000 * stamped(due)))
        packets.append((at(due) + number * 1e-6, packet(head + bytes(OCTETS - len(head)), number)))
    return diagnose([at_host(iter(packets), folder / "call.pcap")])


def test_a_standstill_is_counted_and_said_first(tmp_path: Path) -> None:
    """Two of them: 1.94 s and 0.6 s."""

    def held(due: float) -> float:
        return next((end for start, end in ((5, 6.94), (12, 12.6)) if start < due < end), due)

    found = came(held, lambda due: due, tmp_path)
    (stream,) = found["streams"]
    assert stream["rtp"]
    assert stream["rtp"]["stalls"] == 2
    assert stream["rtp"]["stalled_s"] == pytest.approx(1.94, abs=0.001)
    assert stream["rtp"]["paused_s"] == 0
    (line,) = facts(found)
    assert line.endswith("; stood still 2 times, for 1.94 s at most")
    said = "RTP from 10.0.0.2:40000 to 10.0.0.1:5004 stood still 2 times, for 1.94 s at most, and then came at once."
    assert said in " ".join(lead(found))
    assert headline(found) in ("RTP stood still", "Radio away, by what stood still")


def test_what_stays_late_did_not_come_at_once(tmp_path: Path) -> None:
    """After 2 s a fifth of it comes at once, and what follows is 1.6 s late until 8.4 s."""

    def held(due: float) -> float:
        return next((at(due) for end, at in late if due < end), due)

    late: list[tuple[float, Callable[[float], float]]] = [
        (3.01, lambda due: due),
        (3.4, lambda _: 5.0),
        (6.8, lambda due: due + 1.6),
        (8.4, lambda _: 8.4),
    ]
    found = came(held, lambda due: due, tmp_path)
    (stream,) = found["streams"]
    assert stream["rtp"]
    assert not stream["rtp"]["at_once"]
    (line,) = facts(found)
    assert line.endswith("came up to 1.98 s late by its stamps, from 5.0 to 8.4 s by 1 s or more")
    said = " ".join(lead(found))
    assert "stood still once, for 2.00 s, and came up to 1.98 s late by its stamps" in said
    assert "at once" not in said


def test_a_sender_that_pauses_is_said_to(tmp_path: Path) -> None:
    def paused(due: float) -> float:
        return due + (6.212 if due > 5 else 0)

    found = came(paused, paused, tmp_path)
    (line,) = facts(found)
    assert line.endswith("; its sender paused for 6.23 s at most")
    assert "at most 6,232 ms apart" in line
    assert "stood still" not in " ".join(lead(found))
    (line,) = facts(came(lambda due: due + (16 if due > 5 else 0), lambda due: due, tmp_path))
    assert "at most 16.0 s apart" in line
    assert "stood" not in line
    assert "paused" not in line


def test_a_call_that_stood_still_comes_before_a_dead_connection_of_few_octets(tmp_path: Path) -> None:
    held = came(lambda due: 7.0 if 5 < due < 7 else due, lambda due: due, tmp_path)
    found = diagnose([dead(6).write(tmp_path / "dead.pcap")])
    both = found | {"streams": held["streams"]}
    assert lead(both)[0].startswith("The RTP from 10.0.0.2:40000 to 10.0.0.1:5004 stood still once")
    assert headline(both) == "RTP stood still, and 1 more cause"
    large = [one | {"bytes": 1_000_000} for one in found["connections"]]
    assert lead(both | {"connections": large})[0].startswith("On a connection nothing is answered any more.")
