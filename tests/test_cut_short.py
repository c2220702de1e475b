"""That probes of a rate control keep PPDUs short is said where they do, and of no other world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.analysis.cut_short import cut_short
from airloom.diagnosis.reading import diagnose

if TYPE_CHECKING:
    from pathlib import Path

FIFO = '{ discipline = "fifo", limit = "1000 packets" }'

OFFICE = f"""
title = "Uploads in an office"
duration = "4 s"
air = {{ standard = "802.11ax", band = "5 GHz", width = "80 MHz" }}
ap = [{{ name = "ap", adapter = "edca-ax", queue = {FIFO} }}]
server = [{{ name = "server", host = "linux-6.18", link = {{ rate = "1 Gbit/s", delay = "10 ms" }} }}]
flow = [{{ name = "up", from = "laptop", to = "server" }}]

[[station]]
name = "laptop"
count = 15
host = {{ profile = "linux-6.18", queue = {FIFO} }}
adapter = "edca-ax"
distance = "8 m"
rate = "minstrel"
"""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, True),
        ({"station.0.rate": "MCS 7"}, False),
        ({"ap.0.queue": {"discipline": "mac80211"}, "station.0.host.queue": {"discipline": "mac80211"}}, False),
        ({"station.0.count": 5}, False),
        ({"station.0.count": 1}, False),
        ({"flow.0": {"name": "down", "from": "server", "to": "laptop"}}, False),
        # A limit of the adapter keeps them short then.
        ({"ap.0.adapter.ampdu_frames": 2, "station.0.rate": "MCS 7"}, False),
    ],
)
def test_short_ppdus_before_much_that_waits_are_said(change: dict[str, Any], says: bool) -> None:
    run = airloom.run(OFFICE, set=change)
    said = cut_short(run.summary, run.settings)
    assert (said is not None) == says, said
    if said:
        assert said.startswith("ap sends ")
        assert "MPDUs in a PPDU though" in said


@pytest.mark.sample(1)
@pytest.mark.parametrize("change", [{}, {"station.0.rate": "MCS 7"}, {"station.0.count": 5}])
def test_a_queue_behind_which_rates_are_tried_says_so(change: dict[str, Any], tmp_path: Path) -> None:
    """By captures of the air and of the server: the acknowledgments for all laptops wait at the access point."""
    run = airloom.run(OFFICE, set=change, out=tmp_path / "run", capture=True)
    found = diagnose([run.path / "air.pcapng", run.path / "server.pcapng"])["findings"]
    says = [one["says"] for one in found if one["code"] == "W301"]
    assert any("with which a rate control tries rates" in one for one in says) == (not change)
    if not change:
        assert "02:00:00:00:00:00 have one new MPDU" in says[0]


WIRE = """
duration = "4 s"
air = { standard = "802.11n", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = { profile = "ath9k", kernel = "Linux 6.18" } }]
station = [{ name = "laptop", host = "linux-6.18", adapter = "ath9k", distance = "4 m", rate = "minstrel" }]
flow = [{ name = "down", from = "server", to = "laptop" }]

[[server]]
name = "server"
host = { profile = "linux-6.18", small_queue = "off" }
link = { rate = "10 Mbit/s", delay = "10 ms" }
"""


def test_packets_that_come_one_at_a_time_try_no_rates(tmp_path: Path) -> None:
    """Behind a slow wire: the one PPDU of two packets at the beginning went at another rate than all that follow."""
    run = airloom.run(WIRE, out=tmp_path / "run", capture=True)
    found = diagnose([run.path / "air.pcapng"])["findings"]
    says = [one["says"] for one in found if one["code"] == "W301"]
    assert says, "the queue before the wire is found"
    assert not any("tries rates" in one for one in says)
