"""Connections that stand still: full packets that vanish, an end that is gone, a window that stays closed."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import headline, lead
from field.conversation import ACK, FIN, RST, Conversation
from field.standstill import FULL, again, closed, dead, full_window, hole, talking

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Finding


def found(talk: Conversation, capture: Path) -> list[Finding]:
    return diagnose([talk.write(capture)])["findings"]


def test_full_packets_that_vanish_are_named(tmp_path: Path) -> None:
    (vanish,) = found(hole(), tmp_path / "hole.pcap")
    assert (vanish["code"], vanish["value"], vanish["threshold"]) == ("W307", FULL, 300)
    assert "tcp_mtu_probing" in vanish["remedy"]
    assert 35 < vanish["cost"]["value"] < 60
    assert len(vanish["frames"]) == 8


def test_what_a_sender_cuts_in_the_end_was_too_long_for_the_way(tmp_path: Path) -> None:
    """As `slowfile-serverside.pcapng` of packetpioneer's youtube: it is sent three times, then 536 octets of it."""

    def cut(times: int) -> list[Finding]:
        talk = talking(10)
        una = talk.sequence[0]
        talk.put(11, 0, FULL)
        talk.put(11.0001, 0, 563)
        talk.sequence[0] = una
        short = una + FULL
        talk.put(11.02, 1, options=struct.pack(">BBBBII", 1, 1, 5, 10, short, short + 563))
        talk.sequence[0] = una + FULL
        last = again(talk, 11.0225, FULL, times - 1)
        talk.sequence[0] = una
        talk.put(last + 9, 0, 536)
        talk.put(last + 9.02, 1)
        talk.put(last + 9.03, 0, FULL - 536)
        talk.sequence[0] = short + 563
        talk.put(last + 9.05, 1)
        return found(talk, tmp_path / f"cut-{times}.pcap")

    (vanish,) = [one for one in cut(3) if one["code"] == "W307"]
    assert (vanish["value"], round(vanish["cost"]["value"])) == (FULL, 10)
    assert "sent 3 times" in vanish["says"]
    assert "536 octets arrived at once" in vanish["says"]
    # Two may be chance.
    assert "W307" not in [one["code"] for one in cut(2)]


def test_an_end_that_goes_on_to_talk_shows_that_size_matters(tmp_path: Path) -> None:
    talk = talking(10)
    una = talk.sequence[0]
    talk.put(11, 0, FULL)
    last = again(talk, 11, FULL, 6)
    behind = talk.sequence[0]
    for line in range(int(last - 11)):
        talk.sequence[0] = una
        talk.put(11.5 + line, 1, 64)
        talk.put(11.5001 + line, 0)
    talk.sequence[0] = behind
    assert [one["code"] for one in found(talk, tmp_path / "talks.pcap")] == ["W307"]


def test_an_end_that_repeats_itself_hears_nothing(tmp_path: Path) -> None:
    """The way from the sender is gone for all packets: the server repeats a line, since no acknowledgment comes."""
    talk = talking(10)
    talk.put(11, 0, FULL)
    line = talk.sequence[1]
    last = again(talk, 11, FULL, 6)
    for second in range(int(last - 11)):
        talk.sequence[1] = line
        talk.put(11.5 + second, 1, 64)
    assert "W307" not in [one["code"] for one in found(talk, tmp_path / "repeats.pcap")]


def test_what_never_saw_anything_arrive_knows_no_size(tmp_path: Path) -> None:
    talk = hole()
    talk.packets = [packet for packet in talk.packets if packet[0] > talk.packets[-1][0] - 20]
    assert "W307" not in [one["code"] for one in found(talk, tmp_path / "middle.pcap")]


def test_a_way_that_carried_full_packets_has_no_hole(tmp_path: Path) -> None:
    talk = talking(10)
    talk.put(10.6, 0, FULL)
    talk.put(10.65, 1)
    full_window(talk, 11)
    assert [one["code"] for one in found(talk, tmp_path / "carried.pcap")] == ["W406"]


def test_an_end_that_is_gone_is_named(tmp_path: Path) -> None:
    (gone,) = found(dead(6), tmp_path / "dead.pcap")
    assert gone["code"] == "W406"
    assert gone["value"] > 10
    # Three seconds are no death, and neither is an answer in the end.
    assert found(dead(3), tmp_path / "short.pcap") == []
    answered = dead(6)
    answered.put(answered.packets[-1][0] + 0.02, 1, 64)
    assert "W406" not in [one["code"] for one in found(answered, tmp_path / "answered.pcap")]


def test_an_end_that_had_ended_the_connection_loses_nothing(tmp_path: Path) -> None:
    # Its last words, and that it is done, in one packet that nobody hears.
    talk = talking(10)
    last = talk.sequence[0]
    at = 11.0
    for turn in range(6):
        talk.sequence[0] = last
        talk.put(at, 0, 64, FIN | ACK)
        at += 2.0**turn
    (gone,) = found(talk, tmp_path / "closing.pcap")
    assert gone["code"] == "W406"
    assert gone["cost"]["value"] == 0
    assert "has ended the connection" in gone["says"]


def test_an_end_that_answers_others_is_not_gone(tmp_path: Path) -> None:
    talk = dead(6)
    (gone,) = found(talk, tmp_path / "dead.pcap")
    assert "Nothing else of that computer" in gone["says"]
    other = Conversation(ports=(40_001, 80))
    other.open(talk.packets[-1][0] - 1, 0.02)
    talk.packets = sorted(talk.packets + other.packets)
    (alone,) = found(talk, tmp_path / "alone.pcap")
    assert alone["code"] == "W406"
    assert "sends other packets: only this connection is dead" in alone["says"]
    assert "a host that is gone" not in alone["remedy"]


def test_an_end_that_lets_others_in_is_not_gone(tmp_path: Path) -> None:
    talk = dead(6)
    (gone,) = found(talk, tmp_path / "dead.pcap")
    other = Conversation(ports=(40_001, 445))
    other.open(gone["spans"][0][0] + 0.3, 0.02)
    talk.packets = sorted(talk.packets + other.packets)
    (alone,) = found(talk, tmp_path / "let-in.pcap")
    assert "sends other packets: only this connection is dead" in alone["says"]


def test_stamps_that_no_clock_made_tell_nothing(tmp_path: Path) -> None:
    talk = dead(6)
    talk.packets = [(number * 1e-6, *packet[1:]) for number, packet in enumerate(talk.packets)]
    diagnosis = diagnose([talk.write(tmp_path / "numbered.pcap")])
    assert diagnosis["findings"] == []
    assert all("stamped 1000 ns apart" in rule["because"] for rule in diagnosis["abstained"])


def test_a_last_word_that_nobody_hears_harms_none(tmp_path: Path) -> None:
    talk = talking(10)
    talk.put(11, 0, 0, FIN | ACK)
    wait, at = 0.22, 11.0
    for _ in range(6):
        at += wait
        wait *= 2
        talk.sequence[0] -= 1
        talk.put(at, 0, 0, FIN | ACK)
    assert found(talk, tmp_path / "last.pcap") == []


def test_a_window_that_stays_closed_is_named(tmp_path: Path) -> None:
    (window,) = found(closed(8), tmp_path / "closed.pcap")
    assert window["code"] == "W407"
    assert 7.9 < window["value"] < 8.1
    assert found(closed(2), tmp_path / "soon.pcap") == []


def test_a_window_of_which_nothing_more_is_heard_may_have_opened(tmp_path: Path) -> None:
    talk = closed(8)
    # The last that is heard of it is that it is closed; the capture goes on with another connection.
    del talk.packets[-3:]
    other = Conversation(ports=(40_001, 80))
    other.open(60, 0.02)
    talk.packets += other.packets
    assert found(talk, tmp_path / "unheard.pcap") == []


def test_a_sender_that_goes_on_after_the_other_end_has_closed_is_told_so(tmp_path: Path) -> None:
    talk = talking(10)
    talk.put(10.9, 1, flags=FIN | ACK)
    talk.put(11, 0, 48)
    again(talk, 11, 48, 7)
    (finding,) = [one for one in diagnose([talk.write(tmp_path / "closed.pcap")])["findings"] if one["code"] == "W406"]
    assert "The receiver had ended its side of the connection (FIN)." in finding["says"]


def test_what_an_end_says_long_after_is_no_sign_of_life_meanwhile(tmp_path: Path) -> None:
    talk = dead(6)
    other = Conversation(ports=(40_001, 80))
    other.open(talk.packets[-1][0] + 1000, 0.02)
    talk.packets = sorted(talk.packets + other.packets)
    (gone,) = found(talk, tmp_path / "later.pcap")
    assert "Nothing else of that computer is in the capture meanwhile" in gone["says"]
    assert "a host that is gone" in gone["remedy"]


def test_a_segment_of_which_a_part_was_taken_is_named_whole(tmp_path: Path) -> None:
    talk = talking(10)
    una = talk.sequence[0]
    talk.put(11, 0, 1000)
    talk.sequence[0] = una + 700
    talk.put(11.02, 1)
    talk.sequence[0] = una + 1000
    again(talk, 11, 1000, 6)
    (gone,) = found(talk, tmp_path / "part.pcap")
    assert gone["says"].startswith("The same 1000 octets were sent 7 times")


def test_a_sender_that_gave_up_unanswered_had_a_dead_connection(tmp_path: Path) -> None:
    def given_up(after: float) -> list[Finding]:
        """The sender repeats a line until it ends the connection, which is answered at once."""
        talk = dead(6)
        last = talk.packets[-1][0]
        talk.put(last + after, 0, 0, FIN | ACK)
        talk.put(last + after + 0.001, 1)
        return found(talk, tmp_path / "given-up.pcap")

    (gone,) = given_up(10)
    assert gone["code"] == "W406"
    assert gone["value"] > 20
    assert "Only as the sender gave up and ended the connection (FIN) did an answer come" in gone["says"]
    assert gone["cost"]["value"] > 20


def test_who_ends_a_connection_that_goes_on_had_no_dead_one(tmp_path: Path) -> None:
    """What was repeated was answered by data, and the connection ended later."""
    talk = dead(6)
    last = talk.packets[-1][0]
    talk.put(last + 0.02, 1, 64)
    talk.put(last + 0.03, 0, 0, FIN | ACK)
    talk.put(last + 0.05, 1)
    assert "W406" not in [one["code"] for one in found(talk, tmp_path / "goes-on.pcap")]


def test_a_capture_that_ends_does_not_say_that_a_sender_gave_up(tmp_path: Path) -> None:
    talk = dead(5)
    last = talk.packets[-1][0]
    (ends,) = found(talk, tmp_path / "ends.pcap")
    assert "gives up" not in ends["means"]
    assert ends["says"].endswith(" The capture ends 0.0 s after the last: the next may not be due by then.")
    talk.put(last + 3, 0, flags=RST | ACK)
    (reset,) = found(talk, tmp_path / "reset.pcap")
    assert reset["says"].endswith(" The sender reset the connection 3.0 s later.")


def test_a_small_flow_that_stands_still_for_much_of_its_time_has_it_said(tmp_path: Path) -> None:
    """As in `slowfile-serverside.pcapng` of packetpioneer/youtube: too little for a rule."""
    still = talking(10)
    still.put(11, 0, FULL)
    first = still.sequence[0] - FULL
    for at in (14, 20):
        still.sequence[0] = first
        still.put(at, 0, FULL)
    still.put(20.1, 1)
    for at in range(21, 41):
        still.put(at, 0, 100)
        still.put(at + 0.02, 1)
    told = diagnose([still.write(tmp_path / "still.pcap")])
    assert not told["findings"]
    assert "10.0.0.1:49154 to 10.0.0.2:445 stood still for 9.10 s of " in " ".join(lead(told))


def test_a_window_that_was_closed_for_much_of_a_flow_is_said(tmp_path: Path) -> None:
    """As in `Lab2-GreerBombal_zerowindowprobe.pcapng` there."""
    shut = Conversation()
    shut.open(0.0, 0.001)
    for at in range(60):
        shut.put(0.1 + 0.002 * at, 0, FULL)
        shut.put(0.101 + 0.002 * at, 1)
    shut.put(0.3, 1, window=0)
    for asked_s in (0.7, 1.1, 1.9):
        first = shut.sequence[0]
        shut.put(asked_s, 0, 1)
        shut.sequence[0] = first
        shut.put(at + 0.001, 1, window=0)
    shut.put(2.4, 1)
    shut.put(2.401, 0, FULL)
    shut.put(2.402, 1)
    told = diagnose([shut.write(tmp_path / "shut.pcap")])
    said = " ".join(lead(told))
    assert "found the receiver's window closed for 2.10 s of 2.3 s" in said


def stands_in_a_queue(*, still_s: float) -> Conversation:
    """As `whatsappfiles.pcap` of nDPI: a queue stands for a second, and later one end hears nothing for a while."""
    talk = Conversation()
    talk.open(0, 0.06)
    for packet in range(100):
        at = 1 + packet * 0.012
        talk.put(at, 0, 1398)
    una = talk.sequence[0] - 100 * 1398
    behind = talk.sequence[0]
    for packet in range(100):
        talk.sequence[0] = una + (packet + 1) * 1398
        talk.put(1 + packet * 0.012 + min(0.06 + packet * 0.012, 0.4), 1)
    talk.sequence[0] = behind
    talk.put(30, 1, 42)
    begin = 30.0
    for wait in (0.25, 0.5, 1, 2, 4, 8):
        begin += wait
        if begin > 30 + still_s:
            break
        talk.sequence[1] -= 42
        talk.put(begin, 1, 42)
    talk.put(30 + still_s, 0)
    talk.put(100, 0, 200)
    talk.put(100.06, 1, 42)
    talk.put(100.063, 0)
    return talk


def test_a_standstill_of_seconds_comes_before_a_queue_that_costs_less(tmp_path: Path) -> None:
    told = diagnose([stands_in_a_queue(still_s=9).write(tmp_path / "still.pcap")])
    # What was lost meanwhile does not say for how long nothing went.
    assert [one["code"] for one in told["findings"]] == ["W301", "W306"]
    first = lead(told)[0]
    assert first.startswith("10.0.0.2:445 to 10.0.0.1:49154 stood still for 9")
    assert "in which it had anything to send" in first
    assert headline(told) == "A connection stood still, and 2 more causes"
    short = diagnose([stands_in_a_queue(still_s=1).write(tmp_path / "short.pcap")])
    assert "stood still" not in " ".join(lead(short))
