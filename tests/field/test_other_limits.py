"""A limit that one capture does not show is not called another one: windows, programs, packets that take long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.sniffer import lose
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

CUBIC = 'tcp = { congestion = "cubic" }'
OLD = "sunos-5.8"
"""A host whose receive buffer is 24 kB."""


def runs(scenario: str, folder: Path) -> Path:
    """The folder of a world's run, with its captures."""
    file = folder / "world.toml"
    file.write_text(scenario)
    return airloom.run(file, seed=7, out=folder / "run", capture=True).path


def codes(told: Diagnosis) -> set[str]:
    """The codes of what was found."""
    return {one["code"] for one in told["findings"]}


def reasons(told: Diagnosis) -> dict[str, str]:
    """Why rules abstained."""
    return {one["code"]: one["because"] for one in told["abstained"]}


def test_a_receiver_s_window_is_not_called_the_wire_by_a_monitor(tmp_path: Path) -> None:
    laptop = station("laptop", "4 m", host=OLD, rate="54 Mbit/s")
    world = cell("Old", "10 s", laptop, flow("server", "laptop", CUBIC), delay="10 ms")
    for new, old in {"802.11n": "802.11g", "5 GHz": "2.4 GHz", "40 MHz": "20 MHz", "ath9k": "dcf"}.items():
        world = world.replace(new, old)
    told = diagnose([runs(world, tmp_path) / "air.pcapng"])
    assert codes(told) == set()
    assert "receiver" in reasons(told)["W403"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("every", ["13 ms", "17 ms", "20 ms", "23 ms", "33 ms", "40 ms", "55 ms"])
def test_a_program_that_writes_in_bursts_is_no_window(every: str, tmp_path: Path) -> None:
    writes = f'write = {{ size = "14480 B", every = "{every}" }}'
    world = cell(
        "Bursts",
        "6 s",
        station("laptop", "4 m", rate="minstrel"),
        flow("laptop", "server", CUBIC, writes),
        delay="12 ms",
    )
    run = runs(world, tmp_path)
    captures = [run / f"{host}.pcapng" for host in ("air", "laptop", "server")]
    for view in [*([one] for one in captures), captures]:
        assert codes(diagnose(view)) <= {"W402"}, view


def test_retries_at_the_head_are_no_queue(tmp_path: Path) -> None:
    world = cell(
        "Hidden",
        "10 s",
        station("laptop", "8 m", rate="minstrel"),
        station("other", "8 m", 'hidden_from = ["laptop"]', rate="minstrel"),
        flow("laptop", "server", CUBIC),
        flow("other", "server", CUBIC),
        queue='{ discipline = "mac80211" }',
        delay="10 ms",
    )
    # The older Minstrel-HT lets a head of the line wait for so many retries.
    older = world.replace('adapter = "ath9k"', 'adapter = { profile = "ath9k", minstrel = "linux-3.13" }')
    told = diagnose([runs(older.replace("40 MHz", "20 MHz"), tmp_path) / "server.pcapng"])
    assert "W301" not in codes(told)
    assert "W301" not in reasons(told)


def test_what_one_flow_does_not_tell_hides_no_finding_of_another(tmp_path: Path) -> None:
    # The laptop's bus shows in its own capture; the other's program keeps to a beat as well, and has no capture.
    lists = 'traversal = "depth-first", reclamation = false, queue = "4 packets"'
    usb = f'usb = {{ {lists}, descriptor = "68 B", drain = "58.3 us" }}'
    laptop = station("laptop", "4 m", f'adapter = {{ profile = "ath9k", {usb} }}', rate="minstrel")
    world = cell(
        "Bus",
        "6 s",
        laptop.replace('adapter = "ath9k"\n', ""),
        station("other", "4 m", rate="minstrel"),
        flow("laptop", "server", CUBIC),
        flow("other", "server", CUBIC, 'write = { size = "14480 B", every = "20 ms" }'),
        delay="12 ms",
    )
    run = runs(world, tmp_path)
    assert "a program with a timer" in reasons(diagnose([run / "air.pcapng"]))["W305"]
    assert "W305" in codes(diagnose([run / "air.pcapng", run / "laptop.pcapng"]))


@pytest.mark.parametrize(
    ("source", "target", "size"), [("laptop", "server", "15 kB"), ("server", "laptop", "7 kB")], ids=["up", "down"]
)
def test_a_program_that_writes_every_few_ms_is_not_called_the_wire(
    source: str, target: str, size: str, tmp_path: Path
) -> None:
    write = f'write = {{ size = "{size}", every = "10 ms" }}'
    world = cell("Paced", "6 s", station("laptop", "5 m", rate="minstrel"), flow(source, target, write), delay="10 ms")
    run = runs(world.replace("40 MHz", "20 MHz"), tmp_path)
    captures = [run / f"{host}.pcapng" for host in ("air", "laptop", "server")]
    for view in [*([one] for one in captures), captures]:
        assert codes(diagnose(view)) <= {"W402"}, view


def test_full_segments_that_a_crowd_delays_are_not_held_back_by_nagle(tmp_path: Path) -> None:
    stations = station("laptop", "6 m", "count = 15", rate="minstrel")
    queue = '{ discipline = "mac80211" }'
    world = cell("Crowd", "4 s", stations, flow("laptop", "server"), queue=queue, delay="10 ms")
    world = world.replace("802.11n", "802.11ac").replace("40 MHz", "80 MHz").replace("ath9k", "edca-ac")
    assert "W404" not in codes(diagnose([runs(world, tmp_path) / "server.pcapng"]))


def test_a_slow_link_costs_nothing_that_shows_where_the_line_limits(tmp_path: Path) -> None:
    """The line loses one packet in a hundred, and the link has a rate that is stuck low and far above what goes."""
    line = 'loss = 0.01, delay = "20 ms"'
    slow = station("laptop", "4 m", host="linux-6.18", rate="MCS 1")
    world = cell("Lossy", "8 s", slow, flow("server", "laptop", CUBIC), delay="20 ms")
    run = runs(world.replace('delay = "20 ms"', line), tmp_path)
    told = diagnose([run / f"{host}.pcapng" for host in ("air", "laptop", "server")])
    first, *others = told["findings"]
    assert first["code"] == "W403"
    (link,) = (one for one in others if one["code"] == "W104" and one["subject"].startswith("02:00:00:00:00:00"))
    assert link["cost"]["unit"] == "% of the air"


def test_what_a_stuck_rate_takes_of_the_air_comes_behind_the_line_that_limits(tmp_path: Path) -> None:
    """The line carries nearly what the link does: without the line more would go, without the rate nothing."""
    slow = station("laptop", "4 m", rate="MCS 1")
    world = cell("Stuck", "8 s", slow, flow("laptop", "server", CUBIC), delay="10 ms").replace("40 MHz", "20 MHz")
    line = 'rate = "9 Mbit/s", queue = { discipline = "fifo", limit = "100 packets" }'
    told = diagnose_with_sender(runs(world.replace('rate = "1 Gbit/s"', line), tmp_path), "laptop")
    assert [one["code"] for one in told["findings"]].index("W403") == 0
    assert "W104" in codes(told)


LOST = ("laptop", "server")


@pytest.mark.parametrize(("loss", "named"), [(0.003, True), (0.0, False)])
def test_few_losses_are_told_where_the_rate_is_what_they_allow(loss: float, named: bool, tmp_path: Path) -> None:
    """One segment in 300 makes a flow a thirtieth as fast; a host shows only these losses and quick round trips."""
    near = station("laptop", "4 m", rate="minstrel")
    queue = '{ discipline = "mac80211" }'
    world = cell("Lossy", "10 s", near, flow(*LOST, CUBIC), delay="10 ms", queue=queue)
    run = runs(world.replace('delay = "10 ms"', f'delay = "10 ms", loss = {loss}'), tmp_path)
    alone = diagnose([run / "laptop.pcapng"])
    assert ("W306" in codes(alone)) is named
    both = diagnose([run / f"{host}.pcapng" for host in LOST])
    lost = [one["says"] for one in both["findings"] if one["code"] == "W306"]
    assert all(f"lost on the way to {run / 'server.pcapng'}" in says for says in lost)
    assert bool(lost) is named


@pytest.mark.sample(1)
@pytest.mark.parametrize("ends", [("server", "laptop"), ("laptop", "server")])
def test_a_line_is_told_though_the_overhead_of_short_ppdus_fills_the_air(ends: tuple[str, str], tmp_path: Path) -> None:
    """Packets of a slow line come one by one, each with a PPDU of its own; the link would carry three times as much."""
    near = station("laptop", "4 m", rate="minstrel")
    endless = 'tcp = { congestion = "cubic", small_queue = "off" }'
    world = cell("A line", "8 s", near, flow(*ends, endless), queue='{ discipline = "fq_codel" }', delay="10 ms")
    line = 'rate = "60 Mbit/s", queue = { discipline = "fifo", limit = "200 packets" }'
    told = diagnose_with_sender(runs(world.replace('rate = "1 Gbit/s"', line), tmp_path), ends[0])
    (found,) = (one for one in told["findings"] if one["code"] == "W403")
    assert found["unit"] == "% of the MPDUs of the longest PPDU"
    assert found["cost"]["value"] > 100


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", [0.3, 0.6])
def test_a_line_is_told_before_which_small_queues_of_the_sender_stand(part: float, tmp_path: Path) -> None:
    """Nothing is lost and round trips are as short as the way: only the distance of packets shows the line."""
    near = station("laptop", "4 m", rate="minstrel")
    world = cell("A line", "6 s", near, flow("server", "laptop", CUBIC), delay="10 ms")
    run = runs(world.replace('rate = "1 Gbit/s"', f'rate = "{200 * part:.0f} Mbit/s"'), tmp_path)
    (found,) = (one for one in diagnose_with_sender(run, "server")["findings"] if one["code"] == "W403")
    line = re.search(r"a line of ([\d.]+) Mbit/s of data", found["says"])
    assert line
    assert 0.92 < float(line[1]) / (200 * part) < 0.96
    # Without the sender's capture it may be its program or its window as well.
    air = diagnose([run / "air.pcapng"])
    assert "W403" not in codes(air)
    (because,) = (one["because"] for one in air["abstained"] if one["code"] == "W403")
    assert "nothing on the way" not in because


@pytest.mark.sample(1)
@pytest.mark.parametrize("queue", ['{ discipline = "fifo", limit = "10 packets" }', '{ discipline = "fq_codel" }'])
def test_a_link_that_always_has_a_queue_is_not_called_the_line(queue: str, tmp_path: Path) -> None:
    """Even of ten packets at most, which make short PPDUs."""
    near = station("laptop", "4 m", rate="minstrel")
    world = cell("A queue", "8 s", near, flow("server", "laptop", CUBIC), queue=queue, delay="10 ms")
    assert "W403" not in codes(diagnose_with_sender(runs(world, tmp_path), "server"))


DISTURBED = {
    "outages": ('outages = { between = "10 ms", lasting = "10 ms", depth = "50 dB" }', 'distance = "5 m"'),
    "slow fading": ('slow_fading = { deviation = "6 dB", coherence = "1 s" }', 'snr = "30 dB"'),
}
"""What the air does to a link, and how far away the station is."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("missed", [0.0, 0.1], ids=["heard", "a tenth missed"])
@pytest.mark.parametrize("kind", DISTURBED)
def test_an_air_that_makes_a_sender_slow_down_is_not_called_the_line(kind: str, missed: float, tmp_path: Path) -> None:
    """TCP takes for congestion what frames lose after all their tries: then the air is idle, and PPDUs are short."""
    of_the_air, near = DISTURBED[kind]
    laptop = station("laptop", "5 m", rate="minstrel").replace('distance = "5 m"', near)
    world = cell("Disturbed", "6 s", laptop, flow("laptop", "server", CUBIC), delay="5 ms")
    for old, new in (("802.11n", "802.11ac"), ("40 MHz", "80 MHz"), ("ath9k", "edca-ac")):
        assert old in world
        world = world.replace(old, new)
    world = world.replace('width = "80 MHz"', f'width = "80 MHz"\n{of_the_air}', 1)
    run = runs(world, tmp_path)
    lose(run / "air.pcapng", missed, 7)
    assert "W403" not in codes(diagnose_with_sender(run, "laptop"))


LINES = {"slow": 'rate = "4 Mbit/s", queue = { discipline = "fifo", limit = "40 packets" }', "lossy": "loss = 0.01"}
"""What a line is that holds a flow back."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("standard", ["802.11n", "802.11g"])
@pytest.mark.parametrize("kind", LINES)
def test_a_line_is_told_by_a_monitor_that_misses_frames_and_their_answers(
    kind: str, standard: str, tmp_path: Path
) -> None:
    """Numbers of frames that were not heard, nor were their answers, are not of frames that were given up."""
    laptop = station("laptop", "4 m", rate="minstrel")
    world = cell("A line", "12 s", laptop, flow("laptop", "server", CUBIC), delay="20 ms")
    if standard == "802.11g":
        for new, old in {"802.11n": "802.11g", "5 GHz": "2.4 GHz", "40 MHz": "20 MHz", "ath9k": "dcf"}.items():
            world = world.replace(new, old)
    line = LINES[kind] if "rate" in LINES[kind] else f'rate = "1 Gbit/s", {LINES[kind]}'
    run = runs(world.replace('rate = "1 Gbit/s"', line), tmp_path)
    lose(run / "air.pcapng", 0.1, 7)
    assert "W403" in codes(diagnose_with_sender(run, "laptop"))


def test_stations_of_downloads_are_not_hidden_from_each_other(tmp_path: Path) -> None:
    """Each sends seldom and often meets the access point, which always sends and seldom meets one of them."""
    stations = station("sta", "5 m", "count = 5", rate="54 Mbit/s")
    world = cell("Downloads", "8 s", stations, flow("server", "sta", CUBIC), queue='{ discipline = "fq_codel" }')
    for old, new in (("802.11n", "802.11g"), ("5 GHz", "2.4 GHz"), ("40 MHz", "20 MHz"), ("ath9k", "dcf")):
        assert old in world
        world = world.replace(old, new)
    assert "W106" not in codes(diagnose([runs(world, tmp_path) / "air.pcapng"]))


def diagnose_with_sender(run: Path, sender: str) -> Diagnosis:
    """What a monitor and the sender show."""
    return diagnose([run / "air.pcapng", run / f"{sender}.pcapng"])


def test_an_idle_air_is_no_sign_where_the_monitor_hears_nothing_of_the_flow(tmp_path: Path) -> None:
    """The monitor is on the channel of another network, which has little to send."""
    call = 'kind = "udp"\nrate = "80 kbit/s"\npayload = "200 B"'
    heard = cell("Calls", "8 s", station("phone", "4 m", rate="minstrel"), flow("server", "phone", call))
    theirs = cell(
        "Weak", "8 s", station("laptop", "12 m", rate="minstrel"), flow("server", "laptop", CUBIC), delay="10 ms"
    )
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    air, run = runs(heard, one) / "air.pcapng", runs(theirs, other)
    for host in ("laptop", "server"):
        told = diagnose([air, run / f"{host}.pcapng"])
        assert "W403" not in codes(told)
        assert "channel" in reasons(told)["W403"]
