"""A spell with PM=1 that the end of a capture cuts off counts up to that end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.monitor import AP, STATION, Monitor

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, StationSeen


def ten_seconds() -> Monitor:
    """A station that has data for the first four of ten seconds."""
    air = Monitor()
    for number in range(98):
        air.beacon(number * 0.1024)
    for turn in range(40):
        air.data(0.05 + turn * 0.1, up=bool(turn % 2))
    return air


def slept(path: Path, *, leaves: bool = False) -> tuple[Diagnosis, StationSeen]:
    """A station that sleeps for the last six of ten seconds, and may leave its network meanwhile."""
    air = ten_seconds()
    air.null(1.0, asleep=True)
    air.null(1.04, asleep=False)
    air.null(4.0, asleep=True)
    if leaves:
        air.frame(5.0, bytes([0xA0, 0, 0, 0]) + AP + STATION + AP + air.number() + bytes([8, 0]))
    told = diagnose([air.write(path)])
    (one,) = [one for one in told["stations"] if one["kind"] == "station"]
    return told, one


def test_who_sleeps_as_a_capture_ends_sleeps_up_to_its_end(tmp_path: Path) -> None:
    told, one = slept(tmp_path / "asleep.pcap")
    assert one["dozes_total"] == len(one["dozes"]) == 2
    assert one["dozes"][1] == pytest.approx([4.0, 97 * 0.1024], abs=0.001)
    assert "PM=1 for 60\N{NO-BREAK SPACE}% of the time in 2 spells, the last up to the end" in "\n".join(facts(told))


def test_who_leaves_its_network_does_not_sleep_in_it(tmp_path: Path) -> None:
    _, one = slept(tmp_path / "left.pcap", leaves=True)
    assert one["dozes_total"] == 1


def test_who_wakes_with_the_last_frame_does_not_sleep_on(tmp_path: Path) -> None:
    air = ten_seconds()
    air.null(4.0, asleep=True)
    air.null(9.95, asleep=False)
    air.heard = [one for one in air.heard if one[0] <= 9.95]
    said = "\n".join(facts(diagnose([air.write(tmp_path / "woken.pcap")])))
    assert "% of the time in 1 spell" in said
    assert "the last up to the end" not in said
