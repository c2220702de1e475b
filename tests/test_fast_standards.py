"""802.11ac and later: captures as tshark reads them, and a saturated flow at the ceiling of its exchanges."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom import CaptureSettings, _engine
from conftest import ROOT
from test_captures import tshark, wrong

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "examples" / "wifi6.toml"

RADIO = (
    "_ws.malformed",
    "wlan.fcs.status",
    "wlan.fc.type_subtype",
    "wlan_radio.phy",
    "wlan_radio.data_rate",
    "wlan.ba.bm",
    "radiotap.channel.freq",
)
DATA, BLOCK_ACK = "0x0028", "0x0019"
UDP = 1472 / 1500
"""The share of an IP packet that a datagram's payload is."""


@dataclass(frozen=True)
class Cell:
    """A channel at its highest rate, and what tshark calls it."""

    standard: str
    band: str
    width: int
    mcs: int
    guard_us: float
    mpdus: int
    phy: str
    rate: str
    frequency: str

    def run(self, **more: Any) -> airloom.Run:
        """A saturated upload in it."""
        adapter = {"profile": f"edca-{self.standard[-2:]}", "ampdu_frames": self.mpdus}
        flow = {"name": "up", "kind": "udp", "from": "laptop", "to": "server", "rate": "saturated", "payload": "1472 B"}
        changes: dict[str, Any] = {
            "air": {"standard": self.standard, "band": self.band, "width": f"{self.width} MHz"},
            "ap.0": {"name": "ap", "adapter": adapter},
            "station.0.adapter": adapter,
            "station.0.rate": f"MCS {self.mcs}",
            "station.0.snr": "60 dB",
            "flow.0": flow,
            # A FIFO of 1,000 packets, Ethernet's, has no room for an A-MPDU of 1,024.
            "server.0.link.queue": {"discipline": "fifo", "limit": "4000 packets"},
        }
        settings = {key: more.pop(key) for key in list(more) if key == "duration" or "." in key}
        return airloom.run(EXAMPLE, set=changes | settings, **more)


CELLS = (
    Cell("802.11ac", "5 GHz", 80, 9, 0.4, 64, "8", "866.667", "5180"),
    Cell("802.11ax", "5 GHz", 80, 11, 0.8, 64, "11", "1201", "5180"),
    Cell("802.11ax", "6 GHz", 160, 11, 0.8, 256, "11", "2402", "5975"),
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.standard}-{cell.width}-{cell.mpdus}")
def test_tshark_reads_rates_and_block_acks(cell: Cell, tmp_path: Path) -> None:
    run = cell.run(duration="60 ms", out=tmp_path / "run", capture=CaptureSettings(0))
    seen = tshark(run.path / "air.pcapng", RADIO)
    assert [packet for packet in seen if wrong(packet)] == []
    data = [packet for packet in seen if packet["wlan.fc.type_subtype"] == DATA]
    assert len(data) > 1000
    told = {(packet["wlan_radio.phy"], packet["wlan_radio.data_rate"]) for packet in data}
    assert told == {(cell.phy, cell.rate)}
    assert {packet["radiotap.channel.freq"] for packet in seen} == {cell.frequency}
    maps = {packet["wlan.ba.bm"] for packet in seen if packet["wlan.fc.type_subtype"] == BLOCK_ACK}
    octets = 32 if cell.standard == "802.11ax" else 8
    assert {len(bits) for bits in maps} == {2 * octets}
    assert max(int.from_bytes(bytes.fromhex(bits)).bit_count() for bits in maps) == cell.mpdus


BEACON = (
    "_ws.malformed",
    "wlan.fc.type_subtype",
    "wlan.ht.capabilities",
    "wlan.vht.op.channelcenter0",
    "wlan.vht.mcsset.rxmcsmap",
    "wlan.ext_tag.he_phy_cap.chan_width_set.160_in_5ghz",
    "wlan.ext_tag.he_operation.6ghz_operation_information_present",
)


@pytest.mark.sample(1)
@pytest.mark.long
@pytest.mark.parametrize(
    ("cell", "said"),
    [
        # HT, the centre of 80 MHz and the scheme of two VHT streams, 160 MHz of HE, 6 GHz.
        (CELLS[0], ("0x0062", "42", "0xfffa", "", "")),
        (CELLS[1], ("0x0002", "42", "0xfffa", "0", "0")),
        (CELLS[2], ("", "", "", "1", "1")),
    ],
    ids=["802.11ac", "802.11ax", "802.11ax-6"],
)
def test_beacons_say_what_the_cell_can_do(cell: Cell, said: tuple[str, ...], tmp_path: Path) -> None:
    run = cell.run(duration="150 ms", out=tmp_path / "run", capture=CaptureSettings(0))
    beacons = [one for one in tshark(run.path / "air.pcapng", BEACON) if one["wlan.fc.type_subtype"] == "0x0008"]
    assert beacons
    assert {tuple(one[name] for name in BEACON[2:]) for one in beacons} == {said}
    assert {one["_ws.malformed"] for one in beacons} == {""}


CEILINGS = (
    *CELLS,
    Cell("802.11ax", "5 GHz", 80, 11, 0.8, 256, "11", "1201", "5180"),
    Cell("802.11ax", "5 GHz", 160, 11, 0.8, 64, "11", "2402", "5180"),
    Cell("802.11be", "5 GHz", 80, 13, 0.8, 256, "", "", "5180"),
    Cell("802.11be", "6 GHz", 320, 13, 0.8, 1024, "", "", "5975"),
)


@pytest.mark.parametrize("cell", CEILINGS, ids=lambda cell: f"{cell.standard}-{cell.width}-{cell.mpdus}")
def test_a_saturated_flow_reaches_what_its_exchanges_allow(cell: Cell) -> None:
    ask = {
        "standard": cell.standard,
        "width": cell.width,
        "mcs": cell.mcs,
        "streams": 2,
        "guard_interval": cell.guard_us,
    }
    allowed = json.loads(_engine.airtime(json.dumps(ask | {"mpdu": 1538, "count": cell.mpdus, "rts": False})))
    # BlockAcks have a bit for each MPDU of the window, and beacons take half a per cent.
    windows = {f"{end}.adapter.block_ack_window": cell.mpdus for end in ("ap.0", "station.0")}
    has = cell.run(duration="2 s", **windows).flow("up").goodput_mbps
    assert has == pytest.approx(allowed["goodput_mbps"] * UDP, rel=0.01)


def test_a_capture_of_802_11be_is_read_and_is_sound(tmp_path: Path) -> None:
    """Its tshark may know no EHT: what that reads has nothing malformed, and a diagnosis reads rates and BlockAcks."""
    cell = CEILINGS[-1]
    run = cell.run(duration="150 ms", out=tmp_path / "run", capture=CaptureSettings(0))
    assert [
        packet for packet in tshark(run.path / "air.pcapng", ("_ws.malformed", "wlan.fcs.status")) if wrong(packet)
    ] == []
    found = airloom.diagnose(run.path / "air.pcapng")
    (link,) = (one for one in found["links"] if one["mpdus"] > 1000)
    assert link["mbps"] == pytest.approx(5764.7, abs=0.1)
    assert link["mpdus"] / link["ppdus"] > 900
    assert found["findings"] == []


@pytest.mark.parametrize(("received", "mpdus"), [(8191, 5), (65_535, 42)])
def test_an_access_point_that_receives_short_aggregates_only_is_named(
    received: int, mpdus: int, tmp_path: Path
) -> None:
    """By its beacons; its sound twin is above."""
    of = {"ap.0.adapter.ampdu_receive_bytes": f"{received} B"}
    run = CEILINGS[-1].run(duration="300 ms", out=tmp_path / "run", capture=CaptureSettings(0), **of)
    (finding,) = (one for one in airloom.diagnose(run.path / "air.pcapng")["findings"] if one["code"] == "W304")
    assert f"it receives A-MPDUs of {received} octets at most; {mpdus} MPDUs fill that" in finding["says"]
    assert "he_6ghz_max_ampdu_len_exp" in finding["remedy"]


@pytest.mark.parametrize(("received", "mpdus"), [(8191, 5), (65_535, 42)])
def test_nobody_sends_a_longer_aggregate_than_the_other_receives(received: int, mpdus: int) -> None:
    cell = CEILINGS[-1]
    ran = cell.run(duration="50 ms", **{"ap.0.adapter.ampdu_receive_bytes": f"{received} B"})
    (sizes,) = (node.get("mpdus_per_ampdu") for node in ran.summary["nodes"] if node["name"] == "laptop")
    assert sizes is not None
    assert mpdus - 1 < sizes <= mpdus


@pytest.mark.parametrize("window", [64, 256, 512])
@pytest.mark.parametrize("end", ["ap.0", "station.0"])
def test_of_two_windows_the_smaller_one_counts(end: str, window: int) -> None:
    ran = CEILINGS[-1].run(duration="50 ms", **{f"{end}.adapter.block_ack_window": window})
    (sizes,) = (node.get("mpdus_per_ampdu") for node in ran.summary["nodes"] if node["name"] == "laptop")
    assert sizes is not None
    assert window - 1 < sizes <= window


def test_an_adapter_sends_no_wider_frames_than_it_has_channels() -> None:
    """MCS 13 of two streams has 2,882.4 Mbit/s in 160 MHz."""
    ran = CEILINGS[-1].run(duration="50 ms", **{"station.0.adapter.width": "160 MHz"})
    (rate,) = (node["mac_rate_mbps"] for node in ran.summary["nodes"] if node["name"] == "laptop")
    assert rate == pytest.approx(2882.4, abs=0.1)


@pytest.mark.parametrize(
    ("standard", "width", "mcs", "mpdus"),
    [("802.11n", 40, 15, 65_535 // 1544), ("802.11ac", 80, 9, 64), ("802.11ax", 80, 11, 256)],
)
def test_aggregates_are_no_larger_than_their_format_allows(standard: str, width: int, mcs: int, mpdus: int) -> None:
    """Whatever the adapters can do in newer ones: `edca-ax` has 256 MPDUs and 6,500,631 bytes."""
    flow = {"name": "up", "kind": "udp", "from": "laptop", "to": "server", "rate": "saturated", "payload": "1472 B"}
    changes: dict[str, Any] = {"air.standard": standard, "air.width": f"{width} MHz", "flow.0": flow, "duration": "1 s"}
    ran = airloom.run(EXAMPLE, set=changes | {"station.0.rate": f"MCS {mcs}", "station.0.snr": "60 dB"})
    (sizes,) = (node.get("mpdus_per_ampdu") for node in ran.summary["nodes"] if node["name"] == "laptop")
    assert sizes is not None
    assert mpdus - 1 < sizes <= mpdus


@pytest.mark.sample(1)
@pytest.mark.parametrize("standard", ["802.11n", "802.11ac", "802.11ax"])
def test_tshark_reads_the_packets_of_an_a_msdu(standard: str, tmp_path: Path) -> None:
    profile = "ath9k" if standard == "802.11n" else f"edca-{standard[-2:]}"
    rate = {"802.11n": 15, "802.11ac": 8, "802.11ax": 11}[standard]
    changes: dict[str, Any] = {
        "air": {"standard": standard, "band": "5 GHz", "width": "40 MHz"},
        "ap.0": {"name": "ap", "adapter": profile, "queue": {"discipline": "mac80211"}},
        "station.0.adapter": {"profile": profile, "amsdu_frames": 4},
        "station.0.rate": f"MCS {rate}",
        "station.0.snr": "60 dB",
        "flow.0": {"name": "up", "from": "laptop", "to": "server"},
        "duration": "150 ms",
    }
    run = airloom.run(EXAMPLE, set=changes, out=tmp_path / "run", capture=CaptureSettings(0))
    fields = ("_ws.malformed", "wlan.fcs.status", "wlan.qos.amsdupresent", "wlan_aggregate.a_mdsu.length", "ip.len")
    seen = tshark(run.path / "air.pcapng", (*fields, "tcp.len"))
    assert [packet for packet in seen if wrong(packet)] == []
    joined = [packet for packet in seen if packet["wlan.qos.amsdupresent"] in ("1", "True")]
    assert len(joined) > 20
    for packet in joined:
        lengths = [int(length) for length in packet["wlan_aggregate.a_mdsu.length"].split(",")]
        assert lengths == [8 + int(length) for length in packet["ip.len"].split(",")]
        assert 2 <= len(lengths) <= 4
        # A header of 14 bytes for each, and padding between them (IEEE 802.11-2020 9.3.2.2.2); HT has 3839 at most.
        if standard == "802.11n":
            assert sum((14 + length + 3) // 4 * 4 for length in lengths[:-1]) + 14 + lengths[-1] <= 3839
