"""Data that is sent to a station that is gone is told as tries, with how many MPDUs they were of."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.monitor import AP, FROM_AP, RETRY, STATION, Monitor

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

TRIES = 40
"""How often each MPDU is tried."""


def sent(path: Path, *, answered: bool) -> Diagnosis:
    """A station that sends and gets data for two seconds, then four MPDUs for it, each tried 40 times."""
    monitor, station = Monitor(), Monitor()
    for turn in range(20):
        monitor.beacon(turn * 0.1024)
        (station if turn % 2 == 0 else monitor).data(0.05 + turn * 0.1, up=turn % 2 == 0)
        (station if turn % 2 == 1 else monitor).data(0.06 + turn * 0.1, up=turn % 2 == 1)
    monitor.heard += station.heard
    for number in range(4):
        for turn in range(TRIES):
            at = 2.5 + 0.2 * number + 0.003 * turn
            head = bytes([0x08, FROM_AP | (RETRY if turn else 0), 44, 0]) + STATION + AP + AP
            monitor.frame(at, head + struct.pack("<H", (900 + number) << 4) + bytes(1000))
            if answered:
                monitor.ack(at + 0.0004, AP)
    return diagnose([monitor.write(path)])


def test_tries_without_a_sign_of_the_station_are_told_with_their_mpdus(tmp_path: Path) -> None:
    lines = "\n".join(facts(sent(tmp_path / "void.pcap", answered=False)))
    assert "160 tries of 4 MPDUs for it from 2.5 to 3.2 s" in lines
    assert "neither an answer nor a frame of it was heard meanwhile" in lines


def test_what_is_answered_goes_into_no_void(tmp_path: Path) -> None:
    assert "tries of" not in "\n".join(facts(sent(tmp_path / "answered.pcap", answered=True)))


def test_what_is_tried_in_vain_is_sent_to_a_station_that_does_not_get_it(tmp_path: Path) -> None:
    lines = "\n".join(facts(sent(tmp_path / "void.pcap", answered=False)))
    assert "is sent 180 MPDUs at 24 Mbit/s" in lines
    assert "86.7 % retries, answers to 20 of 180 PPDUs heard" in lines
    assert "gets 180 MPDUs" in "\n".join(facts(sent(tmp_path / "answered.pcap", answered=True)))
