"""What `airloom diagnose` says of a cause that hardly shows: it finds it, or says why it cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from airloom.results.bundle import AIR

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import Diagnosis
    from airloom.scenario.toml_text import Value

HIDDEN = """
duration = "6 s"
air = { standard = "802.11g", band = "2.4 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "dcf" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "10 ms" } }]
flow = [{ name = "f0", from = "laptop", to = "server" }, { name = "f1", from = "b", to = "server" }]

[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "dcf"
distance = "8 m"
rate = "24 Mbit/s"
hidden_from = ["b"]

[[station]]
name = "b"
host = "linux-6.18"
adapter = "dcf"
distance = "8 m"
rate = "24 Mbit/s"
"""

ALONE = """
duration = "6 s"
air = { standard = "802.11n", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = { profile = "ath9k", kernel = "Linux 6.18" } }]
station = [{ name = "laptop", host = "linux-6.18", adapter = "ath9k", distance = "4 m", rate = "minstrel" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "20 ms" } }]
flow = [{ name = "f0", from = "server", to = "laptop" }]
"""


def heard(tmp_path: Path, scenario: str, seed: int, change: dict[str, Value] | None = None) -> Diagnosis:
    """What a monitor's capture of a world shows."""
    tmp_path.mkdir(exist_ok=True)
    run = airloom.run(scenario, seed=seed, set=change or {}, out=tmp_path / f"changed-{bool(change)}", capture=True)
    return diagnose([run.path / AIR])


def told(found: Diagnosis, code: str) -> str:
    """What a rule found, or why it cannot tell; empty if it found nothing wrong."""
    says = [one["says"] for one in found["findings"] if one["code"] == code]
    return " ".join([*says, *(one["because"] for one in found["abstained"] if one["code"] == code)])


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_hidden_stations_that_give_up_frames_are_found_or_suspected(seed: int, tmp_path: Path) -> None:
    """A hundredth of the frames and more never comes through, with 12 to 36 % of retries."""
    assert "never came through" in told(heard(tmp_path, HIDDEN, seed), "W106")
    hear_each_other = HIDDEN.replace('hidden_from = ["b"]\n', "")
    assert told(heard(tmp_path / "heard", hear_each_other, seed), "W106") == ""


def test_two_outages_are_too_few_to_tell_what_makes_them(tmp_path: Path) -> None:
    outages: Value = {"between": "1 s", "lasting": "150 ms", "depth": "40 dB"}
    assert "too few" in told(heard(tmp_path, ALONE, 1, {"air.outages": outages}), "W107")
    assert told(heard(tmp_path, ALONE, 1), "W107") == ""


def test_what_a_lossy_wire_costs_is_bounded_by_the_window_of_the_receiver(tmp_path: Path) -> None:
    """Without the losses it carries 14.6 Mbit/s instead of 7.8: the air would carry a hundred more."""
    change: dict[str, Value] = {
        "server.0.link.loss": 0.003,
        "station.0.host": {
            "profile": "linux-6.18",
            "receive_buffer_initial": "128 KiB",
            "receive_buffer_max": "128 KiB",
        },
    }
    (found,) = [one for one in heard(tmp_path, ALONE, 1, change)["findings"] if one["code"] == "W403"]
    assert found["cost"]["at_most"]
    assert 5 < found["cost"]["value"] < 15


def test_a_send_buffer_that_shows_behind_the_radio_alone_is_not_called_a_timer(tmp_path: Path) -> None:
    """A PPDU of 45 segments is there 2 ms behind the acknowledgments that let them go."""
    change: dict[str, Value] = {
        "flow.0": {"name": "f0", "from": "laptop", "to": "server", "tcp": {"send_buffer_max": "100 KiB"}}
    }
    because = told(heard(tmp_path, ALONE, 1, change), "W405")
    assert "its buffer" in because
    assert "timer" not in because
