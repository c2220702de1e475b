"""Worlds in which one who suffers, or a way that is sound, looks like the cause: `airloom diagnose` blames neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import airloom
from airloom.diagnosis.against.columns import columns
from airloom.diagnosis.reading import diagnose, diagnose_over_time
from airloom.results.bundle import AIR
from airloom.scenario.toml_text import document

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

G: dict[str, Value] = {"standard": "802.11g", "band": "2.4 GHz", "width": "20 MHz"}
N20: dict[str, Value] = {"standard": "802.11n", "band": "5 GHz", "width": "20 MHz"}
AX20: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "20 MHz"}
UP: dict[str, Value] = {"from": "laptop", "to": "server", "tcp": {"congestion": "cubic"}}
DOWN: dict[str, Value] = {"from": "server", "to": "laptop", "tcp": {"congestion": "cubic"}}


def played(
    out: Path, air: dict[str, Value], delay: str, parts: dict[str, list[dict[str, Value]]], seed: int = 7
) -> list[Path]:
    """The captures of a world, the monitor's first."""
    server: dict[str, Value] = {
        "name": "server",
        "host": "linux-6.18",
        "link": {"rate": "1 Gbit/s", "delay": delay},
    }
    scenario = out.with_suffix(".toml")
    head: dict[str, Value] = {"title": "x", "duration": "6 s", "seed": seed, "air": air}
    scenario.write_text(document({**head, **parts, "server": [server]}).text, encoding="utf-8")
    run = airloom.run(scenario, out=out, capture=True)
    return sorted(run.path.glob("*.pcapng"), key=lambda path: path.name != AIR)


def near(name: str, adapter: Value, **more: Value) -> dict[str, Value]:
    """A station near its access point."""
    return {"name": name, "adapter": adapter, "host": "linux-6.18", "snr": "40 dB", "rate": "minstrel", **more}


def codes(found: Diagnosis) -> set[str]:
    """The codes of what was found."""
    return {one["code"] for one in found["findings"]}


def suspects(found: Diagnosis) -> dict[str, str]:
    """Why rules cannot tell, where what does not show is amiss."""
    return {one["code"]: one["because"] for one in found["abstained"] if one["suspects"]}


def test_a_bus_with_few_packets_below_tcp_is_no_window(tmp_path: Path) -> None:
    """TCP small queues keep two packets below the sender: none waits long for the bus, and as many are under way."""
    for delay in ("1 ms", "10 ms"):
        bus: Value = {"profile": "ath9k-3.13", "usb": {}}
        ap: dict[str, Value] = {"name": "ap", "adapter": "ath9k-ap", "queue": {"discipline": "mac80211"}}
        parts = {"ap": [ap], "station": [near("laptop", bus)], "flow": [UP]}
        captures = played(tmp_path / delay.replace(" ", ""), N20, delay, parts)
        assert codes(diagnose(captures)) == {"W305"}, delay
        # The monitor alone cannot tell the bus from a program with a timer, and says so.
        assert not codes(diagnose(captures[:1])), delay


def hidden_neighbour() -> dict[str, list[dict[str, Value]]]:
    """A station between its access point and one that this does not hear, which has all that is offered to it."""
    aps = [("ap", "0 m"), ("other", "60 m")]
    places = [("laptop", "18 m", "ap"), ("tv", "64 m", "other")]
    ap: dict[str, Value] = {"adapter": "ath9k-ap", "queue": {"discipline": "mac80211"}, "channel": 36}
    station: dict[str, Value] = {"adapter": "ath9k-3.13", "host": "linux-6.18", "rate": "minstrel"}
    return {
        "ap": [{"name": name, "position": [at, "0 m"], **ap} for name, at in aps],
        "station": [{"name": name, "position": [at, "0 m"], "ap": of, **station} for name, at, of in places],
        "flow": [DOWN, {"from": "server", "to": "tv", "kind": "udp", "rate": "45 Mbit/s"}],
    }


def test_a_victim_of_a_hidden_network_slows_nobody_down(tmp_path: Path) -> None:
    captures = played(tmp_path / "run", N20, "10 ms", hidden_neighbour())
    for files in (captures, captures[:1]):
        found = diagnose(files)
        assert not codes(found) & {"W202", "W104"}
        because = {one["code"]: one["because"] for one in found["abstained"]}
        assert "nobody is seen to wait for it" in because["W202"]
        assert "another network" in suspects(found)["W104"]


def test_rates_far_below_the_signal_bound_no_cost(tmp_path: Path) -> None:
    """Alone the laptop gets 69 Mbit/s, at rates that it never uses while the other network's frames meet its own."""
    world = {**hidden_neighbour(), "flow": [DOWN, {**DOWN, "to": "tv"}]}
    captures = played(tmp_path / "run", N20, "10 ms", world, seed=3)
    for files in (captures, captures[:1]):
        first = next(one for one in diagnose(files)["findings"] if one["code"] == "W201")
        assert "far faster rates" in (first["cost"]["unknown"] or "")


def test_air_that_something_unheard_holds_is_not_idle(tmp_path: Path) -> None:
    kinds: list[dict[str, Value]] = [
        {"kind": "neighbour", "level": "-60 dBm", "channel": 6, "occupancy": 0.6},
        {"kind": "microwave", "level": "-50 dBm"},
    ]
    for kind in kinds:
        parts: dict[str, list[dict[str, Value]]] = {
            "ap": [{"name": "ap", "adapter": "dcf", "queue": {"discipline": "fq_codel"}}],
            "station": [near("laptop", "dcf")],
            "flow": [DOWN],
            "interferer": [{"name": "x", **kind}],
        }
        captures = played(tmp_path / str(kind["kind"]), G, "10 ms", parts)
        for files in (captures, captures[:1]):
            found = diagnose(files)
            assert "W403" not in codes(found), kind
            assert "does not decode" in suspects(found)["W107"], kind


def test_full_air_with_nothing_beside_it_is_not_suspected(tmp_path: Path) -> None:
    parts: dict[str, list[dict[str, Value]]] = {
        "ap": [{"name": "ap", "adapter": "dcf", "queue": {"discipline": "fq_codel"}}],
        "station": [near("laptop", "dcf")],
        "flow": [DOWN],
    }
    found = diagnose(played(tmp_path / "run", G, "10 ms", parts))
    assert not codes(found)
    assert not suspects(found)


def test_a_connection_whose_station_is_not_heard_is_not_the_other_ends_affair(tmp_path: Path) -> None:
    flows: list[dict[str, Value]] = [
        {"from": name, "to": "server", "tcp": {"congestion": "cubic"}} for name in ("left", "right")
    ]
    parts: dict[str, list[dict[str, Value]]] = {
        "ap": [{"name": "ap", "adapter": "edca-ax", "queue": {"discipline": "mac80211"}}],
        "station": [
            near("left", "edca-ax", snr="35 dB", hidden_from=["right"]),
            near("right", "edca-ax", snr="35 dB"),
        ],
        "flow": flows,
    }
    found = diagnose(played(tmp_path / "run", AX20, "2 ms", parts, seed=1))
    assert "W406" not in codes(found)
    assert "the monitor has" in suspects(found)["W406"]


def test_a_rate_that_was_fixed_low_is_no_weak_signal(tmp_path: Path) -> None:
    """At 45 dB as much goes: 12 dB are enough for three times the rate."""
    slow = {**near("laptop", "dcf"), "snr": "12 dB", "rate": "6 Mbit/s"}
    ap: dict[str, Value] = {"name": "ap", "adapter": "dcf", "queue": {"discipline": "fq_codel"}}
    captures = played(tmp_path / "run", G, "5 ms", {"ap": [ap], "station": [slow], "flow": [UP]})
    first = diagnose(captures[:1])["findings"][0]
    assert first["code"] == "W104"
    assert "W105" not in codes(diagnose(captures))


def test_a_station_with_nothing_but_old_rates_does_not_lose_its_network(tmp_path: Path) -> None:
    old = {**near("old", {"profile": "dcf", "standard": "802.11b"}), "rate": "11 Mbit/s"}
    ap: dict[str, Value] = {"name": "ap", "adapter": "dcf", "queue": {"discipline": "fq_codel"}}
    few: dict[str, Value] = {"from": "server", "to": "old", "kind": "udp", "rate": "100 kbit/s", "payload": "400 B"}
    parts = {"ap": [ap], "station": [near("laptop", "dcf"), old], "flow": [DOWN, few]}
    captures = played(tmp_path / "run", G, "5 ms", parts)
    (slow,) = (one for one in diagnose(captures[:1])["findings"] if one["code"] == "W203")
    assert "Replace 02:00:00:00:00:02" in slow["remedy"]


def test_a_neighbours_station_with_nothing_but_old_rates_is_not_the_readers_to_replace(tmp_path: Path) -> None:
    old = {**near("old", {"profile": "dcf", "standard": "802.11b"}, ap="next"), "rate": "11 Mbit/s"}
    ap: dict[str, Value] = {"adapter": "dcf", "channel": 6, "queue": {"discipline": "fq_codel"}}
    few: dict[str, Value] = {"from": "server", "to": "old", "kind": "udp", "rate": "100 kbit/s", "payload": "400 B"}
    parts: dict[str, list[dict[str, Value]]] = {
        "ap": [{"name": name, **ap} for name in ("ap", "next")],
        "station": [near("laptop", "dcf", ap="ap"), old],
        "flow": [DOWN, few],
    }
    captures = played(tmp_path / "run", G, "5 ms", parts)
    laptop = next(path for path in captures if path.name == "laptop.pcapng")
    for files, begins in ((captures[:1], 'If "next"'), ([captures[0], laptop], "All of 02:00:00:00:00:03 goes")):
        (slow,) = (one for one in diagnose(files)["findings"] if one["code"] == "W203")
        assert slow["remedy"].startswith(begins)
        assert ("Replace" in slow["remedy"]) is False
        assert "nother channel or band than" in slow["remedy"]


def test_what_is_not_wifi_is_no_collision_with_a_station_that_hardly_sends(tmp_path: Path) -> None:
    """Bluetooth strikes whole PPDUs, too: a station with a hundredth of them did not."""
    air: dict[str, Value] = {**N20, "band": "2.4 GHz"}
    ups: list[dict[str, Value]] = [UP, {"kind": "udp", "from": "other", "to": "server", "rate": "100 kbit/s"}]
    parts: dict[str, list[dict[str, Value]]] = {
        "ap": [{"name": "ap", "adapter": "ath9k", "queue": {"discipline": "mac80211"}}],
        "station": [near(name, "ath9k", snr="30 dB") for name in ("laptop", "other")],
        "flow": ups,
        "interferer": [{"name": "headset", "kind": "bluetooth", "level": "-75 dBm"}],
    }
    for seed in (1, 2):
        found = diagnose(played(tmp_path / str(seed), air, "10 ms", parts, seed=seed)[:1])
        assert "W106" not in codes(found)
        assert any("what is not Wi-Fi" in because for because in suspects(found).values())


def test_what_hidden_stations_take_from_each_other_is_suspected_of_them_at_a_server(tmp_path: Path) -> None:
    """No radio was away: data of the others goes on while one of them is silent."""
    names = [f"sta{number}" for number in range(4)]
    stations = [
        near(name, "ath9k", hidden_from=[other for place, other in enumerate(names) if (place - own) % 2])
        for own, name in enumerate(names)
    ]
    ap: dict[str, Value] = {"name": "ap", "adapter": "ath9k", "queue": {"discipline": "mac80211"}}
    flows: list[dict[str, Value]] = [{"from": name, "to": "server"} for name in names]
    parts = {"ap": [ap], "station": stations, "flow": flows}
    captures = played(tmp_path / "run", N20, "10 ms", parts, seed=2)
    said = suspects(diagnose([path for path in captures if path.name == "server.pcapng"]))["W108"]
    assert "meanwhile data of 3 other hosts went on" in said
    assert "some that do not hear each other" in said


def test_a_receivers_capture_has_no_round_trip_of_the_way(tmp_path: Path) -> None:
    ap: dict[str, Value] = {"name": "ap", "adapter": "ath9k-ap", "queue": {"discipline": "mac80211"}}
    captures = played(
        tmp_path / "run", N20, "10 ms", {"ap": [ap], "station": [near("laptop", "ath9k-3.13")], "flow": [DOWN]}
    )
    seen = {path.stem: columns(diagnose_over_time([path])) for path in captures[1:]}
    assert not any(seen["laptop"].rtt)
    assert any(seen["server"].rtt)
