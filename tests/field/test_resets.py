"""How a connection ended, and what is no data: a reset in mid-transfer, and a FIN that is sent again."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.facts.lines import facts
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from field.conversation import ACK, FIN, MSS, RST, Conversation

if TYPE_CHECKING:
    from pathlib import Path

ROUND = 0.02


def transfer(seconds: float) -> Conversation:
    """A segment in each millisecond, each acknowledged."""
    talk = Conversation()
    talk.open(0.0, ROUND)
    for segment in range(round(1000 * seconds)):
        at = 0.1 + segment * 1e-3
        talk.put(at, 0, MSS)
        talk.put(at + ROUND, 1)
    return talk


@pytest.mark.parametrize(("end", "by"), [(0, "sender"), (1, "receiver")])
def test_a_reset_in_mid_transfer_is_told(tmp_path: Path, end: int, by: str) -> None:
    talk = transfer(1)
    talk.put(1.34, end, 0, RST | ACK)
    (line,) = facts(diagnose([talk.write(tmp_path / "reset.pcap")]))
    assert f"reset by the {by} at 1.3 s" in line


def test_a_reset_behind_the_end_is_none_of_a_transfer(tmp_path: Path) -> None:
    talk = transfer(1)
    talk.put(1.2, 0, 0, FIN | ACK)
    talk.put(1.22, 1, 0, RST | ACK)
    (line,) = facts(diagnose([talk.write(tmp_path / "over.pcap")]))
    assert "reset" not in line


def test_a_reset_with_data_underway_cuts_a_transfer_off(tmp_path: Path) -> None:
    talk = transfer(1)
    for segment in range(10):
        talk.put(1.3 + segment * 1e-4, 0, MSS)
    talk.put(1.34, 1, 0, RST)
    told = diagnose([talk.write(tmp_path / "cut.pcap")])
    (line,) = facts(told)
    assert "reset by the receiver at 1.3 s, 14.6 kB unacknowledged" in line
    assert "ended by a reset of the receiver, with data underway" in " ".join(lead(told))
    # One that acknowledges what came finds nothing underway.
    talk.packets.pop()
    talk.put(1.34, 1, 0, RST | ACK)
    told = diagnose([talk.write(tmp_path / "told.pcap")])
    assert "unacknowledged" not in facts(told)[0]
    assert "underway" not in " ".join(lead(told))
    # Behind the last acknowledgment it cuts nothing off.
    whole = transfer(1)
    whole.put(1.34, 1, 0, RST)
    told = diagnose([whole.write(tmp_path / "whole.pcap")])
    assert "unacknowledged" not in facts(told)[0]
    assert "reset" not in " ".join(lead(told))


def test_an_end_that_has_closed_resets_what_still_comes(tmp_path: Path) -> None:
    talk = transfer(1)
    for segment in range(10):
        talk.put(1.3 + segment * 1e-4, 0, MSS)
    talk.put(1.33, 1, 0, FIN | ACK)
    talk.put(1.34, 1, 0, RST)
    # What was underway is not acknowledged by the FIN.
    talk.packets = [
        (at, unacknowledged(octets) if at == 1.33 else octets, length) for at, octets, length in talk.packets
    ]
    told = diagnose([talk.write(tmp_path / "closed.pcap")])
    (line,) = facts(told)
    assert "closed and reset by the receiver at 1.3 s, 14.6 kB unacknowledged" in line
    assert "ended as the receiver closed the connection, and reset what still came" in " ".join(lead(told))


def unacknowledged(octets: bytes) -> bytes:
    """A packet of the conversation that acknowledges ten segments less."""
    place = 14 + 20 + 8
    (number,) = struct.unpack_from(">I", octets, place)
    return octets[:place] + struct.pack(">I", number - 10 * MSS) + octets[place + 4 :]


def test_a_fin_that_is_sent_again_is_no_data(tmp_path: Path) -> None:
    talk = transfer(0.2)
    for turn in range(4):
        talk.put(5 + turn * 2**turn, 0, 0, FIN | ACK)
        talk.sequence[0] -= 1
    told = diagnose([talk.write(tmp_path / "fins.pcap")])
    (line,) = facts(told)
    assert "nothing sent again" in line
    # The time in which there was nothing to send any more is none of a transfer of 0.2 s.
    (flow,) = told["connections"]
    assert (flow["retransmissions"]["all"], flow["retransmissions"]["fins"]) == (0, 3)
    assert flow["limits"]["application"] < 0.2


def test_round_trips_between_two_ticks_of_the_clock_have_no_number(tmp_path: Path) -> None:
    talk = Conversation()
    talk.open(0.0, 0.0)
    for segment in range(1000):
        at = segment // 10 * 0.01
        talk.put(at, 0, MSS)
        talk.put(at, 1)
    (line,) = facts(diagnose([talk.write(tmp_path / "coarse.pcap")]))
    assert "round trips shorter than a tick of the capture's clock;" in line


def test_a_reset_from_elsewhere_is_not_charged_to_the_receiver(tmp_path: Path) -> None:
    """By its TTL, and by what that end says after it: `ftp-uploadfailed.pcap` of Practical Packet Analysis has such."""
    nearer = transfer(1)
    nearer.hops = (64, 57)
    nearer.put(1.34, 1, 0, RST)
    nearer.packets[:-1] = [
        (at, octets[:22] + b"\x32" + octets[23:], length) for at, octets, length in nearer.packets[:-1]
    ]
    (line,) = facts(diagnose([nearer.write(tmp_path / "nearer.pcap")]))
    assert (
        "reset in the name of the receiver at 1.3 s, perhaps by a device on the way, since it came with TTL 57" in line
    )
    # A host may give its resets another TTL to begin with.
    other = transfer(1)
    other.hops = (64, 255)
    other.put(1.34, 1, 0, RST)
    (line,) = facts(diagnose([other.write(tmp_path / "other.pcap")]))
    assert "reset by the receiver at 1.3 s" in line
    goes_on = transfer(1)
    goes_on.put(1.3, 0, MSS)
    goes_on.put(1.31, 1, 0, RST)
    goes_on.put(1.33, 1)
    told = diagnose([goes_on.write(tmp_path / "goes-on.pcap")])
    assert "since the receiver goes on after it" in facts(told)[0]
    assert "ended by a reset in the name of the receiver" in " ".join(lead(told))
