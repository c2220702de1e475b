"""Several networks in one scenario: captures, pages, exports and diagnosis know which is which."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom import CaptureSettings
from airloom.analysis.compared_figures import of_runs
from airloom.analysis.power_save import periods
from airloom.analysis.run_view import RunView
from airloom.cli.export_link import export_link
from airloom.diagnosis.reading import diagnose
from airloom.report.colours import Colours
from airloom.results.frames import address
from conftest import ROOT
from tools import need

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.given import Settings

EXAMPLE = ROOT / "examples" / "two-networks.toml"
FIELDS = (
    "frame.interface_id",
    "radiotap.channel.freq",
    "wlan.ht.info.primarychannel",
    "wlan.ta",
    "_ws.malformed",
    "wlan.fcs.status",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    """The example with captures; the station upstairs scans."""
    out = tmp_path_factory.mktemp("networks") / "run"
    changes: Settings = {
        "duration": "2 s",
        "station.2.scan": {"by": "networkmanager-0.9.8", "channels": 2, "first": "1 s"},
    }
    return airloom.run(EXAMPLE, set=changes, out=out, capture=CaptureSettings(0))


def test_access_points_have_colours_of_their_own(run: airloom.Run) -> None:
    found = Colours.of(RunView(run))
    drawn = [found.nodes[name] for name in ("home", "neighbour", "upstairs")]
    assert len({*drawn, *found.flows.values()}) == len(drawn) + len(found.flows)


@pytest.mark.nightly
@pytest.mark.long
def test_the_capture_has_an_interface_for_each_channel_without_a_complaint(run: airloom.Run) -> None:
    command = [need("tshark"), "-n", "-r", str(run.path / "air.pcapng"), "-T", "fields"]
    for option in ("wlan.check_fcs:TRUE", "wlan.check_checksum:TRUE"):
        command += ["-o", option]
    for field in FIELDS:
        command += ["-e", field]
    read = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    rows = [line.split("\t") for line in read.stdout.splitlines()]
    aps = {address(0): ("0", "5180", "36"), address(1): ("0", "5180", "36"), address(2): ("1", "5220", "44")}
    heard = set()
    for interface, mhz, primary, sender, malformed, status in rows:
        assert (malformed, status) == ("", "1"), (interface, mhz, sender)
        assert (interface, mhz) in {("0", "5180"), ("1", "5220")}
        if primary:
            heard.add((sender, (interface, mhz, primary)))
    assert heard == set(aps.items())
    channels = {frame.channel_mhz for frame in run.frames}
    assert channels == {5180, 5220}


def test_a_flow_goes_by_the_access_point_of_its_station(run: airloom.Run) -> None:
    view = RunView(run)
    assert [view.radios_of(flow) for flow in run.summary["flows"]] == [["home"], ["neighbour"], ["upstairs"]]
    airtime = run.summary["airtime"]
    assert [(one["channel"], one["aps"]) for one in airtime["channels"]] == [
        (36, ["home", "neighbour"]),
        (44, ["upstairs"]),
    ]
    idle = [row.name for row in of_runs([run.summary]) if row.name.startswith("air idle")]
    assert idle == [
        "air idle, channel 36 at 5 GHz, %",
        "air idle, channel 44 at 5 GHz, %",
    ]
    assert [station.ap for station in run.stations] == ["home", "neighbour", "upstairs"]
    goodput = {flow.name: flow.goodput_mbps for flow in run.flows}
    assert goodput["server-phone"] > 1.5 * goodput["server-laptop"]
    page = airloom.report(run, out=run.path.parent / "page.html").read_text()
    assert "idle" in page
    assert "channel 44" in page


def test_a_sleeping_period_has_the_beacons_of_its_own_channel(run: airloom.Run) -> None:
    view = RunView(run)
    phone = address(5)
    found = periods(run.frames, phone)
    assert len(found) == len(run.summary["scans"][0]["trips"]) > 0
    assert {beacon.sender for sleep in found for beacon in sleep.beacons} <= {address(2)}
    assert view.sleeps == []


def test_diagnosis_looks_at_one_channel_and_its_networks(run: airloom.Run) -> None:
    told = diagnose([run.path / "air.pcapng", run.path / "laptop.pcapng"])
    names = [capture["interface"] for capture in told["captures"]]
    assert names[:2] == ["interface 0 (mon0)", "interface 1 (mon1)"]


def test_the_link_of_a_station_is_that_of_its_access_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airloom.cli.export_link.DURATION", "3 s")
    export_link(str(EXAMPLE), tmp_path / "link", "phone")
    assert (tmp_path / "link" / "down.trace").read_text().count("\n") > 10_000
