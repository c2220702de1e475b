"""`airloom airtime` agrees with the standard's formulas, worked apart from the engine; it refuses what there is not."""

from __future__ import annotations

import json
from typing import Any

import pytest

import airtime_by_hand as by_hand
from airloom import _engine
from airloom.errors import RunError

ROWS = by_hand.rows()


def asked(**given: Any) -> dict[str, Any]:
    """The engine's answer."""
    plain = {"mpdu": 1540, "count": 1, "rts": False}
    answer: dict[str, Any] = json.loads(_engine.airtime(json.dumps(plain | given)))
    return answer


def of(ppdu: by_hand.Ppdu) -> dict[str, Any]:
    """The engine's answer for a PPDU of the table."""
    given: dict[str, Any] = {"standard": ppdu.standard, "mpdu": ppdu.mpdu, "count": ppdu.count}
    if ppdu.mbps:
        return asked(**given, rate=float(ppdu.mbps), preamble=ppdu.preamble)
    given |= {"mcs": ppdu.mcs, "streams": ppdu.streams, "width": ppdu.width, "guard_interval": float(ppdu.guard)}
    if ppdu.standard in {"802.11ax", "802.11be"}:
        given |= {"ltf": ppdu.ltf, "padding": ppdu.padding}
    if ppdu.punctured:
        given |= {"punctured": ppdu.punctured}
    if ppdu.standard == "802.11ac":
        given |= {"code": ppdu.code}
    return asked(**given)


def test_the_table_is_what_the_formulas_say() -> None:
    assert by_hand.TABLE.read_text(encoding="utf-8").splitlines() == [*by_hand.lines()]
    assert len(ROWS) >= 250
    assert sum(row.standard == "802.11be" for row in ROWS) >= 100


@pytest.mark.parametrize("standard", ["802.11a", "802.11b", "802.11n", "802.11ac", "802.11ax", "802.11be"])
def test_durations_are_the_standards(standard: str) -> None:
    of_standard = [row for row in ROWS if row.standard == standard]
    told = [of(row) for row in of_standard]
    assert [one["psdu_bytes"] for one in told] == [row.psdu for row in of_standard]
    wanted = {row.name: float(by_hand.duration(row)[1]) for row in of_standard}
    assert {row.name: one["ppdu_us"] for row, one in zip(of_standard, told, strict=True)} == wanted
    for one in told:
        assert sum(field["us"] for field in one["ppdu"]) == pytest.approx(one["ppdu_us"])
        assert sum(part["us"] for part in one["exchange"]) == pytest.approx(one["exchange_us"])


PUBLISHED = {
    20: "8.6 17.2 25.8 34.4 51.6 68.8 77.4 86.0 103.2 114.7 129.0 143.4 154.9 172.1",
    40: "17.2 34.4 51.6 68.8 103.2 137.6 154.9 172.1 206.5 229.4 258.1 286.8 309.7 344.1",
    80: "36.0 72.1 108.1 144.1 216.2 288.2 324.3 360.3 432.4 480.4 540.4 600.4 648.5 720.6",
    160: "72.1 144.1 216.2 288.2 432.4 576.5 648.5 720.6 864.7 960.7 1080.9 1201.0 1297.1 1441.2",
    320: "144.1 288.2 432.4 576.5 864.7 1152.9 1297.1 1441.2 1729.4 1921.5 2161.8 2401.9 2594.1 2882.4",
}
"""Mbit/s of one stream of 802.11be at 0.8 us by MHz, scheme by scheme (IEEE 802.11be-2024 36.5)."""


@pytest.mark.parametrize("mhz", PUBLISHED)
def test_rates_of_802_11be_are_those_that_are_published(mhz: int) -> None:
    for mcs, wanted in enumerate(PUBLISHED[mhz].split()):
        for guard in (0.8, 1.6, 3.2):
            given = {"standard": "802.11be", "width": mhz, "mcs": mcs, "guard_interval": guard}
            told = asked(**given, mpdu=100)["rate_mbps"]
            assert told * (12.8 + guard) / 13.6 == pytest.approx(float(wanted), abs=0.051)


@pytest.mark.parametrize(("count", "bitmap"), [(2, 64), (64, 64), (65, 256), (256, 256), (257, 512), (1024, 1024)])
def test_a_block_ack_of_802_11be_has_a_bit_for_each_mpdu(count: int, bitmap: int) -> None:
    """24 octets around the bitmap (IEEE 802.11be-2024 9.3.1.8), at 24 Mbit/s: 96 bits in 4 us."""
    told = asked(standard="802.11be", width=320, mcs=13, streams=2, count=count, mpdu=500)
    bits = 16 + 8 * (24 + bitmap // 8) + 6
    assert told["exchange"][-1]["us"] == 20 + 4 * -(-bits // 96)


def test_a_packet_extension_that_is_given_takes_the_place_of_the_padding() -> None:
    given = {"standard": "802.11ax", "width": 80, "mcs": 11, "streams": 2, "guard_interval": 0.8, "ltf": 2}
    durations = [asked(**given, packet_extension=16, count=count)["ppdu_us"] for count in (64, 256)]
    assert durations == [732.8, 2704.8]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"standard": "802.11bn"}, "write one of 802.11a"),
        ({"standard": "802.11be", "mcs": 14}, "--mcs 14: it is BPSK twice over, in either half of a channel of 6 GHz"),
        ({"standard": "802.11be", "mcs": 15}, "(DCM, 802.11be-2024 36.5), which is not modelled"),
        ({"standard": "802.11be", "mcs": 16}, "--mcs 16: needs a whole number from 0 to 13"),
        ({"standard": "802.11be", "mcs": 13, "width": 320, "band": "5 GHz"}, "there are no 320 MHz at 5 GHz"),
        ({"standard": "802.11be", "mcs": 5, "width": 160, "punctured": 80}, "0 MHz, 20 MHz, 40 MHz may be left out"),
        ({"standard": "802.11be", "mcs": 5, "ltf": 1}, "802.11be has 1x long training fields"),
        ({"standard": "802.11ax", "mcs": 5, "padding": 20}, "--padding cannot be"),
        ({"standard": "802.11ax", "mcs": 5, "width": 320}, "802.11ax has channels of 20 to 160 MHz"),
        ({"standard": "802.11ax", "mcs": 5, "width": 80, "punctured": 20}, "--punctured is of 802.11be"),
        ({"standard": "802.11ac", "mcs": 9}, "802.11ac has no MCS 9 with 1 stream in 20 MHz"),
        (
            {"standard": "802.11n", "mcs": 8, "streams": 1},
            "--mcs 8 of 802.11n has 2 streams, not 1: leave",
        ),
        (
            {"standard": "802.11n", "mcs": 15, "streams": 3},
            "--mcs 15 of 802.11n has 2 streams, not 3: leave",
        ),
        ({"standard": "802.11ax", "mcs": 12}, "--mcs 12: needs a whole number from 0 to 11"),
        ({"standard": "802.11ax", "mcs": 0, "count": 256}, "--count 3 fits"),
        ({"standard": "802.11ax", "mcs": 0, "guard_interval": 0.4}, "802.11ax has 0.8, 1.6, 3.2 us"),
        ({"standard": "802.11ax", "mcs": 0, "guard_interval": 3.2, "ltf": 1}, "1x long training fields and 3.2 us"),
        ({"standard": "802.11ax", "mcs": 0, "packet_extension": 5}, "0, 4, 8, 12, 16 or"),
        ({"standard": "802.11n", "mcs": 0, "ltf": 2}, "are of 802.11ax and 802.11be, not of 802.11n"),
        ({"standard": "802.11n", "mcs": 7, "count": 65}, "1 to 64 MPDUs"),
        ({"standard": "802.11n", "mcs": 7, "msdus_per_amsdu": 3}, "4095 at most are allowed here; 2 fit"),
        ({"standard": "802.11g", "rate": 54, "msdus_per_amsdu": 2}, "of 802.11n and later"),
        ({"standard": "802.11n", "mcs": 7, "mpdu": 4095, "count": 32}, "65535 at most"),
        ({"standard": "802.11g", "rate": 54, "mcs": 3}, "--mcs is of 802.11n and later"),
        ({"standard": "802.11b", "rate": 54}, "802.11b has no such rate"),
        ({"standard": "802.11b"}, "--rate is missing"),
        ({"standard": "802.11a", "rate": 6, "mpdu": 36}, "take 36 bytes"),
        ({"standard": "802.11ac", "mcs": 0, "band": "2.4 GHz"}, "no 802.11ac at 2.4 GHz"),
    ],
)
def test_what_there_is_not_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(RunError) as caught:
        asked(**given)
    assert said in str(caught.value)
