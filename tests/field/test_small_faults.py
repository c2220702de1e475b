"""What captures of small cells with one fault tell: a slow station, losses in slow start, a call of two streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import airloom
from airloom.diagnosis.reading import diagnose
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, Finding

LAPTOP, OTHER = "02:00:00:00:00:01", "02:00:00:00:00:02"


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


def test_what_a_far_station_costs_behind_one_queue_is_the_most(tmp_path: Path) -> None:
    """TCP does not share what it leaves evenly there: the near flow gets little of it."""

    def carried(at: str, folder: Path) -> airloom.Run:
        near, far = (station(name, there, rate="minstrel") for name, there in (("laptop", "4 m"), ("far", at)))
        flows = (flow("server", "laptop"), flow("server", "far"))
        queue = '{ discipline = "fifo", limit = "200 packets" }'
        return run_of(cell("Far", "8 s", near, far, *flows, queue=queue, delay="8 ms"), folder)

    (tmp_path / "well").mkdir()
    ill, well = carried("60 m", tmp_path), carried("5 m", tmp_path / "well")
    (found,) = (one for one in told(ill, "laptop", "air")["findings"] if one["code"] == "W202")
    true = well.summary["flows"][0]["goodput_mbps"] - ill.summary["flows"][0]["goodput_mbps"]
    assert found["cost"]["value"] > 1.25 * true
    assert found["cost"]["at_most"]


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


def hidden(*flows: str, of: str = 'hidden_from = ["laptop"]') -> str:
    """Two stations that do not hear each other, and their uploads."""
    other = station("other", "6 m", of, rate="minstrel")
    queue = '{ discipline = "mac80211" }'
    return cell("Hidden", "8 s", station("laptop", "6 m", rate="minstrel"), other, *flows, queue=queue, delay="8 ms")


def lost_air(run: airloom.Run, sender: str) -> float:
    """The part of the run's time, in percent, that went to MPDUs of a sender that did not arrive."""
    rows = run.transmissions
    columns = (rows[name] for name in ("from", "time", "end", "good", "mpdus"))
    lost = [
        (end - start) * (1 - good / mpdus)
        for node, start, end, good, mpdus in zip(*columns, strict=True)
        if node == sender
    ]
    duration: float = run.summary["duration_s"]
    return float(100 * sum(lost) / duration)


def with_and_without(*flows: str, folder: Path) -> tuple[airloom.Run, airloom.Run]:
    """The world of `hidden`, and the same where the two hear each other."""
    (folder / "well").mkdir()
    return run_of(hidden(*flows), folder), run_of(hidden(*flows, of=""), folder / "well")


def collided(run: airloom.Run) -> dict[str, Finding]:
    """What W106 finds, by the sender."""
    return {one["subject"][:17]: one for one in told(run, "laptop", "air")["findings"] if one["code"] == "W106"}


def test_what_collides_costs_at_least_half_of_what_is_true_and_no_more(tmp_path: Path) -> None:
    """The other sends little, so that all the rest of the air would be the laptop's."""
    flows = (flow("laptop", "server"), flow("other", "server", 'kind = "udp"', rate="12 Mbit/s"))
    ill, well = with_and_without(*flows, folder=tmp_path)
    found = collided(ill)
    own, other = found[LAPTOP]["cost"], found[OTHER]["cost"]
    true = well.summary["flows"][0]["goodput_mbps"] - ill.summary["flows"][0]["goodput_mbps"]
    assert (own["unit"], own["at_least"]) == ("Mbit/s", True)
    assert 0.5 * true <= own["value"] <= true
    assert (other["unit"], other["at_least"]) == ("% of the air", True)
    assert 0 < other["value"] <= lost_air(ill, "other") - lost_air(well, "other")


def test_of_two_that_collide_each_cost_is_the_least(tmp_path: Path) -> None:
    """The one that wins would carry less if they heard each other: its cost is air, not goodput."""
    flows = (flow("laptop", "server"), flow("other", "server"))
    ill, well = with_and_without(*flows, folder=tmp_path)
    found = collided(ill)
    more = [
        one["goodput_mbps"] - other["goodput_mbps"]
        for one, other in zip(*(run.summary["flows"] for run in (well, ill)), strict=True)
    ]
    winner, loser = sorted(zip(more, (LAPTOP, OTHER), strict=True))
    assert winner[0] < 0 < loser[0]
    won, lost = (found[sender]["cost"] for _, sender in (winner, loser))
    assert (won["unit"], won["at_least"]) == ("% of the air", True)
    assert (lost["unit"], lost["at_least"]) == ("Mbit/s", True)
    assert lost["value"] <= loser[0]
