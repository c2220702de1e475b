"""Whether packets of UDP are one, by all that they say and by IPv4's identification."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.calls import EVERY, OCTETS, at_host, header, packet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from airloom.diagnosis.shapes import StreamSeen

COUNT = 1500
"""Packets of a call."""


def seen(packets: Iterator[tuple[float, bytes]], folder: Path) -> StreamSeen:
    """The stream that packets make."""
    (stream,) = diagnose([at_host(packets, folder / "call.pcap")])["streams"]
    return stream


@pytest.mark.parametrize("octets", [OCTETS, 13])
def test_packets_that_say_different_things_are_two_whatever_their_identification(tmp_path: Path, octets: int) -> None:
    """Every packet has the same one, and each tenth comes 53 us behind the one before it."""

    def packets() -> Iterator[tuple[float, bytes]]:
        for number in range(COUNT):
            close = number % 10 == 9
            head = header(number, 160 * number, kind=13 if close else 8)
            size = octets if close else OCTETS
            yield (number - close) * EVERY + close * 53e-6, packet(head + bytes(size - len(head)), 1)

    stream = seen(packets(), tmp_path)
    assert stream["rtp"]
    assert (stream["packets"], stream["rtp"]["sent"], stream["rtp"]["missing"]) == (COUNT, COUNT, 0)


def test_packets_of_one_identification_and_the_same_words_are_not_one(tmp_path: Path) -> None:
    """What a sender puts into every packet makes none of them a copy; a number of its own does."""

    def packets(*, constant: bool) -> Iterator[tuple[float, bytes]]:
        for number in range(COUNT):
            for after in (0.0, 53e-6):
                yield number * EVERY + after, packet(bytes(OCTETS), 1 if constant else number + 1)

    # The first two may be one.
    assert seen(packets(constant=True), tmp_path)["packets"] == 2 * COUNT - 1
    assert seen(packets(constant=False), tmp_path)["packets"] == COUNT
