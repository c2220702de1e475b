"""Captures that are given together: of one time or not, on one clock, cut, compressed, or of nobody who answers."""

from __future__ import annotations

import bz2
import lzma
import shutil
import struct
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.cli.app import code
from airloom.diagnosis.facts.openings import attempts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead
from airloom.errors import CaptureError
from conftest import ROOT
from field.conversation import ACK, RST, SYN, Conversation

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.toml_text import Value


def written(of: list[tuple[float, bytes, int]], capture: Path, ahead: float = 0.0, kept: int = 65_535) -> Path:
    """Records as a capture, by a clock that is ahead, cut to some length."""
    with capture.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 1))
        for at, octets, length in of:
            when = divmod(round((at + ahead) * 1e6), 10**6)
            file.write(struct.pack("<IIII", *when, len(octets[:kept]), length) + octets[:kept])
    return capture


def upload(seconds: float, start: float, ports: tuple[int, int]) -> Conversation:
    """An upload of ten segments in each round trip of 20 ms, seen in the middle."""
    talk = Conversation(sequence=[100_000_000 * (ports[0] % 7), 5_000_000 * (ports[0] % 11)], ports=ports)
    talk.open(start, 0.01)
    at = start + 0.1
    while at < start + seconds:
        for number in range(10):
            talk.put(at + number * 1e-4, 0, 1460)
            talk.put(at + 0.01 + number * 1e-4, 1)
        at += 0.02
    return talk


def farther(packets: list[tuple[float, bytes, int]], by: float) -> list[tuple[float, bytes, int]]:
    """The same packets at a place so many seconds farther from the first end."""
    first = bytes([10, 0, 0, 1])
    return sorted((at + (by if octets[26:30] == first else -by), octets, length) for at, octets, length in packets)


def test_two_runs_of_one_seed_are_two_runs_and_a_copy_is_one(tmp_path: Path) -> None:
    scenario = ROOT / "examples" / "download.toml"
    for name, frames in (("long", 32), ("short", 8)):
        settings: dict[str, Value] = {"duration": "3 s", "ap.0.adapter.ampdu_frames": frames}
        airloom.run(scenario, set=settings, out=tmp_path / name, capture=True)
    one, other = (tmp_path / name / "laptop.pcapng" for name in ("long", "short"))
    with pytest.raises(CaptureError, match="are they of two runs of one seed"):
        diagnose([one, other])
    with pytest.raises(CaptureError, match="are they of two runs of one seed"):
        diagnose([one, tmp_path / "short" / "server.pcapng"])
    copy = tmp_path / "copy.pcapng"
    shutil.copy(one, copy)
    assert [seen["also"] for seen in diagnose([one, copy])["captures"]] == [[str(copy)]]
    assert len(diagnose([tmp_path / "long"])["captures"]) == 3


def test_clocks_are_compared_by_way_of_a_third_capture(tmp_path: Path) -> None:
    """The first and the third have nothing in common, and the second has packets of both."""
    first, second = upload(4, 0, (40_000, 80)), upload(4, 0.003, (40_001, 80))
    files = [
        written(sorted(first.packets), tmp_path / "a.pcap"),
        written(farther(second.packets, 0.002), tmp_path / "c.pcap", ahead=7),
        written(farther(first.packets + second.packets, 0.001), tmp_path / "b.pcap", ahead=2),
    ]
    a, c, b = diagnose(files)["captures"]
    assert a["clock"] is None
    assert b["clock"]
    assert b["clock"]["ahead_ms"] == pytest.approx(2000, abs=1)
    assert c["clock"]
    assert c["clock"]["ahead_ms"] == pytest.approx(7000, abs=1)
    assert (b["clock"]["through"], c["clock"]["through"]) == (None, str(files[2]))


def test_the_capture_of_another_day_is_named_among_those_of_one(tmp_path: Path) -> None:
    """Whichever of them the times are of."""
    of = upload(3, 0, (40_000, 80)).packets
    one, other = written(sorted(of), tmp_path / "one.pcap"), written(farther(of, 0.002), tmp_path / "other.pcap")
    foreign = written(sorted(upload(3, 0, (40_001, 80)).packets), tmp_path / "foreign.pcap", ahead=86_400)
    for files in ([one, other, foreign], [foreign, one, other], [one, foreign, other]):
        with pytest.raises(CaptureError, match=r"foreign\.pcap: has no time in common with"):
            diagnose(files)


def test_a_capture_of_another_network_is_named_first(tmp_path: Path) -> None:
    """It is of the same time, and has nothing of what two others have."""
    of = upload(3, 0, (40_000, 80)).packets
    one, other = written(sorted(of), tmp_path / "one.pcap"), written(farther(of, 0.002), tmp_path / "other.pcap")
    foreign = written(sorted(upload(3, 0, (40_001, 80)).packets), tmp_path / "foreign.pcap")
    said = "foreign.pcap: no connection of the other captures is in it; what it shows may be of another network or run."
    for files in ([one, other, foreign], [foreign, one, other]):
        assert lead(diagnose(files))[0].endswith(said)
    assert not any("another network" in line for line in lead(diagnose([one, other])))
    assert not any("another network" in line for line in lead(diagnose([one, foreign]))), "which is the odd one?"


def test_a_cut_capture_is_named_as_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = upload(4, 0, (40_000, 80))
    short = written(sorted(whole.packets), tmp_path / "short.pcap", kept=50)
    found = diagnose([short])
    assert found["captures"][0]["cut_headers"] == len(whole.packets)
    reasons = {one["code"]: one["because"] for one in found["abstained"]}
    assert f"cut to 50 octets in {len(whole.packets)} records" in reasons["W301"]
    assert "`tcpdump -s 128`" in reasons["W301"]
    assert code(["diagnose", str(short)]) == 0
    assert f"{len(whole.packets):,} cut within their headers" in capsys.readouterr().out


def test_attempts_that_nobody_answers_have_a_line(tmp_path: Path) -> None:
    talk = Conversation(ports=(40_000, 445))
    for at in (0.0, 1.0, 3.0):
        talk.sequence[0] = 1000
        talk.put(at, 0, 0, SYN)
    refused = Conversation(ports=(40_001, 446))
    refused.put(0.5, 0, 0, SYN)
    refused.put(0.6, 1, 0, 4 | ACK)
    answered = upload(4, 0, (40_002, 80))
    late = Conversation(ports=(40_003, 447))
    late.put(4.0, 0, 0, SYN)
    every = sorted(talk.packets + refused.packets + answered.packets + late.packets)
    found = diagnose([written(every, tmp_path / "tried.pcap")])
    tried = {one["to"]: (one["syns"], one["refused"]) for one in found["attempts"]}
    assert tried == {"10.0.0.2:445": (3, False), "10.0.0.2:446": (1, True)}
    assert attempts(found) == [
        "10.0.0.2:445: did not answer 1 attempt to connect from 10.0.0.1 (3 SYNs)",
        "10.0.0.2:446: refused 1 attempt to connect from 10.0.0.1 (1 SYN)",
    ]


def test_headers_of_udp_that_are_cut_say_nothing_of_tcp(tmp_path: Path) -> None:
    packets = [(0.1 * number, datagram(), 1000) for number in range(200)]
    capture = written(packets, tmp_path / "udp.pcap", kept=36)
    found = diagnose([capture])
    assert found["captures"][0]["cut_headers"] == len(packets)
    reasons = {one["code"]: one["because"] for one in found["abstained"]}
    assert "no TCP that can be read" in reasons["W301"]


def datagram() -> bytes:
    """A packet of UDP from one host to another, with its Ethernet header."""
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 986, 0, 0x4000, 64, 17, 0) + bytes([10, 0, 0, 1, 10, 0, 0, 2])
    return bytes(12) + b"\x08\0" + ip + struct.pack(">HHHH", 5004, 5005, 966, 0) + bytes(958)


def tries(port: int, at: list[float]) -> Conversation:
    """SYNs of a connection that nobody answers."""
    talk = Conversation(ports=(port, 445))
    for time in at:
        talk.sequence[0] = 1000 * port
        talk.put(time, 0, 0, SYN)
    return talk


def test_an_attempt_that_two_captures_show_is_one(tmp_path: Path) -> None:
    """The second capture lacks the first SYN; each has an attempt that the other does not have."""
    both, one, other = tries(40_000, [0.0, 1.0, 3.0]), tries(40_001, [0.5, 1.5]), tries(40_002, [2.0, 3.0])
    clock = upload(5, 0, (40_003, 80)).packets
    moved = [
        (at, packet.replace(bytes([10, 0, 0, 1, 10]), bytes([10, 0, 0, 9, 10])), size)
        for at, packet, size in other.packets
    ]
    files = [
        written(sorted(clock + both.packets + one.packets), tmp_path / "one.pcap"),
        written(sorted(clock + both.packets[1:] + moved), tmp_path / "other.pcap"),
    ]
    for captures in (files, files[::-1]):
        assert attempts(diagnose(captures)) == [
            "10.0.0.2:445: did not answer 3 attempts to connect from 2 hosts (7 SYNs)"
        ]


def test_attempts_that_go_on_and_those_left_out_are_told(tmp_path: Path) -> None:
    every = upload(5, 0, (39_999, 80)).packets
    for port in range(40_000, 40_250):
        every += tries(port, [0.0, 1.0] if port > 40_000 else [0.0, 1.0, 3.0, 4.9]).packets
    found = diagnose([written(sorted(every), tmp_path / "many.pcap")])
    assert len(found["attempts"]) == 200
    line, rest = attempts(found)
    assert line.startswith("10.0.0.2:445: did not answer at least 200 attempts to connect from 10.0.0.1 (402 SYNs")
    assert line.endswith("; at the end of the capture 1 still tries)")
    assert rest == "50 other attempts to connect that failed"
    said = " ".join(words(every, tmp_path / "other.pcap"))
    assert "10.0.0.2:446 did not answer at least 200 attempts to connect" in said


def words(every: list[tuple[float, bytes, int]], capture: Path) -> list[str]:
    """What is said first of these packets, with a download that no attempt is of."""
    other = [(at, packet.replace(b"\x01\xbd", b"\x01\xbe"), size) for at, packet, size in every]
    return lead(diagnose([written(sorted(other), capture)]))


def test_who_gives_up_and_resets_had_no_answer_before(tmp_path: Path) -> None:
    """SYNs that nobody answers, and a reset of the same end: an attempt as well. With one SYN it may be a scan."""
    gave_up, scan = tries(40_000, [0.0, 1.0, 3.0]), tries(40_001, [0.5])
    for talk in (gave_up, scan):
        talk.put(3.5, 0, 0, RST | ACK)
    every = upload(5, 0, (40_003, 80)).packets + gave_up.packets + scan.packets
    assert attempts(diagnose([written(sorted(every), tmp_path / "gave_up.pcap")])) == [
        "10.0.0.2:445: did not answer 1 attempt to connect from 10.0.0.1 (3 SYNs)"
    ]


def test_a_server_that_does_not_answer_is_in_the_headline(tmp_path: Path) -> None:
    clock = upload(5, 0, (39_999, 80)).packets
    sound = diagnose([written(sorted(clock), tmp_path / "sound.pcap")])
    assert headline(sound) == "No cause was found"
    assert "245 of 245 times it sent 14,600 octets" in lead(sound)[0]
    assert "rules could look, and found nothing else wrong." in lead(sound)[0]
    once = diagnose([written(sorted(clock + tries(40_000, [0.0]).packets), tmp_path / "once.pcap")])
    assert (headline(once), lead(once)) == (headline(sound), lead(sound))
    found = diagnose([written(sorted(clock + tries(40_000, [0.0, 1.0]).packets), tmp_path / "silent.pcap")])
    assert headline(found) == "A server did not answer"
    assert lead(found)[0].startswith("10.0.0.2:445 did not answer 1 attempt to connect from 10.0.0.1 (2 SYNs). ")
    assert "rules could look, and found nothing else wrong." in lead(found)[0]


def test_a_capture_that_is_compressed_otherwise_says_what_helps(tmp_path: Path) -> None:
    whole = written(sorted(upload(1, 0, (40_000, 80)).packets), tmp_path / "one.pcap").read_bytes()
    for name, octets, helps in (
        ("one.pcap.xz", lzma.compress(whole), "unxz"),
        ("one.pcap.bz2", bz2.compress(whole), "bunzip2"),
        ("one.pcap.zst", b"\x28\xb5\x2f\xfd" + bytes(20), "unzstd"),
    ):
        (tmp_path / name).write_bytes(octets)
        with pytest.raises(CaptureError, match=f"`{helps}` it"):
            diagnose([tmp_path / name])


def test_the_folder_of_a_diagnosis_names_what_compares_captures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = written(sorted(upload(1, 0, (40_000, 80)).packets), tmp_path / "one.pcap")
    assert code(["diagnose", str(capture), "-o", str(tmp_path / "found")]) == 0
    assert code(["report", str(tmp_path / "found")]) == 2
    assert "airloom diagnose BEFORE --against AFTER" in capsys.readouterr().err
