"""What the radio link or the station loses is not blamed on the wire, though the air is idle meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from small_cells import cell, flow, table

if TYPE_CHECKING:
    from pathlib import Path

HOST = "linux-6.18"
SCAN = '{ by = "networkmanager-0.9.8", channels = 9, first = "2 s", shortest = "4 s", step = "0 s", longest = "4 s" }'


QUEUE = '{ discipline = "fq_codel" }'
DOWNLOAD = flow("server", "laptop", name="dl")


def laptop(snr: str, rate: str, **more: str) -> str:
    """A station with ath9k."""
    return table("station", name="laptop", host=HOST, adapter="ath9k", snr=snr, rate=rate) + "".join(
        f"{key} = {value}\n" for key, value in more.items()
    )


WORLDS = {
    "an access point that tries once": (
        cell("A laptop", "8 s", laptop("22 dB", "MCS 5"), DOWNLOAD, delay="12 ms").replace(
            'adapter = "ath9k"', 'adapter = { profile = "ath9k", retry_limit = 1, count_hardware_retries = true }', 1
        ),
        "the radio link or the station has lost them",
    ),
    "scans": (
        cell("A laptop", "12 s", laptop("34 dB", "minstrel", scan=SCAN), DOWNLOAD, delay="20 ms", queue=QUEUE),
        "lost while its station was away, or just behind",
    ),
}


@pytest.mark.parametrize("name", WORLDS)
def test_what_the_radio_loses_is_not_blamed_on_the_wire(name: str, tmp_path: Path) -> None:
    text, because = WORLDS[name]
    (tmp_path / "w.toml").write_text(text)
    run = airloom.run(tmp_path / "w.toml", out=tmp_path / "out", capture=True, seed=7)
    said = diagnose([run.path / "air.pcapng"])
    assert "W403" not in {one["code"] for one in said["findings"]}
    assert because in next(one["because"] for one in said["abstained"] if one["code"] == "W403")
