"""Questions over UDP that nobody answered have a line, and what only looks like one has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from field.calls import at_host
from field.cut_off import EVERYBODY, HOST, OTHER, SERVERS, answers, datagram, questions

if TYPE_CHECKING:
    from pathlib import Path

    from field.cut_off import Timed

LARGE = 1_540
"""Octets of a datagram that goes in fragments."""


def lines(packets: list[Timed], folder: Path) -> list[str]:
    """The facts of these packets, in a capture that goes on for a while."""
    last = (60.0, datagram((HOST, EVERYBODY), (5353, 5353)))
    return facts(diagnose([at_host(iter(sorted([*packets, last])), folder / "host.pcap")]))


def test_questions_without_an_answer_are_counted(tmp_path: Path) -> None:
    lost = [(20.0 + number, datagram((HOST, SERVERS[0]), (50_000 + number, 53))) for number in range(5)]
    assert lines([*answers(questions(0, 10)), *lost], tmp_path) == [
        "86 streams of UDP",
        "5 of 45 questions over UDP had no answer, all to 192.168.1.1:53, which answered 14 others",
    ]


def test_a_question_that_a_resolver_repeats_five_times_is_one(tmp_path: Path) -> None:
    to = (HOST, SERVERS[0])
    lost = [
        (20.0 + 8 * number + again, datagram(to, (50_000 + number, 53))) for number in range(3) for again in range(5)
    ]
    (_, line) = lines([*answers(questions(0, 10)), *lost], tmp_path)
    assert line == "3 of 43 questions over UDP had no answer, all to 192.168.1.1:53, which answered 14 others"


def test_questions_in_fragments_that_vanish_are_told_as_such(tmp_path: Path) -> None:
    asked = [(20.0 + turn, datagram((HOST, SERVERS[turn % 2]), (50_000 + turn, 53), LARGE)) for turn in range(6)]
    (_, line) = lines([*answers(questions(0, 10)), *asked], tmp_path)
    assert line == (
        "6 of 46 questions over UDP had no answer, 6 of them larger than 1,500 octets; "
        "2 servers that answer shorter ones, and none of that size"
    )


def test_where_all_is_answered_there_is_no_line(tmp_path: Path) -> None:
    assert lines(list(answers(questions(0, 10))), tmp_path) == []


def test_what_asks_nothing_is_no_question(tmp_path: Path) -> None:
    """Log lines, what is for all, what answers a question of before, and a question of just now."""
    one_way = [(20.0 + turn, datagram((HOST, SERVERS[0]), (50_000 + turn, 514))) for turn in range(5)]
    packets = [
        *one_way,
        (25.0, datagram((OTHER, "192.168.1.255"), (50_100, 53))),
        (26.0, datagram((SERVERS[1], HOST), (53, 33_333))),
        (59.5, datagram((HOST, SERVERS[0]), (50_200, 53))),
    ]
    assert lines([*answers(questions(0, 10)), *packets], tmp_path) == []


def test_a_capture_of_one_direction_says_nothing(tmp_path: Path) -> None:
    assert lines(list(questions(0, 10)), tmp_path) == []


def test_probes_of_a_host_to_which_nothing_comes_back_have_one_line(tmp_path: Path) -> None:
    """As a call does that looks for a way to its other end: each port again and again, with one length."""
    probes = [
        (20.0 + again, datagram((HOST, OTHER), (50_000 + port, 3478 + port), 48))
        for port in range(5)
        for again in range(8)
    ]
    told = lines([*answers(questions(0, 10)), *probes], tmp_path)
    octets = 48
    assert (
        f"{HOST} to {OTHER}: 40 packets of {octets} octets each in 5 streams of UDP, "
        "from 20.0 to 27.0 s; nothing came back" in told
    )
