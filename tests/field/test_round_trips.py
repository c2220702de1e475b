"""The round trip that is compared is that of most of the data, as tshark has it, and not that of most of the time."""

from __future__ import annotations

import shutil
import statistics
import subprocess
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.against.told import against
from airloom.diagnosis.reading import diagnose
from field.conversation import Conversation

if TYPE_CHECKING:
    from pathlib import Path

FAST, SLOW = 0.01, 0.1
"""Round trips in seconds."""


def upload(seconds: int, slow: int) -> Conversation:
    """An upload of ten segments in each round trip; of each five seconds so many have long round trips."""
    talk = Conversation()
    talk.open(0, FAST)
    at = 0.1
    while at < seconds:
        trip = SLOW if at % 5 < slow else FAST
        for number in range(10):
            talk.put(at + number * 2e-5, 0, 1460)
        for number in range(10):
            talk.put(at + trip + number * 2e-5, 1)
        at += trip + 0.001
    return talk


def by_tshark(capture: Path) -> float:
    """The median of its round trips in ms."""
    tshark = shutil.which("tshark")
    assert tshark, "tshark is needed"
    words = [tshark, "-r", str(capture), "-Y", "tcp.analysis.ack_rtt && ip.src == 10.0.0.2", "-T", "fields"]
    told = subprocess.run([*words, "-e", "tcp.analysis.ack_rtt"], capture_output=True, text=True, check=True).stdout
    return 1000 * statistics.median(map(float, told.split()))


def test_the_median_is_of_the_data_and_not_of_the_time(tmp_path: Path) -> None:
    """Four fifths of the time round trips are long, and of the data two sevenths."""
    one = upload(40, 4).write(tmp_path / "one.pcap")
    other = upload(40, 5).write(tmp_path / "other.pcap")
    (trip,) = [one for one in against([one], [other])["changes"] if one["measure"] == "round trip (median)"]
    (flow,) = diagnose([one])["connections"]
    assert trip["before"] == pytest.approx(by_tshark(one), rel=0.02)
    assert trip["before"] == pytest.approx(flow["rtt_ms"]["p50"], rel=0.02)
    assert trip["after"] == pytest.approx(by_tshark(other), rel=0.02)
    assert (trip["verdict"], trip["measure"]) == ("worse", "round trip (median)")
