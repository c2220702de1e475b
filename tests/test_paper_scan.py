"""The paper about scanning: what its testbed is made of."""

from __future__ import annotations

import tomllib

import airloom
from airloom.papers import given, paper
from conftest import ROOT

DRIVERS = {"linux-3.13": "ath9k-3.13", "linux-3.2": "ath9k"}
"""The ath9k of each kernel."""


def test_each_kernel_has_its_own_driver() -> None:
    drivers: dict[str, set[str]] = {}
    for run in paper.read("scan").runs.values():
        if not run.same:
            has = given.values(run.scenario, run.overrides, run.seed)
            drivers.setdefault(has["station.0.host.profile"], set()).add(has["station.0.adapter.profile"])
    assert drivers == {kernel: {driver} for kernel, driver in DRIVERS.items()}


def test_scenarios_override_two_values_of_the_profiles_alone() -> None:
    scanner = airloom.profiles()["networkmanager-0.9.8"]
    for name in ("upload-tsq", "upload-no-tsq", "download"):
        scenario = tomllib.loads((ROOT / "papers" / "scan" / f"{name}.toml").read_text(encoding="utf-8"))
        (station,) = scenario["station"]
        assert scanner.values.keys() & station["scan"].keys() == {"first", "shortest"}
        parts = [part for kind in ("ap", "station", "server") for part in scenario[kind]]
        assert all(isinstance(part[key], str) for part in parts for key in ("host", "adapter") if key in part)


def test_the_uploads_differ_in_the_stations_kernel_alone() -> None:
    with_queues, without = (
        given.values(ROOT / "papers" / "scan" / f"{name}.toml", [], None) for name in ("upload-tsq", "upload-no-tsq")
    )
    differ = {key for key in with_queues.keys() | without.keys() if with_queues.get(key) != without.get(key)}
    assert {".".join(key.split(".")[:3]) for key in differ} <= {
        "title",
        "description",
        "station.0.host",
        "station.0.adapter",
    }
