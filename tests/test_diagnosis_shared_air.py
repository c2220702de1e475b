"""What `airloom diagnose` says where the cause lies in the air that all share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from airloom.results.bundle import AIR
from airloom.scenario.toml_text import document
from test_diagnosis_sound import MAC80211, down, strong
from test_diagnosis_worlds import AC, G, played, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

N24: dict[str, Value] = {"standard": "802.11n", "band": "2.4 GHz", "width": "20 MHz"}
AC20: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "20 MHz"}
CALL: dict[str, Value] = {"kind": "udp", "rate": "68.8 kbit/s", "payload": "172 B", "dscp": "EF"}


def codes(found: Diagnosis) -> list[str]:
    """The rules that found something, in their order."""
    return [one["code"] for one in found["findings"]]


def because(found: Diagnosis, code: str) -> str:
    """Why a rule cannot tell; empty if it can."""
    return " ".join(one["because"] for one in found["abstained"] if one["code"] == code)


def calls(tmp_path: Path, adapter: Value) -> Diagnosis:
    """What a monitor's capture shows of three calls of which each sends as its packets arrive, all at the same time."""
    phones = [strong(f"p{place}", snr=f"{22 + 6 * place} dB", adapter=adapter) for place in range(3)]
    both = [way for phone in phones for way in (down(str(phone["name"])), {"from": phone["name"], "to": "server"})]
    flows: list[dict[str, Value]] = [{**way, **CALL} for way in both]
    ap: dict[str, Value] = {"adapter": "ath9k-ap"}
    run = played(tmp_path / "run", phones, *flows, delay="20 ms", air=N24, ap=ap, duration="4 s", seed=7)
    return diagnose([run.path / AIR])


def test_calls_in_step_of_which_nearly_all_collide_accuse_nobody(tmp_path: Path) -> None:
    """Not hidden stations, nor a weak signal, nor requests to send in air that is idle for four fifths of the time."""
    found = calls(tmp_path, "ath9k")
    assert codes(found) == []
    assert "whether or not their senders hear each other" in because(found, "W106")
    assert because(found, "W107") == ""


def test_requests_to_send_of_calls_in_step_are_no_disturbance(tmp_path: Path) -> None:
    found = calls(tmp_path, {"profile": "ath9k", "rts_threshold": "50 B"})
    assert codes(found) == []
    assert because(found, "W107") == ""


def test_what_hidden_stations_lose_stands_below_what_hides_them(tmp_path: Path) -> None:
    """Of single frames of 802.11g, of which only a few in a thousand are given up."""
    left = strong("left", adapter="dcf", snr="45 dB", hidden_from=["right"])
    right = strong("right", adapter="dcf", snr="35 dB", hidden_from=["left"])
    stream: dict[str, Value] = {"kind": "udp", "rate": "6 Mbit/s", "payload": "1000 B"}
    flows: list[dict[str, Value]] = [{"from": "left", "to": "server"}, {"from": "right", "to": "server", **stream}]
    queue: dict[str, Value] = {"queue": {"discipline": "fifo", "limit": "200 packets"}}
    for hidden in (True, False):
        heard = [{key: value for key, value in one.items() if key != "hidden_from"} for one in (left, right)]
        stations = [left, right] if hidden else heard
        run = played(tmp_path / f"{hidden}", stations, *flows, air=G, ap=queue, duration="8 s", seed=7)
        for captures in ([AIR], [AIR, "left.pcapng", "server.pcapng"]):
            found = diagnose([run.path / name for name in captures])
            assert codes(found)[:1] == (["W106"] if hidden else [])
            assert "W306" not in codes(found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("hidden", [False, True])
def test_what_noise_leaves_of_ppdus_hides_nobody(hidden: bool, tmp_path: Path) -> None:
    """It goes alone, as retries only, where TCP has no more to send; PPDUs that collide come again as they were."""
    air: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "80 MHz"}
    if hidden:
        visitors = [strong("v1", adapter="edca-ax", hidden_from=["v2"]), strong("v2", adapter="edca-ax")]
        flows: list[dict[str, Value]] = [
            {"kind": "udp", "from": one, "to": "server", "rate": "saturated"} for one in ("v1", "v2")
        ]
    else:
        visitors = [station(name, distance="12 m", rate="minstrel", adapter="edca-ax") for name in ("v1", "v2")]
        flows = [down("v1"), down("v2")]
    run = played(tmp_path / "run", visitors, *flows, delay="10 ms", air=air, duration="4 s", seed=3)
    assert ("W106" in codes(diagnose([run.path / AIR]))) is hidden


def beside_a_neighbour(tmp_path: Path, seed: int) -> airloom.Run:
    """An upload beside a network on the same channel that has one, too, and a download."""
    mt76: dict[str, Value] = {"adapter": "mt76", "channel": 36}
    laptop = strong("a", snr="45 dB", adapter="mt76", ap="ap")
    others = [strong(f"o{place}", snr=f"{20 + 5 * place} dB", adapter="mt76", ap="other") for place in (1, 2)]
    tables: dict[str, Value] = {
        "title": "Two networks",
        "duration": "4 s",
        "seed": seed,
        "air": {**AC, "width": "40 MHz"},
        "ap": [{"name": "ap", **mt76}, {"name": "other", **mt76}],
        "station": [laptop, *others],
        "server": [{"name": "server", "host": "linux-6.18", "link": {"rate": "1 Gbit/s", "delay": "10 ms"}}],
        "flow": [{"from": "a", "to": "server"}, down("o1"), {"from": "o2", "to": "server"}],
    }
    scenario = tmp_path / f"{seed}.toml"
    scenario.write_text(document(tables).text)
    return airloom.run(scenario, out=tmp_path / f"{seed}", capture=True)


def test_a_neighbours_network_is_what_the_captured_station_waits_for(tmp_path: Path) -> None:
    """Much is sent again where networks collide, and short PPDUs at slower rates are no empty queue."""
    for seed in (7, 13):
        run = beside_a_neighbour(tmp_path, seed)
        found = diagnose([run.path / name for name in (AIR, "a.pcapng")])
        assert found["findings"][0]["code"] == "W201"
        assert found["findings"][0]["subject"] == "station 02:00:00:00:00:02"
        assert 'Data of the other network "other"' in found["findings"][0]["says"]


def silent(run: airloom.Run, names: list[str]) -> str:
    """What is said of air in which nothing is heard."""
    found = diagnose([run.path / name for name in names])
    assert codes(found) == []
    assert "nothing is heard" in " ".join(lead(found))
    return because(found, "W201")


OVEN: dict[str, Value] = {"name": "oven", "kind": "microwave", "level": "-60 dBm"}
UNDECODED: dict[str, Value] = {
    "name": "nb", "kind": "neighbour", "level": "-65 dBm", "channel": 36, "occupancy": 0.4,
}  # fmt: skip


def test_up_to_is_no_less_than_what_would_go_without_a_disturbance(tmp_path: Path) -> None:
    laptop = strong("a", snr="35 dB", adapter="mt76")
    flow: dict[str, Value] = {"from": "a", "to": "server"}
    ill, well = (
        played(tmp_path / name, [laptop], flow, air=N24, duration="4 s", seed=7, interferers=interferers)
        for name, interferers in (("ill", [OVEN]), ("well", None))
    )
    true = well.flows[0].goodput_mbps - ill.flows[0].goodput_mbps
    for names in ([AIR], [AIR, "a.pcapng", "server.pcapng"]):
        said = re.search(r"by up to ([\d.]+) Mbit/s faster", silent(ill, names))
        assert said
        assert float(said[1]) >= true


def test_a_network_that_no_monitor_decodes_shows_by_what_waits_meanwhile(tmp_path: Path) -> None:
    """The neighbour takes 23 % of the time; what is sent without success is not heard either."""
    laptop = station("a", snr="38 dB", distance=None, rate="minstrel", adapter="mt76")
    laptop = {key: value for key, value in laptop.items() if value is not None}
    ap: dict[str, Value] = {"adapter": "mt76", "channel": 36, **MAC80211}
    for interferers in ([UNDECODED], None):
        run = played(
            tmp_path / f"{bool(interferers)}",
            [laptop],
            down("a"),
            air=AC20,
            ap=ap,
            duration="4 s",
            seed=7,
            interferers=interferers,
        )
        for names in ([AIR], [AIR, "a.pcapng", "server.pcapng"]):
            if interferers:
                share = re.search(r"for (\d+) % of the time nothing is heard", silent(run, names))
                assert share
                assert int(share[1]) == pytest.approx(23, abs=3)
            else:
                found = diagnose([run.path / name for name in names])
                assert codes(found) == []
                assert because(found, "W201") == ""
