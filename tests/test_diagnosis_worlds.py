"""`airloom diagnose` in small worlds: whose pause it is, whose air, and what a limit costs."""

from __future__ import annotations

import re
import shutil
import subprocess
from math import isnan
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.diagnosis.captures_in_words import compared, described
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.pcapng import frame, rewrite
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.sniffer import encrypted
from airloom.diagnosis.words import lead
from airloom.results.bundle import AIR
from airloom.scenario.toml_text import document
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, FlowSeen
    from airloom.scenario.toml_text import Value

N40: dict[str, Value] = {"standard": "802.11n", "band": "5 GHz", "width": "40 MHz"}
N20: dict[str, Value] = {"standard": "802.11n", "band": "5 GHz", "width": "20 MHz"}
AC: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "80 MHz"}
G: dict[str, Value] = {"standard": "802.11g", "band": "2.4 GHz", "width": "20 MHz"}
UP: dict[str, Value] = {"from": "laptop", "to": "server"}
LAPTOP = "02:00:00:00:00:01"


def station(name: str, **more: Value) -> dict[str, Value]:
    """A station near its access point."""
    return {"name": name, "host": "linux-6.18", "adapter": "ath9k", "distance": "4 m", **more}


WITHOUT_BURSTS: Value = {"profile": "linux-6.18", "bursts": False}
"""A sender whose buffer holds 1,742 segments: one with bursts fills a queue of 1,000 packets at once."""


def played(
    out: Path,
    stations: list[dict[str, Value]],
    *flows: dict[str, Value],
    delay: str = "5 ms",
    link: dict[str, Value] | None = None,
    server: Value = "linux-6.18",
    air: dict[str, Value] | None = None,
    ap: dict[str, Value] | None = None,
    walls: list[dict[str, Value]] | None = None,
    interferers: list[dict[str, Value]] | None = None,
    duration: str = "6 s",
    seed: int | None = None,
    more: list[dict[str, Value]] | None = None,
) -> airloom.Run:
    """A world of these stations and flows, with captures; `more` are further access points."""
    scenario = out.with_suffix(".toml")
    wire: dict[str, Value] = {"rate": "1 Gbit/s", "delay": delay, **(link or {})}
    tables: dict[str, Value] = {
        "title": "A world",
        "duration": duration,
        "air": air or N40,
        "ap": [{"name": "ap", "adapter": stations[0]["adapter"], **(ap or {})}, *(more or [])],
        "station": stations,
        "server": [{"name": "server", "host": server, "link": wire}],
        "flow": list(flows),
        **({"wall": walls} if walls else {}),
        **({"seed": seed} if seed else {}),
        **({"interferer": interferers} if interferers else {}),
    }
    scenario.write_text(document(tables).text)
    return airloom.run(scenario, out=out, capture=True)


def main(found: Diagnosis) -> FlowSeen:
    """The flow that moves most."""
    return max((one for one in found["connections"] if one["tells_most"]), key=lambda one: one["bytes"])


@pytest.mark.parametrize("delay", ["5 ms", "20 ms"])
def test_a_program_that_writes_by_a_clock_is_the_limit_however_long_round_trips_are(delay: str, tmp_path: Path) -> None:
    write: Value = {"size": "20 kB", "every": "10 ms"}
    run = played(tmp_path / "run", [station("laptop")], {**UP, "write": write}, delay=delay)
    found = diagnose([run.path / "laptop.pcapng"])
    (finding,) = found["findings"]
    assert finding["code"] == "W402"
    assert "every 10.0 ms, whether or not an acknowledgment has come" in finding["says"]
    assert main(found)["limits"]["application"] > 0.9


OTHER: dict[str, Value] = {"kind": "udp", "from": "other", "to": "server", "rate": "40 Mbit/s", "spacing": "poisson"}


@pytest.mark.parametrize("hidden", [True, False])
def test_a_pause_that_the_air_makes_is_not_a_programs(hidden: bool, tmp_path: Path) -> None:
    others: dict[str, Value] = {"hidden_from": ["laptop"]} if hidden else {}
    run = played(tmp_path / "run", [station("laptop"), station("other", **others)], UP, OTHER)
    for capture in (AIR, "laptop.pcapng"):
        found = diagnose([run.path / capture])
        assert main(found)["near_sender"]
        assert main(found)["limits"]["application"] < 0.02, capture
        assert "had nothing to send" not in " ".join(facts(found))


def test_equal_stations_have_a_cost_each_and_the_captured_one_comes_first(tmp_path: Path) -> None:
    flow: dict[str, Value] = {"from": "sta", "to": "server"}
    run = played(tmp_path / "run", [station("sta", count=9)], flow)
    found = diagnose([run.path / AIR, run.path / "sta7.pcapng"])
    waits = [one for one in found["findings"] if one["code"] == "W201"]
    assert waits
    assert all(one["cost"]["value"] > 0 for one in waits)
    own = "02:00:00:00:00:07"
    assert own in found["findings"][0]["subject"]
    lines = facts(found)
    assert lines[0].startswith("10.0.0.7:")
    assert next(line for line in lines if line.startswith("station ")).startswith(f"station {own}")
    # A capture of the server has all of them, and the laptop's is still the one that was asked about.
    found = diagnose([run.path / name for name in (AIR, "server.pcapng", "sta7.pcapng")])
    assert facts(found)[0].startswith("10.0.0.7:")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("air", "adapter", "rate", "way"),
    [(N40, "ath9k", "20 Mbit/s", "up"), (AC, "ath10k", "20 Mbit/s", "down"), (G, "dcf", "4 Mbit/s", "up")],
)
def test_a_slow_line_costs_no_more_than_is_said_and_hardly_less(
    air: dict[str, Value], adapter: str, rate: str, way: str, tmp_path: Path
) -> None:
    """How long PPDUs are where much waits does not show: the bound is a little more than the other world carries."""
    flow: dict[str, Value] = UP if way == "up" else {"from": "server", "to": "laptop"}
    slow: dict[str, Value] = {"rate": rate, "queue": {"discipline": "fifo", "limit": "100 packets"}}
    laptop = station("laptop", adapter=adapter)
    ill = played(tmp_path / "ill", [laptop], flow, link=slow, air=air, duration="4 s")
    well = played(tmp_path / "well", [laptop], flow, air=air, duration="4 s")
    true = well.flows[0].goodput_mbps - ill.flows[0].goodput_mbps
    found = diagnose([ill.path / AIR, ill.path / "laptop.pcapng"])
    (finding,) = [one for one in found["findings"] if one["code"] == "W403"]
    assert finding["cost"]["at_most"]
    assert true <= finding["cost"]["value"] < 1.25 * true
    # A full link is held to be full by what it does carry, which is worked out more closely.
    assert "W403" not in {one["code"] for one in diagnose([well.path / AIR, well.path / "laptop.pcapng"])["findings"]}


def test_each_channel_is_looked_at_and_networks_are_named(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "two-networks.toml").read_text()
    head, tail = text.rsplit('distance = "3 m"', 1)
    scenario = tmp_path / "world.toml"
    scenario.write_text(f'{head}snr = "9 dB"{tail}')
    run = airloom.run(scenario, set={"duration": "5 s"}, out=tmp_path / "run", capture=True)
    found = diagnose([run.path / AIR])
    weak = {one["subject"] for one in found["findings"] if one["code"] == "W105"}
    assert any("02:00:00:00:00:05" in subject for subject in weak), "the phone's channel is the second"
    networks = {one["mac"]: one["ssid"] for one in found["stations"] if one["kind"] == "station"}
    assert networks == {f"02:00:00:00:00:0{n}": name for n, name in ((3, "home"), (4, "neighbour"), (5, "upstairs"))}
    lines = facts(found)
    (shares,) = [line for line in lines if line.startswith("unicast data's air time at 5180 MHz by network: ")]
    assert '"home" (02:00:00:00:00:00)' in shares
    assert '"neighbour" (02:00:00:00:00:01)' in shares
    assert len(found["links"]) == 6


def test_what_another_network_takes_is_said_to_be_its(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "two-networks.toml").read_text()
    many = text.replace('name = "tablet"\n', 'name = "tablet"\ncount = 3\n')
    many = many.replace('from = "server"\nto = "tablet"', 'from = "tablet"\nto = "server"')
    scenario = tmp_path / "world.toml"
    scenario.write_text(many)
    run = airloom.run(scenario, set={"duration": "5 s"}, out=tmp_path / "run", capture=True)
    found = diagnose([run.path / AIR, run.path / "laptop.pcapng"])
    first = found["findings"][0]
    assert (first["code"], first["subject"]) == ("W201", "station 02:00:00:00:00:03")
    assert 'Data of the other network "neighbour" (02:00:00:00:00:01) takes ' in first["says"]
    assert "other network's" in first["remedy"]


def test_one_neighbour_that_takes_a_third_of_the_time_is_contention(tmp_path: Path) -> None:
    run = airloom.run(
        ROOT / "examples" / "two-networks.toml", set={"duration": "5 s"}, out=tmp_path / "run", capture=True
    )
    found = diagnose([run.path / AIR, run.path / "laptop.pcapng"])
    first = found["findings"][0]
    assert (first["code"], first["subject"]) == ("W201", "station 02:00:00:00:00:03")
    assert 25 <= first["value"] < 50
    assert first["cost"]["at_least"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("distance", ["60 m", "80 m"])
def test_one_that_takes_more_of_the_air_by_being_slower_is_contention(distance: str, tmp_path: Path) -> None:
    stations = [
        station("laptop", distance="3 m", rate="minstrel"),
        station("far", distance=distance, rate="minstrel"),
    ]
    run = played(tmp_path / "run", stations, UP, {"from": "far", "to": "server"}, air=G, duration="10 s")
    found = diagnose([run.path / AIR, run.path / "laptop.pcapng"])["findings"]
    (waits,) = [one for one in found if one["code"] == "W201"]
    assert waits["subject"] == f"station {LAPTOP}"
    assert "Station 02:00:00:00:00:02 needs" in waits["says"]
    assert found[0]["code"] in {"W201", "W202"}
    stations[1]["distance"] = "3 m"
    near = played(tmp_path / "near", stations, UP, {"from": "far", "to": "server"}, air=G, duration="10 s")
    assert "needs" not in " ".join(
        one["says"] for one in diagnose([near.path / AIR, near.path / "laptop.pcapng"])["findings"]
    )


@pytest.mark.nightly
def test_packets_that_wait_for_a_slow_processor_are_said_to_wait_between_wire_and_air(tmp_path: Path) -> None:
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    processors: list[dict[str, Value]] = [{"processor": "ar7161"}, {}]
    for processor in processors:
        run = played(tmp_path / ("slow" if processor else "fast"), [station("laptop")], flow, ap=processor)
        lines = facts(diagnose([run.path / AIR, run.path / "server.pcapng"]))
        waits = [line for line in lines if "they wait in between" in line]
        # What comes back waits for nothing behind the air but for a processor.
        back = [line for line in waits if line.startswith("10.0.0.1 to 10.0.0.2: ")]
        assert len(back) == len(processor)
        assert any(line.startswith("10.0.0.2 to 10.0.0.1: ") for line in waits)


def test_losses_by_which_a_sender_does_not_go_are_told_to_be_none_that_show(tmp_path: Path) -> None:
    lossy: dict[str, Value] = {"delay": "20 ms", "loss": 0.002}
    for control, doubt in (("bbr", True), ("cubic", False)):
        flow: dict[str, Value] = {**UP, "tcp": {"congestion": control}}
        run = played(tmp_path / control, [station("laptop")], flow, link=lossy)
        found = diagnose([run.path / "laptop.pcapng"])
        said = [one["because"] for one in found["abstained"] if one["code"] == "W306"]
        assert ["as BBR does not" in because for because in said] == [True] * doubt
        assert ("W306" in {one["code"] for one in found["findings"]}) != doubt


def test_segments_that_an_access_point_gives_up_are_lost_in_the_air(tmp_path: Path) -> None:
    down: dict[str, Value] = {"from": "server", "to": "laptop"}
    told = []
    for retries in ({"retry_limit": 1, "count_hardware_retries": True}, {}):
        adapter: Value = {"profile": "ath9k", **retries}
        ap: dict[str, Value] = {"adapter": adapter, "queue": {"discipline": "fq_codel"}}
        phone = {**station("laptop", snr="20 dB", rate="MCS 4")}
        del phone["distance"]
        name = "few" if retries else "many"
        run = played(tmp_path / name, [phone], down, delay="20 ms", air=N20, ap=ap, seed=12)
        found = diagnose([run.path / AIR, run.path / "laptop.pcapng", run.path / "server.pcapng"])
        told.append((run.summary["flows"][0]["goodput_mbps"], found["findings"]))
    (slow, [lost]), (fast, sound) = told
    assert (lost["code"], sound) == ("W306", [])
    assert "The air took them" in lost["says"]
    assert lost["cost"]["value"] == pytest.approx(fast - slow, rel=0.25)


def test_a_queue_in_the_senders_own_host_shows_in_its_capture(tmp_path: Path) -> None:
    host: Value = {"profile": "linux-6.18", "queue": {"discipline": "fifo", "limit": "1000 packets"}}
    up: dict[str, Value] = {**UP, "tcp": {"small_queue": "off"}}
    laptop = station("laptop", host=host, rate="MCS 2")
    run = played(tmp_path / "run", [laptop], up, air=N20)
    (queue,) = [one for one in diagnose([run.path / "laptop.pcapng"])["findings"] if one["code"] == "W301"]
    assert "in the sender's own host" in queue["says"]


def test_a_standing_queue_says_what_half_of_its_seconds_take_and_what_a_call_needs(tmp_path: Path) -> None:
    down: dict[str, Value] = {"from": "server", "to": "laptop"}
    call: dict[str, Value] = {**down, "name": "call", "kind": "udp", "rate": "64 kbit/s", "payload": "160 B"}
    deep: dict[str, Value] = {"queue": {"discipline": "fifo", "limit": "1000 packets"}}
    laptop = station("laptop", rate="MCS 3")
    run = played(
        tmp_path / "run",
        [laptop],
        {**down, "name": "download"},
        call,
        server=WITHOUT_BURSTS,
        air=N20,
        ap=deep,
        duration="9 s",
    )
    found = diagnose(sorted(run.path.glob("*.pcapng")))
    (queue,) = [one for one in found["findings"] if one["code"] == "W301"]
    told = re.search(
        r"half of the round trips of these seconds(?: from \S+ to the sender and back)? take more than (\d+) ms, "
        r"where the shortest took ([\d.]+) ms\..*"
        r"Half of the datagrams from 10.0.0.2 to 10.0.0.1 meanwhile, as those of a call, need more than (\d+) ms from",
        queue["says"],
    )
    assert told
    trip, shortest, one_way = map(float, told.groups())
    # A short queue would let 10 ms stand, and what comes and goes with PPDUs of some ms.
    assert trip - shortest - 25 <= queue["cost"]["value"] <= trip - shortest - 10
    spans = queue["spans"]
    delays = run.series.get("call", "delay").dense().between(spans[0][0], spans[-1][1]).values
    # What goes from the server to the air waits in the queue alone.
    assert one_way == pytest.approx(median(value for value in delays if not isnan(value)), rel=0.1)


TWO_NETWORKS = """
title = "A monitor on the channel of another station"
duration = "6 s"
air = { standard = "802.11n", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "near", adapter = "ath9k", channel = 36 }, { name = "far", adapter = "ath9k", channel = 44 }]
station = [
  { name = "beside", host = "linux-6.18", adapter = "ath9k", ap = "near", distance = "4 m" },
  { name = "laptop", host = "linux-6.18", adapter = "ath9k", ap = "far", distance = "25 m" },
]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "5 ms" } }]
flow = [
  { name = "other", from = "server", to = "beside" },
  { name = "own", from = "server", to = "laptop" },
]
"""


@pytest.mark.nightly
def test_the_servers_capture_does_not_hide_that_the_monitor_heard_nothing_of_the_station(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(TWO_NETWORKS)
    run = airloom.run(tmp_path / "two.toml", out=tmp_path / "run", capture=True)
    tshark = shutil.which("tshark")
    assert tshark, "tshark is needed"
    heard = tmp_path / "channel-36.pcapng"
    words = [tshark, "-r", str(run.path / AIR), "-Y", "frame.interface_id == 0", "-w", str(heard)]
    subprocess.run(words, capture_output=True, check=True)
    hosts = [run.path / "laptop.pcapng", run.path / "server.pcapng"]
    alone, beside = diagnose([heard, hosts[0]]), diagnose([heard, *hosts])
    assert "a station that no monitor heard or could read" in compared(alone, 1)
    assert "no monitor could read any of its connections: its station may be on another channel" in compared(beside, 1)
    assert "no monitor" not in compared(beside, 2)
    queues = [one["says"] for one in beside["findings"] if one["code"] == "W301" and "10.0.0.3" in one["subject"]]
    assert queues
    assert all("channel-36.pcapng to" not in says for says in queues), "the monitor heard none of it"


def test_an_encrypted_network_beside_an_open_one_is_heard_though_not_read(tmp_path: Path) -> None:
    """Two uploads through one slow line behind the server: the monitor reads one, and has the frames of the other."""
    slow = 'rate = "20 Mbit/s", queue = { discipline = "fifo", limit = "100 packets" }'
    text = TWO_NETWORKS.replace("channel = 44", "channel = 36").replace("25 m", "5 m")
    text = text.replace('rate = "1 Gbit/s"', slow)
    text = re.sub(r'from = "server", to = "(\w+)"', r'from = "\1", to = "server"', text)
    (tmp_path / "two.toml").write_text(text)
    run = airloom.run(tmp_path / "two.toml", out=tmp_path / "run", capture=True)
    laptop = bytes.fromhex("020000000003")
    air = run.path / AIR
    rewrite(air, lambda block: (encrypted(block) if laptop in frame(block)[4:16] else block,))
    told = diagnose([air, run.path / "server.pcapng"])
    held = sorted(one["subject"].partition(":")[0] for one in told["findings"] if one["code"] == "W403")
    assert held == ["10.0.0.2", "10.0.0.3"]


def test_a_fading_signal_is_no_interference(tmp_path: Path) -> None:
    fading: dict[str, Value] = {**G, "slow_fading": {"deviation": "4 dB", "coherence": "1 s"}}
    laptop = {**station("laptop", adapter="dcf", snr="20 dB", rate="minstrel")}
    del laptop["distance"]
    run = played(tmp_path / "run", [laptop], {"from": "server", "to": "laptop"}, air=fading, delay="10 ms")
    found = diagnose([run.path / AIR])
    (said,) = [one["because"] for one in found["abstained"] if one["code"] == "W107"]
    assert "end with the first frame at a slower rate" in said
    assert "W107" not in {one["code"] for one in found["findings"]}


def test_a_link_that_fades_and_rises_faster_than_its_rates_is_no_interference(tmp_path: Path) -> None:
    """No farther than a signal fades: the same bursts of something that disturbs the receiver would look as they do."""
    fading: dict[str, Value] = {**N20, "slow_fading": {"deviation": "6 dB", "coherence": "500 ms"}}
    laptop = station("laptop", adapter="ath9k", distance="16 m", rate="minstrel")
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    found = diagnose([played(tmp_path / "run", [laptop], flow, air=fading, duration="8 s", seed=7).path / AIR])
    assert "W107" not in {one["code"] for one in found["findings"]}
    (said,) = [one for one in found["abstained"] if one["code"] == "W107"]
    assert "the signal of 02:00:00:00:00:01 changed by " in said["because"]


@pytest.mark.parametrize(
    ("standard", "adapter", "distance", "rate"),
    [(N20, "ath9k", "27 m", "MCS 6"), (AC, "edca-ac", "24 m", "MCS 9")],
    ids=["some arrive", "none arrives"],
)
def test_a_rate_that_was_fixed_too_high_is_found_and_no_dead_connection(
    tmp_path: Path, standard: dict[str, Value], adapter: str, distance: str, rate: str
) -> None:
    laptop = station("laptop", adapter=adapter, distance=distance, rate=rate)
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    with pytest.warns(airloom.ScenarioWarning, match="all frames to it are lost"):
        run = played(tmp_path / "run", [laptop], flow, air=standard, duration="12 s", seed=7)
    found = diagnose([run.path / AIR, run.path / "server.pcapng"])
    (finding,) = found["findings"]
    assert finding["code"] == "W105"
    assert "as one that was fixed" in finding["says"]
    assert "next to nothing arrives" in (finding["cost"]["unknown"] or "")


@pytest.mark.parametrize("drops", [True, False])
def test_what_a_short_queue_of_the_access_point_drops_is_said_first(tmp_path: Path, *, drops: bool) -> None:
    laptop = station("laptop", adapter="ath9k", distance="13 m", rate="minstrel")
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    queue: Value = {"discipline": "fifo", "limit": "25 packets"} if drops else {"discipline": "mac80211"}
    ap: dict[str, Value] = {"queue": queue}
    run = played(tmp_path / "run", [laptop], flow, air=N20, ap=ap, delay="25 ms", duration="8 s", seed=7)
    found = diagnose([run.path / AIR, run.path / "laptop.pcapng", run.path / "server.pcapng"])
    (seen,) = [one["before_air"] for one in found["connections"] if one["tells_most"] and one["bytes"] > 100_000]
    assert (seen is not None) == drops
    said = " ".join(lead(found))
    assert ("and never came into the air: a queue of the access point" in said) == drops
    assert ("but at least " in said) == drops


def test_a_msdus_that_were_cut_are_counted(tmp_path: Path) -> None:
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    adapter: Value = {"profile": "ath9k", "amsdu_frames": 4}
    run = played(tmp_path / "run", [station("laptop", adapter=adapter)], flow)
    found = diagnose([run.path / AIR])
    assert found["captures"][0]["cut_amsdus"] > 1000
    assert "A-MSDUs cut before their later packets" in described(found["captures"][0])
    assert not found["findings"]


@pytest.mark.nightly
def test_a_walk_behind_a_wall_is_a_weak_signal_from_then_on_and_no_interference(tmp_path: Path) -> None:
    way: Value = [{"at": "3 s", "position": ["4 m", "6 m"]}, {"at": "9 s", "position": ["10 m", "6 m"]}]
    laptop = station("laptop", adapter="edca-ac", rate="minstrel", path=way)
    del laptop["distance"]
    wall: dict[str, Value] = {"from": ["8 m", "0 m"], "to": ["8 m", "8 m"], "material": "concrete"}
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    ac: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "80 MHz", "path_loss": {"exponent": 2}}
    stands: dict[str, Value] = {"position": ["1 m", "7 m"], "queue": {"discipline": "mac80211"}}
    how: dict[str, Any] = {"delay": "10 ms", "air": ac, "ap": stands, "walls": [wall], "duration": "12 s"}
    # With some seeds the flow dies on the way: nothing is sent then that could be weak.
    run = played(tmp_path / "run", [laptop], flow, **how, seed=2)
    found = diagnose([run.path / AIR, run.path / "laptop.pcapng"])
    assert {one["code"] for one in found["findings"]} == {"W105"}
    finding = found["findings"][0]
    [[start, end]] = finding["spans"]
    assert 6.2 < start < 8.2
    assert end > 11
    assert finding["cost"]["value"] > 100
    assert any(one["code"] == "W107" and "changed by" in one["because"] for one in found["abstained"])
    (line,) = [line for line in facts(found) if line.startswith("station ")]
    assert re.search(r"; 4\d dB above the noise, 1\d from [78] s on;", line)


def test_a_deep_queue_does_not_follow_from_a_signal_that_is_a_little_weak(tmp_path: Path) -> None:
    n20: dict[str, Value] = {**N20}
    flow: dict[str, Value] = {"from": "server", "to": "laptop"}
    deep: dict[str, Value] = {"queue": {"discipline": "fifo", "limit": "1000 packets"}}
    laptop = station("laptop", distance="20 m", rate="minstrel")
    run = played(tmp_path / "run", [laptop], flow, delay="10 ms", air=n20, ap=deep, duration="12 s")
    findings = diagnose([run.path / AIR, run.path / "laptop.pcapng"])["findings"]
    first = findings[0]
    assert (first["code"], first["below"]) == ("W301", None)


@pytest.mark.parametrize(("occupancy", "rule"), [(0.5, "W201"), (0.8, "W403")])
def test_air_that_others_use_unheard_is_not_called_idle(tmp_path: Path, occupancy: float, rule: str) -> None:
    """A neighbour by itself is in no capture: what nobody hears is neither sound nor beyond the air."""
    other: dict[str, Value] = {"name": "next-door", "kind": "neighbour", "channel": 36, "level": "-60 dBm"}
    run = played(
        tmp_path / "run",
        [station("laptop", rate="minstrel")],
        {"from": "server", "to": "laptop"},
        delay="10 ms",
        ap={"queue": {"discipline": "mac80211"}},
        interferers=[{**other, "occupancy": occupancy}],
    )
    told = diagnose(sorted(run.path.glob("*.pcapng")))
    assert not told["findings"]
    (why,) = [one["because"] for one in told["abstained"] if one["code"] == rule and one["suspects"]]
    assert "something may use the air that the monitor does not hear" in why
    (said,) = lead(told)
    assert said.lower().startswith(why.lower()), "what is amiss comes before what is not"
    assert "found nothing else wrong" in said


@pytest.mark.sample(1)
@pytest.mark.parametrize(("air", "rate"), [(G, "2 Mbit/s"), (G, "8 Mbit/s"), (N40, "20 Mbit/s")])
def test_a_stream_that_gets_all_it_sends_does_not_wait_for_the_download_beside_it(
    air: dict[str, Value], rate: str, tmp_path: Path
) -> None:
    """The access point always has something to send, but not to the one that gets the stream."""
    adapter = "dcf" if air is G else "ath9k"
    stations = [station(name, adapter=adapter, rate="minstrel") for name in ("laptop", "desk")]
    stream: dict[str, Value] = {"kind": "udp", "from": "server", "to": "desk", "rate": rate}
    run = played(tmp_path / "run", stations, {"from": "server", "to": "laptop"}, stream, air=air)
    assert run.flows[1].goodput_mbps == pytest.approx(float(rate.removesuffix(" Mbit/s")), rel=0.02)
    assert not [one for one in diagnose([run.path / AIR])["findings"] if one["code"] == "W201"]


AX: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "20 MHz"}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("air", "adapter", "distance"), [(N20, "ath9k", "34 m"), (AX, "edca-ax", "38 m"), (AX, "edca-ax", "48 m")]
)
def test_a_far_station_whose_rate_control_steps_down_costs_what_a_near_one_has_more(
    air: dict[str, Value], adapter: str, distance: str, tmp_path: Path
) -> None:
    """It may lose no more than the near one: slow is what the signal makes it.

    Of two near ones, which are alike, it is chance which takes more: a near one has the mean of both.
    """
    goodputs: list[list[float]] = []
    found = []
    for place in ("6 m", distance):
        stations = [
            station("laptop", adapter=adapter, distance="6 m", rate="minstrel"),
            station("garden", adapter=adapter, distance=place, rate="minstrel"),
        ]
        ways: list[dict[str, Value]] = [UP, {"from": "garden", "to": "server"}]
        queue: dict[str, Value] = {"queue": {"discipline": "fq_codel"}}
        out = tmp_path / place.replace(" ", "")
        run = played(out, stations, *ways, air=air, ap=queue, delay="7 ms", duration="9 s")
        goodputs.append([flow.goodput_mbps or 0.0 for flow in run.flows])
        found = diagnose([run.path / name for name in (AIR, "laptop.pcapng", "garden.pcapng")])["findings"]
        if place == "6 m":
            assert not found
    # What the near one's data takes meanwhile may come first.
    assert found[0]["code"] in {"W105", "W201"}
    assert "W403" not in {one["code"] for one in found}
    up = "02:00:00:00:00:02 to 02:00:00:00:00:00"
    (weak,) = [one for one in found if (one["code"], one["subject"]) == ("W105", up)]
    lost = mean(goodputs[0]) - goodputs[1][1]
    assert 0.75 * lost <= weak["cost"]["value"] <= 1.05 * lost
    assert weak["cost"]["at_least"]


AIRS: dict[str, tuple[str, dict[str, Value]]] = {
    "802.11n": ("ath9k", {"standard": "802.11n", "band": "2.4 GHz", "width": "20 MHz"}),
    "802.11ac": ("edca-ac", {"standard": "802.11ac", "band": "5 GHz", "width": "20 MHz"}),
}


def two_uploads(out: Path, standard: str, **more: Value) -> airloom.Run:
    """Two stations with much to send, whose rate controls choose rates that lose a little."""
    adapter, air = AIRS[standard]
    near: dict[str, Value] = {"host": "linux-6.18", "adapter": adapter, "rate": "minstrel"}
    stations: list[dict[str, Value]] = [
        {"name": "laptop", "snr": "27 dB", **near},
        {"name": "other", "snr": "27 dB", **near, **more},
    ]
    return played(out, stations, UP, {**UP, "from": "other"}, delay="7 ms", air=air, duration="9 s")


@pytest.mark.parametrize("standard", AIRS)
def test_a_hidden_station_comes_before_what_a_rate_control_makes_of_it(standard: str, tmp_path: Path) -> None:
    ill = two_uploads(tmp_path / "ill", standard, hidden_from=["laptop"])
    well = two_uploads(tmp_path / "well", standard)
    found = diagnose([ill.path / name for name in (AIR, "laptop.pcapng", "other.pcapng")])["findings"]
    assert found[0]["code"] == "W106"
    assert not {one["code"] for one in found if one["below"] is None} & {"W105", "W302", "W306", "W406"}
    place = [LAPTOP, "02:00:00:00:00:02"].index(found[0]["subject"][:17])
    # Which of two equal stations has more where they hear each other is chance.
    fair = sum(flow["goodput_mbps"] for flow in well.summary["flows"]) / 2
    true = fair - ill.summary["flows"][place]["goodput_mbps"]
    cost = found[0]["cost"]
    assert (cost["unit"], cost["at_least"]) == ("Mbit/s", True)
    # One that hardly gets through does not show how long its PPDUs would be.
    assert {"802.11n": 0.5, "802.11ac": 0.1}[standard] * true <= cost["value"] <= 1.25 * true
    sound = diagnose([well.path / name for name in (AIR, "laptop.pcapng", "other.pcapng")])
    assert "W106" not in {one["code"] for one in sound["findings"]}


@pytest.mark.parametrize("seed", [7, 10])
def test_air_that_others_use_unheard_is_not_called_idle_beside_a_small_flow(seed: int, tmp_path: Path) -> None:
    """The download's frames wait in silence, the upload's are too few to: both go through the same air."""
    other: dict[str, Value] = {"name": "next-door", "kind": "neighbour", "channel": 36, "level": "-62 dBm"}
    ac: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "40 MHz"}
    laptop: dict[str, Value] = {"name": "laptop", "host": "linux-6.18", "snr": "31 dB", "rate": "minstrel"}
    run = played(
        tmp_path / "run",
        [{**laptop, "adapter": "iwlwifi"}],
        {"from": "server", "to": "laptop"},
        UP,
        delay="15 ms",
        air=ac,
        ap={"adapter": "mt76", "channel": 36, "queue": {"discipline": "mac80211"}},
        interferers=[{**other, "occupancy": 0.5}],
        duration="10 s",
        seed=seed,
    )
    told = diagnose([run.path / name for name in (AIR, "laptop.pcapng")])
    assert not [one for one in told["findings"] if one["code"] == "W403"]
    assert any("use the air that the monitor does not hear" in one["because"] for one in told["abstained"])


def test_a_full_queue_of_the_access_point_is_not_beyond_the_air(tmp_path: Path) -> None:
    """BBR fills the FIFO of the access point, which drops what is for the others: their frames hardly wait."""
    ax: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "40 MHz"}
    near: dict[str, Value] = {"host": "linux-6.18", "adapter": "edca-ax", "rate": "minstrel"}
    snrs = {"laptop": "39 dB", "desk": "36 dB", "attic": "40 dB"}
    controls = {"laptop": "cubic", "desk": "newreno", "attic": "bbr"}
    down: dict[str, Value] = {"from": "server"}
    run = played(
        tmp_path / "run",
        [{"name": name, "snr": snr, **near} for name, snr in snrs.items()],
        *({**down, "to": name, "tcp": {"congestion": control}} for name, control in controls.items()),
        delay="12 ms",
        air=ax,
        ap={"queue": {"discipline": "fifo", "limit": "500 packets"}},
        duration="12 s",
        seed=4,
    )
    told = diagnose(sorted(run.path.glob("*.pcapng")))
    assert {one["code"] for one in told["findings"]} == {"W306"}
    assert all("They were lost on the way to " in one["says"] for one in told["findings"])


def test_a_camera_with_one_rate_does_not_wait_for_the_upload_beside_it(tmp_path: Path) -> None:
    """It takes as many turns as the upload does, and all that it sends arrives."""
    near: dict[str, Value] = {"host": "linux-6.18", "adapter": "ath9k-3.13", "rate": "minstrel"}
    film: dict[str, Value] = {"kind": "udp", "from": "camera", "to": "server", "rate": "16 Mbit/s"}
    run = played(
        tmp_path / "run",
        [{"name": "laptop", "snr": "33 dB", **near}, {"name": "camera", "snr": "34 dB", **near}],
        UP,
        {**film, "payload": "1200 B"},
        delay="10 ms",
        air={"standard": "802.11n", "band": "2.4 GHz", "width": "20 MHz"},
        ap={"adapter": "ath9k-openwrt", "queue": {"discipline": "mac80211"}},
        duration="14 s",
        seed=7,
    )
    assert run.flows[1].goodput_mbps == pytest.approx(16, rel=0.01)
    told = diagnose([run.path / name for name in (AIR, "laptop.pcapng")])
    assert not told["findings"]
    assert any(one["code"] == "W201" and "turns" in one["because"] for one in told["abstained"])


def test_an_answer_that_comes_as_the_doze_begins_waits_for_all_of_it(tmp_path: Path) -> None:
    """A question ends a doze, and the next begins a fixed time after it: answers do not come in its middle."""
    ax: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "40 MHz"}
    laptop: dict[str, Value] = {"name": "laptop", "host": "linux-6.18", "adapter": "edca-ax", "snr": "30 dB"}
    ping: dict[str, Value] = {"kind": "ping", **UP, "interval": "257 ms"}
    laptop["power_save"] = {"timeout": "10 ms"}
    run = played(tmp_path / "run", [laptop], ping, delay="15 ms", air=ax, duration="20 s")
    costs = []
    for captures in ([AIR], [AIR, "laptop.pcapng"]):
        found = diagnose([run.path / name for name in captures])["findings"]
        costs += [one["cost"] for one in found if one["code"] == "W102"]
    # What arrives at any time between beacons 102.4 ms apart waits for half of that.
    # The round trips of pings tell it, on the air and at the host.
    assert [cost["at_least"] for cost in costs] == [False, False]
    assert [cost["value"] for cost in costs] == pytest.approx([51.2, 51.2], abs=6)


BUS: Value = {"profile": "ath9k", "usb": {"queue": "10 packets"}}
SLOW_PROCESSOR: Value = {"profile": "ar7161", "to_air": "250 us"}


@pytest.mark.parametrize(
    ("laptop", "ap", "side"),
    [
        ({"adapter": BUS}, {"adapter": "ath9k"}, "the station's side"),
        ({"adapter": "ath9k"}, {"processor": SLOW_PROCESSOR}, "the access point's side"),
    ],
)
def test_what_lies_beyond_the_air_is_on_the_side_on_which_packets_wait(
    laptop: dict[str, Value], ap: dict[str, Value], side: str, tmp_path: Path
) -> None:
    down: dict[str, Value] = {"from": "server", "to": "laptop"}
    ill = played(tmp_path / "ill", [station("laptop", **laptop)], down, ap=ap, duration="3 s")
    found = diagnose(sorted(ill.path.glob("*.pcapng")))["findings"]
    (finding,) = [one for one in found if one["code"] == "W403"]
    assert f"Packets wait on {side}" in finding["says"]
    assert ("lsusb" in finding["remedy"]) == ("station" in side)


@pytest.mark.parametrize(
    ("standard", "adapter", "level", "why"),
    [("802.11n", "ath9k", "-58 dBm", "go many at once"), ("802.11g", "dcf", "-55 dBm", "go as soon as they can")],
)
def test_air_that_an_oven_takes_for_half_of_the_time_is_not_called_idle(
    standard: str, adapter: str, level: str, why: str, tmp_path: Path
) -> None:
    oven: dict[str, Value] = {"name": "oven", "kind": "microwave", "level": level}
    air: dict[str, Value] = {"standard": standard, "band": "2.4 GHz", "width": "20 MHz"}
    down: dict[str, Value] = {"from": "server", "to": "laptop"}
    laptop = station("laptop", adapter=adapter)
    run = played(tmp_path / "run", [laptop], down, air=air, interferers=[oven], duration="3 s")
    told = diagnose([run.path / AIR])
    assert "W403" not in {one["code"] for one in told["findings"]}
    (because,) = [one["because"] for one in told["abstained"] if one["code"] == "W403"]
    assert why in because


def test_bluetooth_beside_the_only_station_is_no_hidden_station_and_not_nothing(tmp_path: Path) -> None:
    other: dict[str, Value] = {"name": "other", "kind": "bluetooth", "level": "-55 dBm"}
    n24: dict[str, Value] = {**N40, "band": "2.4 GHz", "width": "20 MHz"}
    run = played(tmp_path / "run", [station("laptop")], UP, air=n24, interferers=[other], duration="3 s")
    told = diagnose([run.path / AIR])
    assert not [one for one in told["findings"] if one["code"] in {"W105", "W106"}]
    (why,) = [one["because"] for one in told["abstained"] if one["suspects"]]
    assert "not Wi-Fi" in why
    assert "found nothing else wrong" in lead(told)[0]


def test_a_rate_that_never_changes_though_much_is_lost_is_said_to_be_fixed(tmp_path: Path) -> None:
    n20: dict[str, Value] = {**N20}
    laptop = station("laptop", distance="21 m", rate="MCS 7")
    run = played(tmp_path / "run", [laptop], {"from": "server", "to": "laptop"}, air=n20, duration="3 s")
    (found,) = [one for one in diagnose([run.path / AIR])["findings"] if one["code"] == "W105"]
    assert "All go at 72.2 Mbit/s" in found["says"]
    assert "iw dev wlan0 set bitrates" in found["remedy"]


def test_one_whose_send_buffer_holds_it_back_does_not_wait_for_its_neighbour(tmp_path: Path) -> None:
    """Alone it is hardly faster: the neighbour takes what it leaves."""
    small: Value = {"profile": "linux-6.18", "send_buffer_initial": "400 KiB", "send_buffer_max": "400 KiB"}
    laptop = station("laptop", rate="minstrel")
    stations = [{**laptop, "host": small}, {**laptop, "name": "other"}]
    both = played(tmp_path / "run", stations, UP, {**UP, "from": "other"}, delay="20 ms", seed=5)
    alone = played(tmp_path / "alone", stations[:1], UP, delay="20 ms", seed=5)
    goodput = [run.summary["flows"][0]["goodput_mbps"] for run in (both, alone)]
    assert goodput[1] < 1.5 * goodput[0]
    for captures in ([AIR], [AIR, "laptop.pcapng", "server.pcapng"]):
        told = diagnose([both.path / name for name in captures])
        assert "W201" not in {one["code"] for one in told["findings"]}
        (waits,) = [one for one in told["abstained"] if one["code"] == "W201"]
        assert waits["suspects"]
        assert "whether the station would have sent more does not show: it takes 0." in waits["because"]


def test_frames_that_go_alone_cost_no_more_than_a_full_window_lets_them(tmp_path: Path) -> None:
    """The receiver's window is full nearly all the time: longer PPDUs would carry no more."""
    alone: Value = {"profile": "ath9k", "ampdu_frames": 1}
    small: Value = {"profile": "linux-6.18", "receive_buffer_initial": "300 KiB", "receive_buffer_max": "300 KiB"}
    laptop = station("laptop", adapter=alone, rate="minstrel")
    run = played(tmp_path / "run", [laptop], UP, delay="25 ms", server=small, seed=7)
    told = diagnose([run.path / name for name in (AIR, "laptop.pcapng")])
    assert told["findings"][0]["code"] == "W401"
    costs = [one["cost"] for one in told["findings"] if one["code"] == "W304"]
    assert all(cost["at_most"] and not cost["at_least"] and cost["value"] < 5 for cost in costs)


def test_what_an_outage_takes_of_an_upload_is_not_laid_on_the_senders_queue(tmp_path: Path) -> None:
    """The monitor stands beside the access point, and hears no more than that does."""
    ac: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "40 MHz"}
    air = {**ac, "outages": {"between": "2.2 s", "lasting": "300 ms", "depth": "30 dB"}}
    laptop = station("laptop", adapter="edca-ac", distance="7 m", rate="minstrel")
    mac80211: dict[str, Value] = {"queue": {"discipline": "mac80211"}}
    run = played(tmp_path / "run", [laptop], UP, delay="8 ms", air=air, ap=mac80211, duration="8 s", seed=1)
    told = diagnose([run.path / name for name in (AIR, "laptop.pcapng", "server.pcapng")])
    (seen,) = [one["before_air"] for one in told["connections"] if one["tells_most"] and one["bytes"] > 100_000]
    assert seen
    assert seen["perhaps_in_air"]
    said = " ".join(lead(told))
    assert "never came into the air" not in said
    assert "the captures do not show" in said
