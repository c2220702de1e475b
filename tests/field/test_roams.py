"""The table of roams: phase by phase, over monitors of several channels, and nothing where nothing was heard."""

from __future__ import annotations

import gzip
import json
import os
import struct
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from airloom.cli.app import code
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.roams import bands, channel, details, roams, timed
from airloom.errors import CaptureError
from tools import need

from .conversation import MSS, Conversation
from .monitor import AP, EVERYBODY, FROM_AP, INTERVAL, RETRY, STATION, TO_AP, Monitor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.diagnosis.shapes import RoamSeen

NEW, THIRD = (bytes.fromhex(f"0200000000{last:02x}") for last in (9, 10))
HWSIM = Path(__file__).resolve().parents[1] / "foreign" / "hwsim"
OPEN, FT, SAE = 0, 2, 3
PROBE, ANSWER, AUTHENTICATION, ASKS, GRANTS, LEAVES, ACTION = (kind << 4 for kind in (4, 5, 11, 2, 3, 12, 13))
SNAP = bytes.fromhex("aaaa03000000")
KEYS, EAP, ARP = SNAP + bytes.fromhex("888e0203"), SNAP + bytes.fromhex("888e0200"), SNAP + bytes.fromhex("0806")


def told(monitor: Monitor, at: float, kind: int, body: bytes, *, up: bool, bssid: bytes = NEW) -> None:
    """A management frame between the station and an access point."""
    ends = (bssid, STATION) if up else (STATION, bssid)
    monitor.frame(at, bytes([kind, 0, 0, 0]) + ends[0] + ends[1] + bssid + monitor.number() + body)


def data(monitor: Monitor, at: float, *, up: bool, bssid: bytes, body: bytes = ARP + bytes(60)) -> None:
    """Data between the station and an access point."""
    ends = (bssid, STATION, bssid) if up else (STATION, bssid, bssid)
    monitor.frame(at, bytes([0x08, TO_AP if up else FROM_AP, 44, 0]) + b"".join(ends) + monitor.number() + body)


def authentication(algorithm: int) -> bytes:
    """The body of an authentication frame."""
    return struct.pack("<HHH", algorithm, 1, 0)


def channels(*, ahead: float = 0.0, common: int = 60) -> tuple[Monitor, Monitor]:
    """Two monitors that hear some beacons of a third access point both, the second with a clock that is ahead."""
    old, new = Monitor(channel_mhz=2412, signal=-70), Monitor(channel_mhz=5180, signal=-48, ahead=ahead)
    for number in range(100):
        at = number * INTERVAL
        old.beacon(at, of=AP)
        new.beacon(at + 0.03, of=NEW)
        for monitor in (old, new) if number < common else (old,):
            monitor.beacon(at + 0.05, of=THIRD)
    return old, new


def goes(old: Monitor, new: Monitor, algorithm: int = FT) -> None:
    """The station's way from one access point to the other, at five seconds."""
    for step in range(50):
        data(old, step * 0.1, up=bool(step % 2), bssid=AP)
    old.frame(4.99, bytes([PROBE, 0, 0, 0]) + EVERYBODY + STATION + EVERYBODY + old.number() + bytes(2), 1)
    new.frame(5.0, bytes([PROBE, 0, 0, 0]) + EVERYBODY + STATION + EVERYBODY + new.number() + bytes(2), 1)
    told(new, 5.003, ANSWER, bytes(8) + struct.pack("<HH", 100, 1), up=False)
    told(new, 5.010, AUTHENTICATION, authentication(algorithm), up=True)
    told(new, 5.012, AUTHENTICATION, authentication(algorithm), up=False)
    told(new, 5.013, ASKS, struct.pack("<HH", 1, 10) + AP, up=True)
    told(new, 5.016, GRANTS, struct.pack("<HHH", 1, 0, 0xC001), up=False)
    data(new, 5.030, up=True, bssid=NEW)
    data(new, 5.034, up=False, bssid=NEW)


def written(folder: Path, *monitors: Monitor) -> list[Path]:
    """The captures of monitors."""
    return [monitor.write(folder / f"channel-{monitor.channel_mhz}.pcap") for monitor in monitors]


def only(files: Sequence[Path]) -> RoamSeen:
    """The one roam in captures."""
    (roam,) = roams(files)["roams"]
    return roam


def lasts(roam: RoamSeen) -> list[float | None]:
    """Scan, authentication, association and keys, in ms."""
    parts = (roam["scan"], roam["authentication"], roam["association"], roam["keys"])
    return [None if part is None or part["ms"] is None else round(part["ms"], 3) for part in parts]


@pytest.mark.parametrize("ahead", [0.0, 7.5, -0.25])
def test_two_channels_are_one_roam_whatever_their_clocks_say(tmp_path: Path, ahead: float) -> None:
    old, new = channels(ahead=ahead)
    if ahead < 0:
        new.heard = [one for one in new.heard if one[0] >= 0]
    goes(old, new)
    found = roams(written(tmp_path, old, new))
    assert [capture["clock"] for capture in found["captures"]] == ["reference", "beacons"]
    (roam,) = found["roams"]
    assert (roam["kind"], roam["from"], roam["to"]) == ("roam", "02:00:00:00:00:00", "02:00:00:00:00:09")
    assert lasts(roam) == [13.0, 2.0, 3.0, None]
    assert (roam["method"], roam["asked"], roam["status"]) == ("FT", "reassociation", 0)
    assert roam["gap_ms"] == pytest.approx(130, abs=0.01)
    assert [roam["first_up_s"], roam["first_down_s"]] == pytest.approx([5.03, 5.034], abs=1e-5)
    assert roam["channels_mhz"] == [2412, 5180]
    assert (roam["station_dbm"], roam["ap_dbm"]) == ([-70, -48], [-70, -48])


@pytest.mark.parametrize("ahead", [0.0, 3600.0])
def test_without_beacons_in_common_nothing_is_counted_from_one_monitor_to_the_other(
    tmp_path: Path, ahead: float
) -> None:
    old, new = channels(common=0, ahead=ahead)
    goes(old, new)
    found = roams(written(tmp_path, old, new))
    assert [capture["clock"] for capture in found["captures"]] == ["reference", "stamps"]
    (roam,) = found["roams"]
    assert (roam["gap_ms"], roam["last_data_s"]) == (None, None)
    assert lasts(roam)[1:] == [2.0, 3.0, None]
    assert roam["first_up_s"] == pytest.approx(roam["at_s"] + 0.02, abs=1e-5)
    # The first probe request is of the other channel, unless that was an hour before.
    assert lasts(roam)[0] == (3.0 if ahead else None)


@pytest.mark.parametrize("heard", [0, 1], ids=["the old channel", "the new channel"])
def test_what_one_channel_does_not_show_is_not_heard(tmp_path: Path, heard: int) -> None:
    both = channels()
    goes(*both)
    found = roams(written(tmp_path, both[heard]))["roams"]
    if heard == 0:
        assert found == []
        return
    (roam,) = found
    # The station says where it comes from.
    assert (roam["kind"], roam["from"]) == ("roam", "02:00:00:00:00:00")
    assert (roam["last_data_s"], roam["gap_ms"], roam["channels_mhz"]) == (None, None, [None, 5180])
    assert (lasts(roam), roam["station_dbm"]) == ([3.0, 2.0, 3.0, None], [None, -48])


def test_one_end_alone_has_no_length(tmp_path: Path) -> None:
    old, new = channels()
    goes(old, new)
    data(new, 5.02, up=True, bssid=NEW, body=EAP)
    new.heard = [one for one in new.heard if one[2][16] & 0x0C or one[2][16 + 10 :][:6] != NEW or one[2][16] == 0x80]
    roam = only(written(tmp_path, old, new))
    assert roam["authentication"] is not None
    assert roam["authentication"]["from_s"] == pytest.approx(5.01, abs=1e-5)
    assert roam["authentication"]["frames"] == [1, 0]
    assert lasts(roam) == [10.0, None, None, None]
    assert roam["status"] is None
    assert "EAP of one end alone" in details(roam)
    assert roam["gap_ms"] == pytest.approx(130, abs=0.01)


def test_keys_are_a_phase_of_their_own(tmp_path: Path) -> None:
    old, new = channels()
    goes(old, new, SAE)
    for number, at in enumerate((5.018, 5.020, 5.0215, 5.0245)):
        data(new, at, up=bool(number % 2), bssid=NEW, body=KEYS)
    roam = only(written(tmp_path, old, new))
    assert (roam["method"], lasts(roam)) == ("SAE", [13.0, 2.0, 3.0, 6.5])
    assert roam["first_up_s"] == pytest.approx(5.03, abs=1e-5)


def test_a_deauthentication_and_its_reason_are_told(tmp_path: Path) -> None:
    old, new = channels()
    told(old, 4.95, LEAVES, struct.pack("<H", 8), up=False, bssid=AP)
    goes(old, new)
    roam = only(written(tmp_path, old, new))
    assert (roam["left"], roam["reason"]) == (1, 8)


def test_a_frame_that_two_monitors_hear_is_one(tmp_path: Path) -> None:
    old, new = channels()
    probe = bytes([PROBE, 0, 0, 0]) + EVERYBODY + STATION + EVERYBODY + bytes([0x50, 1]) + bytes(2)
    leaves = bytes([LEAVES, 0, 0, 0]) + STATION + AP + AP + bytes([0x60, 1]) + struct.pack("<H", 8)
    goes(old, new)
    old.heard = [one for one in old.heard if one[2][16] != PROBE]
    new.heard = [one for one in new.heard if one[2][16] not in {PROBE, ANSWER}]
    for monitor, late in ((old, 0.0), (new, 3e-6)):
        monitor.frame(4.95 + late, leaves)
        monitor.frame(4.99 + late, probe, 1)
    roam = only(written(tmp_path, old, new))
    assert (roam["left"], roam["reason"]) == (1, 8)
    assert roam["scan"] is not None
    assert (roam["scan"]["ms"], roam["scan"]["frames"]) == (None, [1, 0])


def test_a_packet_that_was_heard_as_a_retry_alone_is_no_silence(tmp_path: Path) -> None:
    air, talk = Monitor(channel_mhz=2412), Conversation()
    goes(air, air)
    for step in range(100):
        at = 0.05 + step * 0.1
        talk.put(at, 0, MSS)
        data(air, at, up=True, bssid=AP if at < 5 else NEW, body=SNAP + b"\x08\0" + talk.packets[-1][1][14:])
        if 48 <= step < 52:
            time, length, frame = air.heard[-1]
            air.heard[-1] = (time, length, frame[:17] + bytes([frame[17] | RETRY]) + frame[18:])
    tcp = only(written(tmp_path, air))["tcp"]
    assert tcp is not None
    assert tcp["silence_ms"] == pytest.approx(100, abs=0.1)


def test_tcp_of_the_stations_host_is_silent_meanwhile(tmp_path: Path) -> None:
    old, new = channels()
    talk = Conversation()
    # The address of the station can be read in the packets on the air.
    goes(old, new)
    for step in range(100):
        at = 0.05 + step * 0.1 + (0.3 if step >= 49 else 0.0)
        talk.put(at, 0, MSS)
        packet = talk.packets[-1][1][14:]
        monitor, bssid = (old, AP) if at < 5 else (new, NEW)
        data(monitor, at + 1e-4, up=True, bssid=bssid, body=SNAP + b"\x08\0" + packet + bytes(MSS))
        talk.put(at + 0.01, 1)
        data(monitor, at + 0.0099, up=False, bssid=bssid, body=SNAP + b"\x08\0" + talk.packets[-1][1][14:])
    # The host's clock is of use once packets both ways are in both.
    again = talk.packets[98][0] + 0.2
    talk.packets.append((again, talk.packets[98][1], talk.packets[98][2]))
    host = talk.write(tmp_path / "laptop.pcap")
    roam = only([*written(tmp_path, old, new), host])
    tcp = roam["tcp"]
    assert tcp is not None
    assert tcp["capture"] == 2
    assert tcp["silence_ms"] == pytest.approx(390, abs=0.1)
    assert tcp["again"] == 1


def test_a_roam_of_linux_is_as_tshark_has_it(tmp_path: Path) -> None:
    air = tmp_path / "air.pcap"
    air.write_bytes(gzip.decompress((HWSIM / "roam.air.pcap.gz").read_bytes()))
    asked = [need("tshark"), "-r", str(air), "-T", "fields", "-Y", "wlan.fc.type_subtype in {2, 3, 11} || eapol"]
    fields = [word for name in ("frame.time_relative", "wlan.fc.type_subtype") for word in ("-e", name)]
    lines = subprocess.run([*asked, *fields], capture_output=True, text=True, check=True).stdout.splitlines()
    frames = [(int(kind, 16), 1000 * float(at)) for at, kind in map(str.split, lines)]
    spans = [[at for kind, at in frames if kind in kinds] for kinds in ({11}, {2, 3}, {0x28})]
    roam = only([HWSIM / "roam.air.pcap.gz", HWSIM / "roam.station.pcap.gz"])
    assert lasts(roam)[1:] == pytest.approx([max(span) - min(span) for span in spans], abs=1e-3)
    assert 1000 * roam["at_s"] == pytest.approx(frames[0][1], abs=1e-3)
    assert roam["tcp"] is not None
    assert roam["tcp"]["silence_ms"] == pytest.approx(roam["gap_ms"], abs=2)


def test_the_table_has_eighty_columns_and_never_a_zero_for_what_was_not_heard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    old, new = channels()
    goes(old, new)
    files = [file.name for file in written(tmp_path, old, new)]
    monkeypatch.chdir(tmp_path)
    assert code(["diagnose", *files, "--table", "roams"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    (row,) = [line.split() for line in printed.splitlines() if line.startswith("   5.010")]
    assert row[3:] == ["130", "13", "2", "3", "in", "FT"]
    assert "channel 1 (2.4 GHz) to 36 (5" in " ".join(printed.split())
    assert code(["diagnose", files[1], "--table", "roams"]) == 0
    (row,) = [line.split() for line in capsys.readouterr().out.splitlines() if "02:00:00:00:00:00 02" in line]
    assert row[3] == "-"


def test_a_table_is_no_page_and_needs_files_that_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = written(tmp_path, channels()[0])
    against, seeds = ["--against", str(file)], ["--seeds", "2"]
    for option in (["-o", "out"], ["--rules"], ["--self-test"], ["--fail-on", "any"], against, seeds, ["--force"]):
        assert code(["diagnose", str(file), "--table", "roams", *option]) == 2
        assert "--table" in capsys.readouterr().err
    os.mkfifo(tmp_path / "pipe.pcap")
    with pytest.raises(CaptureError, match="more than once"):
        roams([tmp_path / "pipe.pcap"])
    host = Conversation()
    host.put(0, 0, MSS)
    assert code(["diagnose", str(host.write(tmp_path / "host.pcap")), "--table", "roams"]) == 0
    assert "Cannot tell: no capture of the air" in capsys.readouterr().out
    assert code(["diagnose", str(file), "--table", "roams", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["roams"] == []


def test_a_band_is_named_where_it_changes() -> None:
    pairs: list[list[int | None]] = [[2412, 5955], [5180, 5180], [5180, 5200], [None, 5955], [2484, 900]]
    told = [bands(pair) for pair in pairs]
    assert told == [
        ["1 (2.4 GHz)", "1 (6 GHz)"],
        ["36", "36"],
        ["36", "40"],
        [None, "1"],
        ["14 (2.4 GHz)", "at 900 MHz"],
    ]


def test_a_time_has_one_unit(tmp_path: Path) -> None:
    old, new = channels()
    goes(old, new)
    new.heard = [one for one in new.heard if one[2][16] != 0x08]
    data(new, 17.31, up=True, bssid=NEW)
    said = details(only(written(tmp_path, old, new)))
    assert "first data after 12.3 s from the station" in said
    assert [timed(ms) for ms in (0, 130.4, 12_300)] == ["<1 ms", "130 ms", "12.3 s"]


def test_channels_have_the_numbers_of_the_standard() -> None:
    centres = {2412: "1", 2472: "13", 2484: "14", 5180: "36", 5885: "177", 5955: "1", 7115: "233", 900: "at 900 MHz"}
    assert {mhz: channel(mhz) for mhz in centres} == centres


@pytest.mark.parametrize(("later", "gap"), [(1.9, 420.0), (0.9, 1320.0)], ids=["idle", "a timer of TCP"])
def test_a_gap_ends_with_the_keys_where_nobody_had_anything_to_send(tmp_path: Path, later: float, gap: float) -> None:
    monitor = Monitor()
    for number in range(120):
        monitor.beacon(number * INTERVAL)
    for step in range(20):
        data(monitor, 3.0 + step * 0.1, up=bool(step % 2), bssid=AP)
    told(monitor, 4.95, LEAVES, struct.pack("<H", 4), up=False, bssid=AP)
    for at, status in ((5.0, 10), (5.3, 0)):
        told(monitor, at, ASKS, struct.pack("<HH", 1, 10), up=True, bssid=AP)
        told(monitor, at + 0.002, GRANTS, struct.pack("<HHH", 1, status, 0xC001), up=False, bssid=AP)
    for number, at in enumerate((5.31, 5.312, 5.315, 5.32)):
        data(monitor, at, up=bool(number % 2), bssid=AP, body=KEYS)
    for step in range(20):
        data(monitor, 5.32 + later + step * 0.1, up=bool(step % 2), bssid=AP)
    file = monitor.write(tmp_path / "anew.pcap")
    (finding,) = [one for one in diagnose([file])["findings"] if one["code"] == "W103"]
    assert finding["value"] == pytest.approx(gap, abs=0.1)
    assert (
        "The access point refused an association once (status 10: the access point cannot have all" in finding["says"]
    )
    assert ("with nothing to send" in finding["says"]) == (later > 1)
    (roam,) = [one for one in roams([file])["roams"] if one["gap_ms"]]
    assert roam["gap_ms"] == pytest.approx(gap, abs=0.1)
