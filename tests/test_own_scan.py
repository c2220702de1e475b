"""Scan policies of one's own: a class judges each scan that is asked for."""

from __future__ import annotations

from typing import Any

import pytest

import airloom
from airloom.errors import OwnClassError, ScenarioError

SCENARIO = "examples/upload-scans.toml"
SCANS: dict[str, Any] = {
    "duration": "40 s",
    "station.0.scan.first": "2 s",
    "station.0.scan.shortest": "4 s",
    "station.0.scan.step": "0 s",
}


@airloom.scan_policy("still")
class Still:
    """The remedy that is built in: a scan is skipped if a byte moved."""

    def asked(self, moved: int) -> bool:
        """Nothing moved."""
        return moved == 0


def run(remedy: Any, **keys: Any) -> airloom.Run:
    """With this remedy."""
    return airloom.run(SCENARIO, set={**SCANS, "station.0.scan.remedy": remedy, **keys})


@pytest.mark.parametrize("stop", ["40 s", "10 s"])
def test_a_class_of_its_rule_does_as_the_remedy_that_is_built_in(stop: str) -> None:
    """Where data move all the time and where they end."""
    own, built_in = (run(remedy, **{"flow.0.stop": stop}).summary for remedy in ("still", "skip-if-moved"))
    assert own == built_in
    verdicts = [one["verdict"] for one in own["scan_requests"]]
    assert "skipped" in verdicts
    assert (len(own["scans"]) > 0) == (stop == "10 s")


def test_a_class_is_told_what_it_asks_for() -> None:
    told: list[tuple[float, int, int, int, float | None]] = []

    @airloom.scan_policy("telling")
    class Telling:
        def asked(self, now: float, moved: int, waiting: int, skipped: int, since: float | None) -> bool:
            told.append((now, moved, waiting, skipped, since))
            return len(told) % 3 == 0

    summary = run("telling").summary
    assert [one["time_s"] for one in summary["scan_requests"]] == [one[0] for one in told]
    assert [one[3] for one in told][:6] == [0, 1, 2, 0, 1, 2]
    assert all(one[4] is None for one in told[:3])
    assert told[3][4] == pytest.approx(told[3][0] - told[2][0])
    assert all(moved > 0 for _, moved, *_ in told)
    assert any(waiting for _, _, waiting, *_ in told)
    assert len(summary["scans"]) == len(told) // 3


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(OwnClassError, match="nothing judges a scan"):
        airloom.scan_policy("idle")(type("Idle", (), {}))
    with pytest.raises(OwnClassError, match="`skip-if-moved` is built in"):
        airloom.scan_policy("skip-if-moved")(Still)
    with pytest.raises(ScenarioError, match="--with MODULE"):
        airloom.check(SCENARIO, set={"station.0.scan.remedy": "nobodys"})
    with pytest.raises(ScenarioError, match="did you mean `still`"):
        airloom.check(SCENARIO, set={"station.0.scan.remedy": "stil"})
    with pytest.raises(ScenarioError, match="`threshold` is nothing that `still` knows"):
        airloom.check(SCENARIO, set={"station.0.scan.remedy": {"policy": "still", "threshold": "1 MiB"}})
    airloom.scan_policy("odd")(type("Odd", (), {"asked": lambda _: "perhaps"}))
    with pytest.raises(OwnClassError, match=r"`asked` of `odd`, 2\.\d+ s into the run: it returns None or True"):
        run("odd")
