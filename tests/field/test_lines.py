"""A line that always has a packet waiting is told by how far apart these pass; one that spaces out batches is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding

NEAR = station("laptop", "6 m", rate="minstrel")


def limited(world: str, folder: Path, *hosts: str) -> list[Finding]:
    """What W403 finds in captures of the air and of hosts."""
    file = folder / "world.toml"
    file.write_text(world)
    run = airloom.run(file, seed=7, out=folder / "run", capture=True).path
    found = diagnose([run / f"{place}.pcapng" for place in ("air", *hosts)])["findings"]
    return [one for one in found if one["code"] == "W403"]


def fast(world: str, standard: str, width: str) -> str:
    """A world at a newer standard."""
    for old, new in (("802.11n", f"802.11{standard}"), ("40 MHz", width), ("ath9k", f"edca-{standard}")):
        assert old in world
        world = world.replace(old, new)
    return world


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("standard", "width", "line"),
    [("ax", "80 MHz", "900 Mbit/s"), ("ac", "40 MHz", "330 Mbit/s"), ("ac", "40 MHz", "300 Mbit/s")],
)
def test_batches_of_a_full_air_that_a_fast_line_spaces_out_do_not_accuse_it(
    standard: str, width: str, line: str, tmp_path: Path
) -> None:
    """An access point lets all of an A-MPDU go at once: behind it packets pass evenly, and then nothing for a while."""
    queue = '{ discipline = "mac80211" }'
    world = fast(cell("Full", "4 s", NEAR, flow("laptop", "server"), queue=queue, delay="5 ms"), standard, width)
    assert not limited(world.replace("1 Gbit/s", line), tmp_path, "server")


def test_a_line_is_told_though_a_call_and_a_small_transfer_go_through_it(tmp_path: Path) -> None:
    """Every tenth packet is of another flow: the distance of two of this one is two or three times as long then."""
    small = flow("server", "phone", 'write = { size = "200 kB", every = "1 s" }', name="web")
    call = flow("server", "phone", 'kind = "udp"', name="heard", rate="68.8 kbit/s", payload="172 B")
    phone = station("phone", "10 m", rate="minstrel")
    download = flow("server", "laptop", name="download")
    queue = '{ discipline = "mac80211" }'
    world = cell("A line", "8 s", NEAR, phone, download, call, small, queue=queue, delay="10 ms")
    (found,) = limited(fast(world, "ac", "40 MHz").replace("1 Gbit/s", "20 Mbit/s"), tmp_path, "laptop")
    told = re.search(r"as a line of ([0-9.]+) Mbit/s of data lets them go", found["says"])
    assert told
    # A packet of 1500 bytes takes 38 more of an Ethernet line, with preamble and gap.
    assert float(told[1]) == pytest.approx(20 * 1448 / 1538, rel=0.02), "the line's rate, without headers"
