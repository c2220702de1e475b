"""A window that is small, one that is closed, and one that is full because a queue stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.conversation import MSS, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding

ROUND = 0.02
"""A round trip in seconds."""

SEGMENTS = 10
SMALL = 58
"""A window of ten segments, in units of 256 octets."""


def rounds(talk: Conversation, begin: float, count: int, *, window: int) -> float:
    """Ten segments in each round trip, acknowledged together, with a window; gives the end."""
    for turn in range(count):
        at = begin + turn * ROUND
        for segment in range(SEGMENTS):
            talk.put(at + segment * 1e-5, 0, MSS)
        talk.put(at + ROUND - 1e-4, 1, window=window)
    return begin + count * ROUND


def found(talk: Conversation, path: Path) -> dict[str, Finding]:
    """The findings by their codes."""
    return {one["code"]: one for one in diagnose([talk.write(path)])["findings"]}


def test_a_window_that_stays_closed_is_not_a_small_one(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    closed = rounds(talk, 0.1, 100, window=65_000)
    talk.put(closed, 1, window=0)
    talk.put(closed + 22, 1)
    rounds(talk, closed + 22.01, 10, window=65_000)
    told = found(talk, tmp_path / "closed.pcap")
    assert set(told) == {"W407"}
    assert abs(told["W407"]["value"] - 22) < 0.1
    cost = told["W407"]["cost"]
    assert (round(cost["value"]), cost["unit"], cost["of"]) == (22, "s", "in which nothing may be sent")


def test_a_small_window_is_told_without_times_that_it_was_not_closed(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    rounds(talk, 0.1, 100, window=SMALL)
    told = found(talk, tmp_path / "small.pcap")
    assert set(told) == {"W401"}
    assert "closed" not in told["W401"]["says"]
    assert "buffer" in told["W401"]["remedy"]
    assert "Wi-Fi" not in told["W401"]["says"]


def test_a_window_that_a_short_transfer_fills_says_nothing(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND / 20)
    for turn in range(10):
        at = 0.1 + turn * ROUND / 20
        for segment in range(SEGMENTS):
            talk.put(at + segment * 1e-5, 0, MSS)
        talk.put(at + ROUND / 20 - 1e-4, 1, window=SMALL)
    assert not found(talk, tmp_path / "short.pcap")


def test_a_window_that_closes_again_and_again_is_a_slow_program(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    at = 0.1
    for _ in range(20):
        at = rounds(talk, at, 1, window=0)
        talk.put(at + 0.2, 1, window=SMALL)
        at += 0.201
    told = found(talk, tmp_path / "slow.pcap")
    assert set(told) == {"W401"}
    assert "closed 20 times, 4.00 s together" in told["W401"]["says"]
    assert "larger receive buffer" not in told["W401"]["remedy"]


def test_a_window_that_a_queue_fills_is_not_too_small(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    for segment in range(400):
        at = 0.1 + segment * 0.025
        talk.put(at + 1e-4, 0, MSS)
        talk.put(at + min(segment + 1, SEGMENTS) * 0.025, 1, window=SMALL)
    told = found(talk, tmp_path / "queue.pcap")
    assert "W401" not in told
    assert "W301" in told


def test_a_window_that_a_receiver_fills_by_late_answers_is_not_too_small(tmp_path: Path) -> None:
    # A printer takes what it prints: each acknowledgment comes 25 ms after the data, on a way of a millisecond.
    talk = Conversation()
    talk.open(0.0, 0.001)
    talk.put(0.05, 0, MSS)
    talk.put(0.051, 1, window=SMALL)
    for turn in range(200):
        at = 0.1 + turn * 0.0251
        for segment in range(SEGMENTS):
            talk.put(at + segment * 1e-5, 0, MSS)
        talk.put(at + 0.025, 1, window=SMALL)
    told = diagnose([talk.write(tmp_path / "late.pcap")])
    assert "W401" not in {one["code"] for one in told["findings"]}
    assert "answers late" in {one["code"]: one["because"] for one in told["abstained"]}["W401"]


def test_a_window_that_what_is_not_read_takes_is_the_receivers_however_late_it_answers(tmp_path: Path) -> None:
    # As above, but its buffer stays half full: each acknowledgment leaves room for half of what it took at first.
    talk = Conversation()
    talk.open(0.0, 0.001)
    talk.put(0.05, 0, MSS)
    talk.put(0.051, 1, window=2 * SMALL)
    for turn in range(200):
        at = 0.1 + turn * 0.0251
        for segment in range(SEGMENTS):
            talk.put(at + segment * 1e-5, 0, MSS)
        talk.put(at + 0.025, 1, window=SMALL)
    told = found(talk, tmp_path / "unread.pcap")
    assert set(told) == {"W401"}
    assert "reads faster" in told["W401"]["remedy"]


def test_a_window_that_data_runs_far_beyond_holds_no_sender(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    for turn in range(60):
        at = 0.1 + turn * 0.06
        for segment in range(4 * SEGMENTS):
            talk.put(at + segment * 1e-3 + segment % 7 * 1e-5, 0, MSS)
        talk.put(at + 0.04 + ROUND, 1, window=SMALL)
    diagnosis = diagnose([talk.write(tmp_path / "beyond.pcap")])
    assert "W401" not in {one["code"] for one in diagnosis["findings"]}
    (because,) = (one["because"] for one in diagnosis["abstained"] if one["code"] == "W401")
    assert "far beyond the window" in because
    (flow,) = diagnosis["connections"]
    assert flow["limits"]["receiver"] < 0.3


def test_stamps_on_a_grid_tell_nothing(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    rounds(talk, 0.1, 100, window=SMALL)
    talk.packets = [(number * 0.01, *packet[1:]) for number, packet in enumerate(sorted(talk.packets))]
    diagnosis = diagnose([talk.write(tmp_path / "grid.pcap")])
    assert diagnosis["findings"] == []
    assert all("are stamped 10 ms behind the one before them" in rule["because"] for rule in diagnosis["abstained"])


def test_a_small_window_is_told_from_the_receivers_own_capture(tmp_path: Path) -> None:
    # Each acknowledgment lets one segment go that arrives a round trip later: ten are on their way all the time.
    talk = Conversation()
    talk.open(0.0, ROUND)
    for segment in range(1500):
        at = 0.1 + segment * ROUND / SEGMENTS
        talk.put(at, 1, MSS)
        talk.put(at + 1e-5, 0, window=SMALL)
    told = found(talk, tmp_path / "receiver.pcap")
    assert set(told) == {"W401"}
    assert "buffer" in told["W401"]["remedy"]


def test_both_rules_about_a_printer_that_stops_count_the_same_time(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, ROUND)
    end = rounds(talk, 0.1, 300, window=SMALL)
    for at in (end, end + 5, end + 10, end + 16):
        talk.put(at, 0, 200)
        talk.sequence[0] -= 200
    diagnosis = diagnose([talk.write(tmp_path / "stops.pcap")])
    told = {one["code"]: one for one in diagnosis["findings"]}
    assert set(told) == {"W401", "W406"}
    (flow,) = [one for one in diagnosis["connections"] if one["bytes"] > 1000]
    assert told["W401"]["value"] == pytest.approx(100 * flow["limits"]["receiver"], abs=0.5)


def test_a_closed_window_is_the_receivers_where_the_scale_of_windows_is_not_known(tmp_path: Path) -> None:
    # Without a handshake: 3 s of each 5 s no room for a single octet, though the program sends all it has at once.
    talk = Conversation()
    at = 0.1
    for _ in range(10):
        at = rounds(talk, at, 1, window=0)
        talk.put(at + 3, 1, window=SMALL)
        at += 5
    for cycle in range(10):
        rounds(talk, at + cycle * ROUND, 1, window=SMALL)
    told = found(talk, tmp_path / "unscaled.pcap")
    assert set(told) == {"W401"}
    assert "no room for a single octet; its window was closed 10 times, 30.00 s together" in told["W401"]["says"]
