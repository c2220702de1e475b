"""The paper about scanning: what its testbed is made of."""

from __future__ import annotations

import tomllib

import airloom
from airloom.fitting import problem_file
from airloom.papers import given, paper
from airloom.scenario.differences import flat
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


def test_scenarios_override_two_values_of_the_scanner_and_what_a_fit_found() -> None:
    scanner = airloom.profiles()["networkmanager-0.9.8"]
    unknowns = problem_file.read(ROOT / "papers" / "scan" / "fit.toml").parameters
    for name in ("upload-tsq.toml", "upload-no-tsq.toml", "download.toml"):
        scenario = tomllib.loads((ROOT / "papers" / "scan" / name).read_text(encoding="utf-8"))
        (station,) = scenario["station"]
        assert scanner.values.keys() & station["scan"].keys() == {"first", "shortest"}
        written = {
            f"{kind}.0.{key}.{rest}"
            for kind in ("ap", "station", "server")
            for key in ("host", "adapter")
            for rest in flat(scenario[kind][0].get(key, {}))
        }
        found = {key for one in unknowns for key in one.keys_in(name) if key.split(".")[2] in {"host", "adapter"}}
        assert {key for key in written if not key.endswith((".profile", "."))} == found


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
