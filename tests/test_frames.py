"""A capture's frames as a sequence, and what reading them costs."""

from __future__ import annotations

import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from airloom.results import frames

if TYPE_CHECKING:
    from pathlib import Path

RADIOTAP = 127


def empty_records(file: Path, count: int) -> Path:
    """A pcap file of records without octets, the n-th stamped n microseconds: no file of its size has more frames."""
    header = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, RADIOTAP)
    file.write_bytes(header + b"".join(struct.pack("<IIII", 0, n, 0, 0) for n in range(count)))
    return file


def test_frames_are_a_sequence(tmp_path: Path) -> None:
    found = frames.read(empty_records(tmp_path / "air.pcap", 5))
    assert len(found) == 5
    assert [frame.end_ns for frame in found] == [0, 1000, 2000, 3000, 4000]
    assert found[0].kind == "other"
    assert found[-1] == found[4]
    assert found[1:4:2] == [found[1], found[3]]
    assert found[7:] == []
    for outside in (5, -6):
        with pytest.raises(IndexError):
            found[outside]


def test_a_frame_of_a_dozing_station_has_its_kind(tmp_path: Path) -> None:
    poll = bytes.fromhex("0000080000000000a40001c002000000000102000000000a")
    file = empty_records(tmp_path / "air.pcap", 0)
    file.write_bytes(file.read_bytes() + struct.pack("<IIII", 0, 0, len(poll), len(poll)) + poll)
    (found,) = frames.read(file)
    assert (found.kind, found.sender, found.receiver) == ("ps_poll", "02:00:00:00:00:0a", "02:00:00:00:00:01")


MEASURE = """
import re, sys
from pathlib import Path
from airloom.results import frames
def peak(): return int(re.search("VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1]) * 1024
before = peak()
found = frames.read(Path(sys.argv[1]))
assert sum(frame.length for frame in found) == 0
print(len(found), peak() - before)
"""


def test_reading_takes_a_few_times_the_file(tmp_path: Path) -> None:
    capture = empty_records(tmp_path / "air.pcap", 1 << 20)
    output = subprocess.check_output([sys.executable, "-c", MEASURE, capture], text=True)
    count, grown = map(int, output.split())
    assert count == 1 << 20
    # The file itself, and 64 octets for every 16 of it, perhaps twice while they grow; Python's tuples took 21 times.
    assert grown < 10 * capture.stat().st_size
