"""Streams of UDP: what comes of them, what is missing of RTP, and what changed between two times."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.against.told import against
from airloom.diagnosis.captures_in_words import described
from airloom.diagnosis.facts.streams import streams
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import gaps, headline, lead
from field.calls import EVERY, OCTETS, at_both, at_host, call, datagram, heard, on_air

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.against.changes import Change

NUMBERS = [
    "loss of UDP",
    "jitter of UDP",
    "goodput of UDP",
]

PUT = "It was lost before the capture, or not captured: one capture does not tell."
"""Where packets of RTP may have gone."""


def changed(before: Path, after: Path) -> dict[str, Change]:
    """The measures of two captures."""
    return {one["measure"]: one for one in against([before], [after])["changes"]}


def test_a_call_has_a_line(tmp_path: Path) -> None:
    found = diagnose([heard(call(30, lost=0.02), tmp_path / "call.pcap")])
    (stream,) = found["streams"]
    came = sum(1 for _ in call(30, lost=0.02))
    assert (stream["packets"], stream["bytes"]) == (came, came * OCTETS)
    assert stream["rtp"]
    assert (stream["rtp"]["sent"], stream["rtp"]["missing"]) == (1500, 1500 - came)
    assert stream["steady"]
    start, end = stream["span_s"]
    (line,) = streams(found)
    assert line.startswith(
        f"10.0.0.2:40000 to 10.0.0.1:5004: UDP, 67.6 kbit/s for {end - start:.1f} s; {came:,} packets"
    )
    assert f"{100 * (1500 - came) / 1500:.2f} % of its RTP is missing (at most 2 in a row), jitter " in line


def test_missing_packets_and_jitter_are_what_tshark_counts(tmp_path: Path) -> None:
    tshark = shutil.which("tshark")
    assert tshark, "tshark is needed"
    capture = heard(call(30, lost=0.03, late=0.004), tmp_path / "call.pcap")
    words = [tshark, "-r", str(capture), "-o", "rtp.heuristic_rtp:TRUE", "-q", "-z", "rtp,streams"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    row = re.search(
        r"(\d+)\s+(-?\d+) \([-\d.]+%\)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)", told
    )
    assert row, told
    (stream,) = diagnose([capture])["streams"]
    assert stream["rtp"]
    assert (stream["packets"], stream["rtp"]["missing"]) == (int(row[1]), int(row[2]))
    assert stream["rtp"]["jitter_ms"] == pytest.approx(float(row[7]), rel=0.05)


def test_a_monitor_hears_a_stream_once_and_does_not_say_what_was_lost(tmp_path: Path) -> None:
    (stream,) = diagnose([on_air(call(10, lost=0.1), tmp_path / "air.pcap")])["streams"]
    assert stream["packets"] == sum(1 for _ in call(10, lost=0.1))
    assert stream["rtp"] is None


def test_what_is_lost_of_a_call_is_a_change(tmp_path: Path) -> None:
    found = changed(
        heard(call(60, lost=0.005, late=0.001), tmp_path / "one.pcap"),
        heard(call(60, lost=0.2, late=0.001, seed=2), tmp_path / "two.pcap"),
    )
    assert [found[name]["verdict"] for name in NUMBERS] == ["worse", "same", "worse"]
    assert found["goodput of UDP"]["follows_from"] == "loss of UDP"
    rate = 8e-6 * OCTETS / EVERY
    assert found["goodput of UDP"]["before"] == pytest.approx(0.995 * rate, rel=0.01)
    assert found["goodput of UDP"]["after"] == pytest.approx(0.8 * rate, rel=0.03)
    assert found["goodput"]["before"] is None, "there is no TCP"


def test_late_packets_are_jitter(tmp_path: Path) -> None:
    found = changed(
        heard(call(60, late=0.001), tmp_path / "one.pcap"),
        heard(call(60, late=0.012, seed=2), tmp_path / "two.pcap"),
    )
    assert [found[name]["verdict"] for name in NUMBERS] == ["same", "worse", "same"]


def test_without_numbers_it_does_not_show_whether_as_much_was_sent(tmp_path: Path) -> None:
    one = heard(call(60), tmp_path / "one.pcap", rtp=False)
    fewer = heard(call(60, lost=0.3), tmp_path / "two.pcap", rtp=False)
    goodput = changed(one, fewer)["goodput of UDP"]
    assert goodput["verdict"] == "cannot tell"
    assert goodput["ratio"] == pytest.approx(0.7, abs=0.03)
    assert (
        goodput["because"]
        == "what was sent of UDP does not show: it takes RTP in a host's capture, or captures of both hosts"
    )
    assert (
        changed(one, heard(call(60), tmp_path / "three.pcap", rtp=False, start=2e6))["goodput of UDP"]["verdict"]
        == "same"
    )


@pytest.mark.parametrize("rtp", [False, True])
def test_captures_of_a_call_alone_are_put_on_one_clock(tmp_path: Path, *, rtp: bool) -> None:
    """Packets take 10 ms either way, so the clocks are known to half of the way there and back."""
    first, second = diagnose(at_both(tmp_path, 10, 0.02, rtp=rtp, ahead=7.0))["captures"]
    assert first["clock"] is None
    assert second["clock"]
    assert second["clock"]["ahead_ms"] == pytest.approx(7000, abs=1)
    assert second["clock"]["within_ms"] == pytest.approx(10, abs=1)


def test_what_goes_to_many_hosts_at_once_makes_no_clock(tmp_path: Path) -> None:
    """It comes to both, and neither is on its way."""
    files = at_both(tmp_path, 10, 0.0)
    for file in files:
        octets = file.read_bytes()
        for host in (bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])):
            octets = octets.replace(host + bytes([0x9C, 0x40]), bytes([10, 0, 0, 255, 0x9C, 0x40]))
            octets = octets.replace(host + bytes([0x13, 0x8C]), bytes([224, 0, 0, 251, 0x13, 0x8C]))
        file.write_bytes(octets)
    assert diagnose(files)["captures"][1]["clock"] is None


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("ahead", [0.0, 7.0])
def test_what_is_lost_between_two_hosts_has_a_number(tmp_path: Path, ahead: float, order: int) -> None:
    """Nothing but IP's number tells packets from each other."""
    files = at_both(tmp_path, 30, 0.03, ahead=ahead)
    numbers = [number for _, number in call(30, lost=0.03)]
    sought = numbers[-1] - numbers[0] + 1
    missing = sought - len(numbers)
    given = files[::order]
    found = diagnose(given)
    lost = [one["lost"] for one in found["streams"] if one["from"] == "10.0.0.2:40000"]
    way = [given.index(file) for file in files]
    assert lost == [{"captures": way, "sought": sought, "missing": missing}] * 2
    there, back = sorted(streams(found), key=lambda line: not line.startswith("10.0.0.2"))
    assert f"{100 * missing / sought:.2f} % of what {files[0]} has is missing in {files[1]}" in there
    assert f"none of what {files[1]} has is missing in {files[0]}" in back


def test_loss_between_two_hosts_is_a_change(tmp_path: Path) -> None:
    sides = [at_both(tmp_path / str(seed), 60, lost, seed=seed) for seed, lost in ((1, 0.005), (2, 0.15))]
    found = {one["measure"]: one for one in against(sides[0], sides[1])["changes"]}
    assert [found[name]["verdict"] for name in ("loss of UDP", "goodput of UDP")] == ["worse", "worse"]
    assert found["goodput of UDP"]["follows_from"] == "loss of UDP"
    # Half of the packets, those back, all arrive.
    assert found["loss of UDP"]["before"] == pytest.approx(0.25, abs=0.2)
    assert found["loss of UDP"]["after"] == pytest.approx(7.5, abs=1)


def test_streams_for_which_there_is_no_room_are_said_to_be_left_out(tmp_path: Path) -> None:
    """There is room for 1,024: those that came before, of a packet each, make it for the others."""
    packets = [(number / 100, number) for number in range(1_500)]
    capture = heard(iter(packets), tmp_path / "many.pcap", ports=lambda number: (1_000 + number, 53))
    found = diagnose([capture])
    assert found["captures"][0]["datagrams_left_out"] + len(found["streams"]) == 1_500
    assert "1,024 packets of small UDP streams left out" in described(found["captures"][0])


def test_captures_without_udp_have_no_measure_of_it(tmp_path: Path) -> None:
    few = heard(call(0.5), tmp_path / "few.pcap")
    other = heard(call(0.5, seed=2), tmp_path / "other.pcap", start=2e6)
    assert not set(NUMBERS) & set(changed(few, other))


def test_what_is_missing_of_rtp_is_in_the_first_sentence(tmp_path: Path) -> None:
    few = diagnose([heard(call(30, lost=0.01), tmp_path / "few.pcap")])
    assert headline(few) == "No cause was found"
    assert "missing" not in lead(few)[0]
    many = diagnose([heard(call(30, lost=0.3), tmp_path / "many.pcap")])
    came = sum(1 for _ in call(30, lost=0.3))
    said = f"{100 * (1500 - came) / 1500:.1f} % of the RTP from 10.0.0.2:40000 to 10.0.0.1:5004 is missing. {PUT} "
    assert headline(many) == "RTP is missing"
    assert lead(many)[0].startswith(said)
    assert "rules could look (W108), and found nothing else wrong." in lead(many)[0]
    worst, *_ = many["streams"]
    assert worst["rtp"]
    others = [worst | {"to": f"10.0.0.1:{port}", "rtp": worst["rtp"] | {"sent": 100, "missing": 3}} for port in (1, 2)]
    assert " is missing, and some of 2 other streams. " in lead(many | {"streams": [*others, worst]})[0]


def test_where_another_capture_tells_where_rtp_was_lost_the_first_sentence_says_so(tmp_path: Path) -> None:
    files = at_both(tmp_path, 30, 0.3, rtp=True)
    said = lead(diagnose(files))[0]
    assert "% of the RTP from 10.0.0.2:40000 to 10.0.0.1:5004 is missing. " in said
    assert f"% of what {files[0]} has is missing in {files[1]}. " in said
    assert PUT not in said


def test_a_hole_in_a_call_is_told_apart_from_what_is_missing_now_and_then(tmp_path: Path) -> None:
    # 100 packets, none for 34 s though numbers and stamps go on, and then 59 more, as where a fax takes another stream.
    came = ((number * EVERY, number) for number in (*range(100), *range(1_812, 1_871)))
    found = diagnose([heard(came, tmp_path / "fax.pcap")])
    (line,) = streams(found)
    assert "; 1,712 packets of its RTP are missing at a stretch, in 2.0 to 36.2 s, and none of the rest" in line
    (said,) = gaps(found)
    assert said == (
        "From 2.0 to 36.2 s nothing of the RTP from 10.0.0.2:40000 to 10.0.0.1:5004 is in the capture, 1,712 packets "
        "by its numbers; none of the rest is missing. "
        "It went elsewhere, was lost before the capture, or not captured: one capture does not tell."
    )


def test_congestion_marks_of_a_stream_are_counted(tmp_path: Path) -> None:
    """Every fourth packet comes with CE in the two lowest bits of its second octet (RFC 3168 section 5)."""

    def packet(number: int) -> bytes:
        octets = datagram(number)
        return octets[:1] + bytes([3 if number % 4 == 0 else 1]) + octets[2:]

    marked = ((at, packet(number)) for at, number in call(30))
    found = diagnose([at_host(marked, tmp_path / "marks.pcap")])
    (stream,) = found["streams"]
    assert stream["marked"] == pytest.approx(375, abs=2)
    (line,) = streams(found)
    assert "25 % of its packets with a congestion mark" in line.replace("\N{NO-BREAK SPACE}", " ")
    (plain,) = streams(diagnose([heard(call(30), tmp_path / "plain.pcap")]))
    assert "congestion mark" not in plain
