"""A monitor that heard nothing of anybody for a while says so, and no rule takes that for an absence of a station."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose

from .monitor import AP, INTERVAL, Monitor
from .test_roams import ASKS, GRANTS, LEAVES, data, told

if TYPE_CHECKING:
    from pathlib import Path

DEAF = (5.0, 6.5)
"""When the monitor hears nothing, in seconds."""


def heard(*, deaf: bool) -> Monitor:
    """A station that loses its association and associates anew at once; its monitor may be deaf for a while then."""
    monitor = Monitor()
    for number in range(150):
        monitor.beacon(number * INTERVAL)
    for step in range(130):
        data(monitor, 0.1 * step + 0.05, up=bool(step % 2), bssid=AP)
    told(monitor, 4.99, LEAVES, struct.pack("<H", 4), up=False, bssid=AP)
    told(monitor, 4.992, ASKS, struct.pack("<HH", 1, 10) + AP, up=True, bssid=AP)
    told(monitor, 4.995, GRANTS, struct.pack("<HHH", 1, 0, 0xC001), up=False, bssid=AP)
    if deaf:
        monitor.heard = [one for one in monitor.heard if not DEAF[0] < one[0] < DEAF[1]]
    return monitor


def test_a_time_without_any_frame_is_told_and_is_no_absence(tmp_path: Path) -> None:
    found = diagnose([heard(deaf=True).write(tmp_path / "deaf.pcap")])
    (line,) = [line for line in facts(found) if "nothing of anybody" in line]
    assert "heard nothing of anybody from 5.0 to 6.5 s, not the beacons either" in line
    assert [one["code"] for one in found["findings"]] == []
    (because,) = [one["because"] for one in found["abstained"] if one["code"] == "W103"]
    assert "for some time meanwhile the monitor heard nothing of anybody" in because


def test_where_all_is_heard_nothing_is_said_of_it(tmp_path: Path) -> None:
    found = diagnose([heard(deaf=False).write(tmp_path / "all.pcap")])
    assert not [line for line in facts(found) if "nothing of anybody" in line]
    assert "W103" not in [one["code"] for one in found["abstained"]]
