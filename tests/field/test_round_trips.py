"""The round trip that is compared is that of most of the data, as tshark has it, and not that of most of the time."""

from __future__ import annotations

import shutil
import statistics
import struct
import subprocess
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.against.told import against
from airloom.diagnosis.reading import diagnose
from field.conversation import ACK, Conversation

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


def stamped(value: int, echo: int) -> bytes:
    """A clock value and an echo (RFC 7323)."""
    return struct.pack(">BBBBII", 1, 1, 8, 10, value, echo)


@pytest.mark.parametrize(("named", "longest_ms"), [(True, 1919), (False, 20)])
def test_an_acknowledgment_that_names_the_first_copy_is_a_round_trip(
    tmp_path: Path, named: bool, longest_ms: float
) -> None:
    """Karn's rule is of acknowledgments that do not tell which copy they are of."""
    talk = Conversation()
    talk.open(0, 0.02)
    for turn in range(10):
        at = 100 * (turn + 1)
        talk.put(at / 1e3, 0, 200, options=stamped(at, 0))
        talk.put(at / 1e3 + 0.02, 1, options=stamped(at, at))
    talk.put(2, 0, 200, options=stamped(2000, 0))
    for again in (2400, 3200):
        talk.sequence[0] -= 200
        talk.put(again / 1e3, 0, 200, options=stamped(again, 0))
    talk.put(3.919, 1, 0, ACK, stamped(3919, 2000 if named else 3200))
    (flow,) = diagnose([talk.write(tmp_path / "named.pcap")])["connections"]
    assert flow["rtt_ms"]["max"] == pytest.approx(longest_ms, rel=0.02)


def test_the_wait_for_the_timer_is_not_idle(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0, 0.02)
    for turn in range(10):
        at = 0.5 * (turn + 1)
        talk.put(at, 0, 200)
        if turn == 5:
            talk.sequence[0] -= 200
            talk.put(at + 0.4, 0, 200)
        talk.put(at + (0.42 if turn == 5 else 0.02), 1)
    (flow,) = diagnose([talk.write(tmp_path / "timer.pcap")])["connections"]
    assert flow["retransmissions"]["timeout"] == 1
    assert flow["limits"]["recovery"] == pytest.approx(0.42 / 4.5, abs=0.01)
