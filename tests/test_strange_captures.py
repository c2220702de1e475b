"""`airloom diagnose` on captures that are out of order, doubled or empty; and whose finding comes first."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.corpus import BULK, anomaly
from airloom.diagnosis.pcapng import blocks, is_packet
from airloom.diagnosis.reading import diagnose, rules
from airloom.diagnosis.words import lead
from airloom.errors import CaptureError
from foreign.worlds import HERE as FOREIGN
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DIAGNOSE = (sys.executable, "-m", "airloom", "diagnose")

STAMP = slice(12, 20)
"""Where a packet's block has its stamp (draft-ietf-opsawg-pcapng section 4.3)."""


@pytest.fixture(scope="module")
def beside_a_hog(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    """An upload beside that of a station at a slow rate, with all captures."""
    folder = tmp_path_factory.mktemp("hog")
    scenario = folder / "hog.toml"
    scenario.write_text(anomaly(BULK[0]).toml())
    return airloom.run(scenario, set={"duration": "4 s"}, out=folder / "run", capture=True)


def written(capture: Path, to: Path, change: Callable[[list[bytes]], list[bytes]]) -> Path:
    """A capture whose blocks with packets are what `change` makes of them."""
    every = list(blocks(capture.read_bytes()))
    packets = [block for block in every if is_packet(block)]
    head = [block for block in every if not is_packet(block)]
    to.write_bytes(b"".join(head + change(packets)))
    return to


def test_the_one_that_slows_all_comes_first_and_is_told_from_ones_own_device(beside_a_hog: airloom.Run) -> None:
    air, laptop, slow = (beside_a_hog.path / f"{name}.pcapng" for name in ("air", "laptop", "slow"))
    told = diagnose([air, laptop])
    codes = [finding["code"] for finding in told["findings"]]
    assert codes[0] == "W202"
    assert codes[-1] == "W104", "why another device is slow comes last"
    assert "of another device than the captured one" in " ".join(lead(told))
    own = diagnose([air, slow])
    assert "another device" not in " ".join(lead(own))
    assert told["captures"][1]["stations"] != own["captures"][1]["stations"]


def subsets(captures: list[Path]) -> list[tuple[Path, ...]]:
    """All that may be given of some captures."""
    counts = range(1, len(captures) + 1)
    return [some for count in counts for some in combinations(captures, count)]


def firsts(captures: list[Path]) -> set[tuple[str, str]]:
    """The causes that come first in some of these captures, whichever, that show what comes first in all of them."""
    told = [[(one["code"], one["subject"]) for one in diagnose(list(some))["findings"]] for some in subsets(captures)]
    first = told[-1][0]
    seen = [found for found in told if first in found]
    assert len(seen) > 1, "nothing to compare"
    return {found[0] for found in seen}


def test_the_first_cause_is_the_same_whichever_captures_show_it(beside_a_hog: airloom.Run, tmp_path: Path) -> None:
    """It is what costs most: of one that slows all, of two that are hidden from each other, of many that wait."""
    hog = [beside_a_hog.path / f"{name}.pcapng" for name in ("air", "laptop", "slow")]
    stations = [
        station(name, "5 m", *more, rate="minstrel")
        for name, more in (("left", ['hidden_from = ["right"]']), ("right", []))
    ]
    (tmp_path / "hidden.toml").write_text(
        cell("Hidden", "4 s", *stations, flow("left", "server"), flow("right", "server"), delay="5 ms")
    )
    run = airloom.run(tmp_path / "hidden.toml", seed=7, out=tmp_path / "hidden", capture=True)
    hidden = [run.path / f"{name}.pcapng" for name in ("air", "left", "right")]
    assert {code for code, _ in firsts(hog)} == {"W202"}
    assert {code for code, _ in firsts(hidden)} == {"W106"}
    assert all(len(firsts(captures)) == 1 for captures in (hog, hidden))
    crowd = [FOREIGN / f"crowd.{name}.pcap.gz" for name in ("air", "server")]
    waits = [next(one["subject"] for one in diagnose(list(some))["findings"]) for some in (crowd[:1], crowd)]
    assert waits[0] == waits[1]


def test_findings_of_the_air_name_records_from_all_over_it(beside_a_hog: airloom.Run) -> None:
    told = diagnose([beside_a_hog.path / "air.pcapng"])
    records = told["captures"][0]["records"]
    for finding in told["findings"]:
        assert len(finding["frames"]) > 7, finding["code"]
        assert finding["frames"] == sorted(finding["frames"])
        assert finding["frames"][-1] > records / 2, finding["code"]


def test_records_out_of_order_prove_nothing(beside_a_hog: airloom.Run, tmp_path: Path) -> None:
    def shuffled(packets: list[bytes]) -> list[bytes]:
        return random.Random(1).sample(packets, len(packets))  # noqa: S311 - the same each time

    told = diagnose([written(beside_a_hog.path / "laptop.pcapng", tmp_path / "shuffled.pcapng", shuffled)])
    assert told["captures"][0]["misplaced"] > told["captures"][0]["records"] / 3
    assert told["findings"] == []
    assert {rule["code"] for rule in told["abstained"]} == {rule["code"] for rule in rules()}
    assert all("reordercap" in rule["because"] for rule in told["abstained"])


def test_a_stamp_of_another_age_proves_nothing(beside_a_hog: airloom.Run, tmp_path: Path) -> None:
    def aged(packets: list[bytes]) -> list[bytes]:
        block = bytearray(packets[5])
        block[STAMP] = struct.pack("<II", 1 << 23, 0)  # 417 days in nanoseconds
        return [*packets[:5], bytes(block), *packets[6:]]

    told = diagnose([written(beside_a_hog.path / "laptop.pcapng", tmp_path / "aged.pcapng", aged)])
    assert told["captures"][0]["misplaced"] > 0
    assert all("30 days apart" in rule["because"] for rule in told["abstained"])


def test_records_that_are_there_twice_count_once(beside_a_hog: airloom.Run, tmp_path: Path) -> None:
    def doubled(packets: list[bytes]) -> list[bytes]:
        return [block for block in packets for _ in range(2)]

    air = beside_a_hog.path / "air.pcapng"
    once, twice = diagnose([air]), diagnose([written(air, tmp_path / "twice.pcapng", doubled)])
    assert twice["captures"][0]["copies"] > 0.99 * once["captures"][0]["records"]
    assert [finding["code"] for finding in once["findings"]] == [finding["code"] for finding in twice["findings"]]
    frames = [sum(station["frames"] for station in told["stations"]) for told in (once, twice)]
    assert frames[1] == pytest.approx(frames[0], rel=0.01)


def test_nothing_is_no_diagnosis(beside_a_hog: airloom.Run, tmp_path: Path) -> None:
    air = beside_a_hog.path / "air.pcapng"
    none = written(air, tmp_path / "none.pcapng", lambda _: [])
    with pytest.raises(CaptureError, match="no record"):
        diagnose([none])
    (tmp_path / "empty.pcap").touch()
    with pytest.raises(CaptureError, match="the file is empty"):
        diagnose([tmp_path / "empty.pcap"])
    one = diagnose([written(air, tmp_path / "one.pcapng", lambda packets: packets[:1])])
    assert one["findings"] == []
    assert lead(one) == ["There is too little in this to tell anything: 1 record."]


SECTION = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
INTERFACE = struct.pack("<IIHHII", 1, 20, 1, 0, 0, 20)
PCAP = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 1)


@pytest.mark.parametrize(
    ("octets", "because"),
    [
        (SECTION + INTERFACE * 600, "malformed at octet 10268: more than 512 interfaces"),
        (SECTION + INTERFACE + struct.pack("<II", 6, 0xFFFFFFF0), "malformed at octet 48: a block of more than 16 MiB"),
        (
            SECTION + INTERFACE + struct.pack("<II", 6, 33) + bytes(90),
            "octet 48: a block with an impossible length",
        ),
        (PCAP + struct.pack("<IIII", 1, 1, 0xFFFFFFFF, 4), "malformed at octet 24: a packet of more than 16 MiB"),
        (PCAP + struct.pack("<IIII", 1, 1, 40, 40) + bytes(4), "cut short in what begins at octet 24"),
    ],
)
def test_a_capture_of_which_nothing_can_be_read_says_why(octets: bytes, because: str, tmp_path: Path) -> None:
    (tmp_path / "damaged").write_bytes(octets)
    with pytest.raises(CaptureError) as refused:
        diagnose([tmp_path / "damaged"])
    first, reason = str(refused.value).split("\n")
    assert first == f"{tmp_path}/damaged: has no record, so there is nothing to diagnose"
    assert because in reason


def test_a_file_is_given_once(beside_a_hog: airloom.Run, tmp_path: Path) -> None:
    air = beside_a_hog.path / "air.pcapng"
    (tmp_path / "link.pcapng").symlink_to(air)
    with pytest.raises(CaptureError, match="the same file"):
        diagnose([air, tmp_path / "link.pcapng"])


def test_json_that_cannot_be_written_is_told_on_standard_error(beside_a_hog: airloom.Run) -> None:
    command = [*DIAGNOSE, str(beside_a_hog.path / "laptop.pcapng"), "--json"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        came = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (came.returncode, came.stderr) == (2, "airloom: standard output: No space left on device\n")


def test_a_place_that_takes_no_folder_is_named(beside_a_hog: airloom.Run) -> None:
    command = [*DIAGNOSE, str(beside_a_hog.path / "laptop.pcapng"), "-o", "/proc/x"]
    came = subprocess.run(command, capture_output=True, text=True, check=False)
    assert came.returncode == 2
    assert came.stderr.startswith("airloom: /proc/x: ")


def test_json_says_whose_a_cost_is(beside_a_hog: airloom.Run) -> None:
    costs = {finding["code"]: finding["cost"] for finding in diagnose([beside_a_hog.path / "air.pcapng"])["findings"]}
    assert costs["W202"]["of"] == "of the others together"
    assert json.dumps(costs, allow_nan=False)
