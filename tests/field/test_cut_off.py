"""A host to which nothing comes back is found, and what only looks like one is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from field.calls import at_host
from field.conversation import Conversation
from field.cut_off import ANSWERED, HOST, SERVERS, answers, cut_off, datagram, others, questions

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis, Finding
    from field.cut_off import Timed


def told(found: Diagnosis) -> list[Finding]:
    """What the rule finds."""
    return [one for one in found["findings"] if one["code"] == "W408"]


def silent(found: Diagnosis) -> str | None:
    """Why the rule cannot tell, if it cannot."""
    return next((one["because"] for one in found["abstained"] if one["code"] == "W408"), None)


def of(packets: list[Timed], folder: Path) -> Diagnosis:
    """What is found in these packets."""
    return diagnose([at_host(iter(sorted(packets)), folder / "host.pcap")])


def test_a_host_that_is_cut_off_is_told(tmp_path: Path) -> None:
    (found,) = told(diagnose([cut_off(tmp_path / "host.pcap")]))
    assert found["subject"] == f"host {HOST}"
    assert found["value"] == pytest.approx(9.75)
    assert found["spans"] == [pytest.approx([ANSWERED, ANSWERED + 9.75])]
    assert found["cost"]["value"] == pytest.approx(9.75)
    assert found["cost"]["unit"] == "s"
    assert f"sent 40 packets to 3 others, 3 of which had answered it before, {SERVERS[0]} that it asks" in found["says"]
    assert "until the capture ends at 21.8 s. 10 packets of other hosts were captured meanwhile" in found["says"]


def test_it_ends_as_something_comes(tmp_path: Path) -> None:
    (found,) = told(diagnose([cut_off(tmp_path / "host.pcap", comes_again=True)]))
    assert found["spans"] == [pytest.approx([ANSWERED, ANSWERED + 10.02], abs=1e-6)]
    assert "until something did at 22.0 s" in found["says"]


def test_less_than_five_seconds_are_none(tmp_path: Path) -> None:
    assert told(diagnose([cut_off(tmp_path / "host.pcap", 4.5, comes_again=True)])) == []


def test_a_single_answer_is_enough(tmp_path: Path) -> None:
    """Whatever it is: here of one that was never asked."""
    packets = [*answers(questions(0, ANSWERED)), *questions(ANSWERED, 20)]
    assert len(told(of(packets, tmp_path))) == 1
    answer = (16.0, datagram(("203.0.113.99", HOST), (9, 9)))
    assert told(of([*packets, answer], tmp_path)) == []


def test_a_capture_of_one_direction_cannot_tell(tmp_path: Path) -> None:
    found = of([*questions(0, 20), *others(0, 20)], tmp_path)
    assert told(found) == []
    assert "a capture of one direction" in (silent(found) or "")


def test_a_scan_of_what_is_not_there_is_none(tmp_path: Path) -> None:
    """Two servers are asked as well, but what had answered is not asked mostly."""
    nobody = tuple(f"198.18.0.{number}" for number in range(1, 60))
    scan = [*questions(ANSWERED, 22, 0.1, nobody), *questions(ANSWERED, 22, 0.5, SERVERS[:2])]
    assert told(of([*answers(questions(0, ANSWERED)), *scan], tmp_path)) == []


def test_servers_that_are_gone_by_themselves_are_none(tmp_path: Path) -> None:
    packets = [*answers(questions(0, ANSWERED)), *questions(ANSWERED, 22, servers=SERVERS[:2])]
    assert told(of(packets, tmp_path)) == []


def test_a_burst_at_the_end_may_still_be_answered(tmp_path: Path) -> None:
    """An hour after a question that nobody answered."""
    lost = list(questions(ANSWERED, ANSWERED + 0.25))
    burst = questions(3_600, 3_601, 0.02)
    assert told(of([*answers(questions(0, ANSWERED)), *lost, *burst], tmp_path)) == []


def test_a_connection_that_dies_of_it_stands_below(tmp_path: Path) -> None:
    """From a host that sends the same data again and again, without an answer since the others fall silent."""
    talk = Conversation(ports=(49154, 445))
    talk.open(0.1, 0.02)
    for second in range(1, int(ANSWERED)):
        talk.put(second + 0.3, 0, 100)
        talk.put(second + 0.32, 1)
    sequence = talk.sequence[0]
    for at in (12.1, 12.3, 12.7, 13.5, 15.1, 18.3):
        talk.sequence[0] = sequence
        talk.put(at, 0, 100)
    host = bytes([10, 0, 0, 1])
    asked = [*answers(questions(0, ANSWERED)), *questions(ANSWERED, 22)]
    dead = [(at, octets[14:] + bytes(length - len(octets))) for at, octets, length in talk.packets]
    same = [(at, octets.replace(bytes([192, 168, 1, 9]), host)) for at, octets in asked]
    found = of([*dead, *same], tmp_path)
    codes = [one["code"] for one in found["findings"]]
    assert codes == ["W408", "W406"]
    assert found["findings"][1]["below"] == 0
