"""Frames that a capture stamps alike are copies only if their octets are the same."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.monitor import AP, RETRY, STATION, Monitor

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("timer", "copies"), [(0, 1), (1400, 0)])
def test_an_answer_to_a_probe_that_is_sent_again_is_no_copy(tmp_path: Path, timer: int, copies: int) -> None:
    monitor = Monitor()
    head = bytes([0x50, RETRY, 44, 0]) + STATION + AP + AP + struct.pack("<H", 7 << 4)
    for later in (0, timer):
        body = struct.pack("<QHH", 10**6 + later, 100, 1) + b"\0\4home" + b"\1\1\x82"
        monitor.frame(1.000484, head + body, 1)
    told = diagnose([monitor.write(tmp_path / "again.pcap")])
    assert told["captures"][0]["copies"] == copies
