"""An access point that goes to another channel: what tshark makes of its beacons, the page, and a diagnosis."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom import CaptureSettings
from airloom.analysis.run_view import RunView
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.report import page, plan
from tools import need

if TYPE_CHECKING:
    from pathlib import Path

WORLD = """
title = "An access point goes to another channel"
duration = "4 s"
air = { standard = "802.11ac", band = "5 GHz", width = "80 MHz" }
[[ap]]
name = "hall"
adapter = "edca-ac"
position = ["0 m", "0 m"]
switch = [{ at = "2 s", channel = 100 }]
[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "edca-ac"
position = ["3 m", "0 m"]
[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "50 Mbit/s", delay = "10 ms" }
[[flow]]
from = "server"
to = "laptop"
"""
FIELDS = (
    "frame.interface_id",
    "radiotap.channel.freq",
    "wlan.csa.channel_switch_mode",
    "wlan.csa.new_channel_number",
    "wlan.csa.channel_switch.count",
    "wlan.ht.info.primarychannel",
    "wlan.vht.op.channelcenter0",
    "wlan.tag.number",
    "_ws.malformed",
    "_ws.expert.severity",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    """The world with captures."""
    folder = tmp_path_factory.mktemp("switching")
    scenario = folder / "world.toml"
    scenario.write_text(WORLD, encoding="utf-8")
    return airloom.run(scenario, out=folder / "run", capture=CaptureSettings(0))


def beacons(capture: Path) -> list[list[str]]:
    """The fields of each beacon, as tshark reads them."""
    command = [need("tshark"), "-n", "-r", str(capture), "-Y", "wlan.fc.type_subtype == 8", "-T", "fields"]
    for field in FIELDS:
        command += ["-e", field]
    read = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return [line.split("\t") for line in read.stdout.splitlines()]


def test_beacons_count_down_and_come_on_the_new_channel_without_a_complaint(run: airloom.Run) -> None:
    rows = beacons(run.path / "air.pcapng")
    assert not [row for row in rows if row[-2] or row[-1]]
    announced = [row for row in rows if row[2]]
    assert [row[2:5] for row in announced] == [["0", "100", str(count)] for count in (4, 3, 2, 1)]
    # tshark reads the extended element's name alone.
    tags = [[tag for tag in row[7].split(",") if tag in {"37", "60"}] for row in rows]
    assert [of for of in tags if of] == [["37", "60"]] * len(announced)
    behind = rows.index(announced[-1]) + 1
    places = [tuple(row[:2] + row[5:7]) for row in rows]
    assert set(places[:behind]) == {("0", "5180", "36", "42")}
    assert set(places[behind:]) == {("1", "5500", "100", "106")}
    # One beacon is left out of those that are due each 102.4 ms.
    assert (behind, len(rows)) == (23, 38)


def test_the_page_marks_the_switch_and_the_plan_names_both_channels(run: airloom.Run) -> None:
    assert run.changes == [{"time_s": 2.0, "change": "hall to channel 100"}]
    assert "channel 36, then 100" in str(plan.drawn(RunView(run)))
    assert "hall to channel 100" in page.render(run)


def test_a_diagnosis_tells_it_and_accuses_nobody(run: airloom.Run) -> None:
    found = diagnose([run.path / "air.pcapng", run.path / "laptop.pcapng"])
    lines = [line for line in facts(found) if "goes to channel" in line]
    [line] = lines
    assert "announced from 2.0 s on that it goes to channel 100" in line
    assert "no beacon of it came on its channel after 2.3 s" in line
    assert not {finding["code"] for finding in found["findings"]} & {"W101", "W103", "W107", "W108"}
