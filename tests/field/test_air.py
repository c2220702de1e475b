"""Rules of the air accuse on positive grounds only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead

from .conversation import MSS, Conversation
from .monitor import AP, INTERVAL, STATION, TO_AP, Monitor

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis


@pytest.fixture
def monitor() -> Monitor:
    """A monitor that has heard nothing yet."""
    return Monitor()


def told(monitor: Monitor, folder: Path) -> Diagnosis:
    """The diagnosis of what a monitor has heard."""
    return diagnose([monitor.write(folder / "air.pcap")])


def found(diagnosis: Diagnosis) -> set[str]:
    """The codes of what was found."""
    return {finding["code"] for finding in diagnosis["findings"]}


def silent(diagnosis: Diagnosis) -> dict[str, str]:
    """Why rules cannot tell, by their codes."""
    return {one["code"]: one["because"] for one in diagnosis["abstained"]}


def beacons(monitor: Monitor, until: float) -> None:
    """Beacons that say that nothing waits."""
    for number in range(round(until / INTERVAL) + 1):
        monitor.beacon(number * INTERVAL)


def spells(monitor: Monitor, starts: list[float], length: float) -> None:
    """Spells between PM=1 and PM=0."""
    for start in starts:
        monitor.null(start, asleep=True)
        monitor.null(start + length, asleep=False)


def traffic(monitor: Monitor, starts: list[float], length: float, until: float) -> None:
    """Data each 10 ms, wherever the station is there."""
    for step in range(round(until / 0.01)):
        at = 0.002 + step * 0.01
        if not any(start - 0.001 <= at <= start + length + 0.001 for start in starts):
            monitor.data(at, up=bool(step % 2))


TRIPS = [1.0 + 0.268 * trip for trip in range(24)]
"""When a scan's trips begin."""


def test_a_station_that_wakes_before_each_beacon_and_dozes_behind_it_does_not_scan(
    monitor: Monitor, tmp_path: Path
) -> None:
    beacons(monitor, 10)
    spells(monitor, [number * INTERVAL + 0.0011 for number in range(97)], 0.0903)
    assert "W101" not in found(told(monitor, tmp_path))


@pytest.mark.parametrize("late", [0.0003, 0.004], ids=["with the beacon", "behind it"])
def test_a_station_that_wakes_with_beacons_after_any_time_does_not_scan(
    monitor: Monitor, tmp_path: Path, late: float
) -> None:
    beacons(monitor, 20)
    for number in range(0, 180, 4):
        start = number * INTERVAL + 0.013 + 0.0037 * (number * 7 % 23)
        end = (number + 2) * INTERVAL + late
        monitor.data(start - 0.005, up=True)
        spells(monitor, [start], end - start)
    assert "W101" not in found(told(monitor, tmp_path))


def test_a_scan_beside_data_is_found_by_its_trips(monitor: Monitor, tmp_path: Path) -> None:
    beacons(monitor, 10)
    spells(monitor, TRIPS, 0.064)
    traffic(monitor, TRIPS, 0.064, 10)
    diagnosis = told(monitor, tmp_path)
    (finding,) = [one for one in diagnosis["findings"] if one["code"] == "W101"]
    assert finding["says"].startswith(f"1 scan with {len(TRIPS)} trips")


def test_a_doze_before_a_scan_is_no_trip_of_it(monitor: Monitor, tmp_path: Path) -> None:
    beacons(monitor, 10)
    spells(monitor, [0.1], 0.2)
    spells(monitor, TRIPS, 0.064)
    traffic(monitor, TRIPS, 0.064, 10)
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W101"]
    assert finding["says"].startswith(f"1 scan with {len(TRIPS)} trips")


def test_trips_that_end_with_data_are_trips_of_a_scan_too(monitor: Monitor, tmp_path: Path) -> None:
    """Of a station that had nothing to send before a trip, and something behind it."""
    beacons(monitor, 10)
    for number, start in enumerate(TRIPS):
        monitor.null(start, asleep=True)
        if number % 3 == 2:
            monitor.data(start + 0.064, up=True)
        else:
            monitor.null(start + 0.064, asleep=False)
            monitor.data(start + 0.067, up=False)
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W101"]
    assert finding["says"].startswith(f"1 scan with {len(TRIPS)} trips")


@pytest.mark.parametrize("heard", [False, True], ids=["without", "with"])
def test_without_beacons_a_scan_needs_probe_requests(monitor: Monitor, tmp_path: Path, heard: bool) -> None:
    monitor.beacon(0.0)
    spells(monitor, TRIPS, 0.064)
    traffic(monitor, TRIPS, 0.064, 10)
    if heard:
        monitor.probe(TRIPS[5] + 0.02)
    diagnosis = told(monitor, tmp_path)
    assert ("W101" in found(diagnosis)) == heard
    assert ("W101" in silent(diagnosis)) == (not heard)


def test_no_scan_has_more_trips_than_there_are_channels(monitor: Monitor, tmp_path: Path) -> None:
    starts = [1.0 + 0.268 * trip for trip in range(93)]
    beacons(monitor, 27)
    spells(monitor, starts, 0.03)
    traffic(monitor, starts, 0.03, 27)
    diagnosis = told(monitor, tmp_path)
    assert "W101" not in found(diagnosis)
    assert "channels" in silent(diagnosis)["W101"]


def test_a_station_that_visits_another_channel_by_the_slots_of_awdl_does_not_scan(
    monitor: Monitor, tmp_path: Path
) -> None:
    starts = [1.0 + 0.524288 * visit for visit in range(30)]
    beacons(monitor, 18)
    spells(monitor, starts, 0.065)
    traffic(monitor, starts, 0.065, 18)
    diagnosis = told(monitor, tmp_path)
    assert "W101" not in found(diagnosis)
    assert "AWDL" in silent(diagnosis)["W101"]


def test_spells_of_any_length_are_no_scan(monitor: Monitor, tmp_path: Path) -> None:
    beacons(monitor, 10)
    for trip, start in enumerate(TRIPS):
        monitor.data(start - 0.004, up=True)
        spells(monitor, [start], 0.012 + 0.17 * (trip * 5 % 24) / 24)
    diagnosis = told(monitor, tmp_path)
    assert "W101" not in found(diagnosis)


def test_a_monitor_that_hears_no_data_says_nothing_of_the_air(monitor: Monitor, tmp_path: Path) -> None:
    for number in range(50):
        for network in range(3):
            monitor.beacon(number * INTERVAL + network * 0.03, of=AP[:5] + bytes([16 * network]))
    for exchange in range(1000):
        monitor.block_ack(exchange * 0.005 + 0.0041, exchange * 30, (1 << 30) - 1)
    diagnosis = told(monitor, tmp_path)
    assert found(diagnosis) == {"W001"}
    assert {"W104", "W105", "W106", "W107", "W201", "W202", "W203", "W302", "W304"} <= set(silent(diagnosis))
    first, *_ = lead(diagnosis)
    assert "misses" in first
    assert not any("No rule" in sentence for sentence in lead(diagnosis))


def test_data_that_is_not_heard_counts_where_some_is(monitor: Monitor, tmp_path: Path) -> None:
    """Three in ten PPDUs are not heard: control frames then seem to be most of the air."""
    for exchange in range(1000):
        at = exchange * 0.002
        for index in range(3):
            if exchange % 10 > 2:
                monitor.qos(at, 3 * exchange + index, exchange, octets=330)
        monitor.block_ack(at + 0.0004, 3 * exchange, 7)
    diagnosis = told(monitor, tmp_path)
    (caveat,) = [one for one in diagnosis["findings"] if one["code"] == "W001"]
    assert caveat["value"] == pytest.approx(30, abs=0.1)
    assert all(
        finding["cost"]["unit"] != "% of the air" or finding["cost"]["value"] <= 100
        for finding in diagnosis["findings"]
    )


def exchanges(monitor: Monitor, answer: Any) -> None:
    """PPDUs of one to four MPDUs every 10 ms that arrive, each with an answer by their first number and their count."""
    number = 100
    for exchange in range(400):
        count = 1 + exchange % 4
        for index in range(count):
            monitor.qos(exchange * 0.01, number + index, exchange)
        monitor.block_ack(exchange * 0.01 + 0.0004 * count, *answer(number, count))
        number += count


def test_bits_that_are_not_kept_are_no_holes(monitor: Monitor, tmp_path: Path) -> None:
    exchanges(monitor, lambda number, count: (number + count - 64, ((1 << count) - 1) << (64 - count)))
    assert "W302" not in found(told(monitor, tmp_path))


def test_a_wait_that_no_receiver_waits_is_none(monitor: Monitor, tmp_path: Path) -> None:
    """A number that never comes, and a window that moves on after 63 others: 0.6 s later."""
    number = 0
    for exchange in range(600):
        number += 1 + (exchange % 20 == 0)
        start = max(number - 62, 0) if exchange else 0
        bitmap = sum(1 << (one - start) for one in range(start, number + 1) if one % 21 != 1)
        monitor.qos(exchange * 0.01, number, exchange)
        monitor.block_ack(exchange * 0.01 + 0.0004, start, bitmap)
    assert "W302" not in found(told(monitor, tmp_path))


def test_rates_that_need_more_signal_than_there_is_prove_that_the_receiver_hears_better(tmp_path: Path) -> None:
    monitor = Monitor(signal=-81)
    for exchange in range(400):
        for index in range(8):
            monitor.qos(exchange * 0.005, 8 * exchange + index, exchange, again=exchange % 6 == 0 and index == 0)
        monitor.block_ack(exchange * 0.005 + 0.0016, 8 * exchange, 0xFF)
    diagnosis = told(monitor, tmp_path)
    assert "W105" not in found(diagnosis)
    assert "hears better" in silent(diagnosis)["W105"]


def test_an_announced_absence_of_seconds_in_the_middle_of_data_is_a_scan(monitor: Monitor, tmp_path: Path) -> None:
    away = [2.0, 8.0]
    for number in range(round(12 / INTERVAL)):
        at = number * INTERVAL
        monitor.beacon(at, waiting=any(start < at < start + 3 for start in away))
    spells(monitor, away, 3.0)
    traffic(monitor, away, 3.0, 12)
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W101"]
    assert finding["value"] == pytest.approx(3000, abs=5)
    assert [round(start) for start, _ in finding["spans"]] == away


def test_a_long_doze_for_which_nothing_waits_is_none(monitor: Monitor, tmp_path: Path) -> None:
    beacons(monitor, 12)
    spells(monitor, [2.0, 8.0], 3.0)
    traffic(monitor, [2.0, 8.0], 3.0, 12)
    assert "W101" not in found(told(monitor, tmp_path))


def test_ppdus_that_are_lost_as_a_whole_most_of_the_time_are_interference(monitor: Monitor, tmp_path: Path) -> None:
    """Each A-MPDU of eight goes five times or three, and its BlockAck comes after the last."""
    for exchange in range(400):
        tries = 3 + 2 * (exchange % 2)
        for attempt in range(tries):
            at = exchange * 0.015 + attempt * 0.0025
            for index in range(8):
                monitor.qos(at, 8 * exchange + index, 5 * exchange + attempt, again=attempt > 0)
        monitor.block_ack(exchange * 0.015 + 0.0025 * tries - 0.0008, 8 * exchange, 0xFF)
    diagnosis = told(monitor, tmp_path)
    (finding,) = diagnosis["findings"]
    assert finding["code"] == "W107"
    assert finding["value"] == pytest.approx(75)


@pytest.mark.parametrize("hears", [True, False], ids=["both ends", "the access point alone"])
def test_bursts_are_interference_where_answers_are_heard(monitor: Monitor, tmp_path: Path, hears: bool) -> None:
    """A-MPDUs of eight, of which each twentieth goes seven times in 15 ms."""
    for exchange in range(600):
        tries = 7 if exchange % 20 == 10 else 1
        for attempt in range(tries):
            at = exchange * 0.02 + attempt * 0.0025
            for index in range(8):
                monitor.qos(at, 8 * exchange + index, 8 * exchange + attempt, again=attempt > 0)
        if hears or exchange % 10 == 0:
            monitor.block_ack(exchange * 0.02 + 0.0025 * tries - 0.0008, 8 * exchange, 0xFF)
    assert ("W107" in found(told(monitor, tmp_path))) == hears


def test_bursts_beyond_those_that_are_kept_count_as_the_others_do(monitor: Monitor, tmp_path: Path) -> None:
    """Of four MPDUs, each in a PPDU of its own, the first goes six times: five retries in 6 ms, every 20 ms."""
    many = 5000
    for burst in range(many):
        at = burst * 0.02
        for attempt in range(6):
            monitor.qos(at + attempt * 0.0015, 4 * burst, 9 * burst + attempt, again=attempt > 0)
        monitor.block_ack(at + 0.008, 4 * burst, 1)
        for more in range(1, 4):
            monitor.qos(at + 0.008 + more * 0.002, 4 * burst + more, 9 * burst + 5 + more)
            monitor.block_ack(at + 0.0085 + more * 0.002, 4 * burst + more, 1)
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W107"]
    assert finding["says"].startswith(f"{many} bursts of 6 ms")
    assert finding["value"] == pytest.approx(30, rel=0.01)


@pytest.mark.parametrize(("count", "said"), [(5, "8191 octets"), (1, "no agreement")])
def test_short_aggregation_is_told_by_what_more_would_carry(
    monitor: Monitor, tmp_path: Path, count: int, said: str
) -> None:
    number, at = 0, 0.0
    for exchange in range(1500):
        for index in range(count):
            monitor.qos(at, number + index, exchange, mcs=15, octets=1470)
        at += 36e-6 + count * 1520 * 8 / 130e6
        if count > 1:
            monitor.block_ack(at, number, (1 << count) - 1)
        else:
            monitor.ack(at, AP)
        at += 150e-6
        number += count
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W304"]
    around, each = 36 + 32 + 117, 1520 * 8 / 130
    more = (around / count + each) / (around / 16 + each) - 1
    assert finding["value"] == pytest.approx(100 * more, rel=0.1)
    assert said in finding["says"]


@pytest.mark.parametrize("tries", [1, 2])
def test_a_rate_that_does_not_work_is_no_interference(monitor: Monitor, tmp_path: Path, tries: int) -> None:
    """Each A-MPDU goes at two streams first, which never arrive, and then at one."""
    for exchange in range(500):
        for attempt in range(tries + 1):
            at = exchange * 0.012 + attempt * 0.0025
            for index in range(8):
                mcs = 15 if attempt < tries else 7
                monitor.qos(at, 8 * exchange + index, 3 * exchange + attempt, mcs=mcs, again=attempt > 0)
        monitor.block_ack(exchange * 0.012 + tries * 0.0025 + 0.0017, 8 * exchange, 0xFF)
    assert "W107" not in found(told(monitor, tmp_path))


def test_a_sender_with_little_to_send_beside_others_is_not_short_of_aggregation(
    monitor: Monitor, tmp_path: Path
) -> None:
    """Five MPDUs at a time, of 3 ms in which another station has 2.5 ms of A-MPDUs of its own."""
    other = bytes.fromhex("020000000002")
    for exchange in range(1000):
        at = exchange * 0.003
        for index in range(20):
            monitor.qos(at + 0.0024, 20 * exchange + index, 2 * exchange, to=other)
        monitor.block_ack(at + 0.0025, 20 * exchange, (1 << 20) - 1, of=other)
        for index in range(5):
            monitor.qos(at + 0.0028, 5 * exchange + index, 2 * exchange + 1, mcs=31)
        monitor.block_ack(at + 0.0029, 5 * exchange, 31)
    assert "W304" not in found(told(monitor, tmp_path))


def test_a_station_that_associates_with_the_same_access_point_anew_does_not_roam(
    monitor: Monitor, tmp_path: Path
) -> None:
    for step in range(40):
        monitor.data(step * 0.05 if step < 20 else 1.5 + step * 0.05, up=bool(step % 2))
    monitor.frame(1.1, bytes([0xC0, 0, 0, 0]) + STATION + AP + AP + monitor.number() + bytes([4, 0]))
    for at, subtype, target in ((2.2, 0x00, AP), (2.21, 0x10, STATION)):
        source = STATION if target == AP else AP
        monitor.frame(at, bytes([subtype, 0, 0, 0]) + target + source + AP + monitor.number() + bytes(8))
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W103"]
    assert "lost its association" in finding["says"]
    assert "802.11r" not in finding["remedy"]


def test_a_station_that_associates_anew_by_itself_has_lost_nothing(monitor: Monitor, tmp_path: Path) -> None:
    """It was silent before, as its program was; no end of its association was heard. The exchange alone is sure."""
    for step in range(40):
        monitor.data(step * 0.05 if step < 20 else 1.5 + step * 0.05, up=bool(step % 2))
    for at, subtype, target in ((2.46, 0x20, AP), (2.47, 0x30, STATION)):
        source = STATION if target == AP else AP
        monitor.frame(at, bytes([subtype, 0, 0, 0]) + target + source + AP + monitor.number() + bytes(8))
    assert "W103" not in found(told(monitor, tmp_path))


def test_a_station_that_lost_nothing_is_not_asked_why_it_was_lost(monitor: Monitor, tmp_path: Path) -> None:
    """Its way back takes 600 ms, and no end of its association was heard."""
    for step in range(40):
        monitor.data(step * 0.05 if step < 20 else 1.5 + step * 0.05, up=bool(step % 2))
    for at, subtype, target in ((1.9, 0x20, AP), (1.91, 0x30, STATION)):
        source = STATION if target == AP else AP
        monitor.frame(at, bytes([subtype, 0, 0, 0]) + target + source + AP + monitor.number() + bytes(8))
    (finding,) = [one for one in told(monitor, tmp_path)["findings"] if one["code"] == "W103"]
    assert "no end of its association was heard" in finding["says"]
    assert "was lost" not in finding["remedy"]
    assert "associated anew" in finding["remedy"]


def upload(monitor: Monitor, folder: Path, *, together: int, apart: float, trip: float, until: float = 12) -> set[str]:
    """What is found where a station sends so many segments together, and again; each burst is acknowledged later."""
    flow = Conversation()
    flow.open(0.001, 0.01)
    for number in range(round((until - 0.1) / apart)):
        at = 0.1 + number * apart
        for _ in range(together):
            flow.put(at, 0, MSS)
        flow.put(at + trip, 1)
    beacons(monitor, until)
    bursts: dict[tuple[float, bool], list[tuple[bytes, int]]] = {}
    for at, octets, length in flow.packets:
        bursts.setdefault((at, octets[29] == 1), []).append((octets[14:], length - 14))
    for ampdu, ((at, up), packets) in enumerate(sorted(bursts.items())):
        monitor.packets(at, [octets for octets, _ in packets], [length for _, length in packets], ampdu, up=up)
    return found(told(monitor, folder))


def test_a_second_monitor_has_no_station_of_its_own(monitor: Monitor, tmp_path: Path) -> None:
    upload(monitor, tmp_path, together=4, apart=0.05, trip=0.02, until=3)
    # It misses the last frame: what is the same file twice is refused.
    monitor.heard.pop()
    files = [tmp_path / "air.pcap", monitor.write(tmp_path / "second.pcap")]
    host = Conversation()
    host.open(0.001, 0.01)
    for number in range(50):
        host.put(0.1 + number * 0.05, 0, MSS)
    captures = diagnose([*files, host.write(tmp_path / "host.pcap")])["captures"]
    assert [one["stations"] for one in captures] == [[], [], [STATION.hex(":")]]


@pytest.mark.parametrize("trip", [0.02, 0.03, 0.04])
def test_a_full_window_whose_round_trips_are_whole_milliseconds_is_no_bus(
    monitor: Monitor, tmp_path: Path, trip: float
) -> None:
    # A sender that takes 2 ms for each answer may be one with a timer: its window is not accused either.
    assert upload(monitor, tmp_path, together=16, apart=trip, trip=trip - 0.002) == set()


def test_one_segment_every_other_millisecond_is_a_bus_or_a_program_with_a_timer(
    monitor: Monitor, tmp_path: Path
) -> None:
    assert "W305" not in upload(monitor, tmp_path, together=1, apart=0.002, trip=0.0205)
    assert "a program with a timer" in silent(told(monitor, tmp_path))["W305"]


def test_one_segment_in_each_round_trip_of_2_ms_is_no_bus(monitor: Monitor, tmp_path: Path) -> None:
    assert "W305" not in upload(monitor, tmp_path, together=1, apart=0.002, trip=0.0017)


@pytest.mark.parametrize("hears", [True, False], ids=["beacons", "no beacons"])
def test_what_waits_for_a_station_that_dozes_is_not_known_without_beacons(
    monitor: Monitor, tmp_path: Path, hears: bool
) -> None:
    """As a capture filter leaves it that takes data alone."""
    starts = [0.5 + spell for spell in range(10)]
    if hears:
        beacons(monitor, 11)
    spells(monitor, starts, 0.3)
    traffic(monitor, starts, 0.3, 11)
    because = silent(told(monitor, tmp_path))
    assert ("W102" in because) != hears
    assert hears or "no beacon" in because["W102"]


def test_a_roam_of_which_no_management_frame_was_heard_is_not_denied(monitor: Monitor, tmp_path: Path) -> None:
    """Data goes by another access point, 600 ms later."""
    other = bytes.fromhex("020000000009")
    for step in range(400):
        bssid = AP if step < 200 else other
        at = 0.1 + step * 0.01 + (0.6 if step >= 200 else 0)
        head = bytes([0x08, TO_AP, 44, 0]) + bssid + STATION + bssid + monitor.number()
        monitor.frame(at, head + bytes(1000))
        monitor.ack(at + 0.0004, STATION)
    diagnosis = told(monitor, tmp_path)
    assert "W103" not in found(diagnosis)
    assert "610 ms later" in silent(diagnosis)["W103"]
