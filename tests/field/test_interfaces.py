"""One file with several interfaces is several captures."""

from __future__ import annotations

import heapq
import struct
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.diagnosis.captures_in_words import described
from airloom.diagnosis.pcapng import HEADER, blocks, is_packet, stamp
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.sniffer import encrypt
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upload that a scan interrupts, as a monitor, the laptop and the server captured it."""
    settings = {"duration": "12 s", "station.laptop.scan.first": "3 s"}
    scenario = ROOT / "examples" / "upload-scans.toml"
    return airloom.run(scenario, set=settings, out=tmp_path_factory.mktemp("run") / "run", capture=True).path


def of_interface(block: bytes, interface: int) -> bytes:
    """A packet's block with another interface."""
    fields = list(HEADER.unpack_from(block))
    fields[2] = interface
    return HEADER.pack(*fields) + block[HEADER.size :]


def merged(captures: Sequence[Path], to: Path) -> Path:
    """One section with an interface for each capture, and all packets by their time, as dumpcap writes it."""
    files = [list(blocks(capture.read_bytes())) for capture in captures]
    section, *_ = files[0]
    packets = [
        [
            (stamp(block), place, number, of_interface(block, place))
            for number, block in enumerate(file)
            if is_packet(block)
        ]
        for place, file in enumerate(files)
    ]
    described = [block for file in files for block in file[1:] if block.startswith(struct.pack("<I", 1))]
    to.write_bytes(b"".join([section, *described, *(one[3] for one in heapq.merge(*packets))]))
    return to


def told(found: Diagnosis) -> dict[str, Any]:
    """What does not depend on how the captures lie in files."""
    findings = [
        {key: value for key, value in one.items() if key not in ("frames", "filter", "capture", "subject", "says")}
        for one in found["findings"]
    ]
    captures = [
        {key: value for key, value in one.items() if key not in ("file", "interface")} for one in found["captures"]
    ]
    same = {key: found[key] for key in ("stations", "links", "connections", "passages")}
    return {"findings": findings, "captures": captures, **same}


def test_a_monitor_and_a_laptop_in_one_file_are_two_captures(run: Path, tmp_path: Path) -> None:
    captures = [run / "air.pcapng", run / "laptop.pcapng"]
    apart, together = diagnose(captures), diagnose([merged(captures, tmp_path / "both.pcapng")])
    assert "W101" in [one["code"] for one in apart["findings"]]
    assert told(together) == told(apart)
    assert [one["place"] for one in together["captures"]] == ["air", "host"]
    assert described(together["captures"][1]).startswith(f"{tmp_path}/both.pcapng, interface 1 (")


@pytest.mark.nightly
def test_sections_one_behind_the_other_are_as_many_captures(run: Path, tmp_path: Path) -> None:
    captures = [run / "laptop.pcapng", run / "server.pcapng"]
    behind = tmp_path / "behind.pcapng"
    behind.write_bytes(b"".join(capture.read_bytes() for capture in captures))
    assert (
        told(diagnose([behind]))
        == told(diagnose([merged(captures, tmp_path / "two.pcapng")]))
        == told(diagnose(captures))
    )


@pytest.mark.nightly
def test_a_section_that_comes_later_joins_what_came_before(run: Path, tmp_path: Path) -> None:
    # Nothing but lengths joins a host to a monitor without the key; the host's come before the monitor's section.
    air = tmp_path / "air.pcapng"
    air.write_bytes((run / "air.pcapng").read_bytes())
    encrypt(air)
    captures = [run / "laptop.pcapng", air]
    behind = tmp_path / "behind.pcapng"
    behind.write_bytes(b"".join(capture.read_bytes() for capture in captures))
    apart = diagnose(captures)
    assert apart["captures"][0]["stations"] == ["02:00:00:00:00:01"]
    assert told(diagnose([behind])) == told(apart)


def test_a_capture_that_goes_on_in_another_section_is_one(run: Path, tmp_path: Path) -> None:
    laptop = run / "laptop.pcapng"
    every = list(blocks(laptop.read_bytes()))
    head, packets = every[:2], every[2:]
    assert not is_packet(head[1])
    assert is_packet(packets[0])
    half = len(packets) // 2
    (tmp_path / "halves.pcapng").write_bytes(b"".join([*head, *packets[:half], *head, *packets[half:]]))
    assert told(diagnose([tmp_path / "halves.pcapng"])) == told(diagnose([laptop]))


def test_an_interface_with_little_to_capture_refuses_nothing(run: Path, tmp_path: Path) -> None:
    every = list(blocks((run / "laptop.pcapng").read_bytes()))
    packets = [block for block in every if is_packet(block)]
    # Of two interfaces one has a packet that comes after all of the other.
    head = [*every[:2], every[1]]
    last = of_interface(packets[-1], 1)
    (tmp_path / "little.pcapng").write_bytes(b"".join([*head, *packets[:-100], last]))
    assert [one["records"] for one in diagnose([tmp_path / "little.pcapng"])["captures"]] == [len(packets) - 100, 1]


def with_interfaces(many: int, to: Path) -> Path:
    """A file of so many interfaces, of each of which it has a packet of UDP in Ethernet."""
    udp = struct.pack(">HHHH", 9, 5004, 28, 0) + bytes(20)
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0) + bytes([10, 0, 0, 1, 10, 0, 0, 2])
    packet = bytes(12) + b"\x08\0" + ip + udp + bytes(2)

    def block(kind: int, body: bytes) -> bytes:
        return struct.pack("<II", kind, 12 + len(body)) + body + struct.pack("<I", 12 + len(body))

    to.write_bytes(
        block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
        + block(1, struct.pack("<HHI", 1, 0, 0)) * many
        + b"".join(
            block(6, struct.pack("<IIIII", place, 0, 1_000_000 + place, len(packet), len(packet)) + packet)
            for place in range(many)
        )
    )
    return to


def test_interfaces_beyond_those_that_are_read_say_so(tmp_path: Path) -> None:
    found = diagnose([with_interfaces(34, tmp_path / "many.pcapng")])
    said = [described(one) for one in found["captures"]]
    assert all(line.endswith(": 1 record of a host, 0.0 s") for line in said[:32])
    assert [line.partition(": ")[2] for line in said[32:]] == [
        "1 record, not read: only 32 interfaces of a file are"
    ] * 2
