"""Classes of one's own that go wrong: nothing is left that looks whole, nothing is hidden, all comes to an end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.errors import OwnClassError, ScenarioWarning
from airloom.own import brought
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHORT = ["examples/download.toml", "--set", "duration=1 s"]


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder, to its end."""
    words = [sys.executable, "-m", "airloom", *arguments]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def module(folder: Path, name: str, text: str) -> Path:
    """Writes a module of classes."""
    (folder / f"{name}.py").write_text(f"import airloom\n\n{text}")
    return folder / f"{name}.py"


BROKEN = """
@airloom.congestion_control("broken")
class Broken:
    def grow(self, now, cwnd):
        return cwnd + 1 if now < 0.1 else float("nan")
"""

LOOPING = """
@airloom.congestion_control("looping")
class Looping:
    def grow(self, cwnd):
        while True:
            pass
"""

GRID = """
scenario = "examples/download.toml"
set = { duration = "1 s", "flow.0.tcp.congestion" = "NAME" }
seeds = 4
"""


def test_a_short_run_that_failed_leaves_nothing(tmp_path: Path) -> None:
    """Its events are over before anybody asks; a good bundle in its place stays as it was."""
    module(tmp_path, "broken", BROKEN)
    assert command(tmp_path, "run", *SHORT, "-o", "out").returncode == 0
    good = (tmp_path / "out/summary.json").read_bytes()
    with_class = ["--with", "broken", "--set", "flow.0.tcp.congestion=broken"]
    for place in (["-o", "other"], ["-o", "out", "--force"]):
        done = command(tmp_path, "run", *SHORT, *with_class, *place)
        assert done.returncode == 2
        assert "s into the run: a window is" in done.stderr
    assert not (tmp_path / "other").exists()
    assert (tmp_path / "out/summary.json").read_bytes() == good


def test_a_sweep_ends_though_a_hook_does_not(tmp_path: Path) -> None:
    """Ctrl-C once is enough."""
    module(tmp_path, "looping", LOOPING)
    (tmp_path / "grid.toml").write_text(GRID.replace("NAME", "looping"))
    words = [sys.executable, "-m", "airloom", "sweep", "grid.toml", "--with", "looping", "-o", "out"]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as sweep:
        while not (tmp_path / "out").exists():
            time.sleep(0.1)
        time.sleep(1.0)
        sweep.send_signal(signal.SIGINT)
        _, said = sweep.communicate(timeout=30)
    assert sweep.returncode == 130
    assert "interrupted" in said


def test_the_command_of_a_failed_cell_has_its_modules(tmp_path: Path) -> None:
    """It can be run as it is printed."""
    module(tmp_path, "broken", BROKEN)
    (tmp_path / "grid.toml").write_text(GRID.replace("NAME", "broken"))
    done = command(tmp_path, "sweep", "grid.toml", "--with", "broken", "-o", "out")
    assert done.returncode == 2
    assert "--with broken" in done.stderr


def test_a_method_that_nobody_calls_is_warned_of() -> None:
    """One with another name than its hook would do nothing; one that a hook calls is a part of it."""
    with pytest.warns(ScenarioWarning, match="`reset` is no hook, and nothing in the class calls it"):

        @airloom.congestion_control("uncalled")
        class Uncalled:
            def grow(self, cwnd: float) -> float:
                return cwnd + self.step()

            def step(self) -> float:
                return 1.0

            def reset(self, cwnd: float) -> float:
                return cwnd / 2


def test_two_classes_of_one_command_have_two_names(tmp_path: Path) -> None:
    """Else the last would take the place of the first without a word."""
    fixed = '@airloom.congestion_control("same")\nclass {}:\n    def grow(self, cwnd):\n        return 10\n'
    module(tmp_path, "first", fixed.format("First"))
    module(tmp_path, "second", fixed.format("Second"))
    done = command(tmp_path, "check", "examples/download.toml", "--with", "first", "--with", "second")
    assert done.returncode == 2
    assert "Second: First is called `same` already" in done.stderr


def test_a_decorator_needs_a_name() -> None:
    """Without parentheses the class would be the name."""
    with pytest.raises(OwnClassError, match=r"@airloom\.queue needs a name"):
        airloom.queue(type("Queue", (), {"enqueue": lambda _: None}))  # type: ignore[arg-type]


def test_what_a_class_has_from_others_identifies_it(tmp_path: Path) -> None:
    """A hook may stand in a base in another file."""
    digests = []
    for step in (1, 9):
        module(tmp_path, "base", f"class Base:\n    def grow(self, cwnd):\n        return cwnd + {step}\n")
        module(
            tmp_path,
            "own",
            'import base\n\n@airloom.congestion_control("own-of-base")\nclass Own(base.Base):\n    pass\n',
        )
        code = (
            "from airloom.own import brought, modules; modules.bring(['own']); print(brought.digest(['own-of-base']))"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        digests.append(done.stdout)
    assert digests[0] != digests[1]


def test_a_grid_in_a_folder_has_the_scenarios_that_come_with_airloom(tmp_path: Path) -> None:
    """As one in the current folder has."""
    (tmp_path / "grids").mkdir()
    (tmp_path / "grids/grid.toml").write_text(GRID.replace("NAME", "cubic"))
    done = command(tmp_path, "check", "grids/grid.toml", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert brought.OF_ONE_COMMAND.get() is None
    assert (ROOT / "examples/download.toml").is_file()


def test_the_warning_has_the_place_of_the_class(tmp_path: Path) -> None:
    """It is its file's; what a method of a base calls, or a property, is called."""
    module(
        tmp_path,
        "calling",
        "class Base:\n    def grow(self, cwnd):\n        return cwnd + self.step()\n\n"
        '@airloom.congestion_control("calling")\nclass Calling(Base):\n'
        "    def grow(self, cwnd):\n        return super().grow(cwnd) + self.more\n\n"
        "    @property\n    def more(self):\n        return self.little()\n\n"
        "    def step(self):\n        return 1\n\n    def little(self):\n        return 0.1\n\n"
        "    def reset(self, cwnd):\n        return cwnd\n",
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", "import calling"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "calling.py:" in done.stderr
    assert "`reset` is no hook" in done.stderr
    assert "`step`" not in done.stderr
    assert "`little`" not in done.stderr


def test_a_policy_that_only_waits_is_refused() -> None:
    """No wait ever begins."""
    with pytest.raises(OwnClassError, match="nothing decides where to go"):
        airloom.roaming_policy("waiting")(type("Waiting", (), {"waited": lambda _: None}))


@pytest.mark.parametrize(
    ("hook", "answers", "said"),
    [
        ("lost", lambda _, cwnd: (cwnd / 2, cwnd / 2), "it returns a threshold and nothing beside it"),
        ("started", lambda _, cwnd: cwnd, "it decides nothing, so it returns nothing, not 10"),
    ],
)
def test_an_answer_that_would_not_count_ends_the_run(hook: str, answers: Callable[..., object], said: str) -> None:
    """Otherwise a returned window would be ignored; the package's own message appears once, without a traceback."""
    methods = {"grow": lambda _, cwnd: cwnd + 1, hook: answers}
    airloom.congestion_control(f"answers-{hook}")(type("Answers", (), methods))
    with pytest.raises(OwnClassError, match=said) as told:
        airloom.run("examples/lossy.toml", set={"flow.0.tcp.congestion": f"answers-{hook}", "duration": "3 s"})
    assert str(told.value).count(said) == 1


def test_what_cannot_be_made_is_refused_as_it_is_brought() -> None:
    """So that a check finds it, not a run; a seed comes from the engine, and what is left over needs nothing."""
    with pytest.raises(OwnClassError, match="Unmade: `__init__` wants `most`, which nobody gives it"):

        @airloom.queue("unmade")
        class Unmade:
            def __init__(self, most: int) -> None:
                self.most = most

            def enqueue(self, packets: int) -> bool:
                return packets < self.most

    @airloom.queue("made", most=3)
    class Made:
        def __init__(self, most: int, seed: int, *others: int, **more: int) -> None:
            self.most, self.rest = most, (seed, others, more)

        def enqueue(self, packets: int) -> bool:
            return packets < self.most


def test_a_letter_in_another_place_is_no_other_method() -> None:
    """A hook that is never called would leave the window as it is."""
    with pytest.raises(OwnClassError, match="`gorw` is no hook; did you mean `grow`"):
        airloom.congestion_control("swapped")(type("Swapped", (), {"gorw": lambda _: None, "acked": lambda _: 9}))


def test_modules_are_named_where_a_rate_or_a_parameter_is_unknown(tmp_path: Path) -> None:
    """As they are for every other kind."""
    check = command(tmp_path, "check", "examples/download.toml", "--set", "station.0.rate=mine")
    schema = command(tmp_path, "schema", "own.mine.few")
    for done in (check, schema):
        assert (done.returncode, "--with MODULE" in done.stderr) == (2, True), done.stderr
