"""What `airloom diagnose` says where the cause lies in the air that all share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airloom.diagnosis.reading import diagnose
from airloom.results.bundle import AIR
from test_diagnosis_sound import down, strong
from test_diagnosis_worlds import G, played

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

N24: dict[str, Value] = {"standard": "802.11n", "band": "2.4 GHz", "width": "20 MHz"}
CALL: dict[str, Value] = {"kind": "udp", "rate": "68.8 kbit/s", "payload": "172 B", "dscp": "EF"}


def codes(found: Diagnosis) -> list[str]:
    """The rules that found something, in their order."""
    return [one["code"] for one in found["findings"]]


def because(found: Diagnosis, code: str) -> str:
    """Why a rule cannot tell; empty if it can."""
    return " ".join(one["because"] for one in found["abstained"] if one["code"] == code)


def calls(tmp_path: Path, adapter: Value) -> Diagnosis:
    """What a monitor's capture shows of three calls of which each sends as its packets arrive, all at the same time."""
    phones = [strong(f"p{place}", snr=f"{22 + 6 * place} dB", adapter=adapter) for place in range(3)]
    both = [way for phone in phones for way in (down(str(phone["name"])), {"from": phone["name"], "to": "server"})]
    flows: list[dict[str, Value]] = [{**way, **CALL} for way in both]
    ap: dict[str, Value] = {"adapter": "ath9k-ap"}
    run = played(tmp_path / "run", phones, *flows, delay="20 ms", air=N24, ap=ap, duration="4 s", seed=7)
    return diagnose([run.path / AIR])


def test_calls_in_step_of_which_nearly_all_collide_accuse_nobody(tmp_path: Path) -> None:
    """Not hidden stations, nor a weak signal, nor requests to send in air that is idle for four fifths of the time."""
    found = calls(tmp_path, "ath9k")
    assert codes(found) == []
    assert "whether or not their senders hear each other" in because(found, "W106")
    assert because(found, "W107") == ""


def test_requests_to_send_of_calls_in_step_are_no_disturbance(tmp_path: Path) -> None:
    found = calls(tmp_path, {"profile": "ath9k", "rts_threshold": "50 B"})
    assert codes(found) == []
    assert because(found, "W107") == ""


def test_what_hidden_stations_lose_stands_below_what_hides_them(tmp_path: Path) -> None:
    """Of single frames of 802.11g, of which only a few in a thousand are given up."""
    left = strong("left", adapter="dcf", snr="45 dB", hidden_from=["right"])
    right = strong("right", adapter="dcf", snr="35 dB", hidden_from=["left"])
    stream: dict[str, Value] = {"kind": "udp", "rate": "6 Mbit/s", "payload": "1000 B"}
    flows: list[dict[str, Value]] = [{"from": "left", "to": "server"}, {"from": "right", "to": "server", **stream}]
    queue: dict[str, Value] = {"queue": {"discipline": "fifo", "limit": "200 packets"}}
    for hidden in (True, False):
        heard = [{key: value for key, value in one.items() if key != "hidden_from"} for one in (left, right)]
        stations = [left, right] if hidden else heard
        run = played(tmp_path / f"{hidden}", stations, *flows, air=G, ap=queue, duration="8 s", seed=7)
        for captures in ([AIR], [AIR, "left.pcapng", "server.pcapng"]):
            found = diagnose([run.path / name for name in captures])
            assert codes(found)[:1] == (["W106"] if hidden else [])
            assert "W306" not in codes(found)
