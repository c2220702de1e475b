"""A send buffer that is too small is told as one, beside a monitor's capture too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.told import diagnose
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.given import Settings

BUFFERS = ("64 kB", "256 kB")


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
        ("laptop", "32 kB"),
        ("laptop", "64 kB"),
    ],
)
def test_a_send_buffer_of_few_segments_on_a_long_way_is_not_called_the_wire(
    end: str, buffer: str, tmp_path: Path
) -> None:
    host = {"profile": "linux-6.18", "send_buffer_initial": buffer, "send_buffer_max": buffer}
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
