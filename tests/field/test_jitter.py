"""The jitter of RTP: what the network does to packets, and not what senders do to their clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.calls import EVERY, OCTETS, at_host, header, packet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

COUNT = 1500
"""Packets of a call."""

TICKS = 160
"""Of a clock of 8 kHz in a packet's time."""


def jitter(packets: Iterator[tuple[float, bytes]], folder: Path) -> float:
    """The mean jitter of a stream of RTP, in ms."""
    (stream,) = diagnose([at_host(packets, folder / "call.pcap")])["streams"]
    assert stream["rtp"]
    assert stream["rtp"]["jitter_ms"] is not None
    return stream["rtp"]["jitter_ms"]


def sent(stamp: Callable[[int], int], kind: Callable[[int], int] = lambda _: 0) -> Iterator[tuple[float, bytes]]:
    """A call of which packets come evenly, with these stamps and payload types."""
    for number in range(COUNT):
        head = header(number, stamp(number), kind=kind(number))
        yield number * EVERY, packet(head + bytes(OCTETS - len(head)), number + 1)


CLOCKS: dict[str, Callable[[int], int]] = {
    "restarts": lambda number: TICKS * (number % 1000),
    "jumps ahead": lambda number: TICKS * number + (number >= 1000) * 5_000_000,
    "restarts before it is known": lambda number: TICKS * number + (number < 20) * 9_000_000,
}
"""Stamps of packets that are sent evenly."""


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_step_of_the_senders_clock_is_no_jitter(tmp_path: Path, clock: str) -> None:
    assert jitter(sent(CLOCKS[clock]), tmp_path) == pytest.approx(0, abs=0.01)


def test_a_talk_spurt_whose_stamps_stood_still_in_the_silence_is_no_jitter(tmp_path: Path) -> None:
    """After ten seconds without a packet stamps go on where they were, with the marker (RFC 3551 section 4.1)."""

    def packets(*, marks: bool) -> Iterator[tuple[float, bytes]]:
        for number in range(COUNT):
            head = header(number, TICKS * number, marker=marks and number == 1000)
            yield number * EVERY + 10 * (number >= 1000), packet(head + bytes(OCTETS - len(head)), number + 1)

    assert jitter(packets(marks=True), tmp_path) == pytest.approx(0, abs=0.01)
    # The network may have held it up.
    assert jitter(packets(marks=False), tmp_path) > 5


def test_a_payload_type_with_another_clock_is_no_jitter(tmp_path: Path) -> None:
    """For every other five seconds stamps are of 48 kHz, from another beginning on."""

    def other(number: int) -> bool:
        return number // 250 % 2 == 1

    packets = sent(
        lambda number: number * (6 * TICKS if other(number) else TICKS) + 1_000_000 * other(number),
        lambda number: 111 if other(number) else 0,
    )
    assert jitter(packets, tmp_path) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("every", [50, 200])
def test_events_whose_stamps_stand_still_are_no_jitter(tmp_path: Path, every: int) -> None:
    """Digits of 200 ms (RFC 4733), each with the stamp of its beginning."""

    def digit(number: int) -> bool:
        return number % every >= every - 10

    packets = sent(
        lambda number: TICKS * (number - number % every + every - 10 if digit(number) else number),
        lambda number: 101 if digit(number) else 0,
    )
    assert jitter(packets, tmp_path) == pytest.approx(0, abs=0.01)


def test_what_the_network_held_up_is_jitter(tmp_path: Path) -> None:
    """Every five seconds packets wait for up to two seconds, and come at once."""

    def packets() -> Iterator[tuple[float, bytes]]:
        for number in range(COUNT):
            head = header(number, TICKS * number)
            at = max(number, number // 250 * 250 + 100) if number % 250 < 100 else number
            yield at * EVERY + number * 1e-6, packet(head + bytes(OCTETS - len(head)), number + 1)

    # Of 250 intervals 99 are off by 20 ms and one by 2 s.
    assert jitter(packets(), tmp_path) == pytest.approx((99 * 20 + 2000) / 250, rel=0.2)
