"""A send buffer that is too small is told as one, beside a monitor's capture too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.given import Settings

BUFFERS = ("64 kB", "256 kB")


def of_few_segments(profile: str, buffer: str) -> dict[str, Any]:
    """A host whose send buffer holds few segments.

    Linux writes 64 KiB into one `sk_buff` where segmentation comes later (`bursts`): no buffer holds less than 45 then.
    """
    bursts = {"bursts": False} if profile.startswith("linux-6") else {}
    return {"profile": profile, "send_buffer_initial": buffer, "send_buffer_max": buffer, **bursts}


@pytest.mark.sample(1)
@pytest.mark.parametrize("buffer", BUFFERS)
def test_a_send_buffer_is_not_called_the_wire(buffer: str, tmp_path: Path) -> None:
    host = {"profile": "linux-6.18", "send_buffer_initial": buffer, "send_buffer_max": buffer}
    changes: Settings = {"duration": "10 s", "server.0.host": host}
    run = airloom.run(ROOT / "examples" / "download.toml", set=changes, out=tmp_path / "run", capture=True)
    monitor, laptop, server = (run.path / f"{place}.pcapng" for place in ("air", "laptop", "server"))
    for captures in ([monitor, laptop], [monitor, server], [monitor, laptop, server]):
        assert {one["code"] for one in diagnose(captures)["findings"]} == {"W405"}, captures


@pytest.mark.parametrize(
    ("end", "buffer"),
    [
        *(("server", buffer) for buffer in ("16 kB", "24 kB", "32 kB", "64 kB")),
        *(("laptop", buffer) for buffer in ("16 kB", "24 kB", "32 kB", "64 kB")),
    ],
)
def test_a_send_buffer_of_few_segments_on_a_long_way_is_not_called_the_wire(
    end: str, buffer: str, tmp_path: Path
) -> None:
    host = of_few_segments("linux-6.18", buffer)
    sender: Settings = (
        {"server.0.host": host}
        if end == "server"
        else {"station.0.host": host, "flow.0.from": "laptop", "flow.0.to": "server"}
    )
    changes: Settings = {"duration": "10 s", "server.0.link.delay": "30 ms", **sender}
    run = airloom.run(ROOT / "examples" / "download.toml", set=changes, out=tmp_path / "run", capture=True)
    told = diagnose([run.path / "air.pcapng"])
    found = {one["code"] for one in told["findings"]}
    assert found <= {"W405"}
    assert found or "W403" in {one["code"] for one in told["abstained"]}


def sends_little(end: str, buffer: str, trip_ms: int, width: str = "40 MHz", profile: str = "linux-6.18") -> Settings:
    """A sender with a send buffer of its own on a way of so many ms there and back."""
    host = of_few_segments(profile, buffer)
    way: Settings = {"duration": "5 s", "air.width": width, "server.0.link.delay": f"{trip_ms / 2:g} ms"}
    if end == "server":
        return {**way, "server.0.host": host}
    return {**way, "station.0.host": host, "flow.0.from": "laptop", "flow.0.to": "server"}


def codes(changes: Settings, places: tuple[str, ...], folder: Path, example: str = "download") -> set[str]:
    """What is found in captures of an example with changes."""
    run = airloom.run(ROOT / "examples" / f"{example}.toml", set=changes, out=folder / "run", capture=True)
    return {one["code"] for one in diagnose([run.path / f"{place}.pcapng" for place in places])["findings"]}


@pytest.mark.parametrize(
    ("buffer", "trip_ms", "width"),
    [("32 KiB", 20, "40 MHz"), ("32 KiB", 40, "20 MHz"), ("48 KiB", 20, "40 MHz"), ("64 KiB", 40, "40 MHz")],
)
@pytest.mark.parametrize("places", [("air",), ("air", "server")])
def test_an_upload_with_a_small_send_buffer_is_not_called_the_wire(
    buffer: str, trip_ms: int, width: str, places: tuple[str, ...], tmp_path: Path
) -> None:
    assert codes(sends_little("laptop", buffer, trip_ms, width), places, tmp_path) <= {"W405"}


@pytest.mark.parametrize(
    ("end", "place", "buffer", "profile"),
    [
        ("laptop", "air", "32 KiB", "linux-6.18"),
        ("laptop", "air", "16 KiB", "linux-6.18"),
        ("laptop", "laptop", "32 KiB", "linux-3.13"),
        ("server", "air", "24 KiB", "linux-6.18"),
        ("server", "laptop", "24 KiB", "linux-6.18"),
        ("server", "server", "32 KiB", "linux-3.13"),
    ],
)
def test_a_send_buffer_of_few_segments_is_told_as_one(
    end: str, place: str, buffer: str, profile: str, tmp_path: Path
) -> None:
    assert codes(sends_little(end, buffer, 40, profile=profile), (place,), tmp_path) == {"W405"}


@pytest.mark.parametrize("places", [("server",), ("air", "server")])
def test_a_shaper_before_the_capture_of_a_sender_is_no_window(places: tuple[str, ...], tmp_path: Path) -> None:
    queue = {"discipline": "fq_codel"}
    slow: Settings = {"duration": "5 s", "server.0.link.rate": "8 Mbit/s", "server.0.link.queue": queue}
    assert codes(slow, places, tmp_path) == ({"W403"} if "air" in places else set())


def test_a_window_that_fills_the_air_is_not_told(tmp_path: Path) -> None:
    assert not codes({"duration": "3 s"}, ("air", "laptop"), tmp_path, "wifi6")
