"""What each finding gives to Wireshark shows at least one record there."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.calls import call, heard
from field.cut_off import cut_off
from field.monitor import STATION, Monitor
from field.standstill import closed, dead, hole
from foreign.worlds import HERE as FOREIGN
from tools import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CAPTURES = sorted(FOREIGN.glob("*.pcap.gz"))

TRIP, EACH = 0.112, 0.32
"""How long a radio is away for each channel, and from one to the next, in seconds."""


def shown(capture: Path, chosen: str) -> int:
    """How many records of a capture tshark shows by a filter."""
    command = [need("tshark"), "-r", str(capture), "-Y", chosen, "-T", "fields", "-e", "frame.number"]
    return len(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())


def held(path: Path) -> Path:
    """A call that stands still for each channel of a scan."""

    def late() -> Iterator[tuple[float, int]]:
        for at, number in call(12):
            begun = (at - 3) % EACH
            away = 3 <= at < 9 and begun < TRIP
            yield (at + TRIP - begun + number * 1e-7 if away else at), number

    return heard(late(), path)


def acknowledged(path: Path) -> Path:
    """ACKs to a station that is not heard."""
    air = Monitor()
    for turn in range(300):
        air.ack(0.1 + turn * 0.01, STATION)
    return air.write(path)


BUILT: dict[str, Callable[[Path], Path]] = {
    "W001": acknowledged,
    "W108": held,
    "W307": lambda path: hole().write(path),
    "W406": lambda path: dead(8).write(path),
    "W407": lambda path: closed(8).write(path),
    "W408": cut_off,
}
"""Captures of what ns-3 does not have, by the rule that finds it."""


def empty(capture: Path) -> tuple[set[str], list[tuple[str, str]]]:
    """The rules that find something in a capture, and those of their filters that show nothing."""
    filters = {one["filter"]: one["code"] for one in diagnose([capture])["findings"]}
    return set(filters.values()), [(code, chosen) for chosen, code in filters.items() if not shown(capture, chosen)]


@pytest.mark.long
@pytest.mark.sample(5)
@pytest.mark.parametrize("capture", CAPTURES, ids=lambda capture: capture.name.removesuffix(".pcap.gz"))
def test_a_filter_shows_something(capture: Path) -> None:
    _, nothing = empty(capture)
    assert not nothing


@pytest.mark.parametrize("code", BUILT)
def test_a_filter_of_what_is_rare_shows_something(tmp_path: Path, code: str) -> None:
    codes, nothing = empty(BUILT[code](tmp_path / "rare.pcap"))
    assert code in codes
    assert not nothing
