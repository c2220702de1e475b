"""What a monitor hears only as a retry is data all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.diagnosis.reading import diagnose
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.given import Settings

HIDDEN: Settings = {"station.left.hidden_from": ["right"]}


def uploads(folder: Path, settings: Settings, mbps: int = 36) -> Path:
    """Two stations upload by TCP at a fixed rate; without settings they hear each other."""
    text = (ROOT / "examples" / "hidden.toml").read_text(encoding="utf-8")
    file = folder / "uploads.toml"
    file.write_text(
        text.replace('kind = "udp"\n', "").replace('rate = "saturated"', 'tcp = { congestion = "cubic" }'),
        encoding="utf-8",
    )
    rates: Settings = {f"station.{name}.rate": f"{mbps} Mbit/s" for name in ("left", "right")}
    return airloom.run(file, set={**rates, **settings}, out=folder / "run", capture=True).path


@pytest.mark.parametrize("settings", [{}, HIDDEN], ids=["collisions", "hidden"])
def test_a_monitor_sees_as_much_of_tcp_as_the_server(tmp_path: Path, settings: Settings) -> None:
    run = uploads(tmp_path, settings)
    air, server = (diagnose([run / f"{place}.pcapng"])["connections"] for place in ("air", "server"))
    arrived = {one["from"]: one for one in server if one["bytes"] > 100_000}
    heard = {one["from"]: one for one in air if one["from"] in arrived}
    assert len(heard) == 2
    for sender, one in heard.items():
        assert one["missing"] == 0
        assert one["mbps"] == pytest.approx(arrived[sender]["mbps"], rel=0.02)
        assert one["retransmissions"]["all"] == pytest.approx(arrived[sender]["retransmissions"]["all"], abs=1)


@pytest.mark.parametrize("mbps", [36, 54])
def test_stations_that_do_not_hear_each_other_are_named_before_the_air_that_they_lose(
    tmp_path: Path, mbps: int
) -> None:
    findings = diagnose([uploads(tmp_path, HIDDEN, mbps) / "air.pcapng"])["findings"]
    assert findings[0]["code"] == "W106"
    assert {one["below"] for one in findings if one["code"] == "W201"} <= {0}
    assert not [one for one in findings if one["code"] in ("W402", "W403")]


@pytest.mark.parametrize("mbps", [36, 54])
@pytest.mark.parametrize("settings", [{}, HIDDEN], ids=["collisions", "hidden"])
def test_datagrams_that_never_came_through_show_who_does_not_hear_whom(
    tmp_path: Path, settings: Settings, mbps: int
) -> None:
    rates: Settings = {f"station.{name}.rate": f"{mbps} Mbit/s" for name in ("left", "right")}
    run = airloom.run(ROOT / "examples" / "hidden.toml", set={**rates, **settings}, out=tmp_path / "run", capture=True)
    told = diagnose([run.path / "air.pcapng"])
    named = sorted(one["subject"][:17] for one in told["findings"])
    assert {one["code"] for one in told["findings"]} == ({"W106"} if settings else set())
    assert named == (["02:00:00:00:00:01", "02:00:00:00:00:02"] if settings else [])
