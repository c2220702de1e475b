"""What `airloom diagnose` says of captures at single hosts: of a line, a program with a clock, a sender's buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from airloom.results.bundle import AIR
from airloom.scenario.toml_text import document

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

A: dict[str, Value] = {"standard": "802.11a", "band": "5 GHz", "width": "20 MHz"}
N20: dict[str, Value] = {"standard": "802.11n", "band": "5 GHz", "width": "20 MHz"}
AX: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "80 MHz"}
N40: dict[str, Value] = {"standard": "802.11n", "band": "5 GHz", "width": "40 MHz"}
UP: dict[str, Value] = {"from": "laptop", "to": "server"}
DOWN: dict[str, Value] = {"from": "server", "to": "laptop"}
WINDOWS = "windows-10"
BEGUN = "0.7 s..5 s"
"""A window of the captures that leaves the handshake out."""


def played(
    out: Path,
    flow: dict[str, Value],
    *,
    air: dict[str, Value] | None = None,
    adapter: str = "ath9k",
    host: str = "linux-6.18",
    server: str = "linux-6.18",
    link: dict[str, Value] | None = None,
    scan: Value = None,
    seen: str | bool = True,
) -> Path:
    """The folder of the captures of a station near its access point, and a server."""
    laptop: dict[str, Value] = {
        "name": "laptop",
        "host": host,
        "adapter": adapter,
        "distance": "5 m",
        "rate": "minstrel",
    }
    tables: dict[str, Value] = {
        "title": "A world",
        "duration": "5 s",
        "seed": 7,
        "air": air or N40,
        "ap": [{"name": "ap", "adapter": adapter, "queue": {"discipline": "mac80211"}}],
        "station": [{**laptop, "rate": "minstrel", **({"scan": scan} if scan else {})}],
        "server": [{"name": "server", "host": server, "link": {"rate": "1 Gbit/s", "delay": "10 ms", **(link or {})}}],
        "flow": [flow],
    }
    scenario = out.with_suffix(".toml")
    scenario.write_text(document(tables).text)
    return airloom.run(scenario, out=out, capture=seen).path


def seen_at(folder: Path, *names: str) -> Diagnosis:
    """What is said of some of a folder's captures, or of all."""
    return diagnose([folder / f"{name}.pcapng" for name in names] if names else sorted(folder.glob("*.pcapng")))


def codes(found: Diagnosis) -> set[str]:
    """The codes of what was found."""
    return {one["code"] for one in found["findings"]}


def reasons(found: Diagnosis) -> dict[str, str]:
    """Why rules cannot tell."""
    return {one["code"]: one["because"] for one in found["abstained"]}


@pytest.mark.parametrize("way", [UP, DOWN], ids=["up", "down"])
def test_a_send_buffer_is_no_narrow_way_where_the_handshake_is_not_captured(
    way: dict[str, Value], tmp_path: Path
) -> None:
    """Without clock values nor the handshake, round trips do not show: that nothing shows them long is no queue."""
    small: dict[str, Value] = {**way, "tcp": {"send_buffer_max": "131072 B"}}
    host, server = (WINDOWS, "linux-6.18") if way is UP else ("linux-6.18", WINDOWS)
    folder = played(tmp_path / "run", small, link={"delay": "20 ms"}, seen=BEGUN, host=host, server=server)
    sender = "laptop" if way is UP else "server"
    for files in (["air"], ["air", "laptop"], ["air", "server"], []):
        found = seen_at(folder, *files)
        assert not codes(found), files
        if not files or sender in files:
            assert "buffer" in reasons(found)["W403"] or "window lets go" in reasons(found)["W403"], files
    assert "W405" in reasons(seen_at(folder, sender))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("rate", "delay"), [("1 Gbit/s", "25 ms"), ("10 Gbit/s", "30 ms")])
def test_a_full_send_buffer_is_no_narrow_way_where_ppdus_are_long(rate: str, delay: str, tmp_path: Path) -> None:
    """Round trips are a third longer than the shortest, as the radio sends many packets at once: that is no queue."""
    folder = played(tmp_path / "run", UP, air=AX, adapter="edca-ax", link={"rate": rate, "delay": delay})
    for files in (["air"], ["air", "laptop"], ["air", "server"], []):
        found = seen_at(folder, *files)
        assert set(codes(found)) <= {"W405"}, files
        if "laptop" in files or not files:
            assert codes(found) or "its buffer" in reasons(found)["W405"], files


def test_a_queue_shows_without_the_handshake_where_round_trips_grow(tmp_path: Path) -> None:
    slow: dict[str, Value] = {"rate": "20 Mbit/s", "queue": {"discipline": "fifo", "limit": "150 packets"}}
    folder = played(tmp_path / "run", UP, host=WINDOWS, link=slow)
    assert "W403" in codes(seen_at(folder, "air"))


def test_a_line_shows_in_the_capture_behind_it_alone(tmp_path: Path) -> None:
    """Packets come out of it at one distance, and round trips show its queue."""
    slow: dict[str, Value] = {"rate": "20 Mbit/s", "queue": {"discipline": "fifo", "limit": "150 packets"}}
    folder = played(tmp_path / "ill", UP, link=slow)
    found = seen_at(folder, "server")
    first = found["findings"][0]
    assert first["code"] == "W403"
    assert "as a line of 1" in first["says"]
    assert "a queue stands before it" in first["says"]
    assert first["cost"]["unknown"]
    assert "W403" in codes(seen_at(folder))
    well = played(tmp_path / "well", UP)
    for files in (["server"], ["laptop"], []):
        found = seen_at(well, *files)
        assert not codes(found), files
        assert not [one for one in found["abstained"] if one["suspects"]], files


def test_without_clock_values_a_line_may_be_a_sender_that_paces(tmp_path: Path) -> None:
    slow: dict[str, Value] = {"rate": "20 Mbit/s", "queue": {"discipline": "fifo", "limit": "150 packets"}}
    folder = played(tmp_path / "ill", UP, host=WINDOWS, link=slow)
    found = seen_at(folder, "server")
    assert "W403" not in codes(found)
    assert "packets come to" in reasons(found)["W403"]
    assert "at one and the same distance" in " ".join(lead(found))


def test_of_a_line_at_the_senders_own_interface_each_capture_says_why_it_cannot_tell(tmp_path: Path) -> None:
    """A congestion control that paces, or a program, lets packets go at one distance as well."""
    folder = played(tmp_path / "ill", DOWN, link={"rate": "30 Mbit/s"})
    at_sender = seen_at(folder, "server")
    assert not codes(at_sender)
    assert "packets leave" in reasons(at_sender)["W403"]
    assert "the line at its sender's own interface" in "".join(lead(at_sender))
    assert "never falls silent" in reasons(seen_at(folder, "laptop"))["W405"]
    assert codes(seen_at(folder)) == {"W403"}


def test_a_stream_whose_program_writes_evenly_is_no_line(tmp_path: Path) -> None:
    even: dict[str, Value] = {**DOWN, "write": {"size": "1448 B", "every": "3 ms"}}
    folder = played(tmp_path / "run", even)
    for files in (["server"], ["laptop"]):
        assert not codes(seen_at(folder, *files)) - {"W402"}, files


CLOCKS = [
    ("4 ms", "5 kB", N20, "ath9k", "linux-6.18"),
    ("5 ms", "12 kB", N40, "ath9k", "linux-6.18"),
    ("20 ms", "20 kB", A, "dcf", "linux-3.2"),
    ("20 ms", "50 kB", N40, "ath9k", WINDOWS),
]


@pytest.mark.parametrize(("every", "size", "air", "adapter", "host"), CLOCKS)
def test_a_program_that_writes_by_a_clock_is_named(
    every: str, size: str, air: dict[str, Value], adapter: str, host: str, tmp_path: Path
) -> None:
    """However often, and whether or not its round trips are longer."""
    flow: dict[str, Value] = {**UP, "write": {"size": size, "every": every}}
    folder = played(tmp_path / "run", flow, air=air, adapter=adapter, host=host)
    for files in (["laptop"], []):
        (finding,) = seen_at(folder, *files)["findings"]
        assert finding["code"] == "W402", files
        assert f"every {float(every.split(maxsplit=1)[0]):.1f} ms" in finding["says"], files


def test_a_radio_that_takes_its_turns_is_no_clock(tmp_path: Path) -> None:
    """An upload that fills the air goes in PPDUs that are about as far from each other."""
    for air, adapter in [(N20, "ath9k"), (N40, "ath9k"), (A, "dcf")]:
        folder = played(tmp_path / f"{adapter}{air['width']}".replace(" ", ""), UP, air=air, adapter=adapter)
        assert "W402" not in codes(seen_at(folder, "laptop"))


def test_a_scan_shows_at_hosts_without_clock_values(tmp_path: Path) -> None:
    """Acknowledgments take longer by as much as the radio was away; a program's pauses make them take no longer."""
    scans: Value = {"by": "networkmanager-0.9.8", "channels": 10, "first": "1 s"}
    folder = played(tmp_path / "ill", DOWN, host=WINDOWS, scan=scans)
    for name in ("laptop", "server"):
        assert "W108" in codes(seen_at(folder, name)), name
    pauses: dict[str, Value] = {**DOWN, "write": {"size": "900 kB", "every": "200 ms"}}
    paused = played(tmp_path / "paused", pauses, host=WINDOWS)
    for name in ("laptop", "server"):
        assert "W108" not in codes(seen_at(paused, name)), name
    assert "no clock values" in reasons(seen_at(paused, "laptop"))["W108"]


def test_what_is_lost_hides_no_suspicion_of_why(tmp_path: Path) -> None:
    """More captures show losses: what one of them alone is suspected of is said all the same."""
    folder = played(tmp_path / "run", DOWN, link={"loss": 0.005})
    found = seen_at(folder, "server")
    assert codes(found) == {"W306"}
    because = "in bursts nothing arrived over a link"
    suspected: Diagnosis = {**found, "abstained": [{"code": "W107", "because": because, "suspects": True}]}
    assert because[1:] in " ".join(lead(suspected))
    assert "segments lost" in " ".join(lead(suspected))


def test_a_small_buffer_without_clock_values_is_not_passed_over(tmp_path: Path) -> None:
    flow: dict[str, Value] = {**UP, "tcp": {"send_buffer_max": "65536 B"}}
    folder = played(tmp_path / "run", flow, host=WINDOWS, link={"delay": "5 ms"})
    for name in ("laptop", "server"):
        found = seen_at(folder, name)
        assert "W405" in codes(found) or "W405" in reasons(found), name
    assert AIR in {path.name for path in folder.iterdir()}
