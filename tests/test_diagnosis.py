"""`airloom diagnose`: what rules find in captures of worlds whose causes are known, and in files that are wrong."""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import struct
import subprocess
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom import _engine
from airloom.analysis.scan_periods import whole_trips
from airloom.cli import app
from airloom.diagnosis.pcapng import ENHANCED_PACKET
from airloom.diagnosis.reading import diagnose, diagnose_closely, rules
from airloom.diagnosis.sniffer import encrypt
from airloom.errors import CaptureError
from airloom.results.bundle import AIR
from conftest import ROOT
from findings import all_findings
from in_process import airloom as in_process
from tools import need

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.given import Settings

ONE, TWO = 0.95, 0.9
"""What precision and recall have to reach with one cause, and with two and a monitor that misses frames."""

MISSED = {"W106": 0.85, "W202": 0.85}
"""What recall with two causes a rule reaches that misses one world of seven: docs/diagnose.md says which, and why."""

LAPTOP = "sta1.pcapng"
"""What the scan paper's station captures."""

MOST_BINS, MOST_ROWS = 512, 200
"""Bins of a line over time, and records around a finding."""


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
    return in_process("diagnose", *arguments)


def scanned(out: Path, **changes: str) -> airloom.Run:
    """The upload of the scan paper for a while, in which it scans once, at a rate that leaves few frames to read.

    The wire is short: a long wire hides how far off the clock at its other end is.
    """
    scenario = ROOT / "papers" / "scan" / "upload-tsq.toml"
    short = {
        "duration": "22 s",
        "station.0.scan.first": "6 s",
        "station.0.rate": "MCS 0",
        "server.0.link.delay": "30 us",
    }
    return airloom.run(scenario, set={**short, **changes}, out=out, capture=True)


def test_rules_are_right() -> None:
    """`tests/test_pages.py` holds that the table is what the self-test prints."""
    page = (ROOT / "docs" / "diagnose.md").read_text(encoding="utf-8")
    rows = [line.split() for line in page.splitlines() if re.fullmatch(r"W\d{3}(\s+[\d.-]+){7}", line)]
    assert len(rows) >= 12
    for code, one, precision, recall, two, precision_of_two, recall_of_two, _ in rows:
        assert int(one) + int(two) > 0, f"{code} was asked for nothing"
        of_two = MISSED.get(code, TWO)
        shares = ((precision, ONE), (recall, ONE), (precision_of_two, TWO), (recall_of_two, of_two))
        assert all(share == "-" or float(share) >= least for share, least in shares), code


@pytest.mark.long
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
    (alone,) = [one for one in diagnose([upload.path / LAPTOP])["findings"] if one["code"] == "W108"]
    assert len(trips) - 5 < int(alone["says"].split()[0]) <= len(trips)
    remedied = scanned(tmp_path / "run", **{"station.0.scan.remedy": "skip-if-moved"})
    assert not [one for one in diagnose([remedied.path / AIR])["findings"] if one["code"] == "W101"]
    assert not [one for one in diagnose([remedied.path / LAPTOP])["findings"] if one["code"] == "W108"]


@dataclass(frozen=True)
class Pathology:
    """What a paper's own runs show, and what shows it no longer."""

    paper: str
    code: str
    changes: dict[str, Any]
    remedy: dict[str, Any]


QUEUE = "ap.0.queue"
RECLAMATION = "station.0.adapter.usb.reclamation"
PATHOLOGIES = (
    Pathology("bloat/upload", "W301", {"duration": "25 s", "station.0.snr": "6 dB"}, {"ap.0.pseudo_retry_out": True}),
    # No queue above the driver ends it: beside FQ-CoDel's 15 packets 110 wait in the driver, beside mac80211's 40.
    Pathology(
        "anomaly/two", "W301", {"duration": "20 s", "station.1.snr": "8 dB"}, {QUEUE: {"discipline": "mac80211"}}
    ),
    Pathology(
        "anomaly/two",
        "W202",
        # Sound enough for the paper's deep fades: below that both links are weak first.
        {"duration": "20 s", "station.1.snr": "13 dB", QUEUE: {"discipline": "fq_codel"}},
        {QUEUE: {"discipline": "mac80211"}},
    ),
    Pathology("usb/hold", "W303", {}, {"station.0.adapter.usb.hold.at": ["20 s"]}),
    Pathology("usb/upload", "W305", {RECLAMATION: False}, {RECLAMATION: True}),
    Pathology(
        "arf/two", "W202", {"duration": "40 s"}, {"flow.0.tcp.link_rate": "told", "flow.1.tcp.link_rate": "told"}
    ),
)


@pytest.mark.sample(2)
@pytest.mark.long
@pytest.mark.parametrize("case", PATHOLOGIES, ids=lambda case: f"{case.paper}-{case.code}")
def test_a_papers_pathology_is_found_unless_it_is_remedied(case: Pathology, tmp_path: Path) -> None:
    scenario = ROOT / "papers" / f"{case.paper}.toml"
    for name, changes in (("ill", case.changes), ("remedied", {**case.changes, **case.remedy})):
        run = airloom.run(scenario, set=changes, out=tmp_path / name, capture=True)
        codes = {one["code"] for one in diagnose(sorted(run.path.glob("*.pcapng")))["findings"]}
        assert (case.code in codes) == (name == "ill"), (name, codes)


def test_findings_say_what_they_said() -> None:
    """`python tests/findings.py >tests/findings.txt` accepts what changed."""
    assert all_findings() == (ROOT / "tests" / "findings.txt").read_text(encoding="utf-8")


def test_the_rules_say_what_they_do() -> None:
    printed = command("--rules").stdout
    for rule in rules():
        assert rule["code"] in printed
        assert all(rule.values())
    assert json.loads(command("--rules", "--json").stdout)["rules"] == rules()


def seconds_of_the_first(capture: Path) -> float:
    """When the first record of a capture is stamped, in seconds of the run."""
    return float(tshark(capture, "-c", "1", "-T", "fields", "-e", "frame.time_epoch").strip())


@pytest.mark.long
def test_frames_are_as_many_as_tshark_counts(upload: airloom.Run) -> None:
    told = diagnose([upload.path / AIR])
    listed = tshark(upload.path / AIR, "-T", "fields", "-e", "wlan.ta", "-e", "wlan.fc.retry").splitlines()
    assert told["captures"][0]["records"] == len(listed)
    for station in told["stations"]:
        own = [line.split("\t") for line in listed if line.startswith(station["mac"])]
        assert station["frames"] == len(own)
        assert station["retries"] == sum(retry in ("1", "True") for _, retry in own)


def moved(capture: Path, out: Path, ahead_s: float, drift_ppm: float) -> Path:
    """A copy whose clock is ahead and runs fast; stamps are in nanoseconds."""
    octets = bytearray(capture.read_bytes())
    offset = 0
    while offset < len(octets):
        kind, length = struct.unpack_from("<II", octets, offset)
        if kind == ENHANCED_PACKET:
            high, low = struct.unpack_from("<II", octets, offset + 12)
            at = (high << 32) + low
            at += round(1e9 * ahead_s + 1e-6 * drift_ppm * at)
            struct.pack_into("<II", octets, offset + 12, at >> 32, at & 0xFFFFFFFF)
        offset += length
    out.write_bytes(octets)
    return out


@pytest.mark.long
def test_clocks_are_aligned_and_their_drift_is_told(upload: airloom.Run, tmp_path: Path) -> None:
    air, station, server = (upload.path / name for name in (AIR, "sta1.pcapng", "server.pcapng"))
    true = diagnose([air, station, server])
    assert [capture["clock"] and capture["clock"]["ahead_ms"] for capture in true["captures"]] == [None, 0, 0]
    other = moved(station, tmp_path / "station.pcapng", ahead_s=3.25, drift_ppm=50)
    told = diagnose([other, air, moved(server, tmp_path / "server.pcapng", ahead_s=0.4, drift_ppm=-20)])
    assert told["reference"] == 1
    for place, ahead_s, drift_ppm in ((0, 3.25, 50), (2, 0.4, -20)):
        clock = told["captures"][place]["clock"]
        assert clock
        assert clock["within_ms"] < 0.5
        assert abs(clock["ahead_ms"] - 1000 * ahead_s) < 2 * clock["within_ms"] + 0.1
        assert abs(clock["drift_ppm"] - drift_ppm) < 1
    # What is told of flows is told in the monitor's time.
    spans = [{flow["from"]: flow["span_s"] for flow in one["connections"]} for one in (true, told)]
    for ours, theirs in zip(spans[0].values(), spans[1].values(), strict=True):
        assert ours == pytest.approx(theirs, abs=0.002)
    assert "its clock is 3250 ms ahead and runs 50.0 ppm fast" in command(other, air).stdout


@pytest.mark.long
def test_an_encrypted_monitor_is_aligned_by_lengths(upload: airloom.Run, tmp_path: Path) -> None:
    air, host = tmp_path / AIR, tmp_path / "station.pcapng"
    air.write_bytes((upload.path / AIR).read_bytes())
    encrypt(air)
    (true,) = diagnose([upload.path / "sta1.pcapng"])["connections"][:1]
    told = diagnose([air, moved(upload.path / "sta1.pcapng", host, ahead_s=3.25, drift_ppm=0)])
    clock = told["captures"][1]["clock"]
    assert clock
    assert clock["station"] == next(one["mac"] for one in told["stations"] if one["kind"] == "station")
    assert abs(clock["ahead_ms"] - 3250) < 2 * clock["within_ms"] + 0.1
    assert clock["within_ms"] < 0.5
    assert told["connections"][0]["span_s"] == pytest.approx(true["span_s"], abs=0.1)
    assert f"by the lengths and the order of encrypted frames of {clock['station']}" in " ".join(
        command(air, host).stdout.split()
    )
    assert tshark(air, "-Y", "_ws.malformed || wlan.fcs.status == 0") == ""


def test_a_wait_is_placed_between_captures(tmp_path: Path) -> None:
    """A long queue in the laptop, and one in the access point."""
    long: Settings = {
        "duration": "10 s",
        "station.0.rate": "MCS 0",
        "ap.0.queue": {"discipline": "fifo", "limit": "1000 packets"},
    }
    for example, places in (("upload-scans", ("laptop", "air")), ("download", ("server", "air"))):
        run = airloom.run(
            ROOT / "examples" / f"{example}.toml",
            set=long,
            out=tmp_path / example,
            capture=True,
        )
        files = [run.path / AIR, *(run.path / f"{name}.pcapng" for name in ("laptop", "server"))]
        told = diagnose(files)
        names = [file.stem for file in files]
        waits = {
            tuple(names[at] for at in passage["captures"]): passage["delay_ms"]["p50"] for passage in told["passages"]
        }
        assert max(waits, key=waits.__getitem__) == places, waits
        queues = [sum(queue.get("mean_sojourn_ms") or 0 for queue in node["queues"]) for node in run.summary["nodes"]]
        assert waits[places] == pytest.approx(max(queues), rel=0.3)


def test_captures_that_share_nothing_keep_their_clocks(upload: airloom.Run, tmp_path: Path) -> None:
    other = airloom.run(
        ROOT / "examples" / "download.toml", set={"duration": "2 s"}, out=tmp_path / "run", capture=True
    )
    told = diagnose([upload.path / AIR, other.path / "laptop.pcapng"])
    assert told["captures"][1]["clock"] is None


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


@pytest.mark.long
def test_a_diagnosis_says_how_far_it_has_read(upload: airloom.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    captures = [upload.path / AIR, upload.path / "sta1.pcapng"]
    seen: list[float] = []
    found = diagnose(captures, seen.append)
    assert found == diagnose(captures)
    assert seen == sorted(seen)
    assert all(0 < fraction <= 1 for fraction in seen)

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    # Until the reader listens, which it does twenty times a second.
    def again_and_again() -> None:
        for _ in range(10_000):
            diagnose(captures, stop)

    with pytest.raises(KeyboardInterrupt):
        again_and_again()
    shown: list[float] = []
    monkeypatch.setattr("airloom.cli.progress.Bar.update", lambda _, done: shown.append(done))
    assert app.code(["diagnose", *map(str, captures)]) == 0
    assert shown == sorted(shown)
    assert command(*captures).stderr == "", "away from a terminal there is no bar"


def test_what_stops_one_capture_stops_those_behind_it(tmp_path: Path) -> None:
    """Ctrl-C is not only the end of the capture that is being read."""
    header = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)  # 101: packets alone
    datagram = bytes.fromhex("4500001c0000000040110000 0a0000010a000002 0fa0000700080000")
    size = struct.pack("<II", len(datagram), len(datagram))
    records = b"".join(struct.pack("<II", n // 1000, n % 1000 * 1000) + size + datagram for n in range(300_000))
    files = [tmp_path / "one.pcap", tmp_path / "other.pcap"]
    for file in files:
        file.write_bytes(header + records)
    told: list[float] = []

    def stop(done: float) -> None:
        told.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _engine.diagnose(files, stop)
    assert len(told) == 1


def test_json_has_the_fixed_names(upload: airloom.Run) -> None:
    told = json.loads(command(upload.path / AIR, "--json").stdout)
    assert {"captures", "stations", "connections", "findings", "abstained"} <= told.keys()
    names = "code name subject spans value threshold unit confidence cost frames filter remedy"
    assert set(names.split()) <= told["findings"][0].keys()
    assert {"mac", "dozes", "frames", "retries", "airtime_s"} <= told["stations"][0].keys()


@pytest.mark.nightly
@pytest.mark.long
def test_the_filters_show_what_was_found(upload: airloom.Run) -> None:
    for finding in diagnose([upload.path / AIR])["findings"]:
        numbers = tshark(upload.path / AIR, "-Y", finding["filter"], "-T", "fields", "-e", "frame.number").split()
        assert numbers, finding["filter"]
        assert set(map(str, finding["frames"])) <= set(numbers)


def test_what_is_shown_over_time_sums_up(upload: airloom.Run) -> None:
    files = [upload.path / AIR, upload.path / "sta1.pcapng"]
    found, layers, _ = diagnose_closely(files)
    assert found == diagnose(files)
    bins = len(layers["small_goodput"])
    assert layers["length_s"] / layers["width_s"] <= bins <= MOST_BINS
    (flow,) = [one for one in layers["flows"] if one["octets"] > 1e6]
    assert len(flow["goodput"]) == bins
    # What is acknowledged is what arrives, but for what is underway at the end.
    delivered = math.fsum(value or 0 for value in flow["goodput"]) * layers["width_s"] / 8e-6
    assert delivered == pytest.approx(upload.summary["flows"][0]["bytes_delivered"], rel=0.01)
    (told,) = [one for one in found["connections"] if one["bytes"] == flow["octets"] and one["seen_from"] == "sender"]
    again = {reason: sum(many for _, many in places) for reason, places in flow["again"].items()}
    assert again == {reason: many for reason, many in told["retransmissions"].items() if reason in again}
    assert sum(again.values()) == told["retransmissions"]["all"]
    longest = max(value for value in flow["rtt_most"] if value is not None)
    assert longest >= told["rtt_ms"]["p99"] * 0.98
    air = layers["air"]
    assert air
    (station,) = air["stations"]
    (heard,) = [one for one in found["stations"] if one["kind"] == "station"]
    held = math.fsum(value or 0 for value in station["share"]) * layers["width_s"] / 100
    assert held == pytest.approx(sum(one["airtime_s"] for one in found["links"]), rel=1e-3)
    assert held > 0.5 * heard["airtime_s"]


@pytest.mark.long
def test_the_records_around_a_finding_are_those_of_the_file(upload: airloom.Run) -> None:
    capture = upload.path / AIR
    found, _, excerpts = diagnose_closely([capture])
    fields = ("frame.number", "frame.time_relative", "wlan.ta", "wlan.seq", "wlan.fc.retry", "wlan.fc.pwrmgt")
    listed = tshark(capture, "-T", "fields", *(part for field in fields for part in ("-e", field))).splitlines()
    assert len(found["findings"]) == len(excerpts) > 0
    for finding, excerpt in zip(found["findings"], excerpts, strict=True):
        rows = excerpt["rows"]
        assert 0 < len(rows) <= MOST_ROWS
        numbers = [row["number"] for row in rows]
        assert numbers == sorted(set(numbers))
        assert {row["number"] for row in rows if row["named"]} == set(finding["frames"])
        for row in rows:
            number, time, sender, seq, retry, sleeps = listed[row["number"] - 1].split("\t")
            assert (int(number), sender) == (row["number"], row["from"])
            assert row["at_s"] == pytest.approx(float(time), abs=2e-6)
            assert row["again"] == (retry in ("1", "True"))
            assert not seq or f"seq {seq}" in row["says"]
            assert ("PM=1" in row["says"]) == (sleeps in ("1", "True"))


def test_a_pipe_is_read_once(upload: airloom.Run, tmp_path: Path) -> None:
    """A pipe cannot be read twice: the diagnosis is there, without records."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes((upload.path / AIR).read_bytes()))
    writer.start()
    found, _, excerpts = diagnose_closely([pipe])
    writer.join()
    assert found["findings"]
    assert [excerpt["rows"] for excerpt in excerpts] == [[]] * len(excerpts)


def test_every_rule_is_said_in_plain_words() -> None:
    trade = re.compile(r"MPDU|PPDU|BlockAck|SNR|RTT|cwnd|retransmi|station|throughput|latency", re.IGNORECASE)
    assert [rule["code"] for rule in rules() if not rule["means"] or trade.search(rule["means"])] == []
