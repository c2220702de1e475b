"""Roaming policies that are classes in Python: as the built-in ones, and refused where they cannot be used."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.errors import OwnClassError, ScenarioError
from own_sweep import swept

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCENARIO = "examples/roaming.toml"


@airloom.roaming_policy("vendor")
class Vendor:
    """Qualcomm's driver with its defaults, as `crates/engine/wifi/src/roaming/threshold.rs` has it."""

    def associated(self) -> None:
        """Nothing is known of its signal."""
        self.mean: int | None = None
        self.beacons, self.low = 0, False

    def beacon(self, dbm: int) -> str | None:
        """Whether to scan: a beacon counts a quarter, in sixteenths of a dB, and four are believed."""
        value = -dbm << 4
        self.mean = value if self.mean is None else ((self.mean << 2) - self.mean + value) >> 2
        self.beacons += 1
        if self.beacons < 4 or self.level() == -78:
            return None
        was, self.low = self.low, self.level() < -78
        return "scan" if self.low and not was else None

    def level(self) -> int:
        """The mean in dBm."""
        return -((self.mean or 0) >> 4)

    def scanned(self, heard: dict[str, int]) -> tuple[str, str | float] | None:
        """Where to go, or when to scan again."""
        if not self.low:
            return None
        best = max(heard, key=lambda name: heard[name], default="")
        return ("go", best) if best and heard[best] >= self.level() + 5 else ("wait", 20.0)

    def waited(self) -> str | None:
        """Again, if the signal is low still."""
        return "scan" if self.low else None


def run(roam: airloom.Value, seed: int = 1, **keys: airloom.Value) -> dict[str, Any]:
    """The summary of a walk under this policy."""
    return dict(airloom.run(SCENARIO, seed=seed, set={"station.0.roam": roam} | keys).summary)


@pytest.mark.nightly
def test_a_class_decides_as_the_built_in_policy() -> None:
    built_in, own = (run(name)["roams"] for name in ("qcacld", "vendor"))
    assert len(own) == 2
    assert [(one["from"], one["to"]) for one in own] == [(one["from"], one["to"]) for one in built_in]
    times = [[one["decided_s"] for one in roams] for roams in (built_in, own)]
    assert times[0][0] == times[1][0], "the first decision follows from beacons and a scan alone"
    assert times[0] == pytest.approx(times[1], abs=0.001), "what Linux asks after a scan moves what follows"


def test_one_that_wishes_for_nothing_stays_as_the_sticky_one() -> None:
    airloom.roaming_policy("content")(type("Content", (), {"beacon": lambda _: None}))
    built_in, own = (run(name) for name in ("sticky", "content"))
    assert built_in["flows"] == own["flows"]
    assert built_in["nodes"] == own["nodes"]
    assert own["roams"] == []


def test_a_hook_is_told_what_it_names() -> None:
    told: dict[str, list[dict[str, Any]]] = {"associated": [], "beacon": [], "scanned": [], "waited": []}

    @airloom.roaming_policy("noting")
    class Noting:
        def associated(self, now: float, ap: str, dbm: int, mhz: int) -> list[object]:
            told["associated"].append({"now": now, "ap": ap, "dbm": dbm, "mhz": mhz})
            return ["scan", ("wait", 1.5)]

        def beacon(self, now: float, ap: str, dbm: int) -> None:
            told["beacon"].append({"now": now, "ap": ap, "dbm": dbm})

        def waited(self, now: float) -> tuple[str, str] | None:
            told["waited"].append({"now": now})
            return ("go", "kitchen") if len(told["waited"]) == 1 else None

        def scanned(self, now: float, ap: str, own: bool, heard: dict[str, int], channels: dict[str, int]) -> None:
            told["scanned"].append({"now": now, "ap": ap, "own": own, "heard": heard, "channels": channels})

    summary = run("noting", duration="8 s")
    assert [one["ap"] for one in told["associated"]] == ["hall", "kitchen"]
    assert [one["mhz"] for one in told["associated"]] == [5180, 5260], "the middles of channels 36 and 52"
    assert told["associated"][0]["now"] == 0
    assert told["waited"][0]["now"] == 1.5
    [roam] = summary["roams"]
    assert (roam["from"], roam["to"], roam["decided_s"]) == ("hall", "kitchen", 1.5)
    assert told["waited"][1]["now"] == pytest.approx(roam["associated_s"] + 1.5, abs=0.2)
    assert {one["ap"] for one in told["beacon"]} == {"hall", "kitchen"}
    apart = [late["now"] - early["now"] for early, late in pairwise(told["beacon"])]
    assert min(apart) > 0.05
    first = told["scanned"][0]
    assert first["ap"] == "hall"
    assert first["own"]
    assert first["channels"]["kitchen"] == 5260
    assert "hall" not in first["heard"]
    assert all(-100 < dbm < -30 for one in told["scanned"] for dbm in one["heard"].values())
    assert len(told["scanned"]) == 2


def test_the_same_seed_gives_the_same_run() -> None:
    once, again, other = (run("vendor", seed=seed) for seed in (1, 1, 2))
    assert once == again
    assert once["flows"] != other["flows"]
    with_keys: dict[str, airloom.Value] = {"by": "vendor", "channels": 3}
    [told] = airloom.check(SCENARIO, set={"station.0.roam": with_keys}).settings["station"]
    assert told["roam"] == with_keys
    assert '"vendor"' in json.dumps(airloom.schema())


@pytest.mark.parametrize(
    ("roam", "said"),
    [
        ("vendro", "did you mean `vendor`?"),
        ("nobodys", "--with MODULE"),
        ({"by": "vendor", "threshold": "-70 dBm"}, "`threshold` is nothing that `vendor` knows"),
    ],
)
def test_a_scenario_that_names_no_policy_is_refused(roam: airloom.Value, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        airloom.check(SCENARIO, set={"station.0.roam": roam})
    assert said in str(refused.value)


def test_a_class_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(OwnClassError, match="nothing decides where to go"):
        airloom.roaming_policy("idle")(type("Idle", (), {}))
    with pytest.raises(OwnClassError, match="`iwd` is built in"):
        airloom.roaming_policy("iwd")(Vendor)
    with pytest.raises(OwnClassError, match="`beacon` cannot be told `heard`"):
        airloom.roaming_policy("early")(type("Early", (), {"beacon": lambda _, heard: heard}))


def answers(said: object) -> Callable[..., object]:
    """A hook that answers so."""
    return lambda _: said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("look", r'a hook returns nothing, "scan"'),
        (("go", "attic"), "there is no access point `attic`"),
        (("go", "hall"), "the station is at `hall` already"),
        ([("go", "kitchen"), ("go", "study")], "one access point at a time"),
        (("wait", 0), "a wait is from 0.001 to 86400 s, not 0"),
    ],
)
def test_a_wrong_answer_ends_the_run_with_where_it_was(answer: object, said: str) -> None:
    airloom.roaming_policy("odd")(type("Odd", (), {"beacon": answers(answer)}))
    with pytest.raises(OwnClassError, match=rf"`beacon` of `odd`, 0\.\d+ s into the run: .*{said}"):
        run("odd")


def test_what_a_hook_raises_ends_the_run_with_place_and_time() -> None:
    @airloom.roaming_policy("tired")
    class Tired:
        def beacon(self, now: float) -> None:
            assert now < 2.5, "enough"

    with pytest.raises(OwnClassError, match=r"`beacon` of `tired`, 2\.\d+ s into the run: AssertionError") as raised:
        run("tired")
    assert 'assert now < 2.5, "enough"' in str(raised.value)


def test_a_sweep_in_processes_knows_the_classes_of_a_module(tmp_path: Path) -> None:
    module = (
        "@airloom.roaming_policy('once')\nclass Once:\n    def associated(self, ap):\n"
        "        return ('wait', 1) if ap == 'hall' else None\n\n"
        "    def waited(self):\n        return 'go', 'kitchen'\n"
    )
    said = swept(tmp_path, module, SCENARIO, '{ duration = "6 s" }', '"station.0.roam" = ["sticky", "once"]')
    assert "2 cells: 2 done" in said
