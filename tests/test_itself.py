"""The program runs its own modules, whatever lies in the folder in which it is begun."""

from __future__ import annotations

import ast
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING

import pytest

from airloom.emulation import hosts, private
from airloom.errors import EmulationError
from airloom.sweep.task import Task, Work
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCENARIO = ROOT / "examples" / "download.toml"
HOSTILE = "raise SystemExit('taken over')\n"
MODULES = ("json.py", "socket.py", "rich.py", "cyclopts.py", "airloom/__init__.py", "airloom/__main__.py")
FROM_A_PROGRAM = f"""
import airloom
with airloom.shell({str(SCENARIO)!r}) as hosts:
    print(hosts.run("laptop", "echo own").stdout, end="")
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which somebody has left modules with the names of the program's."""
    (tmp_path / "airloom").mkdir()
    for module in MODULES:
        (tmp_path / module).write_text(HOSTILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [("-m", "airloom", "shell", str(SCENARIO), "--", "echo", "own"), ("-c", FROM_A_PROGRAM)],
    ids=["by the command", "from a program"],
)
@pytest.mark.usefixtures("hostile")
def test_a_shell_runs_no_module_of_the_current_folder(words: tuple[str, ...]) -> None:
    try:
        private.check()
    except EmulationError as error:
        pytest.skip(str(error))
    came = subprocess.run([sys.executable, "-P", *words], capture_output=True, text=True, check=False, timeout=300)
    assert came.stdout == "own\n", came.stderr
    assert came.returncode in (0, 3)


def test_a_cell_of_its_own_process_runs_no_module_of_the_current_folder(hostile: Path) -> None:
    work = Work(SCENARIO, SCENARIO.read_text(), hostile / "cells")
    summary = work(Task(0, [("duration", "10 ms")], None, alone=True), lambda _: None)
    assert '"duration_s":0.01' in summary.replace(" ", "")


def python_begun(file: Path) -> Iterator[tuple[int, list[str]]]:
    """The lists of words in a file that have `-m` in them, with their lines; what is no constant is given as code."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.List | ast.Tuple):
            words = [str(one.value) if isinstance(one, ast.Constant) else ast.unparse(one) for one in node.elts]
            if "-m" in words:
                yield node.lineno, words


def test_nothing_begins_python_with_the_current_folder_first() -> None:
    found = 0
    for file in (*(ROOT / "python").rglob("*.py"), *(ROOT / "site").rglob("*.py"), *(ROOT / "benches").rglob("*.py")):
        for line, words in python_begun(file):
            found += 1
            at = words.index("-m")
            own = words[at + 1] not in ("pip", "venv")
            assert not own or words[at - 1] == "-P", f"{file}:{line}: -P before -m keeps the current folder out"
        if file.is_relative_to(ROOT / "python") and file.name != "itself.py":
            assert "sys.executable" not in file.read_text(encoding="utf-8"), f"{file}: airloom.support.itself begins it"
    assert found


def test_a_shell_finds_the_program_that_was_begun_by_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `sudo .venv/bin/airloom shell` begins it; behind all else, so that no other program is another there."""
    (tmp_path / "airloom").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert hosts.environment([])["PATH"] == f"/usr/bin:/bin:{tmp_path}"
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    assert hosts.environment([])["PATH"] == f"{tmp_path}:/bin"
    (tmp_path / "airloom").unlink()
    monkeypatch.setenv("PATH", "/bin")
    assert hosts.environment([])["PATH"] == "/bin"
