"""What `airloom diagnose` says of sound worlds, and of causes that look like others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from airloom.results.bundle import AIR
from test_diagnosis_worlds import N20, G, played, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.toml_text import Value

AX: dict[str, Value] = {"standard": "802.11ax", "band": "5 GHz", "width": "80 MHz"}
MAC80211: dict[str, Value] = {"queue": {"discipline": "mac80211"}}
STRONG: dict[str, Value] = {"distance": None, "snr": "40 dB", "rate": "minstrel"}


def strong(name: str, **more: Value) -> dict[str, Value]:
    """A station with a strong signal."""
    return {key: value for key, value in station(name, **{**STRONG, **more}).items() if value is not None}


def down(to: str, **more: Value) -> dict[str, Value]:
    """A flow from the server."""
    return {"from": "server", "to": to, **more}


@pytest.mark.parametrize("rate", ["200 kbit/s", "1 Mbit/s"])
def test_datagrams_with_nothing_to_go_with_are_not_sent_alone_by_a_fault(rate: str, tmp_path: Path) -> None:
    stations = [strong(name, adapter="ath9k-3.13") for name in ("near", "far")]
    flows = [down("near"), down("far", kind="udp", rate=rate)]
    run = played(tmp_path / "run", stations, *flows, delay="10 ms", air=N20, ap=MAC80211, duration="4 s", seed=7)
    assert diagnose([run.path / AIR])["findings"] == []


def test_captures_on_both_sides_of_a_slow_bus_tell_its_side(tmp_path: Path) -> None:
    """The access point's frames go as soon as they can, since acknowledgments keep to the beat of the bus."""
    laptop = strong("laptop", adapter={"profile": "dcf", "usb": {}}, rate="54 Mbit/s")
    ap: dict[str, Value] = {"adapter": "dcf", "queue": {"discipline": "fq_codel"}}
    run = played(tmp_path / "run", [laptop], down("laptop"), delay="10 ms", air=G, ap=ap, duration="6 s", seed=7)
    told = diagnose([run.path / name for name in (AIR, "laptop.pcapng", "server.pcapng")])
    (finding,) = [one for one in told["findings"] if one["code"] == "W403"]
    assert "Packets wait on the station's side of it" in finding["says"]
    assert "does not show" not in finding["says"]


def test_what_waits_for_beacons_counts_as_long_as_it_waits_and_is_no_queue(tmp_path: Path) -> None:
    """A sender probes while an answer is long in coming (RFC 8985); those that take longest count as well."""
    air: dict[str, Value] = {**AX, "width": "20 MHz"}
    save: Value = {"timeout": "20 ms", "listen_interval": 3}
    laptop = strong("laptop", adapter="edca-ax", power_save=save)
    write: Value = {"size": "60 kB", "every": "470 ms"}
    flow = down("laptop", write=write)
    run = played(tmp_path / "run", [laptop], flow, delay="10 ms", air=air, ap=MAC80211, duration="25 s", seed=7)
    told = diagnose([run.path / "server.pcapng"])
    (place,) = [at for at, one in enumerate(told["findings"]) if one["code"] == "W109"]
    asked = 25 / 0.47
    assert int(told["findings"][place]["says"].split()[0]) > 0.9 * asked
    # Awake for a beacon in three: the median of what is asked at any time, but for 20 ms behind the last.
    assert told["findings"][place]["cost"]["value"] == pytest.approx(3 * 102.4 / 2, abs=15)
    assert all(one["below"] == place for one in told["findings"] if one["code"] == "W301")


def test_calls_in_step_do_not_hide_from_each_other(tmp_path: Path) -> None:
    phones = strong("p", adapter="edca-ax", count=3)
    stations = [phones, strong("laptop", adapter="edca-ax")]
    call: dict[str, Value] = {"kind": "udp", "rate": "68.8 kbit/s", "payload": "172 B", "dscp": "EF"}
    flows = [down("p", **call), {"from": "p", "to": "server", **call}, down("laptop")]
    run = played(tmp_path / "run", stations, *flows, delay="10 ms", air=AX, ap=MAC80211, duration="2500 ms", seed=7)
    told = diagnose([run.path / AIR])
    assert told["findings"] == []
    (unsure,) = [one for one in told["abstained"] if one["code"] == "W106"]
    assert "whether or not the senders hear each other" in unsure["because"]


def test_of_two_that_do_not_hear_each_other_the_one_that_gains_lacks_nothing(tmp_path: Path) -> None:
    names: dict[str, dict[str, Value]] = {"left": {"hidden_from": ["right"]}, "right": {}}
    stations = [strong(name, snr="35 dB", adapter="ath9k-3.13", **more) for name, more in names.items()]
    flows: list[dict[str, Value]] = [{"from": name, "to": "server"} for name in names]
    run = played(tmp_path / "run", stations, *flows, delay="2 ms", air=N20, ap=MAC80211, duration="8 s", seed=7)
    most = max(run.flows, key=lambda flow: flow.goodput_mbps)
    winner = f"02:00:00:00:00:0{1 + list(names).index(most.name.split('-')[0])}"
    found = [one for one in diagnose([run.path / AIR])["findings"] if one["code"] == "W106"]
    assert len(found) > 1
    assert all(one["cost"]["unit"] != "Mbit/s" for one in found if one["subject"].startswith(winner))


def test_a_weak_signal_is_of_the_one_that_is_heard_weakly(tmp_path: Path) -> None:
    """The station hears its access point well, and is heard at 9 dB."""
    laptop = strong("laptop", adapter="ath9k-3.13", snr_up="9 dB")
    run = played(
        tmp_path / "run", [laptop], down("laptop"), delay="10 ms", air=N20, ap=MAC80211, duration="4 s", seed=7
    )
    found = [one for one in diagnose([run.path / AIR])["findings"] if one["code"] == "W105"]
    down_says = [one["says"] for one in found if one["subject"].startswith("02:00:00:00:00:00")]
    assert down_says
    assert all("how well the station hears the access point does not show" in says for says in down_says)
