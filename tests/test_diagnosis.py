"""`airloom diagnose`: what rules find in captures of worlds whose causes are known, and in files that are wrong."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.analysis.scan_periods import whole_trips
from airloom.diagnosis.told import diagnose
from airloom.errors import CaptureError
from airloom.results.bundle import AIR
from conftest import ROOT
from tools import need

if TYPE_CHECKING:
    from pathlib import Path

ONE, TWO = 0.95, 0.9
"""What precision and recall have to reach with one cause, and with two and a monitor that misses frames."""


@pytest.fixture(scope="module")
def upload(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    """The scan paper's upload, with its captures."""
    return scanned(tmp_path_factory.mktemp("upload") / "run")


def tshark(capture: Path, *arguments: str) -> str:
    """What tshark says of a capture."""
    command = [need("tshark"), "-n", "-r", str(capture), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs `airloom diagnose`."""
    return subprocess.run(
        [sys.executable, "-m", "airloom", "diagnose", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def scanned(out: Path, **changes: str) -> airloom.Run:
    """The upload of the scan paper for a while, in which it scans once."""
    scenario = ROOT / "papers" / "scan" / "upload-tsq.toml"
    return airloom.run(scenario, set={"duration": "45 s", **changes}, out=out, capture=True)


def test_rules_are_right() -> None:
    """`tests/test_pages.py` holds that the table is what the self-test prints."""
    page = (ROOT / "docs" / "diagnose.md").read_text(encoding="utf-8")
    rows = [line.split() for line in page.splitlines() if re.fullmatch(r"W\d{3}(\s+[\d.-]+){7}", line)]
    assert len(rows) >= 12
    for code, one, precision, recall, two, precision_of_two, recall_of_two, _ in rows:
        assert int(one) + int(two) > 0, f"{code} was asked for nothing"
        shares = ((precision, ONE), (recall, ONE), (precision_of_two, TWO), (recall_of_two, TWO))
        assert all(share == "-" or float(share) >= least for share, least in shares), code


def test_the_scan_papers_pathology_is_found_and_its_periods_are_right(upload: airloom.Run, tmp_path: Path) -> None:
    told = diagnose([upload.path / AIR])
    (finding,) = [one for one in told["findings"] if one["code"] == "W101"]
    trips = [trip for scan in upload.summary["scans"] for trip in whole_trips(scan)]
    (station,) = [one for one in told["stations"] if one["kind"] == "station"]
    begin = seconds_of_the_first(upload.path / AIR)
    # A spell is from the first null frame that was heard to the first that says that the station is back.
    assert len(station["dozes"]) == len(trips) > 20
    for (start, end), trip in zip(station["dozes"], trips, strict=True):
        assert trip["leaving_s"] <= start + begin <= trip["away_s"] + 0.002
        assert abs(end + begin - trip["returning_s"]) < 0.002 or trip["returning_s"] <= end + begin <= trip["home_s"]
    (span,) = finding["spans"]
    assert span == [station["dozes"][0][0], station["dozes"][-1][1]]
    remedied = scanned(tmp_path / "run", **{"station.0.scan.remedy": "skip-if-moved"})
    assert not [one for one in diagnose([remedied.path / AIR])["findings"] if one["code"] == "W101"]


def seconds_of_the_first(capture: Path) -> float:
    """When the first record of a capture is stamped, in seconds of the run."""
    return float(tshark(capture, "-c", "1", "-T", "fields", "-e", "frame.time_epoch").strip())


def test_frames_are_as_many_as_tshark_counts(upload: airloom.Run) -> None:
    told = diagnose([upload.path / AIR])
    listed = tshark(upload.path / AIR, "-T", "fields", "-e", "wlan.ta", "-e", "wlan.fc.retry").splitlines()
    assert told["captures"][0]["records"] == len(listed)
    for station in told["stations"]:
        own = [line.split("\t") for line in listed if line.startswith(station["mac"])]
        assert station["frames"] == len(own)
        assert station["retries"] == sum(retry in ("1", "True") for _, retry in own)


def test_a_zipped_capture_says_the_same(upload: airloom.Run, tmp_path: Path) -> None:
    zipped = tmp_path / "air.pcapng.gz"
    zipped.write_bytes(gzip.compress((upload.path / AIR).read_bytes(), 1))
    plain, packed = diagnose([upload.path / AIR]), diagnose([zipped])
    assert {**plain, "captures": []} == {**packed, "captures": []}


def test_a_cut_capture_gives_what_came_before(upload: airloom.Run, tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    octets = (upload.path / AIR).read_bytes()
    cut.write_bytes(octets[: 2 * len(octets) // 3 + 1])
    (capture,) = diagnose([cut])["captures"]
    assert capture["records"] > 1000
    assert capture["stopped"]
    assert "cut short" in capture["stopped"]
    assert "cut short" in command(cut).stdout


def test_no_capture_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="no file"):
        diagnose([])
    (tmp_path / "text").write_text("not a capture")
    for arguments in ([tmp_path / "text"], [tmp_path / "none"], [tmp_path], [], ["--self-test", tmp_path / "text"]):
        came = command(*arguments)
        assert (came.returncode, came.stdout) == (2, ""), arguments
        assert came.stderr.startswith("airloom: ")


def test_json_has_the_fixed_names(upload: airloom.Run) -> None:
    told = json.loads(command(upload.path / AIR, "--json").stdout)
    assert {"captures", "stations", "connections", "findings", "abstained"} <= told.keys()
    names = "code name subject spans value threshold unit confidence cost frames filter remedy"
    assert set(names.split()) <= told["findings"][0].keys()
    assert {"mac", "dozes", "frames", "retries", "airtime_s"} <= told["stations"][0].keys()


def test_the_filters_show_what_was_found(upload: airloom.Run) -> None:
    for finding in diagnose([upload.path / AIR])["findings"]:
        numbers = tshark(upload.path / AIR, "-Y", finding["filter"], "-T", "fields", "-e", "frame.number").split()
        assert numbers, finding["filter"]
        assert set(map(str, finding["frames"])) <= set(numbers)
