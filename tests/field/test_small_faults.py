"""What captures of small cells with one fault tell: a slow station, losses in slow start, a call of two streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import airloom
from airloom.diagnosis.reading import diagnose
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

OTHER = "02:00:00:00:00:02"


def run_of(scenario: str, folder: Path) -> airloom.Run:
    """A world's run, with its captures."""
    file = folder / "world.toml"
    file.write_text(scenario)
    return airloom.run(file, seed=3, out=folder / "run", capture=True)


def told(run: airloom.Run, *places: str) -> Diagnosis:
    """What captures of these places tell."""
    return diagnose([run.path / f"{place}.pcapng" for place in places])


def test_a_far_station_is_named_before_another_channel(tmp_path: Path) -> None:
    """What takes seven tenths of the air moves less than half of the data, at a third of the others' rate."""
    near, far = (station(name, at, rate="minstrel") for name, at in (("laptop", "4 m"), ("far", "40 m")))
    flows = (flow("server", "laptop"), flow("server", "far"))
    world = cell("Far", "8 s", near, far, *flows, queue='{ discipline = "fq_codel" }', delay="8 ms")
    run = run_of(world.replace("40 MHz", "20 MHz"), tmp_path)
    first = told(run, "laptop", "air")["findings"][0]
    assert (first["code"], first["subject"]) == ("W202", f"station {OTHER}")


def test_a_rate_in_slow_start_is_no_rate_before_losses(tmp_path: Path) -> None:
    upload = (station("laptop", "4 m", rate="minstrel"), flow("laptop", "server"))
    world = cell("Lossy", "8 s", *upload, delay="6 ms").replace('delay = "6 ms"', 'delay = "6 ms", loss = 0.01')
    (lost,) = (one for one in told(run_of(world, tmp_path), "laptop")["findings"] if one["code"] == "W306")
    assert lost["cost"]["unknown"]
    assert "so long a way" not in lost["says"]


def test_a_call_on_two_ports_goes_both_ways(tmp_path: Path) -> None:
    ways = (("laptop", "server"), ("server", "laptop"))
    calls = [flow(*way, 'kind = "udp"', rate="64 kbit/s", payload="160 B") for way in ways]
    run = run_of(cell("Call", "4 s", station("laptop", "4 m", rate="minstrel"), *calls), tmp_path)
    assert "W408" not in {one["code"] for one in told(run, "laptop")["abstained"]}
