"""Power save from a host alone: answers come with beacons whenever they are asked for, and no other wait is that."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom import CaptureSettings
from airloom.diagnosis.reading import diagnose
from airloom.errors import CaptureError
from conftest import ROOT

from .pings import INTERVAL, beacons, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding

FAR = "80 ms"
PINGS = [{"name": "ping", "kind": "ping", "from": "server", "to": "laptop", "interval": "837 ms"}]
OWN = [{"name": "ping", "kind": "ping", "from": "laptop", "to": "server", "interval": "1037 ms"}]
PAGES = [
    {"name": f"page-{page}", "from": "server", "to": "laptop", "bytes": "60 kB", "start": f"{487 * page} ms"}
    for page in range(60)
]
WORLDS = {"pings": (PINGS, "server"), "pages": (PAGES, "server"), "the station's own": (OWN, "laptop")}
SAVES = {
    "every beacon": {"timeout": "100 ms"},
    "every third beacon": {"timeout": "100 ms", "listen_interval": 3},
    "awake": None,
}


def found(*files: Path) -> list[Finding]:
    """What was found of answers that wait for beacons."""
    return [one for one in diagnose(files)["findings"] if one["code"] == "W109"]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("save", SAVES)
def test_a_host_alone_shows_that_a_station_dozes(tmp_path: Path, world: str, save: str) -> None:
    flows, host = WORLDS[world]
    changes: dict[str, Any] = {"duration": "100 s", "flow": flows, "server.0.link.delay": FAR}
    if SAVES[save]:
        changes["station.0.power_save"] = SAVES[save]
    airloom.run(ROOT / "examples" / "dozer.toml", set=changes, out=tmp_path / "run", capture=CaptureSettings())
    told = found(tmp_path / "run" / f"{host}.pcapng")
    assert len(told) == (save != "awake")
    if told and world != "pages":
        # Half of the time from one beacon that it listens to until the next, on average. Pages keep it awake.
        listens = 3 if "third" in save else 1
        assert told[0]["cost"]["value"] == pytest.approx(1000 * listens * INTERVAL / 2, rel=0.25)
    # A monitor tells more.
    assert found(tmp_path / "run" / "air.pcapng", tmp_path / "run" / f"{host}.pcapng") == []


def ping(folder: Path, lines: str) -> list[Finding]:
    """What is found in the output of ping."""
    file = folder / "ping.txt"
    file.write_text(lines)
    return found(file)


def test_the_output_of_ping_shows_it_too(tmp_path: Path) -> None:
    (finding,) = ping(tmp_path, text(beacons))
    assert finding["subject"] == "ping to 192.0.2.7"
    assert finding["cost"]["value"] == pytest.approx(1000 * INTERVAL / 2, rel=0.25)


def mixed(sent: float, come: float) -> float:
    """Every third answer is an acknowledgment that a timer held back: it comes at once while the station is awake."""
    return come + 0.04 if round(sent / 0.71) % 3 == 0 else beacons(sent, come)


def test_answers_that_come_with_beacons_are_found_among_others_that_are_late(tmp_path: Path) -> None:
    (finding,) = ping(tmp_path, text(mixed))
    assert finding["value"] == pytest.approx(100 * 2 / 3, abs=10)
    assert finding["cost"]["value"] == pytest.approx(1000 * INTERVAL / 2, rel=0.25)


LOOKS_ALIKE: dict[str, Callable[[float, float], float]] = {
    "nothing": lambda _, came: came,
    "delayed acknowledgments": lambda sent, came: came + 0.04 * (round(sent * 7) % 2),
    "retransmission timers": lambda sent, came: came + 0.2 * (round(sent * 7) % 2),
    "a server's tick of 100 ms": lambda _, came: (came // 0.1 + 1) * 0.1,
    "a server's tick of 512 ms": lambda _, came: (came // 0.512 + 1) * 0.512,
    "any time": lambda sent, came: came + 0.1024 * (sent * 997.13 % 1),
    "one interval": lambda _, came: came + INTERVAL,
}


@pytest.mark.parametrize("wait", LOOKS_ALIKE)
def test_other_waits_are_not_taken_for_it(tmp_path: Path, wait: str) -> None:
    assert ping(tmp_path, text(LOOKS_ALIKE[wait])) == []


def test_questions_on_the_grid_say_nothing(tmp_path: Path) -> None:
    assert ping(tmp_path, text(beacons, every=7 * INTERVAL)) == []
    assert ping(tmp_path, text(beacons, count=21)) == []


def test_a_scale_of_stamps_does_not_matter(tmp_path: Path) -> None:
    (finding,) = ping(tmp_path, text(beacons))
    packets = []
    for line in text(beacons).splitlines():
        if not line.startswith("["):
            continue
        came = float(line[1:].split("]")[0])
        trip = float(line.split("time=")[1].split(" ")[0]) / 1000
        packets += [(came - trip, 8, bytes(4), bytes([192, 0, 2, 7])), (came, 0, bytes([192, 0, 2, 7]), bytes(4))]
    octets = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 101)
    for at, kind, source, target in sorted(packets):
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 28, 0, 0x4000, 64, 1, 0) + source + target + bytes([kind, *bytes(7)])
        octets += struct.pack("<IIII", int(at), int(at % 1 * 1e6), len(ip), len(ip)) + ip
    (tmp_path / "host.pcap").write_bytes(octets)
    (other,) = found(tmp_path / "host.pcap")
    assert (other["says"], other["value"]) == (finding["says"], finding["value"])


def test_a_text_without_times_is_refused_with_what_helps(tmp_path: Path) -> None:
    file = tmp_path / "ping.txt"
    file.write_text("PING a (192.0.2.7) 56(84) bytes of data.\n64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=3 ms\n")
    with pytest.raises(CaptureError, match="no answer with a time stamp: record with `ping -D`"):
        diagnose([file])


@pytest.mark.parametrize(("questions", "is_said"), [(100, True), (5, False)])
def test_at_the_host_that_answers_no_wait_shows_and_of_few_answers_none_would(
    tmp_path: Path, questions: int, *, is_said: bool
) -> None:
    asks, answers = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 7])
    octets = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 101)
    for number in range(questions):
        for at, kind, source, target in ((number, 8, asks, answers), (number + 1e-4, 0, answers, asks)):
            ip = struct.pack(">BBHHHBBH", 0x45, 0, 28, 0, 0x4000, 64, 1, 0) + source + target + bytes([kind, *bytes(7)])
            octets += struct.pack("<IIII", int(at), round(at % 1 * 1e6), len(ip), len(ip)) + ip
    (tmp_path / "answers.pcap").write_bytes(octets)
    because = {one["code"]: one["because"] for one in diagnose([tmp_path / "answers.pcap"])["abstained"]}
    assert because.get("W109", "").endswith("such as those of `ping`, at the host that asks") == is_said
