"""Congestion controls that are classes in Python: as the built-in ones, and refused where they cannot be used."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from inspect import Parameter, Signature
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

import airloom
import own_controls
from airloom.errors import OwnClassError, RunError, ScenarioError, ScenarioWarning
from airloom.own import brought, modules
from airloom.simulation import simulate
from airloom.sweep.task import Task, Work

if TYPE_CHECKING:
    from collections.abc import Callable

UPLOADS = ("papers/scan/upload-tsq.toml", "papers/scan/upload-no-tsq.toml")
"""The scan paper's, of whose second the window falls in every scan."""

FLOW = "sta1-server"
"""Its flow."""

UPLOAD = "examples/upload.toml"

AIMD = """
import airloom

@airloom.congestion_control("aimd")
class Aimd:
    def grow(self, cwnd, segments):
        return cwnd + segments / cwnd
"""

airloom.congestion_control("python-reno")(own_controls.Reno)
airloom.congestion_control("python-cubic")(own_controls.Cubic)


def run(congestion: str, scenario: str = UPLOAD, **keys: str) -> airloom.Run:
    """A run of this control."""
    return airloom.run(scenario, set={"flow.0.tcp.congestion": congestion, **keys})


@pytest.mark.sample(2)
@pytest.mark.parametrize("scenario", UPLOADS)
@pytest.mark.parametrize("congestion", ["newreno", "cubic"])
def test_a_window_goes_as_that_of_the_built_in_control(scenario: str, congestion: str) -> None:
    keys = {"duration": "60 s", "station.0.host.slow_start": "standard"}
    ours = {"newreno": "python-reno", "cubic": "python-cubic"}[congestion]
    built_in, own = (run(name, scenario, **keys) for name in (congestion, ours))
    series = [each.series.get(FLOW, "cwnd") for each in (built_in, own)]
    assert len(series[0].values) > 50
    assert series[0].values == series[1].values


def hook(*wants: str, answer: object = None) -> Callable[..., object]:
    """A method that wants these arguments; a star before one takes all that there are."""

    def method(*_: object, **__: object) -> object:
        return answer

    kinds = {True: Parameter.VAR_POSITIONAL, False: Parameter.POSITIONAL_OR_KEYWORD}
    named = [Parameter(want.lstrip("*"), kinds[want.startswith("*")]) for want in ("self", *wants)]
    method.__signature__ = Signature(named)  # type: ignore[attr-defined]
    return method


def brings(**hooks: Callable[..., object]) -> type:
    """A class with these methods."""
    return type("Mine", (), hooks)


def test_what_a_hook_may_be_told_is_what_it_names() -> None:
    told: dict[str, list[dict[str, Any]]] = {"started": [], "acked": [], "round": []}

    class Notebook:
        def started(self, now: float, cwnd: float, ssthresh: float, rtt: float | None, mss: int) -> None:
            told["started"].append(locals())

        def acked(self, *, now: float, rtt: float | None, segments: int, extra: int = 3) -> None:
            told["acked"].append({"now": now, "rtt": rtt, "segments": segments, "extra": extra})

        def round(self, now: float, segments: int, rtt: float | None, cwnd: float) -> float:
            told["round"].append({"now": now, "segments": segments, "rtt": rtt})
            return cwnd + 1.25

    airloom.congestion_control("told")(Notebook)
    made = run("told", duration="4 s")
    (start,) = told["started"]
    assert start["ssthresh"] == float("inf")
    assert start["mss"] == 1448
    assert all(one["extra"] == 3 for one in told["acked"])
    assert [one["now"] for one in told["acked"]] == sorted(one["now"] for one in told["acked"])
    assert sum(one["segments"] for one in told["round"]) <= sum(one["segments"] for one in told["acked"])
    times = [one["now"] for one in told["round"]]
    gaps = [late - early for early, late in pairwise(times)]
    assert min(gaps) >= 0.5 * min(one["rtt"] for one in told["acked"] if one["rtt"])
    assert made.flow("upload").goodput_mbps > 1


def test_a_method_without_self_is_told_what_it_names() -> None:
    class Plain:
        @staticmethod
        def grow(cwnd: float) -> float:
            return cwnd + 1

        @classmethod
        def lost(cls, cwnd: float) -> float:
            return cwnd / 2

    airloom.congestion_control("plain")(Plain)
    made = run("plain", duration="3 s")
    assert made.flow("upload").goodput_mbps > 1
    manifest = json.loads((made.path / "manifest.json").read_text(encoding="utf-8"))
    assert re.fullmatch("[0-9a-f]{64}", manifest["engine"]), "of the engine and the classes together"


def test_a_parameter_may_be_called_name() -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def grow(self, cwnd: float) -> float:
            return cwnd + len(self.name)

    assert airloom.congestion_control("named", name="x")(Named) is Named


def test_a_control_that_models_the_path_sets_window_and_rate() -> None:
    class Fixed:
        def __init__(self, mbps: float) -> None:
            self.mbps = mbps

        def sampled(self) -> tuple[float, float]:
            return 200, self.mbps

    airloom.congestion_control("four", mbps=4.0)(Fixed)
    airloom.congestion_control("eight", mbps=8.0)(Fixed)
    found = [run(name, duration="10 s").flow("upload").goodput_mbps for name in ("four", "eight")]
    assert found == pytest.approx([4.0, 8.0], rel=0.05)


def test_what_a_hook_raises_ends_the_run_with_place_and_time() -> None:
    class Wrong:
        def grow(self, cwnd: float, now: float) -> float:
            return cwnd / 0 if now > 2.5 else cwnd + 1

    airloom.congestion_control("wrong")(Wrong)
    with pytest.raises(OwnClassError, match=r"`grow` of `wrong`, 2\.\d+ s into the run: ZeroDivisionError") as raised:
        run("wrong")
    assert "return cwnd / 0 if now > 2.5" in str(raised.value)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert run("python-reno", duration="3 s").flow("upload").goodput_mbps > 1, "another run in the same thread"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (float("nan"), "a window is from 1 to 1000000000 segments, not NaN"),
        (0.5, "a window is from 1 to"),
        ("wide", "a hook returns nothing, a number or two of them, not str"),
        ((1, 2, 3), "tuple"),
        ((10, 0), "a threshold is from 1 to"),
    ],
)
def test_an_answer_that_is_no_window_is_refused(answer: object, said: str) -> None:
    airloom.congestion_control("odd")(brings(grow=hook("cwnd", answer=answer)))
    with pytest.raises(RunError, match=said):
        run("odd", duration="3 s")


def test_a_class_that_cannot_begin_is_refused() -> None:
    airloom.congestion_control("needs-more", wide=3)(brings(grow=hook("cwnd")))
    with pytest.raises(OwnClassError, match=r"`__init__` of `needs-more`.*TypeError"):
        run("needs-more", duration="3 s")


@pytest.mark.parametrize(
    ("name", "hooks", "said"),
    [
        ("cubic", {"grow": hook()}, "`cubic` is built in"),
        ("My Own", {"grow": hook()}, "`My Own` is no name for it"),
        ("mine", {}, "nothing moves its window"),
        ("mine", {"lost": hook("cwnd")}, "nothing moves its window"),
        ("mine", {"growth": hook("cwnd")}, "`growth` is no hook; did you mean `grow`?"),
        ("mine", {"grow": hook("window")}, "`grow` cannot be told `window`"),
        ("mine", {"grow": hook("*every")}, "`grow` cannot be told `every`"),
        ("mine", {"sampled": hook(), "grow": hook()}, "`grow` would never be called"),
    ],
)
def test_what_cannot_be_brought_is_refused_in_a_line(
    name: str, hooks: dict[str, Callable[..., object]], said: str
) -> None:
    before = dict(brought.CLASSES)
    with pytest.raises(OwnClassError, match=said):
        airloom.congestion_control(name)(brings(**hooks))
    assert before == brought.CLASSES


def test_a_class_that_was_typed_in_is_another_once_it_does_something_else() -> None:
    """As in a notebook, where a class has no file."""

    def typed(text: str) -> bytes:
        names: dict[str, Any] = {"__name__": "nowhere"}
        exec(compile(text, f"<{hash(text)}>", "exec"), names)  # noqa: S102
        return brought.source(names["Mine"])

    text = "class Mine:\n    step = 1\n    def grow(self, cwnd, by=2):\n        return cwnd + by * self.step\n"
    assert typed(text) == typed(f"\n\n{text}"), "only its place differs"
    changed = {text.replace(*words) for words in (("+ by", "- by"), ("by=2", "by=3"), ("step = 1", "step = 2"))}
    assert len({typed(one) for one in (text, *changed)}) == 4


def test_clocks_and_unseeded_numbers_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "unsure.py").write_text(
        "import random, time, warnings\nimport airloom\nfrom datetime import timedelta\n"
        "from random import gauss, random as draw\nOWN = random.Random(1)\nnormal = OWN.gauss\n"
        "warnings.warn('of a library', DeprecationWarning)\n\n"
        "@airloom.congestion_control('unsure')\nclass Unsure:\n"
        "    def grow(self, cwnd):\n        return cwnd + random.random() + gauss(0, 1) + draw()\n"
        "    def lost(self, cwnd):\n        return cwnd / 2 + OWN.random() + normal(0, 1)\n"
        "    def acked(self):\n        self.at = time.monotonic() + timedelta(seconds=1).total_seconds()\n"
    )
    done = airloom_(tmp_path, "check", str(Path(UPLOAD).resolve()), "--with", "unsure")
    assert done.returncode == 0
    said = [line.split("warning: ")[1].split(",")[0] for line in done.stderr.splitlines()]
    assert said == [
        "Unsure: `grow` uses random.random",
        "Unsure: `grow` uses random.gauss",
        "Unsure: `acked` uses time.monotonic",
    ]


def airloom_(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command, in a folder."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "airloom", *words], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_command_knows_the_classes_of_a_module(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AIMD)
    upload = str(Path(UPLOAD).resolve())
    keys = ["--set", "flow.0.tcp.congestion=aimd", "--set", "duration=3 s"]
    (tmp_path / "airloom.py").write_text(AIMD)
    for module in ("mine", "mine.py", str(tmp_path / "mine.py"), "airloom.py"):
        assert airloom_(tmp_path, "check", upload, *keys, "--with", module).returncode == 0
    done = airloom_(tmp_path, "run", upload, *keys, "--with", "mine", "--json", "-o", "mine.run")
    assert json.loads(done.stdout)["flows"][0]["congestion"] == "aimd"
    without = airloom_(tmp_path, "run", upload, *keys, "-o", "other.run")
    assert without.returncode == 2
    assert "--with MODULE" in without.stderr
    assert not (tmp_path / "other.run").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "there is no such module in this folder"),
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("def grow(:", "SyntaxError"),
        ("raise SystemExit", "SystemExit"),
    ],
)
def test_a_module_that_cannot_be_imported_is_refused(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "mine.py").write_text(text)
    done = airloom_(tmp_path, "run", str(Path(UPLOAD).resolve()), "--with", "mine", "-o", "mine.run")
    assert done.returncode == 2
    assert said in done.stderr
    frames = [line for line in done.stderr.splitlines() if line.strip().startswith("File ")]
    assert all("mine.py" in frame for frame in frames), "where it is, no frame of ours or of Python's import"
    assert bool(frames) == (text is not None)


def test_a_sweep_compares_classes_and_begins_anew_when_one_changes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AIMD)
    (tmp_path / "upload.toml").write_text(Path(UPLOAD).read_text())
    (tmp_path / "grid.toml").write_text(
        'scenario = "upload.toml"\nset = { duration = "3 s" }\nseeds = 1\n\n'
        '[axis]\n"flow.0.tcp.congestion" = ["newreno", "aimd"]\n'
    )
    sweep = ("sweep", "grid.toml", "-o", "sw", "--json", "--with", "mine")
    assert json.loads(airloom_(tmp_path, *sweep).stdout)["run"] == 2
    assert json.loads(airloom_(tmp_path, *sweep).stdout)["run"] == 0
    (tmp_path / "mine.py").write_text(AIMD.replace("segments / cwnd", "2 * segments / cwnd"))
    assert airloom_(tmp_path, *sweep).returncode == 2, "the results are another class's"


def test_a_scenario_that_names_an_unknown_class_says_how_to_bring_it() -> None:
    with pytest.raises(ScenarioError, match="`congestion` cannot be") as refused:
        airloom.check(UPLOAD, set={"flow.0.tcp.congestion": "nobodys"})
    assert "--with MODULE" in str(refused.value)
    with pytest.raises(ScenarioError, match="did you mean `python-cubic`"):
        airloom.check(UPLOAD, set={"flow.0.tcp.congestion": "python-cubik"})


def test_the_schema_lists_what_was_brought() -> None:
    assert "python-cubic" in json.dumps(airloom.schema())


def test_warnings_come_to_python_as_well() -> None:
    with pytest.warns(ScenarioWarning, match="time.time"):
        airloom.congestion_control("ticking")(Ticking)


class Ticking:
    """A control that looks at a clock."""

    def grow(self, cwnd: float) -> float:
        """Wrong on purpose."""
        return cwnd + time.time() % 1


def test_a_reduction_that_was_spurious_is_told() -> None:
    """A class that keeps what it was before a loss would go wrong silently."""
    told = []

    class Undone(own_controls.Reno):
        def undone(self) -> None:
            told.append(1)

    airloom.congestion_control("undone")(Undone)
    summary = airloom.run("examples/roaming.toml", set={"flow.0.tcp.congestion": "undone"}).summary
    assert len(told) == summary["flows"][0]["undone"] > 0


def test_a_loss_leaves_no_threshold_open() -> None:
    airloom.congestion_control("open")(brings(grow=hook(answer=9000), lost=hook(answer=float("inf"))))
    with pytest.raises(RunError, match=r"`lost` of `open`.*a threshold is from 1 to"):
        run("open", "examples/download.toml")


def test_a_class_that_raises_fails_its_cell_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        AIMD
        + "\n    def started(self):\n        assert self.broken\n    broken = True\n"
        + """
@airloom.congestion_control("broken")
class Broken(Aimd):
    broken = False
"""
    )
    (tmp_path / "upload.toml").write_text(Path(UPLOAD).read_text())
    (tmp_path / "grid.toml").write_text(
        'scenario = "upload.toml"\nset = { duration = "3 s" }\nseeds = 1\n\n'
        '[axis]\n"flow.0.tcp.congestion" = ["broken", "newreno", "aimd"]\n'
    )
    done = airloom_(tmp_path, "sweep", "grid.toml", "-o", "sw", "--with", "mine")
    assert done.returncode == 2
    assert "3 cells: 2 done" in done.stdout
    assert "`started` of `broken`" in done.stderr


@pytest.mark.parametrize("by_option", [True, False])
def test_a_cell_that_was_begun_before_is_run_again_with_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_option: bool
) -> None:
    """What a killed sweep had begun runs in a process of its own, which has to know the class; here if it cannot."""
    monkeypatch.setattr(modules, "BROUGHT", [])
    (tmp_path / "mine.py").write_text(AIMD)
    modules.bring([str(tmp_path / "mine.py")])
    if not by_option:
        modules.BROUGHT.clear()
    apart = Mock(wraps=subprocess.Popen)
    monkeypatch.setattr(subprocess, "Popen", apart)
    (tmp_path / "upload.toml").write_text(text := Path(UPLOAD).read_text())
    overrides = [("flow.0.tcp.congestion", "aimd"), ("duration", "2 s")]
    work = Work(tmp_path / "upload.toml", text, None)
    again, once = (json.loads(work(Task(0, overrides, 1, alone), lambda _: None)) for alone in (True, False))
    assert again["flows"] == once["flows"]
    assert apart.called == by_option


def test_a_name_that_python_has_is_asked_for_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text(AIMD)
    keys = ["--set", "flow.0.tcp.congestion=aimd"]
    upload = str(Path(UPLOAD).resolve())
    by_name = airloom_(tmp_path, "check", upload, *keys, "--with", "random")
    assert (by_name.returncode, "--with random.py" in by_name.stderr) == (2, True)
    assert airloom_(tmp_path, "check", upload, *keys, "--with", "random.py").returncode == 0


def test_a_class_that_no_scenario_names_changes_no_identity() -> None:
    before = simulate.engine("congestion = 'cubic'")
    airloom.congestion_control("unnamed")(brings(grow=hook("cwnd")))
    assert simulate.engine("congestion = 'cubic'") == before
    assert simulate.engine("congestion = 'unnamed'") != before
