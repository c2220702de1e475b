"""One router on three bands: each network has the air of its own access point, in all that a run leaves."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom import CaptureSettings, _engine
from airloom.cli.export_link import export_link
from airloom.report.sections import called, channels
from airloom.results.frames import address
from airloom.support import reading
from conftest import ROOT
from tools import need

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "examples" / "three-bands.toml"
BEACON = "8"
FIELDS = (
    "frame.interface_name",
    "radiotap.channel.freq",
    "wlan.ta",
    "wlan.ssid",
    "wlan.ds.current_channel",
    "wlan.ht.info.primarychannel",
    "wlan.vht.op.channelwidth",
    "wlan.ext_tag.number",
)
"""What a beacon says of its channel.

The DSSS parameter set is of 2.4 GHz, VHT of 5 GHz, and at 6 GHz there is neither HT nor VHT (IEEE 802.11ax-2021
26.17.2.1): HE alone, whose elements are the extensions 35 and 36.
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    """The example's first beacons, with captures of whole packets."""
    out = tmp_path_factory.mktemp("bands") / "run"
    return airloom.run(EXAMPLE, set={"duration": "0.3 s"}, out=out, capture=CaptureSettings(0))


def rows(run: airloom.Run, fields: tuple[str, ...], *where: str) -> list[list[str]]:
    """Fields of the frames of the air, with every checksum looked at."""
    command = [need("tshark"), "-n", "-r", str(run.path / "air.pcapng"), *where, "-T", "fields"]
    for option in ("wlan.check_fcs:TRUE", "wlan.check_checksum:TRUE", "tcp.check_checksum:TRUE"):
        command += ["-o", option]
    for field in fields:
        command += ["-e", field]
    read = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return [line.split("\t") for line in read.stdout.splitlines()]


@pytest.mark.long
def test_beacons_say_what_is_of_their_band(run: airloom.Run) -> None:
    name = b"home".hex()
    told = {tuple(row) for row in rows(run, FIELDS, "-Y", f"wlan.fc.type_subtype == {BEACON}")}
    assert told == {
        ("mon0", "5180", address(0), name, "", "36", "1", "35,36"),
        ("mon1", "2437", address(1), name, "6", "6", "", ""),
        ("mon2", "6135", address(2), name, "", "", "", "35,36,59"),
    }


@pytest.mark.long
def test_the_capture_has_an_interface_for_each_band_without_a_complaint(run: airloom.Run) -> None:
    checks = ("frame.interface_id", "radiotap.channel.freq", "_ws.malformed", "wlan.fcs.status")
    formats = ("radiotap.mcs.index", "radiotap.he.data_1.ppdu_format")
    heard: dict[tuple[str, str], set[str]] = {}
    for interface, mhz, malformed, status, ht, he in rows(run, checks + formats):
        assert (malformed, status) == ("", "1"), (interface, mhz)
        heard.setdefault((interface, mhz), set()).add("HT" if ht else "HE" if he else "below")
    both = {"HE", "below"}
    assert heard == {("0", "5180"): both, ("1", "2437"): {"HT", "below"}, ("2", "6135"): both}


def test_a_channel_is_told_by_its_band(run: airloom.Run) -> None:
    told = run.summary["airtime"]["channels"]
    assert [(one["channel"], one["band"], one["width"], one["aps"]) for one in told] == [
        (36, "5 GHz", "80 MHz", ["home-5"]),
        (6, "2.4 GHz", "20 MHz", ["home-2"]),
        (37, "6 GHz", "160 MHz", ["home-6"]),
    ]
    said = [name for name, _ in channels([run.summary["airtime"]])]
    assert said == ["channel 6 at 2.4 GHz", "channel 36 at 5 GHz", "channel 37 at 6 GHz"]
    page = airloom.report(run, out=run.path.parent / "page.html").read_text()
    assert all(name in page for name in said)
    places = [("5 GHz", 36, 20), ("5 GHz", 36, 80), ("5 GHz", 48, 20)]
    assert [called(at, places) for at in places] == [
        "channel 36 of 20\N{NO-BREAK SPACE}MHz",
        "channel 36 of 80\N{NO-BREAK SPACE}MHz",
        "channel 48",
    ]


def test_what_is_resolved_says_what_follows_for_each_band() -> None:
    """The basic rates of hostapd are others at 2.4 GHz; slot and protection are a matter of that band alone."""
    settings = reading.toml(_engine.check(EXAMPLE.read_text(), str(EXAMPLE), [], None))
    own = [{key: ap.get(key) for key in ("band", "slot", "protection")} for ap in settings["ap"]]
    assert own == [
        {"band": None, "slot": None, "protection": None},
        {"band": "2.4 GHz", "slot": "short", "protection": "none"},
        {"band": "6 GHz", "slot": None, "protection": None},
    ]
    assert settings["ap"][1]["basic_rates"] == ["1 Mbit/s", "2 Mbit/s", "5.5 Mbit/s", "11 Mbit/s"]


@pytest.mark.nightly
@pytest.mark.long
def test_each_band_has_a_link_of_its_own(tmp_path: Path) -> None:
    export_link(str(EXAMPLE), tmp_path / "link", "sensor")
    rates = [(tmp_path / "link" / f"{way}.trace").read_text().count("\n") for way in ("up", "down")]
    # 20 s of opportunities of 1,504 bytes at the 72.2 Mbit/s that MCS 7 has, the short guard interval included.
    assert all(20_000 < count < 72.2e6 * 20 / (8 * 1504) for count in rates), rates
