"""What a cause costs where half of it is not heard: collisions, a slow station, losses in slow start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import airloom
from airloom.diagnosis.costs import wasted
from airloom.diagnosis.reading import diagnose
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, Finding

LAPTOP, OTHER = "02:00:00:00:00:01", "02:00:00:00:00:02"
MAC80211 = '{ discipline = "mac80211" }'


def run_of(scenario: str, folder: Path) -> airloom.Run:
    """A world's run, with its captures."""
    file = folder / "world.toml"
    file.write_text(scenario)
    return airloom.run(file, seed=3, out=folder / "run", capture=True)


def told(run: airloom.Run, *places: str) -> Diagnosis:
    """What captures of these places tell."""
    return diagnose([run.path / f"{place}.pcapng" for place in places])


def hidden(*flows: str, of: str = 'hidden_from = ["laptop"]') -> str:
    """Two stations that do not hear each other, and their uploads."""
    other = station("other", "6 m", of, rate="minstrel")
    return cell("Hidden", "8 s", station("laptop", "6 m", rate="minstrel"), other, *flows, queue=MAC80211, delay="8 ms")


def test_what_collides_costs_no_more_than_is_true(tmp_path: Path) -> None:
    """The other sends little, so that all the rest of the air would be the laptop's."""
    flows = (flow("laptop", "server"), flow("other", "server", 'kind = "udp"', rate="12 Mbit/s"))
    (tmp_path / "well").mkdir()
    ill, well = run_of(hidden(*flows), tmp_path), run_of(hidden(*flows, of=""), tmp_path / "well")
    own, other = (one for one in told(ill, "laptop", "air")["findings"] if one["code"] == "W106")
    assert [own["subject"][:17], other["subject"][:17]] == [LAPTOP, OTHER]
    true = well.summary["flows"][0]["goodput_mbps"] - ill.summary["flows"][0]["goodput_mbps"]
    assert (own["cost"]["unit"], own["cost"]["at_least"]) == ("Mbit/s", True)
    assert 0.5 * true <= own["cost"]["value"] <= true
    assert (other["cost"]["unit"], other["cost"]["at_least"]) == ("% of the air", True)
    assert 0 < other["cost"]["value"] <= wasted(ill, "other")


def test_of_two_hidden_stations_the_one_that_loses_more_comes_first(tmp_path: Path) -> None:
    run = run_of(hidden(flow("laptop", "server"), flow("other", "server")).replace("40 MHz", "20 MHz"), tmp_path)
    goodputs = [one["goodput_mbps"] for one in run.summary["flows"]]
    victim = (LAPTOP, OTHER)[goodputs.index(min(goodputs))]
    for captured in ("laptop", "other"):
        findings: list[Finding] = [one for one in told(run, captured, "air")["findings"] if one["code"] == "W106"]
        assert findings[0]["subject"].startswith(victim), captured


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
