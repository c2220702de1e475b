"""What a signal costs, and what stands still or slows down, is said whether or not a rule finds a cause."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, cast

import pytest

import airloom
from airloom.diagnosis.facts.lines import facts, stood
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from airloom.scenario.toml_text import document
from foreign.hwsim.worlds import HERE as HWSIM
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, Finding, LinkSeen
    from airloom.scenario.toml_text import Value

OVER = 0.05
"""The most that a cost "at least" may be over the true one, as a part of it."""


def world(
    out: Path,
    laptop: dict[str, Value],
    *,
    up: bool = False,
    beside: bool = False,
    link: str = "1 Gbit/s",
    seconds: int = 4,
) -> airloom.Run:
    """A laptop with 802.11ac that downloads or uploads; perhaps a near station beside it, behind a deep FIFO."""
    names = ["laptop", *(["near"] if beside else [])]
    stations = [{"name": name, "host": "linux-6.18", "adapter": "edca-ac"} for name in names]
    places: list[dict[str, Value]] = [laptop, {"distance": "5 m"}]
    tables: dict[str, Any] = {
        "title": "A laptop",
        "duration": f"{seconds} s",
        "air": {
            "standard": "802.11ac",
            "band": "5 GHz",
            "width": "80 MHz",
            "path_loss": {"exponent": 3.0, "wall": "5 dB"},
        },
        "ap": [{"name": "ap", "adapter": "edca-ac"}],
        "station": [one | place for one, place in zip(stations, places, strict=False)],
        "server": [{"name": "server", "host": "linux-6.18", "link": {"rate": link, "delay": "5 ms"}}],
        "flow": [{"from": name, "to": "server"} if up else {"from": "server", "to": name} for name in names],
    }
    if "path" in laptop:
        tables["ap"][0]["position"] = ["0 m", "0 m"]
    if beside:
        tables["ap"][0]["queue"] = {"discipline": "fifo", "limit": "3000 packets"}
    scenario = out.with_suffix(".toml")
    scenario.write_text(document(tables).text)
    return airloom.run(scenario, out=out, capture=True, seed=1)


def told(run: airloom.Run, *places: str) -> Diagnosis:
    """What is found in captures of it."""
    return diagnose([run.path / f"{place}.pcapng" for place in places or ("air", "server")])


def goodput(run: airloom.Run) -> float:
    """What the laptop's flow carries."""
    return float(run.summary["flows"][0]["goodput_mbps"])


def weak(found: Diagnosis) -> list[Finding]:
    """What W105 finds of the laptop's data, and not of what acknowledges it."""
    return [one for one in found["findings"] if one["code"] == "W105" and one["cost"]["unit"] == "Mbit/s"]


def main_link(found: Diagnosis) -> LinkSeen:
    """The direction with most data."""
    return max(found["links"], key=lambda link: link["octets"])


@pytest.mark.sample(1)
@pytest.mark.parametrize("up", [False, True])
def test_what_a_signal_costs_is_said_first_where_no_rule_is_sure(tmp_path: Path, *, up: bool) -> None:
    near = world(tmp_path / "near", {"distance": "4 m"}, up=up)
    sound = told(near)
    assert main_link(sound)["lets"] is None
    assert ", and found nothing wrong." in " ".join(lead(sound))
    far = world(tmp_path / "far", {"distance": "18 m"}, up=up)
    found = told(far)
    lets = main_link(found)["lets"]
    assert lets
    # What it carries is what it is said to, and a strong signal would carry what is said at least.
    assert lets["mbps"] == pytest.approx(goodput(far), rel=0.2)
    assert goodput(far) < lets["strong_mbps"] <= goodput(near)
    does = "send" if up else "get"
    part = f"{float(format(lets['mbps'], '.2g')):.0f}"
    words = f"lets it {does} about {part} of the "
    assert any(words in line for line in facts(found))
    said = " ".join(lead(found))
    assert "found nothing wrong." not in said
    assert weak(found) or f"but the signal of 02:00:00:00:00:01 {words}" in said


def test_a_slow_server_leaves_nothing_for_the_signal_to_cost(tmp_path: Path) -> None:
    found = told(world(tmp_path / "slow", {"distance": "18 m"}, link="20 Mbit/s"))
    assert main_link(found)["lets"] is None
    assert "signal" not in " ".join(lead(found))


def test_a_rate_control_that_keeps_to_one_rate_steps_down_too(tmp_path: Path) -> None:
    """At 28 m nearly all goes at one rate, which is half as fast as with a strong signal: others were tried."""
    far, near = (world(tmp_path / place, {"distance": f"{place} m"}) for place in ("28", "4"))
    (one,) = weak(told(far))
    assert one["cost"]["at_least"]
    lost = goodput(near) - goodput(far)
    assert 0.4 * lost <= one["cost"]["value"] <= (1 + OVER) * lost


@pytest.mark.nightly
def test_a_weak_signal_costs_at_least_what_a_near_one_beside_it_has_more_of_a_fair_share(tmp_path: Path) -> None:
    """Behind one FIFO it is chance who takes how much of the air."""
    runs = [world(tmp_path / at, {"distance": f"{at} m"}, beside=True, seconds=6) for at in ("4", "18", "36")]
    strong, near, far = runs
    assert not weak(told(near))
    (one,) = weak(told(far))
    assert one["cost"]["at_least"]
    lost = goodput(strong) - goodput(far)
    assert 0.5 * lost <= one["cost"]["value"] <= (1 + OVER) * lost


@pytest.mark.nightly
def test_a_rate_that_falls_for_good_is_told_with_both(tmp_path: Path) -> None:
    path = [{"at": "5 s", "position": ["5 m", "0 m"]}, {"at": "6 s", "position": ["26 m", "0 m"]}]
    run = world(tmp_path / "walks", {"path": path}, seconds=12)
    goes = run.flow("server-laptop").series("goodput").dense()
    before, behind = (
        median(goes.between(second, second + 1).mean() for second in seconds) for seconds in (range(1, 5), range(6, 11))
    )
    for place in ("server", "laptop", "air"):
        (flow,) = [one for one in told(run, place)["connections"] if one["tells_most"] and one["bytes"] > 1e6]
        seen = flow["slows_down"]
        assert seen
        assert 4 <= seen["at_s"] <= 7
        assert seen["before_mbps"] == pytest.approx(before, rel=0.1)
        assert seen["behind_mbps"] == pytest.approx(behind, rel=0.1)
    said = " ".join(lead(told(run, "server")))
    assert "found nothing wrong, but 10.0.0.2:40000 to 10.0.0.1:5001 slowed down: from " in said
    stays = told(world(tmp_path / "stays", {"distance": "5 m"}, seconds=12), "server")
    assert not any(one["slows_down"] for one in stays["connections"])


def test_a_second_without_tcp_at_the_station_is_said_whatever_its_cause() -> None:
    """A roam of wpa_supplicant, as the station alone captured it: 1.04 s between two packets."""
    found = diagnose([HWSIM / "roam.station.pcap.gz"])
    ((start, end),) = found["captures"][0]["lulls"]
    assert (round(start, 1), round(end - start, 2)) == (2.0, 1.04)
    assert "found nothing wrong, but for 1.04 s at 2.0 s no TCP came" in " ".join(lead(found))
    assert any(line.startswith("no TCP came to the host of ") for line in facts(found))
    one = found["captures"][0] | {"lulls": [[2.0, 3.0], [7.0, 7.6]]}
    two = cast("Diagnosis", {"captures": [one, one | {"lulls": []}]})
    (words,) = stood(two)
    assert words.startswith("for 1 s at 2.0 s and 1 more time no TCP came to the host of ")
    assert words.endswith("roam.station.pcap.gz")
    for name in ("quiet", "scans", "dozes"):
        assert diagnose([HWSIM / f"{name}.station.pcap.gz"])["captures"][0]["lulls"] == []


def test_a_receiver_that_hears_less_than_the_monitor_is_no_rate_that_is_stuck(tmp_path: Path) -> None:
    """The laptop is heard well, and itself hears badly: faster rates are tried without success."""
    laptop = station("laptop", "5 m", rate="minstrel").replace('distance = "5 m"', 'snr = "15 dB"\nsnr_up = "36 dB"')
    queue = '{ discipline = "fq_codel" }'
    text = cell("Deaf", "8 s", laptop, flow("server", "laptop", name="dl"), delay="5 ms", queue=queue)
    (tmp_path / "w.toml").write_text(text)
    said = diagnose([airloom.run(tmp_path / "w.toml", out=tmp_path / "out", capture=True, seed=1).path / "air.pcapng"])
    assert "W104" not in {one["code"] for one in said["findings"]}
    assert "tries faster rates" in next(one["because"] for one in said["abstained"] if one["code"] == "W104")
    assert "tries faster rates" in lead(said)[0]


@pytest.mark.nightly
def test_a_way_that_stands_still_at_no_regular_times_is_amiss_at_either_end(tmp_path: Path) -> None:
    """Hosts cannot tell what an outage is, but that nothing came, and then what had been sent meanwhile."""
    queue = '{ discipline = "fq_codel" }'
    laptop = station("laptop", "5 m", rate="minstrel")
    text = cell("Outages", "12 s", laptop, flow("server", "laptop", name="dl"), delay="5 ms", queue=queue)
    outages = {"air.outages": {"between": "1 s", "lasting": "250 ms", "depth": "40 dB"}}
    (tmp_path / "w.toml").write_text(text)
    stands, runs = (
        airloom.run(tmp_path / "w.toml", out=tmp_path / name, capture=True, seed=1, set=changes)
        for name, changes in (("stands", outages), ("runs", {}))
    )
    for place in ("server", "laptop"):
        told_of = [lead(told(run, place))[0] for run in (stands, runs)]
        assert [" nothing came for " in words for words in told_of] == [True, False]
        assert ", and found nothing wrong." in told_of[1]
