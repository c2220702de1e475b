"""What `airloom diagnose` says where a signal, a recovery or a moment may be why, and nobody is to blame for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from airloom.diagnosis.words import lead
from airloom.results.bundle import AIR
from test_diagnosis_shared_air import because, codes
from test_diagnosis_sound import MAC80211, down, strong
from test_diagnosis_worlds import N20, N40, played, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

A: dict[str, Value] = {"standard": "802.11a", "band": "5 GHz", "width": "20 MHz"}
AP: dict[str, Value] = {"adapter": "ath9k-openwrt", **MAC80211}


def up(name: str) -> dict[str, Value]:
    """A flow of a station."""
    return {"from": name, "to": "server"}


def dcf(name: str, snr: str, rate: str) -> dict[str, Value]:
    """A station with a fixed rate."""
    return strong(name, adapter="dcf", snr=snr, rate=rate)


@pytest.mark.filterwarnings("ignore::airloom.errors.ScenarioWarning")
@pytest.mark.parametrize(("snr", "rate"), [("25 dB", "54 Mbit/s"), ("22.5 dB", "48 Mbit/s")])
def test_a_rate_that_is_too_fast_for_a_receiver_hides_nobody(snr: str, rate: str, tmp_path: Path) -> None:
    """Half of the frames are lost, beside a station that hears them all."""
    stations = [dcf("a", snr, rate), dcf("b", "40 dB", rate)]
    run = played(tmp_path / "run", stations, up("a"), up("b"), delay="10 ms", air=A, duration="5 s", seed=1)
    found = diagnose([run.path / AIR])
    assert "W106" not in codes(found)
    assert "W105" in codes(found) or "may be too fast for this one" in because(found, "W106")


@pytest.mark.filterwarnings("ignore::airloom.errors.ScenarioWarning")
def test_a_rate_that_is_too_fast_alone_is_said_to_be_before_any_oven(tmp_path: Path) -> None:
    one = dcf("a", "25 dB", "54 Mbit/s")
    found = diagnose([played(tmp_path / "run", [one], down("a"), delay="10 ms", air=A, seed=1).path / AIR])
    said = because(found, "W107")
    assert said.index("too fast for this receiver") < said.index("microwave")
    assert "too fast for this receiver" in " ".join(lead(found))


def pair(tmp_path: Path, seed: int, *, hidden: bool, fading: str = "0 dB") -> Diagnosis:
    """What a monitor shows of two uploads of 802.11n with a rate control."""
    far: dict[str, Value] = {"hidden_from": ["b"]} if hidden else {}
    stations = [station("a", distance="18 m", rate="minstrel", **far), station("b", distance="10 m", rate="minstrel")]
    air: dict[str, Value] = {**N20, "fading": fading}
    both = [up("a"), up("b")]
    run = played(tmp_path / f"{seed}", stations, *both, delay="10 ms", air=air, ap=AP, duration="10 s", seed=seed)
    return diagnose([run.path / AIR])


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [7, 1, 5])
def test_a_signal_that_fades_hides_nobody(seed: int, tmp_path: Path) -> None:
    """The records tell the faded signal."""
    found = pair(tmp_path, seed, hidden=False, fading="4 dB")
    assert "W106" not in codes(found)
    assert "may fade for whole PPDUs" in because(found, "W106")


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [7, 1, 2])
def test_hidden_stations_with_a_rate_control_are_found(seed: int, tmp_path: Path) -> None:
    """However little the one that starves is heard, and whatever noise takes of the other's acknowledgments."""
    found = pair(tmp_path, seed, hidden=True)
    assert codes(found)[:1] == ["W106"]
    assert not any("slower rate" in one["remedy"] for one in found["findings"])


def test_uploads_with_a_rate_control_that_hear_each_other_are_left_in_peace(tmp_path: Path) -> None:
    assert "W106" not in codes(pair(tmp_path, 7, hidden=False))


def test_a_window_that_its_sender_restores_was_not_halved(tmp_path: Path) -> None:
    """Linux undoes a reduction that D-SACK shows to be needless: as much is in flight afterwards."""
    late: dict[str, Value] = {"late": {"share": 0.002, "by": "6 ms"}}
    one = station("a", rate="minstrel")
    ap: dict[str, Value] = {"adapter": "ath9k-ap", **MAC80211}
    world = {"delay": "15 ms", "link": late, "server": "linux-3.13", "air": N40, "ap": ap, "seed": 7}
    run = played(tmp_path / "run", [one], down("a"), **world)  # type: ignore[arg-type]
    found = diagnose([run.path / "server.pcapng"])
    (finding,) = [one for one in found["findings"] if one["code"] == "W303"]
    assert "halved" not in finding["says"]
    assert "In flight were" in finding["says"]


def test_what_a_sender_holds_back_while_it_recovers_is_no_size_that_it_sends_at_a_time(tmp_path: Path) -> None:
    flow = down("a", tcp={"congestion": "bbr"})
    one = station("a", distance="5 m", rate="minstrel")
    run = played(tmp_path / "run", [one], flow, delay="20 ms", air=N40, ap=AP, duration="10 s", seed=7)
    assert "nothing more until all were acknowledged" not in " ".join(lead(diagnose([run.path / "server.pcapng"])))


def test_a_neighbour_that_takes_half_of_the_air_is_found(tmp_path: Path) -> None:
    air: dict[str, Value] = {"standard": "802.11ac", "band": "5 GHz", "width": "40 MHz"}
    stations = [station(name, adapter="edca-ac", rate="minstrel", ap=ap) for name, ap in (("a", "ap"), ("t", "nb"))]
    other: dict[str, Value] = {"name": "nb", "channel": 36, "adapter": "edca-ac"}
    flows = [down("a"), down("t", kind="udp", rate="saturated")]
    ap: dict[str, Value] = {"channel": 36}
    run = played(tmp_path / "run", stations, *flows, delay="10 ms", air=air, ap=ap, seed=7, more=[other])
    (finding,) = [one for one in diagnose([run.path / AIR])["findings"] if one["code"] == "W201"]
    assert finding["cost"]["at_most"]
    assert 'Data of the other network "nb"' in finding["says"]
