"""The paper about scanning: what its testbed is made of."""

from __future__ import annotations

from airloom.papers import given, paper

DRIVERS = {"linux-3.13": "ath9k-3.13", "linux-3.2": "ath9k"}
"""The ath9k of each kernel."""


def test_each_kernel_has_its_own_driver() -> None:
    drivers: dict[str, set[str]] = {}
    for run in paper.read("scan").runs.values():
        if not run.same:
            has = given.values(run.scenario, run.overrides, run.seed)
            drivers.setdefault(has["station.0.host.profile"], set()).add(has["station.0.adapter.profile"])
    assert drivers == {kernel: {driver} for kernel, driver in DRIVERS.items()}
