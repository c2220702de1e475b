"""What a diagnosis says whether or not anything is wrong; captures that are not of one time."""

from __future__ import annotations

import gzip
import json
import re
import struct
import subprocess
import sys
from typing import TYPE_CHECKING, cast

import pytest

from airloom.diagnosis.captures_in_words import compared
from airloom.diagnosis.facts.common import MOST, ends
from airloom.diagnosis.facts.echoes import pings
from airloom.diagnosis.facts.flows import flow, flows
from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.facts.streams import lost_of
from airloom.diagnosis.layers import Drawing, Item
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead, looked
from airloom.errors import CaptureError
from foreign.worlds import HERE as FOREIGN

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, FlowSeen, RtpSeen

HOUR = 3600
HEAD, RECORD = 24, 16
"""Octets of a pcap's header, and of a record's."""

UNITS = 10**6
"""Of ns-3's stamps in a second."""


NOTHING: dict[str, list[object]] = {
    key: [] for key in ("findings", "captures", "stations", "links", "connections", "streams")
}
"""A diagnosis of nothing."""


def captured(name: str, place: str) -> Path:
    """A capture of ns-3's."""
    return FOREIGN / f"{name}.{place}.pcap.gz"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs airloom."""
    command = [sys.executable, "-m", "airloom", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def later(capture: Path, out: Path, seconds: int) -> Path:
    """A copy with stamps that are so much later."""
    octets = bytearray(gzip.decompress(capture.read_bytes()))
    offset = HEAD
    while offset < len(octets):
        at, _, length, _ = struct.unpack_from("<IIII", octets, offset)
        struct.pack_into("<I", octets, offset, at + seconds)
        offset += RECORD + length
    out.write_bytes(octets)
    return out


def faster(capture: Path, out: Path, times: int) -> Path:
    """A copy in which all goes so many times as fast."""
    octets = bytearray(gzip.decompress(capture.read_bytes()))
    offset = HEAD
    while offset < len(octets):
        seconds, rest, length = struct.unpack_from("<III", octets, offset)
        struct.pack_into("<II", octets, offset, *divmod((seconds * UNITS + rest) // times, UNITS))
        offset += RECORD + length
    out.write_bytes(octets)
    return out


def test_a_flow_has_a_line_with_nothing_wrong() -> None:
    found = diagnose([captured("sound", "server")])
    assert not found["findings"]
    (line,) = flows(found)
    assert re.search(
        r"^10\.\S+ to 10\.\S+: \d+\.\d+ Mbit/s for \d\.\d s; round trips \d+\.\d+ ms, 95th percentile ", line
    )
    assert "0.15 % sent again (3 after duplicate ACKs)" in line
    assert "the sender waited for acknowledgments " in line


def test_what_was_sent_again_is_told_by_kind() -> None:
    told = run("diagnose", captured("wire-loss", "server")).stdout
    found = diagnose([captured("wire-loss", "server")])
    (flow,) = [one for one in found["connections"] if one["tells_most"] and one["bytes"] > 0]
    counts = flow["retransmissions"]
    assert f"({counts['fast']} after duplicate ACKs" in " ".join(told.split())
    assert flow["span_s"] is not None
    start, end = flow["span_s"]
    assert flow["mbps"] == pytest.approx(8e-6 * flow["new_bytes"] / (end - start))
    assert 0 < flow["new_bytes"] < flow["bytes"]


def test_congestion_marks_are_told() -> None:
    (one, *_) = diagnose([captured("sound", "server")])["connections"]
    assert "congestion mark" not in flow(one)
    line = flow({**one, "packets": 1000, "marked": 74, "reduced": 3})
    assert "at least 7.40 % of its packets with a congestion mark" in line
    assert "the sender reduced its window for congestion marks 3 times" in line


def test_a_rate_of_which_the_capture_has_a_part_is_the_least() -> None:
    (one, *_) = diagnose([captured("sound", "server")])["connections"]
    line = flow({**one, "new_bytes": 1_000_000, "mbps": 100.0, "missing": 1_000_000, "missing_share": 0.5})
    assert "at least 100 Mbit/s" in line
    assert "50\u00a0% of what was acknowledged is not in the capture" in line
    assert "at least" not in flow({**one, "missing": 0})


def test_a_round_trip_that_is_much_longer_than_most_is_said() -> None:
    (one, *_) = diagnose([captured("sound", "server")])["connections"]
    times = one["rtt_ms"]
    assert "at most" not in flow(one)
    assert ", at most 2,200 ms" in flow({**one, "rtt_ms": {**times, "max": 2200.0}})
    # A delayed acknowledgment is no wait.
    assert "at most" not in flow({**one, "rtt_ms": {**times, "max": 200.0}})


def test_round_trips_of_a_capture_in_the_middle_are_those_to_the_receiver() -> None:
    (one, *_) = diagnose([captured("sound", "server")])["connections"]
    assert "from the capture" not in flow({**one, "seen_from": "sender"})
    line = flow({**one, "seen_from": "middle", "near_sender": True})
    assert " from the capture to the receiver and back" in line


def test_away_from_the_sender_a_timer_is_not_told_from_a_wait_below_the_sender() -> None:
    """A station whose frames collide kept what duplicate ACKs had asked for as long as a timer lasts."""
    (one, *_) = diagnose([captured("sound", "server")])["connections"]
    again = {**one["retransmissions"], "all": 24, "fast": 20, "timeout": 2, "after_timeout": 2}
    told = {place: flow({**one, "seen_from": place, "retransmissions": again}) for place in ("sender", "middle")}
    assert "(20 after duplicate ACKs, 2 by the timer, 2 behind a timeout)" in told["sender"]
    assert "(20 after duplicate ACKs, 4 late, by the timer or by a wait below its sender)" in told["middle"]
    again["fast"] = 0
    assert "2 by the timer, 2 behind a timeout" in flow({**one, "seen_from": "middle", "retransmissions": again})


def test_a_station_has_a_line() -> None:
    every = facts(diagnose([captured("anomaly", "air")]))
    lines = [line for line in every if line.startswith("station ")]
    assert len(lines) == 2
    assert all("% of unicast data's air time" in line and "dB above the noise" in line for line in lines)


def test_of_many_flows_there_are_a_few_lines_and_one_for_the_rest() -> None:
    found = diagnose([captured("sound", "server")])
    (one,) = [flow for flow in found["connections"] if flow["tells_most"]]
    many = [one | {"from": f"10.0.0.1:{port}", "bytes": port} for port in range(1, 1001)]
    lines = flows(found | {"connections": many})
    assert len(lines) == 1
    assert lines == ["1,000 other flows together: 100 % of the octets; 3,000 segments sent again in 1,000 of them"]
    lines = flows(found | {"connections": [*many, one | {"bytes": 10**9}]})
    assert len(lines) == 2 <= MOST
    assert lines[1].startswith("1,000 other flows together: ")


def test_data_that_an_end_never_acknowledges_is_told_first() -> None:
    found = diagnose([captured("sound", "server")])
    (one,) = [flow for flow in found["connections"] if flow["tells_most"]]
    assert one["acknowledged"] > 0
    silent = one | {"acknowledged": 0}
    line = f"3 of 4 connections to {one['to']}: data sent, none of it acknowledged in the capture"

    def said(many: list[FlowSeen]) -> tuple[bool, bool]:
        of = found | {"connections": [flow | {"from": f"10.0.0.1:{port}"} for port, flow in enumerate(many, 1)]}
        first = " ".join(lead(of))
        return line in flows(of) and line in first, "found nothing wrong" in first

    assert said([silent, silent, silent, one]) == (True, False)
    assert said([silent, silent, one, one]) == (False, True)
    # Where nothing of the receiver is captured, its acknowledgments may not be either.
    assert said([silent, silent, silent | {"both_ways": False}, one]) == (False, True)


def test_what_was_lost_before_the_air_is_told_as_the_least() -> None:
    """Of some segments it does not show where they were lost."""
    found = diagnose([captured("sound", "server")])
    (one,) = [flow for flow in found["connections"] if flow["tells_most"]]
    one |= {"before_air": {"captures": [0, 0], "segments": 90, "share": 0.018, "up": True, "perhaps_in_air": False}}
    told = found | {"connections": [one], "findings": []}
    (line,) = flows(told)
    assert "at least 1.80 % lost before the air" in line
    assert f"but at least 1.80 % of the segments of {ends(one)} passed " in " ".join(lead(told))


def test_what_flows_without_a_line_of_their_own_sent_again_is_told() -> None:
    found = diagnose([captured("sound", "server")])
    (one,) = [flow for flow in found["connections"] if flow["tells_most"]]
    none = dict.fromkeys(one["retransmissions"], 0)
    again = {**none, "all": 4, "handshake": 1, "needless": 2}
    one |= {"retransmissions": none}
    many = [one | {"from": f"10.0.0.1:{port}", "bytes": port} for port in range(1, 1001)]
    many[0] = many[0] | {"retransmissions": again}
    many[1] = many[1] | {"retransmissions": {**again, "needless": 0}}
    (line,) = flows(found | {"connections": many})
    assert line == (
        "1,000 other flows together: 100 % of the octets; 6 segments sent again in 2 of them, 2 of these needlessly"
    )
    # FINs count with them, also of flows of which nothing else was sent again.
    many[2] = many[2] | {"retransmissions": {**none, "fins": 2}}
    (line,) = flows(found | {"connections": many})
    assert "; 6 segments and 2 FINs sent again in 3 of them, 2 of these needlessly" in line
    (line,) = flows(found | {"connections": [one | {"retransmissions": {**again, "fins": 1}}]})
    assert "needlessly) and 1 FIN" in line


def test_a_sender_that_recovered_for_long_is_told_first_where_nothing_was_found() -> None:
    """Few segments were lost, and a fifth of the time went by until they had come."""
    found = diagnose([captured("sound", "server")])
    (one,) = [flow for flow in found["connections"] if flow["tells_most"]]
    limits = {"congestion": 0.81, "receiver": 0.0, "application": 0.0, "recovery": 0.19, "unclear": 0.0}
    for recovered in (0.19, 0.02):
        changed = one | {"near_sender": True, "limits": {**limits, "recovery": recovered}}
        said = lead({**found, "findings": [], "connections": [changed]})[0]
        way = f"{one['from']} to {one['to']}"
        assert (f"The sender of {way} recovered from losses for 19 % of the time. " in said) is (recovered > 0.1)
        assert ("found nothing else wrong" in said) is (recovered > 0.1)


def test_captures_of_two_times_are_refused_with_the_question(tmp_path: Path) -> None:
    air = captured("queue", "air")
    late = later(captured("queue", "server"), tmp_path / "later.pcap", HOUR)
    with pytest.raises(CaptureError, match="are they of the same time"):
        diagnose([air, late])
    came = run("diagnose", air, late)
    assert (came.returncode, came.stdout) == (2, "")
    assert f"editcap -t -{HOUR}" in came.stderr
    assert "--against AFTER" in came.stderr
    other = later(captured("sound-n", "air"), tmp_path / "other.pcap", HOUR)
    with pytest.raises(CaptureError, match="has no time in common"):
        diagnose([air, other])
    # A clock that is off by seconds is corrected.
    diagnose([air, later(captured("queue", "server"), tmp_path / "soon.pcap", 3)])


def test_the_folder_of_a_diagnosis_is_no_run(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    assert run("diagnose", captured("sound", "server"), "-o", folder).returncode == 0
    assert json.loads((folder / "diagnosis.json").read_text())["captures"]
    for command in (("compare", folder, folder), ("report", folder)):
        came = run(*command)
        assert came.returncode == 2
        assert "a diagnosis of captures, not the folder of a run" in came.stderr
        assert "airloom run" not in came.stderr


def test_a_flat_window_is_found_however_short_the_way_is(tmp_path: Path) -> None:
    capture = captured("sends-little-down", "server")
    assert "W405" in {one["code"] for one in diagnose([capture])["findings"]}
    found = diagnose([faster(capture, tmp_path / "short.pcap", 5)])
    assert "W405" in {one["code"] for one in found["findings"]}


def test_losses_name_all_moments_and_the_records_of_the_first() -> None:
    (lost,) = [one for one in diagnose([captured("wire-loss", "server")])["findings"] if one["code"] == "W306"]
    assert len(lost["frames"]) == 16 < len(lost["spans"])


def test_a_roam_costs_its_part_of_the_time() -> None:
    found = diagnose([captured("away", "air")])
    (roam,) = [one for one in found["findings"] if one["code"] == "W103"]
    away = sum(end - start for start, end in roam["spans"])
    span = found["captures"][0]["span_s"]
    assert span is not None
    assert away > 1
    # Data begins somewhat later than the capture, and goes on to its end.
    part = away / (span[1] - span[0])
    assert part <= roam["cost"]["share"] < 1.2 * part


def test_the_summary_says_what_leads_to_what() -> None:
    said = lead(diagnose([captured("anomaly", "air")]))
    assert [line for line in said if line.startswith("It leads to: ")] == ["It leads to: contention."]
    assert [line for line in said if line.startswith("Its reason: ")] == ["Its reason: rate stuck low."]


def test_a_copy_of_a_capture_is_left_out(tmp_path: Path) -> None:
    copy = tmp_path / "copy.pcap.gz"
    copy.write_bytes(captured("sound-n", "air").read_bytes())
    assert [seen["also"] for seen in diagnose([captured("sound-n", "air"), copy])["captures"]] == [[str(copy)]]


def test_captures_that_share_no_connection_are_said_to() -> None:
    def found(*ends: str) -> Diagnosis:
        flows = [{"capture": place, "from": "10.0.0.1:5000", "to": to} for place, to in enumerate(ends)]
        told = {"captures": [{"clock": None, "place": "host"} for _ in ends], "connections": flows, "streams": []}
        return cast("Diagnosis", told)

    assert "shares no connection" in compared(found("10.0.0.2:4", "10.0.0.3:4"), 1)
    assert "too few packets are in both" in compared(found("10.0.0.2:4", "10.0.0.2:4"), 1)


def test_a_single_rule_that_cannot_tell_is_no_others() -> None:
    def said(many: int) -> str:
        return looked(cast("Diagnosis", NOTHING | {"abstained": [{"code": "W001"}] * many}), "")

    assert said(1).endswith("One cannot tell, for the reason below.")
    assert said(2).endswith("The others cannot tell, for the reasons below.")


def test_nothing_wrong_is_not_said_without_the_share_of_another_network() -> None:
    """Two networks on a channel; the twin of the first without the second carried a third more."""

    def said(neighbour: float, findings: tuple[str, ...] = (), own: str = "02:00:00:00:00:02") -> str:
        radios = [
            {"mac": f"02:00:00:00:00:0{place}", "kind": kind, "ssid": ssid, "channel_mhz": 5180}
            for place, (kind, ssid) in enumerate(
                [("ap", "home"), ("ap", "neighbour"), ("station", None), ("station", None)]
            )
        ]
        links = [
            {
                "from": radios[2 + place]["mac"],
                "to": radios[place]["mac"],
                "airtime_s": part,
                "mpdus": 100,
                "left_out": 0,
                "heard": None,
                "lets": None,
            }
            for place, part in enumerate((1 - neighbour, neighbour))
        ]
        made = NOTHING | {
            "captures": [{"stations": [own] if own else [], "lulls": []}],
            "stations": radios,
            "links": links,
            "abstained": [],
            "findings": [{"code": code, "subject": ""} for code in findings],
        }
        return looked(cast("Diagnosis", made), "")

    share = 'another network, "neighbour" (02:00:00:00:00:01), takes 28\u00a0% of unicast data\'s air time'
    assert said(0.28).endswith(f"found nothing wrong, but {share}.")
    assert said(0.03).endswith("found nothing wrong.")
    assert said(0.28, ("W201",)).endswith("found nothing wrong.")
    assert 'another network, "home" (02:00:00:00:00:00), takes 72' in said(0.28, own="02:00:00:00:00:03")
    assert said(0.28, own="").endswith(f'{share}, beside "home" (02:00:00:00:00:00).')


def test_pings_without_any_answer_are_not_summed_up() -> None:
    """As `many-protocols.pcap` of PcapPlusPlus has them: nine requests to a host that never answered."""

    def pair(name: str, requests: int, answered: int) -> dict[str, object]:
        return {
            "capture": 0,
            "from": "10.0.0.1",
            "to": name,
            "tells_most": True,
            "at_answerer": False,
            "span_s": [0.0, 8.0],
            "requests": requests,
            "answered": answered,
            "open": 0,
            "returned": 0,
            "unasked": 0,
            "longest": 56,
            "bytes": 0,
            "rtt_ms": {},
        }

    def said(*pairs: dict[str, object], place: str = "host") -> list[str]:
        return pings(cast("Diagnosis", {"pings": pairs, "too_big": [], "captures": [{"place": place}]}))

    told = said(pair("8.8.8.8", 40, 40), pair("1.2.3.4", 9, 0))
    assert told[1] == "10.0.0.1 to 1.2.3.4: ICMP echo, 9 requests in 8.0 s, none answered"
    rest = said(pair("8.8.8.8", 40, 40), pair("10.0.0.5", 2, 0), pair("10.0.0.6", 2, 2))[-1]
    assert rest == "2 other pairs with ICMP echo: 6 packets, 2 of 4 requests answered"
    rest = said(pair("8.8.8.8", 40, 40), pair("10.0.0.6", 2, 2))[-1]
    assert rest == "1 other pair with ICMP echo: 4 packets"
    (line,) = said(pair("8.8.8.8", 40, 38), pair("1.2.3.4", 9, 0), place="air")[:1]
    assert line == "10.0.0.1 to 8.8.8.8: ICMP echo, 40 requests in 8.0 s, of 2 no answer was heard"


def test_losses_of_rtp_are_told_by_source_with_the_most_in_a_row() -> None:
    def said(*sources: tuple[int, int, int]) -> str:
        each = [
            {"source": place, "sent": sent, "missing": missing, "in_a_row": in_a_row}
            for place, (sent, missing, in_a_row) in enumerate(sources, 1)
        ]
        sent, missing = sum(of[0] for of in sources), sum(of[1] for of in sources)
        return lost_of(
            cast("RtpSeen", {"sent": sent, "missing": missing, "hole": 0, "hole_s": [0.0, 0.0], "sources": each})
        )

    assert said((1000, 50, 1)) == "5 % of its RTP is missing"
    assert said((1000, 50, 7)) == "5 % of its RTP is missing (at most 7 in a row)"
    assert said((1000, 50, 45), (9000, 0, 0)) == (
        "0.50 % of its RTP is missing (5 % of source 0x00000001, at most 45 packets in a row; none of 1 other)"
    )


def test_beside_a_chart_stands_a_mean_of_frames_or_the_longest() -> None:
    drawing = Drawing(0.1, {}, [])
    frames = Item("station", [None, 10.0, None, 1.0], weights=[None, 1.0, None, 9.0])
    assert drawing.trace("retries", "", frames).mean == pytest.approx(1.9)
    longest = Item("flow", [None, 14.0, None, 120.0], longest=True)
    assert drawing.trace("longest", "", longest).mean == 120.0
