"""A call or a game that stutters: one capture of the host says so, without a monitor and without TCP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding

CALL = [
    {
        "name": "call",
        "kind": "udp",
        "from": "server",
        "to": "laptop",
        "rate": "64 kbit/s",
        "payload": "160 B",
    }
]
SCANS = ROOT / "examples" / "upload-scans.toml"


def held_up(settings: dict[str, Any], folder: Path) -> list[Finding]:
    """What the laptop's own capture tells of a call while it scans."""
    airloom.run(SCANS, set={"duration": "25 s", "flow": CALL} | settings, out=folder / "run", capture=True)
    return diagnose([folder / "run" / "laptop.pcapng"])["findings"]


def test_a_call_over_a_radio_that_scans_is_held_up(tmp_path: Path) -> None:
    """26 trips of 110 ms, 310 ms after each other; a packet may be due just before."""
    [held] = held_up({}, tmp_path)
    assert held["code"] == "W108"
    assert held["says"].startswith("26 times, about every 420 ms, nothing came for 122 ms")
    assert held["filter"].count("udp.port") == 2
    assert held["spans"][0][0] == pytest.approx(10, abs=1)


def test_a_call_over_a_radio_that_stays_is_sound(tmp_path: Path) -> None:
    assert held_up({"station.laptop.scan.first": "1 h"}, tmp_path) == []
