"""What lines say of stations: of how much of their frames, over which noise, and what groups and floods take."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.monitor import AP, EVERYBODY, FROM_AP, RETRY, STATION, TO_AP, Monitor

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis

BURSTS, BURST = 3, 64
NAMES_AP = "02:00:00:00:00:00"


def lines(air: Monitor, path: Path) -> tuple[Diagnosis, list[str]]:
    """The diagnosis of a capture, and its lines."""
    told = diagnose([air.write(path)])
    return told, [line.replace("\N{NO-BREAK SPACE}", " ") for line in facts(told)]


def test_what_is_hardly_heard_is_told_of_what_was_heard(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(100):
        at = 0.1 + turn * 0.01
        air.beacon(at)
        air.qos(at + 0.001, turn * 8, turn, again=turn % 2 == 0)
        air.block_ack(at + 0.002, turn * 8, 0xFF)
    _, (line,) = lines(air, tmp_path / "deaf.pcap")
    assert "gets at least 100 MPDUs at " in line
    assert " (the monitor heard 1" in line
    assert "retries" not in line


def test_retries_alone_are_no_share_of_what_was_hardly_heard(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(100):
        at = 0.1 + turn * 0.01
        air.beacon(at)
        air.qos(at + 0.001, turn * 8, turn, again=True)
        air.block_ack(at + 0.002, turn * 8, 0xFF)
    _, (line,) = lines(air, tmp_path / "retries.pcap")
    assert ", only retries (the monitor heard 1" in line


def test_all_that_is_heard_is_told_as_it_is(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(200):
        air.data(0.1 + turn * 0.01, up=False)
    _, (line,) = lines(air, tmp_path / "whole.pcap")
    assert "gets 200 MPDUs at 24 Mbit/s" in line
    assert "heard" not in line
    assert "of unicast data's air time" in line
    assert "; 45 dB above the noise" in line


def test_a_noise_that_is_taken_for_the_monitors_is_named_once(tmp_path: Path) -> None:
    air = Monitor(tells_noise=False)
    for turn in range(200):
        air.data(0.1 + turn * 0.01, up=False)
    _, said = lines(air, tmp_path / "noise.pcap")
    assert sum("-94 dBm" in line for line in said) == 1
    assert "; about 44 dB above the noise" in said[0]


def test_data_to_groups_has_its_share_of_the_time(tmp_path: Path) -> None:
    air = Monitor()
    group = bytes.fromhex("01005e000001")
    for turn in range(100):
        head = bytes([0x08, FROM_AP, 0, 0]) + group + AP + AP + air.number()
        air.frame(0.1 + turn * 0.02, head + bytes(1200), 1)
    for turn in range(3):
        air.data(0.11 + turn * 0.02, up=True)
    told, said = lines(air, tmp_path / "group.pcap")
    assert told["group"] is not None
    share = 100 * told["group"]["airtime_s"] / told["group"]["of_s"]
    # 1,224 octets and the preamble take 10 ms of each 20.
    assert 48 < share < 52
    assert f"broadcast and multicast: 100 MPDUs at 1 Mbit/s, {share:.0f} % of the time" in said


def test_data_to_groups_without_a_rate_are_told_by_their_number(tmp_path: Path) -> None:
    """As those that a replay of ARP requests makes in `wep_64_ptw_01.cap` of aircrack-ng, which has no radiotap."""

    def said(every: float) -> list[str]:
        frame = bytes([0x08, FROM_AP, 0, 0]) + EVERYBODY + AP + AP
        file = tmp_path / f"{every}.cap"
        with file.open("wb") as capture:
            capture.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65_535, 105))
            for turn in range(200):
                micros, octets = round(turn * every * 1e6), frame + struct.pack("<H", turn << 4) + bytes(60)
                capture.write(struct.pack("<IIII", micros // 10**6, micros % 10**6, len(octets), len(octets)) + octets)
        return [line for line in facts(diagnose([file])) if "broadcast" in line]

    assert said(0.003) == ["broadcast and multicast: 200 MPDUs, 335 a second"]
    assert said(0.3) == []


def leave(air: Monitor, time: float, number: int) -> None:
    """A deauthentication in the name of the access point, twice."""
    octets = bytes([0xC0, 0, 0, 0]) + EVERYBODY + AP + AP + struct.pack("<HH", number << 4, 7)
    air.frame(time, octets, 1)
    air.frame(time + 0.002, octets, 1)


def test_a_flood_of_deauthentications_is_told_once_for_each_number(tmp_path: Path) -> None:
    air = Monitor()
    for burst in range(BURSTS):
        for number in range(BURST):
            leave(air, 1 + 5 * burst + number * 0.005, number)
    told, said = lines(air, tmp_path / "flood.pcap")
    (seen,) = told["leaves"]
    assert (seen["from"], seen["frames"]) == (NAMES_AP, BURSTS * BURST)
    assert f"192 deauthentications or disassociations from {NAMES_AP}, in 0.0 to 10.3 s" in said
    because = {one["code"]: one["because"] for one in told["abstained"]}
    assert all(because[code].startswith("no data between a station") for code in ("W101", "W103"))


def test_a_station_that_leaves_is_no_flood(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(200):
        air.data(0.1 + turn * 0.01, up=False)
    head = bytes([0xC0, 0, 44, 0]) + AP + STATION + AP
    air.frame(2.2, head + air.number() + struct.pack("<H", 3), 6)
    _, said = lines(air, tmp_path / "leaves.pcap")
    assert not any("deauthentication" in line for line in said)


def test_data_of_any_kind_of_network_is_heard(tmp_path: Path) -> None:
    """An access point's, a station's, between two stations, and between two access points (four addresses)."""
    air = Monitor()
    peer = bytes.fromhex("020000000002")
    for turn in range(200):
        for way, far in enumerate((STATION, AP, peer, peer)):
            at = 0.1 + turn * 0.01 + way * 0.002
            flags = (FROM_AP, TO_AP, 0, TO_AP | FROM_AP)[way]
            near = (AP, STATION, STATION, AP)[way]
            head = bytes([0x88, flags, 44, 0]) + far + near + AP + struct.pack("<H", turn << 4)
            head += (AP if flags == TO_AP | FROM_AP else b"") + bytes([way, 0])
            air.frame(at, head + bytes(600))
            body = struct.pack("<HHQ", 5 | way << 12, turn << 4, 1)
            air.frame(at + 0.0005, bytes([0x94, 0, 0, 0]) + near + far + body)
    told = diagnose([air.write(tmp_path / "ways.pcap")])
    assert "W001" not in {one["code"] for one in told["findings"]}


def test_what_acks_show_counts_beside_what_block_acks_show(tmp_path: Path) -> None:
    air = Monitor()
    # What the first one tells may have been sent before the capture.
    for turn in range(3):
        air.block_ack(0.1 + turn * 0.01, turn * 64, (1 << 60) - 1)
    for turn in range(280):
        air.data(1 + turn * 0.01, up=False)
    (one,) = (one for one in diagnose([air.write(tmp_path / "mixed.pcap")])["findings"] if one["code"] == "W001")
    assert "400 MPDUs arrived, of which the monitor has not heard 120" in one["says"]


def test_a_station_that_dozes_has_its_share_of_the_time(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(50):
        air.beacon(0.1 + turn * 0.1)
        air.data(0.105 + turn * 0.1, up=True)
        air.null(0.11 + turn * 0.1, asleep=True)
        air.null(0.19 + turn * 0.1, asleep=False)
    _, (line,) = lines(air, tmp_path / "dozes.pcap")
    assert "PM=1 for 80 % of the time in 50 spells" in line
    assert "associated" not in line


@pytest.mark.parametrize(("status", "said"), [(0, "; associated 1 time"), (17, "")], ids=["accepted", "refused"])
def test_a_station_that_is_awake_has_no_spells_and_is_said_to_leave_and_join(
    tmp_path: Path, status: int, said: str
) -> None:
    air = Monitor()
    for turn in range(50):
        air.beacon(0.1 + turn * 0.1)
        air.data(0.105 + turn * 0.1, up=True)
    air.frame(3.15, bytes([0xC0, 0, 44, 0]) + STATION + AP + AP + air.number() + struct.pack("<H", 3), 6)
    again = air.numbers
    for retry in (0, RETRY):
        air.numbers = again
        answer = struct.pack("<HHH", 1, status, 0xC001)
        air.frame(3.16 + retry * 1e-3, bytes([0x10, retry, 44, 0]) + STATION + AP + AP + air.number() + answer, 6)
    _, (line,) = lines(air, tmp_path / "awake.pcap")
    assert "PM=1" not in line
    assert f"deauthenticated or disassociated 1 time (reason 3: the sender leaves the network){said}" in line
    assert line.count("associated 1 time") == 1 + bool(said)


def test_a_station_that_is_never_heard_is_told_to_have_been_thrown_out(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(100):
        at = 0.1 + turn * 0.01
        air.beacon(at)
        air.qos(at + 0.001, turn * 8, turn)
        air.block_ack(at + 0.002, turn * 8, 0xFF, of=AP)
    for turn in range(3):
        head = bytes([0xC0, 0, 0, 0]) + STATION + AP + AP + air.number()
        air.frame(1.2 + turn * 0.01, head + struct.pack("<H", 6))
    told, (line,) = lines(air, tmp_path / "unheard.pcap")
    assert "deauthenticated or disassociated 1 time" in line
    # So little was heard that nothing tells whether a station dozed or roamed.
    assert {"W102", "W103"} <= {one["code"] for one in told["abstained"]}


OTHER = bytes.fromhex("020000000002")


def test_stations_of_which_little_is_heard_have_no_share_of_the_air(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(200):
        at = 0.1 + turn * 0.01
        air.data(at, up=True)
        # Of the other's eight MPDUs the monitor hears one in fifty.
        if turn % 6 == 0:
            air.qos(at + 0.003, turn * 8, turn, to=OTHER)
        air.block_ack(at + 0.004, turn * 8, 0xFF, of=OTHER)
    _, said = lines(air, tmp_path / "one.pcap")
    text = " ".join(said)
    assert "% of unicast data's air time" not in text
    assert "of air time of its unicast data was heard" in text


def test_the_share_that_was_heard_is_each_links_own_or_none(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(200):
        at = 0.1 + turn * 0.01
        air.data(at, up=True)
        air.ack(at + 0.005, STATION if turn % 2 else OTHER)
        if turn % 10 == 0:
            air.qos(at + 0.007, turn, turn)
    told, said = lines(air, tmp_path / "own.pcap")
    heard = {(link["from"], link["to"]): link["heard"] for link in told["links"]}
    assert heard["02:00:00:00:00:01", NAMES_AP] == pytest.approx(2 / 3, abs=0.01)
    assert heard[NAMES_AP, "02:00:00:00:00:01"] is None
    assert (
        "sends at least 200 MPDUs at 24 Mbit/s, 1 in a PPDU, 0 % retries (the monitor heard 67 % of these frames)"
        in said[0]
    )
    assert "gets at least 20 MPDUs at " in said[0]
    # Of the other direction nothing says how much was missed, and so what part of it was sent again.
    assert said[0].count("% retries") == 1
    assert said[0].count("the monitor heard") == 1
    assert "no data was heard from 1 other radio, but acknowledgments of 100 MPDUs of theirs" in said


@pytest.mark.parametrize("others", [0, 1])
def test_acks_to_an_access_point_with_several_stations_are_of_none(tmp_path: Path, others: int) -> None:
    air = Monitor()
    for turn in range(120):
        at = 0.1 + turn * 0.01
        air.data(at, up=False)
        # What this one acknowledges was not heard: it may have been for another station.
        air.ack(at + 0.005, AP)
    for turn in range(others):
        head = bytes([0x08, TO_AP, 44, 0]) + AP + OTHER + AP + air.number()
        air.frame(1.5 + turn * 0.01, head + bytes(1000))
    told, said = lines(air, tmp_path / "acks.pcap")
    heard = {link["to"]: link["heard"] for link in told["links"]}
    assert heard["02:00:00:00:00:01"] == (None if others else 0.5)
    assert ("(the monitor heard 50 % of these frames)" in said[0]) == (not others)


def test_a_direction_of_which_nothing_is_heard_is_told(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(120):
        at = 0.1 + turn * 0.01
        air.data(at, up=False)
        air.ack(at + 0.005, STATION)
    _, said = lines(air, tmp_path / "acks.pcap")
    assert "; of what it sends no data was heard, but acknowledgments of 120 MPDUs" in said[0]


def test_rules_cannot_tell_of_data_that_is_not_there(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(200):
        air.beacon(0.1 + turn * 0.1)
    told = diagnose([air.write(tmp_path / "beacons.pcap")])
    silent = {one["code"] for one in told["abstained"]}
    of_data = {"W101", "W102", "W103", "W104", "W105", "W106", "W107", "W201", "W202", "W302", "W304"}
    assert of_data <= silent
    few = Monitor()
    for turn in range(20):
        few.data(0.1 + turn * 0.01, up=False)
    because = {one["code"]: one["because"] for one in diagnose([few.write(tmp_path / "few.pcap")])["abstained"]}
    assert because["W106"] == "too little data: no link of which 50 MPDUs were heard, either way"


def test_what_a_station_fetched_and_the_monitor_missed_may_have_waited(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(60):
        at = 0.1 + turn * 0.3
        air.data(at, up=True)
        air.null(at + 0.01, asleep=True)
        air.beacon(at + 0.1, waiting=True)
        air.null(at + 0.102, asleep=False)
        for answer in range(2):
            air.ack(at + 0.11 + answer * 0.01, AP)
    told = diagnose([air.write(tmp_path / "fetched.pcap")])
    because = {one["code"]: one["because"] for one in told["abstained"]}
    assert because["W102"].startswith("02:00:00:00:00:01 woke or asked 60 times for what a beacon said to wait, and ")


def test_what_an_answer_is_for_counts_once(tmp_path: Path) -> None:
    air = Monitor()
    air.block_ack(0.09, 0, 0)
    for turn in range(20):
        air.block_ack(0.1 + turn * 0.01, turn * 8, 0xFF)
        air.ack(0.105 + turn * 0.01, AP)
    told, said = lines(air, tmp_path / "once.pcap")
    assert sum(one["answers"] for one in told["unheard"]) == 180
    assert said == ["no data was heard from 1 other radio, but acknowledgments of 180 MPDUs of theirs"]


def test_radios_whose_data_was_not_heard_are_all_counted(tmp_path: Path) -> None:
    air = Monitor()
    air.beacon(0.05)
    air.block_ack(0.09, 0, 0)
    air.block_ack(0.1, 0, 0xFFFF)
    air.ack(0.2, OTHER)
    told, said = lines(air, tmp_path / "all.pcap")
    assert len(told["unheard"]) == 2
    # Control frames name 17 MPDUs, and the beacon of one radio was heard.
    assert said == ["no data was heard from 2 other radios, but acknowledgments of 17 MPDUs of theirs"]


def test_data_belongs_to_the_network_in_which_it_went(tmp_path: Path) -> None:
    other = AP[:5] + b"\x10"
    air = Monitor()
    for turn in range(100):
        air.beacon(0.1 + turn * 0.1)
        air.beacon(0.15 + turn * 0.1, of=other)
        air.data(0.11 + turn * 0.1, up=True)
    # It tells a network that it has left that it sleeps.
    air.frame(11, bytes([0x48, TO_AP | 0x10, 44, 0]) + other + STATION + other + air.number())
    told, _ = lines(air, tmp_path / "one.pcap")
    assert [one["bssid"] for one in told["stations"] if one["kind"] == "station"] == [NAMES_AP]
    for turn in range(50):
        head = bytes([0x08, TO_AP, 44, 0]) + other + STATION + other + air.number()
        air.frame(12 + turn * 0.1, head + bytes(1000))
        air.ack(12.0004 + turn * 0.1, STATION)
    _, said = lines(air, tmp_path / "both.pcap")
    assert any("by network: " in line and f"({NAMES_AP}) 67 %" in line for line in said), said
    (line,) = [line for line in said if line.startswith("station ")]
    assert f'of networks "home" ({NAMES_AP}) and "home" ({other.hex(":")})' in line


def asked(*, answers: int) -> Monitor:
    """A station that is asked for a BlockAck a hundred times, after so many of its MPDUs were acknowledged."""
    air = Monitor()
    for turn in range(100):
        air.beacon(0.1 + turn * 0.1)
    for turn in range(answers):
        air.data(0.12 + turn * 0.1, up=True)
    for turn in range(5):
        air.data(9.5 + turn * 0.01, up=False)
    for turn in range(100):
        air.request(10 + turn * 0.01, turn)
    return air


def test_who_is_asked_without_a_sign_though_it_was_there_is_said(tmp_path: Path) -> None:
    _, (line,) = lines(asked(answers=90), tmp_path / "gone.pcap")
    assert "asked for a BlockAck 100 times from 9.9 to 10.9 s" in line
    _, (line,) = lines(asked(answers=2), tmp_path / "never.pcap")
    assert "asked" not in line


def test_numbers_that_were_never_heard_show_what_answers_do_not(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(200):
        air.numbers += turn % 10 == 9
        air.data(0.1 + turn * 0.01, up=False)
    told, (line,) = lines(air, tmp_path / "gaps.pcap")
    assert "gets at least 200 MPDUs at 24 Mbit/s" in line
    assert "(20 more by their sequence numbers)" in line
    (because,) = [one["because"] for one in told["abstained"] if one["code"] == "W001"]
    assert "20 MPDUs, 9 % by their sequence numbers, were not heard, nor any answer to them" in because


def test_numbers_of_a_count_that_other_frames_share_are_of_no_link(tmp_path: Path) -> None:
    air = Monitor()
    for turn in range(40):
        air.qos(0.1 + turn * 0.01, turn, turn)
        # Beacons, and data to groups: each third frame the monitor does not hear.
        air.numbers += 1
        air.frame(
            0.105 + turn * 0.01, bytes([0x08, FROM_AP, 0, 0]) + EVERYBODY + AP + OTHER + air.number() + bytes(100)
        )
        air.beacon(0.107 + turn * 0.01)
    told, (line, *_) = lines(air, tmp_path / "shared.pcap")
    assert [link["left_out"] for link in told["links"]] == [0]
    assert "gets 40 MPDUs" in line
    assert "by their sequence numbers" not in line


def test_a_station_whose_data_needs_no_access_point_was_heard(tmp_path: Path) -> None:
    air = Monitor()
    other = STATION[:5] + b"\2"
    for turn in range(40):
        header = b"\x08\0\0\0" + other + STATION + AP
        air.frame(0.1 + turn * 0.01, header + air.number() + bytes(200))
        air.ack(0.105 + turn * 0.01, STATION)
        air.ack(0.108 + turn * 0.01, STATION)
    told, said = lines(air, tmp_path / "direct.pcap")
    assert told["unheard"] == []
    assert not any("nothing was heard" in line for line in said)


def test_how_many_went_together_is_said_where_the_radio_tells_it(tmp_path: Path) -> None:
    def sent(*, named: bool) -> str:
        air = Monitor(names_ampdus=named)
        for turn in range(200):
            air.qos(0.1 + turn // 4 * 0.01 + turn % 4 * 1e-5, turn, turn // 4)
            if turn % 4 == 3:
                air.block_ack(0.102 + turn // 4 * 0.01, turn - 3, 0xF)
        _, (line,) = lines(air, tmp_path / "together.pcap")
        return line

    assert ", 4 in a PPDU, " in sent(named=True)
    assert "in a PPDU" not in sent(named=False)


@pytest.mark.parametrize(
    ("width", "says"), [(80, "02:00:00:00:00:00, of whose data it misses most, say 80 MHz"), (20, "")]
)
def test_a_monitor_of_a_part_of_the_channel_is_to_listen_to_all_of_it(tmp_path: Path, width: int, says: str) -> None:
    air = Monitor()
    vht = bytes([192, 5, 1, 42, 0, 0xFC, 0xFF]) if width == 80 else b""
    for turn in range(100):
        at = 0.1 + turn * 0.01
        air.beacon(at, more=vht)
        air.qos(at + 0.001, turn * 8, turn)
        air.block_ack(at + 0.002, turn * 8, 0xFF)
    told, _ = lines(air, tmp_path / "narrow.pcap")
    (remedy,) = [one["remedy"] for one in told["findings"] if one["code"] == "W001"]
    assert says in remedy
    assert ("nothing wider than 20 MHz" in remedy) == (width == 80)
    assert "Put the monitor beside the receiver" in remedy
