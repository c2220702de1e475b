"""Causes in a host or before it: its own queue, its send buffer, the line that its flows share.

What a capture cannot show of them is said, and nobody is accused for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from airloom.scenario.toml_text import document

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

A20: dict[str, Value] = {"standard": "802.11a", "band": "5 GHz", "width": "20 MHz"}
AC80: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "80 MHz"}
AX80: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "80 MHz"}
FIFO: dict[str, Value] = {"discipline": "fifo", "limit": "1000 packets"}
CODEL: dict[str, Value] = {"discipline": "fq_codel"}


def station(name: str, adapter: str, host: Value = "linux-6.18") -> dict[str, Value]:
    """A station near its access point."""
    return {"name": name, "host": host, "adapter": adapter, "snr": "45 dB", "rate": "minstrel"}


def played(
    out: Path,
    air: dict[str, Value],
    stations: list[dict[str, Value]],
    flows: list[dict[str, Value]],
    link: dict[str, Value],
    ap: str = "",
) -> Path:
    """The folder with the captures of a world; its access point has the first station's adapter, unless told."""
    scenario = out.with_suffix(".toml")
    tables: dict[str, Value] = {
        "title": "A world",
        "duration": "8 s",
        "seed": 7,
        "air": air,
        "ap": [{"name": "ap", "adapter": ap or stations[0]["adapter"]}],
        "station": stations,
        "server": [{"name": "server", "host": "linux-6.18", "link": {"rate": "1 Gbit/s", **link}}],
        "flow": flows,
    }
    scenario.write_text(document(tables).text, encoding="utf-8")
    return airloom.run(scenario, out=out, capture=True).path


def flow(sender: str, receiver: str, **tcp: Value) -> dict[str, Value]:
    """A transfer by CUBIC."""
    return {"from": sender, "to": receiver, "tcp": {"congestion": "cubic", **tcp}}


def codes(found: Diagnosis) -> set[str]:
    """The codes of what was found."""
    return {one["code"] for one in found["findings"]}


def because(found: Diagnosis, code: str) -> str:
    """Why a rule cannot tell; nothing if it can."""
    return next((one["because"] for one in found["abstained"] if one["code"] == code), "")


def sends(out: Path, profile: str, queue: dict[str, Value]) -> Path:
    """An upload through a queue in the sender's own host, above the place of its capture."""
    host: dict[str, Value] = {"profile": profile, "queue": queue}
    return played(out, A20, [station("a", "dcf", host)], [flow("a", "server")], {"delay": "8 ms"})


@pytest.mark.parametrize("profile", ["windows-10", "linux-3.2"])
def test_a_sound_queue_in_the_sender_s_own_host_is_no_loss(profile: str, tmp_path: Path) -> None:
    """What CoDel drops there never passes the capture, and how long it waited is in no round trip from there."""
    path = sends(tmp_path / "sound", profile, CODEL)
    views = [[path / f"{view}.pcapng"] for view in ("a", "air", "server")]
    found = [diagnose(view) for view in [*views, [one for view in views for one in view]]]
    assert [codes(one) for one in found] == [set()] * 4
    if profile == "windows-10":
        assert "its own host dropped them" in because(found[0], "W306")
        assert "tc -s qdisc" in because(found[0], "W306")


def test_a_queue_that_no_clock_shows_is_not_said_to_be_none(tmp_path: Path) -> None:
    """Without time stamps nothing shows what waits above the capture."""
    path = sends(tmp_path / "hidden", "windows-10", FIFO)
    found = diagnose([path / "a.pcapng"])
    assert not codes(found)
    assert "whether packets wait in its sender's own host does not show" in because(found, "W301")


def test_a_sender_that_acknowledgments_let_go_has_no_queue(tmp_path: Path) -> None:
    """A window of 60 kB on a way of 50 ms: each acknowledgment ends a silence."""
    host: dict[str, Value] = {"profile": "windows-10", "send_buffer_max": "60 kB", "send_buffer_initial": "60 kB"}
    path = played(tmp_path / "w", A20, [station("a", "dcf", host)], [flow("a", "server")], {"delay": "25 ms"})
    assert not because(diagnose([path / "a.pcapng"]), "W301")


def test_a_send_buffer_that_is_full_in_every_second_round_trip_is_one(tmp_path: Path) -> None:
    """Acknowledgments come many at a time, and the program writes once a third is free."""
    down = [flow("server", "a", send_buffer_max="400 kB")]
    path = played(tmp_path / "down", AC80, [station("a", "mt76")], down, {"delay": "20 ms"})
    assert codes(diagnose([path / "server.pcapng"])) == {"W405"}
    assert codes(diagnose(sorted(path.glob("*.pcapng")))) == {"W405"}
    # It falls silent until a whole buffer has room again: that shows at the receiver, too.
    assert codes(diagnose([path / "a.pcapng"])) == {"W405"}


def test_two_flows_through_one_line_are_both_held_back_by_it(tmp_path: Path) -> None:
    """Packets of either flow pass at changing distances, those of both together at one."""
    stations = [station("a", "mt76"), station("b", "mt76")]
    flows = [flow("server", "a"), flow("server", "b")]
    path = played(tmp_path / "line", AX80, stations, flows, {"rate": "60 Mbit/s", "delay": "10 ms"})
    found = diagnose(sorted(path.glob("*.pcapng")))
    assert [one["code"] for one in found["findings"]] == ["W403", "W403"]
    assert all("a line of 56.5 Mbit/s" in one["says"] for one in found["findings"])
    air = diagnose([path / "air.pcapng"])
    assert not codes(air)
    assert "capture whole frames" in because(air, "W301")
    assert "the line at its own interface may hold it back" in because(air, "W403")


def test_a_slow_bus_is_suspected_from_the_host_s_capture_alone(tmp_path: Path) -> None:
    """Its packets wait for more than a second, but too few pass to tell a share of the time."""
    adapter: Value = {
        "profile": "compaq-w200",
        "usb": {"traversal": "breadth-first", "reclamation": False, "queue": "1 packets"},
    }
    b11: dict[str, Value] = {"standard": "802.11b", "band": "2.4 GHz", "width": "20 MHz"}
    host: dict[str, Value] = {
        "name": "a",
        "host": "linux-2.4",
        "adapter": adapter,
        "snr": "45 dB",
        "rate": "11 Mbit/s",
    }
    upload: dict[str, Value] = {"from": "a", "to": "server", "tcp": {"congestion": "newreno"}}
    path = played(tmp_path / "bus", b11, [host], [upload], {"delay": "3 ms"}, ap="lucent-rg-1000")
    found = diagnose([path / "a.pcapng"])
    assert [one["code"] for one in found["abstained"] if one["suspects"]] == ["W301", "W403"]
    assert "the bus to that" in because(found, "W301")
