"""Warnings: what `check` and `run` print on standard error of a scenario that says what it probably does not mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import ROOT
from in_process import airloom

if TYPE_CHECKING:
    from pathlib import Path

DOWNLOAD = ROOT / "examples" / "download.toml"
LATE = ("--set", "flow.0.start=3 s", "--set", "duration=2 s")
WARNING = (
    "warning: --set flow.0.start=3 s: flow `download` starts at 3 s, but the run ends at 2 s\n"
    "  let it start earlier, or give the run a longer `duration`\n"
)


def test_check_prints_warnings_beside_its_verdict() -> None:
    result = airloom("check", DOWNLOAD, *LATE)
    assert result.returncode == 0
    assert result.stderr == WARNING
    assert result.stdout == f"{DOWNLOAD}: fine, with 1 warning\n"


def test_run_prints_warnings_and_runs(tmp_path: Path) -> None:
    result = airloom("run", DOWNLOAD, *LATE, "-o", tmp_path / "run")
    assert result.returncode == 0
    assert result.stderr == WARNING
    assert (tmp_path / "run" / "summary.json").is_file()
