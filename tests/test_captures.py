"""Captures, as tshark and capinfos read them: neither knows anything of the simulator."""

from __future__ import annotations

import re
import struct
import subprocess
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom import CaptureSettings
from airloom.analysis import power_save
from airloom.cli.run_tables import carriers
from airloom.results import frames
from conftest import ROOT
from tools import need

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.results.summary import Captured, FlowSummary
    from airloom.scenario.given import Settings

    Row = dict[str, str]

KINDS = ("upload-tsq", "upload-no-tsq", "download")
CHANNELS = 3
SCAN: Settings = {"station.0.scan.first": "1 s", "station.0.scan.channels": CHANNELS, "duration": "2500 ms"}
"""A short run with a short scan in it, of which every packet can be looked at."""

SLEEPING = "1 s..1150 ms"
"""The first visit of that scan."""

STRICT = (
    "wlan.check_fcs:TRUE",
    "wlan.check_checksum:TRUE",
    "tcp.check_checksum:TRUE",
    "udp.check_checksum:TRUE",
    "ip.check_checksum:TRUE",
)
GOOD = "1"
"""The status of a check that was made and passed; 2 stands for one that could not be made."""

BAD = "0"

PORT = "5001"
"""The receiver's port."""

AIR = (
    "_ws.malformed",
    "wlan.fcs.status",
    "wlan.fc.type_subtype",
    "wlan.fc.retry",
    "wlan.fc.pwrmgt",
    "wlan.ta",
    "wlan.seq",
    "radiotap.ampdu.reference",
)
HOST = (
    "_ws.malformed",
    "ip.checksum.status",
    "tcp.checksum.status",
    "tcp.analysis.retransmission",
    "tcp.analysis.out_of_order",
    "tcp.srcport",
    "tcp.seq",
    "tcp.len",
    "tcp.ack",
)
"""What tshark is asked of every packet."""

SUBTYPES = {
    "0x0008": "beacon",
    "0x0018": "block_ack_req",
    "0x0019": "block_ack",
    "0x001b": "rts",
    "0x001c": "cts",
    "0x001d": "ack",
    "0x0024": "null",
    "0x0028": "data",
}
"""Types and subtypes of 802.11 frames, as tshark writes them."""


@dataclass(frozen=True)
class Example:
    """A run with captures: `headers` has all packets cut short, `whole` a few packets in full."""

    kind: str
    headers: airloom.Run
    whole: airloom.Run

    @property
    def flow(self) -> FlowSummary:
        """The flow."""
        return self.headers.summary["flows"][0]

    @property
    def captured(self) -> Captured:
        """What the summary says of the captures."""
        return self.headers.summary["captured"]

    @cached_property
    def air(self) -> list[Row]:
        """All that was heard of the air, packets cut short."""
        return tshark(self.headers.path / "air.pcapng", AIR)

    @cached_property
    def hosts(self) -> dict[str, list[Row]]:
        """All that each host saw, packets cut short."""
        return {host: tshark(self.headers.path / f"{host}.pcapng", HOST) for host in self.captured["hosts"]}

    def kinds(self) -> list[str]:
        """What the frames in the air are."""
        return [SUBTYPES[frame["wlan.fc.type_subtype"]] for frame in self.air]


LATE = [pytest.param(kind, marks=pytest.mark.nightly) for kind in KINDS[1:]]
"""The first kind of run has each capture; what the others add is left to the night."""


@pytest.fixture(scope="module", params=[KINDS[0], *LATE])
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Example:
    kind: str = request.param
    folder = tmp_path_factory.mktemp(kind)
    headers = capture(kind, folder / "headers", CaptureSettings())
    return Example(kind, headers, capture(kind, folder / "whole", CaptureSettings(0, SLEEPING)))


def capture(kind: str, out: Path, settings: CaptureSettings) -> airloom.Run:
    """Runs one of the paper's scenarios, shortened."""
    return airloom.run(ROOT / "papers" / "scan" / f"{kind}.toml", set=SCAN, out=out, capture=settings)


def tshark(file: Path, fields: Sequence[str]) -> list[Row]:
    """These fields of every packet; empty where a packet does not have one."""
    command = [need("tshark"), "-n", "-r", str(file), "-T", "fields"]
    for option in STRICT:
        command += ["-o", option]
    for field in fields:
        command += ["-e", field]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return [dict(zip(fields, line.split("\t"), strict=True)) for line in result.stdout.splitlines()]


def wrong(packet: Row) -> bool:
    """Whether something is wrong with a packet: it is malformed, or a check failed."""
    return bool(packet["_ws.malformed"]) or BAD in (value for name, value in packet.items() if name.endswith("status"))


def packets(file: Path) -> int:
    """How many packets capinfos counts."""
    result = subprocess.run(
        [need("capinfos"), "-M", "-c", str(file)], capture_output=True, text=True, check=True, timeout=120
    )
    return int(result.stdout.rsplit(":", 1)[1])


@pytest.mark.long
@pytest.mark.sample(1)
def test_no_packet_is_malformed_nor_fails_a_check(example: Example) -> None:
    assert [packet for packet in example.air if wrong(packet)] == []
    for host, seen in example.hosts.items():
        assert len(seen) > 1000
        assert [packet for packet in seen if wrong(packet)] == [], host


def test_every_check_was_made_where_packets_are_whole(example: Example) -> None:
    path = example.whole.path
    air = tshark(path / "air.pcapng", AIR)
    assert len(air) > 100
    assert {packet["wlan.fcs.status"] for packet in air} == {GOOD}
    for host in example.captured["hosts"]:
        seen = tshark(path / f"{host}.pcapng", HOST)
        assert len(seen) > 100
        assert {(packet["ip.checksum.status"], packet["tcp.checksum.status"]) for packet in seen} == {(GOOD, GOOD)}


def within_a_long_frame(pcapng: bytes) -> int:
    """The place of an octet in the body of the last frame of 200 octets and more (pcapng, Enhanced Packet Block)."""
    place, found = 0, 0
    while place < len(pcapng):
        kind, length = struct.unpack_from("<II", pcapng, place)
        if kind == 6 and (kept := struct.unpack_from("<I", pcapng, place + 20)[0]) >= 200:
            found = place + 28 + kept - 100
        place += length
    return found


def test_a_flipped_bit_is_noticed(example: Example, tmp_path: Path) -> None:
    octets = bytearray((example.whole.path / "air.pcapng").read_bytes())
    octets[within_a_long_frame(bytes(octets))] ^= 1
    (tmp_path / "air.pcapng").write_bytes(octets)
    assert sum(wrong(packet) for packet in tshark(tmp_path / "air.pcapng", AIR)) == 1


@pytest.mark.long
def test_every_sleeping_period_spans_a_beacon(example: Example) -> None:
    bits = ""
    for frame, kind in zip(example.air, example.kinds(), strict=True):
        if kind == "beacon":
            bits += "b"
        elif kind == "null":
            bits += frame["wlan.fc.pwrmgt"]
    # A train of null frames may have a beacon in its middle.
    periods = re.findall("1[1b]*0", bits)
    assert len(periods) == len(example.headers.summary["scans"][0]["trips"]) > 0
    assert all("b" in period for period in periods)


def test_capinfos_counts_what_the_summary_says(example: Example) -> None:
    for run in (example.headers, example.whole):
        captured = run.summary["captured"]
        assert packets(run.path / "air.pcapng") == sum(captured["air"].values())
        for host, records in captured["hosts"].items():
            assert packets(run.path / f"{host}.pcapng") == records


def test_tshark_counts_as_many_frames_of_each_kind(example: Example) -> None:
    assert Counter(example.kinds()) == Counter(
        {kind: count for kind, count in example.captured["air"].items() if count}
    )


def test_the_monitor_hears_what_was_sent_but_for_collisions(example: Example) -> None:
    sent: Counter[str] = Counter()
    for node in example.headers.summary["nodes"]:
        sent.update(node.get("frames", {}))
    heard = Counter(example.kinds())
    for kind in ("beacon", "null", "rts", "cts", "ack", "block_ack", "block_ack_req"):
        assert heard[kind] <= sent[kind] <= 1.2 * heard[kind] + 5, kind
    data = [frame for frame, kind in zip(example.air, example.kinds(), strict=True) if kind == "data"]
    aggregates = {frame["radiotap.ampdu.reference"] for frame in data} - {""}
    alone = sum(not frame["radiotap.ampdu.reference"] for frame in data)
    assert len(aggregates) + alone <= sent["data"] <= 1.2 * (len(aggregates) + alone)


@pytest.mark.long
def test_tshark_finds_the_retransmissions_that_we_count(example: Example) -> None:
    flags = ("tcp.analysis.retransmission", "tcp.analysis.out_of_order")
    seen = example.hosts[example.flow["from"]]
    assert sum(any(packet[flag] for flag in flags) for packet in seen) == example.flow["retransmissions"]
    assert (example.flow["retransmissions"] > 0) == (example.kind != "upload-tsq")


def test_what_was_delivered_is_what_arrived_in_order(example: Example) -> None:
    seen = example.hosts[example.flow["to"]]
    acknowledged = max(int(packet["tcp.ack"]) for packet in seen if packet["tcp.srcport"] == PORT) - 1
    arrived = sorted((int(p["tcp.seq"]), int(p["tcp.len"])) for p in seen if p["tcp.srcport"] != PORT)
    end = 1
    for start, length in arrived:
        if start <= end:
            end = max(end, start + length)
    assert acknowledged <= example.flow["bytes_delivered"] == end - 1


def test_every_window_is_logged(example: Example) -> None:
    sockets = example.headers.sockets
    assert sockets.column_names[:5] == ["time", "flow", "cwnd", "ssthresh", "in_flight"]
    windows = sockets["cwnd"]
    assert max(windows) == example.headers.summary["flows"][0]["cwnd_max"]
    times = sockets["time"]
    assert times == sorted(times)
    assert set(sockets["phase"]) == {""}, "CUBIC does not model its path"


def test_the_log_of_segments_has_what_passed_each_device(example: Example) -> None:
    rows = example.headers.segments.to_pylist()
    for host, seen in example.hosts.items():
        passed = [row for row in rows if row["host"] == host and row["place"] != "tcp"]
        assert len(passed) == len(seen)
    sent = [row for row in rows if row["place"] == "tcp" and row["host"] == example.flow["from"]]
    below = [row for row in rows if row["place"] == "device, sent" and row["host"] == example.flow["from"]]
    assert 0 < len(below) <= len(sent)
    assert {row["seq"] for row in below} <= {row["seq"] for row in sent}


def test_our_own_reader_agrees_with_tshark(example: Example) -> None:
    heard = tshark(example.whole.path / "air.pcapng", AIR)
    theirs = [
        (
            SUBTYPES[frame["wlan.fc.type_subtype"]],
            frame["wlan.fc.retry"] == "1",
            frame["wlan.fc.pwrmgt"] == "1",
            frame["wlan.ta"] or None,
            int(frame["wlan.seq"]) if frame["wlan.seq"] else None,
        )
        for frame in heard
    ]
    assert theirs == [(one.kind, one.retry, one.sleep, one.sender, one.seq) for one in example.whole.frames]


def test_sleeping_periods_are_found_in_the_frames_alone(example: Example) -> None:
    found = power_save.periods(example.headers.frames, frames.address(1))
    trips = example.headers.summary["scans"][0]["trips"]
    assert len(found) == len(trips)
    for sleep, trip in zip(found, trips, strict=True):
        assert sleep.leaving.start == pytest.approx(trip["leaving_s"], abs=0.002)
        assert sleep.returning.end == pytest.approx(trip["home_s"], abs=0.002)
        assert sleep.leaving.sleep
        assert not sleep.returning.sleep
        assert sleep.beacons
        assert sleep.length == pytest.approx(sleep.leaving.length + sleep.wait + sleep.returning.length)


def test_the_same_seed_gives_the_same_captures(example: Example, tmp_path: Path) -> None:
    again = capture(example.kind, tmp_path / "again", CaptureSettings())
    files = sorted(file.name for file in again.path.iterdir())
    assert {
        "air.pcapng",
        "server.pcapng",
        "segments.parquet",
        "sockets.parquet",
        "transmissions.parquet",
        "sta1.pcapng",
    } <= set(files)
    for file in files:
        assert (again.path / file).read_bytes() == (example.headers.path / file).read_bytes(), file


def test_captures_change_nothing_else(example: Example, tmp_path: Path) -> None:
    plain = airloom.run(ROOT / "papers" / "scan" / f"{example.kind}.toml", set=SCAN, out=tmp_path / "plain")
    assert plain.series.to_pylist() == example.headers.series.to_pylist()
    with pytest.raises(airloom.BundleError, match="without captures"):
        _ = plain.sockets


def test_tshark_knows_datagrams_and_pings(tmp_path: Path) -> None:
    scenario = tmp_path / "mixed.toml"
    base = (ROOT / "papers" / "scan" / "upload-tsq.toml").read_text().partition("[[flow]]")[0]
    udp = '[[flow]]\nkind = "udp"\nfrom = "sta1"\nto = "server"\nrate = "1 Mbit/s"\n'
    ping = '[[flow]]\nkind = "ping"\nfrom = "server"\nto = "sta1"\ninterval = "100 ms"\n'
    scenario.write_text(base + udp + ping)
    run = airloom.run(scenario, out=tmp_path / "run", set={"duration": "2 s"}, capture=CaptureSettings(0))
    sent, pings = run.summary["flows"]
    fields = (
        "_ws.malformed",
        "udp.checksum.status",
        "udp.dstport",
        "udp.length",
        "icmp.checksum.status",
        "icmp.resptime",
    )
    for file in ("air.pcapng", "sta1.pcapng", "server.pcapng"):
        seen = tshark(run.path / file, fields)
        assert [packet for packet in seen if wrong(packet)] == []
        datagrams = [packet for packet in seen if packet["udp.dstport"]]
        assert {(packet["udp.dstport"], packet["udp.length"]) for packet in datagrams} == {(PORT, "1478")}
        assert {packet["udp.checksum.status"] for packet in datagrams} == {GOOD}
        assert len(datagrams) == pytest.approx(sent["sent"], abs=1)
        # tshark finds the answer to a ping by its identifier and number, and takes the time between them.
        times = [float(packet["icmp.resptime"]) for packet in seen if packet["icmp.resptime"]]
        assert len(times) == pytest.approx(pings["answered"], abs=1)
        if file == "server.pcapng":
            assert sum(times) / len(times) == pytest.approx(pings["rtt_mean_ms"], rel=0.01)


@pytest.mark.parametrize("window", ["", "25 s", "36 s..25 s", "3 parsecs..4 s", "1 s..1 s", "-1 s..2 s"])
def test_a_window_that_is_none_is_refused(window: str) -> None:
    with pytest.raises(airloom.RunError, match="capture window"):
        CaptureSettings(window=window)


def test_a_window_may_be_open() -> None:
    assert CaptureSettings(window="1.5 s..").nanoseconds() == (1_500_000_000, 2**64 - 1)
    assert CaptureSettings(window="..2 min").nanoseconds() == (0, 120_000_000_000)


def test_a_window_behind_the_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(airloom.RunError, match=r"the run ends at 2\.5 s"):
        capture("download", tmp_path / "out", CaptureSettings(window="4 s..5 s"))
    assert list(tmp_path.iterdir()) == []


LEGACY = """
title = "Frames below HT"
duration = "1 s"
[air]
width = "20 MHz"
{air}
[[ap]]
name = "ap"
adapter = "dcf"
[[station]]
name = "sta1"
host = "linux-3.13"
adapter = "dcf"
snr = "40 dB"
rate = "{rate} Mbit/s"
[[server]]
name = "server"
host = "linux-3.13"
link = {{ rate = "1 Gbit/s", delay = "0.25 ms" }}
[[flow]]
from = "sta1"
to = "server"
"""
B = 'standard = "802.11b"\nband = "2.4 GHz"\n'
G = 'standard = "802.11g"\nband = "2.4 GHz"\n'
A = 'standard = "802.11a"\nband = "5 GHz"\n'

RADIO = (
    "_ws.malformed",
    "wlan.fcs.status",
    "wlan.fc.type_subtype",
    "wlan.duration",
    "radiotap.datarate",
    "radiotap.channel.freq",
    "radiotap.channel.flags.cck",
    "radiotap.channel.flags.ofdm",
    "radiotap.channel.flags.2ghz",
    "radiotap.flags.preamble",
)

ON, OFF = "1", "0"


@pytest.mark.parametrize(
    ("air", "data", "ack", "cts"),
    [
        # Rate, CCK, short preamble and Duration/ID of data; rate of ACKs; rate of CTS to oneself.
        (B, ("11", ON, OFF, "258"), "2", None),
        (B + 'preamble = "short"\n', ("11", ON, ON, "162"), "2", None),
        (G, ("54", OFF, OFF, "44"), "24", None),
        (G + 'protection = "cts-to-self"\n', ("54", OFF, OFF, "44"), "24", "11"),
        (A, ("54", OFF, OFF, "44"), "24", None),
    ],
)
def test_frames_below_ht_are_told_as_such(
    air: str, data: tuple[str, str, str, str], ack: str, cts: str | None, tmp_path: Path
) -> None:
    scenario = tmp_path / "legacy.toml"
    scenario.write_text(LEGACY.format(air=air, rate=data[0]))
    run = airloom.run(scenario, out=tmp_path / "run", capture=CaptureSettings(0))
    seen = tshark(run.path / "air.pcapng", RADIO)
    assert [packet for packet in seen if wrong(packet)] == []
    rate, cck, short, duration = data
    kinds = {"0x0020": rate, "0x001d": ack, "0x0008": "6" if air == A else "1"} | ({"0x001c": cts} if cts else {})
    assert {packet["wlan.fc.type_subtype"] for packet in seen} == set(kinds)
    for packet in seen:
        assert packet["radiotap.datarate"] == kinds[packet["wlan.fc.type_subtype"]]
        assert packet["radiotap.channel.freq"] == ("5180" if air == A else "2437")
        assert (packet["radiotap.channel.flags.2ghz"] == ON) == (air != A)
        assert packet["radiotap.channel.flags.cck"] != packet["radiotap.channel.flags.ofdm"]
        if packet["wlan.fc.type_subtype"] == "0x0020":
            assert packet["wlan.duration"] == duration
            assert packet["radiotap.channel.flags.cck"] == cck
            assert packet["radiotap.flags.preamble"] == short


def test_a_radio_that_does_not_aggregate_is_said_to_send_frames(tmp_path: Path) -> None:
    scenario = tmp_path / "legacy.toml"
    scenario.write_text(LEGACY.format(air=B, rate=11))
    nodes = airloom.run(scenario, out=tmp_path / "run").summary["nodes"]
    assert carriers(nodes) == [("data frames", "")]


def test_frames_to_a_group_are_captured(tmp_path: Path) -> None:
    """They have no receiver of their own, in the log of transmissions as in the capture."""
    robots = ROOT / "examples" / "robots.toml"
    run = airloom.run(robots, set={"duration": "300 ms"}, out=tmp_path / "run", capture=CaptureSettings())
    heard = frames.read(run.path / "air.pcapng")
    assert any(frame.kind == "data" and frame.receiver and int(frame.receiver[:2], 16) % 2 for frame in heard)
