"""Parameters of classes of one's own: a scenario gives them values by `[own.NAME]`, as it gives any key one."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import airloom
from airloom.errors import ScenarioError
from own_sweep import COMMAND, swept

SCENARIO = "examples/download.toml"


@airloom.congestion_control("held", segments=20, by={"no": "scenario writes this"})
@airloom.congestion_control("held-ten", segments=10, by={})
class Held:
    """A window that stays as it is."""

    def __init__(self, segments: int, by: dict[str, str], share: float = 1.0, *, halves: bool = False, word: str = ""):
        """So many segments, of which a share counts, or half of that."""
        assert word in ("", "x")
        assert isinstance(by, dict)
        self.cwnd = segments * share / (2 if halves else 1)

    def grow(self) -> float:
        """To the same again."""
        return self.cwnd

    def lost(self) -> float:
        """The same."""
        return self.cwnd


def run(control: str, **own: Any) -> dict[str, Any]:
    """The flow of a run with this control and these values of its parameters."""
    keys: dict[str, Any] = {f"own.{control}.{key}": value for key, value in own.items()}
    keys |= {"duration": "1 s", "flow.0.tcp.congestion": control}
    made = airloom.run(SCENARIO, set=keys)
    flow = dict(made.summary["flows"][0])
    assert flow.pop("congestion") == control
    return flow


def test_a_value_replaces_what_the_decorator_gives() -> None:
    ten = run("held-ten")
    assert run("held", segments=10) == ten
    assert run("held") != ten


def test_arguments_with_a_default_are_parameters_too() -> None:
    ten = run("held-ten")
    assert run("held", share=0.5) == ten
    assert run("held", halves=True, word="x") == ten
    assert run("held", halves=True, share=2) == run("held")


def test_a_bundle_has_the_values(tmp_path: Path) -> None:
    """Those that are not given too; a scenario writes no dictionary."""
    keys: dict[str, Any] = {"duration": "100 ms", "flow.0.tcp.congestion": "held", "own.held.share": 2}
    airloom.run(SCENARIO, out=tmp_path / "out", set=keys)
    own = tomllib.loads((tmp_path / "out/scenario.toml").read_text(encoding="utf-8"))["own"]
    assert own == {"held": {"halves": False, "segments": 20, "share": 2.0, "word": ""}}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("own.held.segmnts", 10, "did you mean `segments`"),
        ("own.held.by", "x", "`held` has no parameter `by`"),
        ("own.held.segments", 2.5, "`segments` must be a whole number, not 2.5"),
        ("own.hold.segments", 3, "did you mean `held`"),
    ],
)
def test_what_cannot_be_is_refused(key: str, value: Any, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        airloom.check(SCENARIO, set={"flow.0.tcp.congestion": "held", key: value})


def test_values_for_what_nothing_uses_are_warned_of() -> None:
    (said,) = airloom.check(SCENARIO, set={"own.held.segments": 3}).warnings
    assert "nothing has `held`: the values of [own.held] change nothing" in said


def test_without_the_module_the_remedy_is_to_bring_it(tmp_path: Path) -> None:
    """With the place of the table."""
    text = Path(SCENARIO).read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(f"{text}\n[own.mine]\nalpha = 2\n")
    done = subprocess.run([*COMMAND, "check", "mine.toml"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    line = text.count("\n") + 2
    assert f"mine.toml:{line}:6: no kind of your own is called `mine`" in done.stderr
    assert "--with MODULE" in done.stderr


MODULE = """
@airloom.congestion_control("mine", segments=20)
class Mine:
    def __init__(self, segments):
        self.segments = segments

    def grow(self):
        return self.segments
"""


def test_a_sweep_varies_them(tmp_path: Path) -> None:
    """As numbers, along which its table has the results."""
    settings = '{ duration = "1 s", "flow.0.tcp.congestion" = "mine" }'
    swept(tmp_path, MODULE, SCENARIO, settings, '"own.mine.segments" = [2, 4, 8]')
    words = ["sweep", "show", "sw", "--metric", "goodput_mbps", "--by", "own.mine.segments"]
    done = subprocess.run([*COMMAND, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()[1:4]]
    assert [row[0] for row in rows] == ["2", "4", "8"]
    goodputs = [float(row[1]) for row in rows]
    assert goodputs[0] < goodputs[1] < goodputs[2]


def test_the_schema_describes_them(tmp_path: Path) -> None:
    """By their types and defaults."""
    (tmp_path / "mine.py").write_text(f"import airloom\n\n{MODULE}")
    words = ["schema", "own.mine.segments", "--with", "mine"]
    done = subprocess.run([*COMMAND, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[:2] == ["own.mine.segments: a whole number", "    default: 20"]


def test_other_values_are_other_runs() -> None:
    """The text that identifies a run has them."""
    told = {airloom.check(SCENARIO, set={"flow.0.tcp.congestion": "held", "own.held.segments": n}).toml for n in (3, 4)}
    assert len(told) == 2


def test_a_number_of_numpy_is_a_number() -> None:
    """As it stands in a table of defaults that somebody computes."""

    @airloom.congestion_control("numpy", by={}, segments=np.int64(20), share=np.float32(0.5))
    class Numbers(Held):
        """Half of twenty segments."""

    assert run("numpy", segments=10) == run("held-ten", share=0.5)
