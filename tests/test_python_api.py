"""Running scenarios from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

UPLOAD = ROOT / "papers" / "scan" / "upload-tsq.toml"
BRIEF = {"duration": "3 s"}


def test_a_run_gives_its_tables() -> None:
    run = airloom.run(UPLOAD, seed=3, set=BRIEF)
    assert run.summary["seed"] == 3
    assert run.series.column_names == ["time", "entity", "metric", "value", "unit"]
    assert run.path.is_dir()
    assert airloom.load(run.path).summary == run.summary


def test_a_scenario_may_be_given_as_text() -> None:
    run = airloom.run(UPLOAD.read_text(), set=BRIEF)
    assert run.summary["duration_s"] == 3.0


def test_a_mistake_has_its_place() -> None:
    with pytest.raises(airloom.ScenarioError) as caught:
        airloom.run(UPLOAD.read_text().replace("congestion =", "congeston ="))
    assert caught.value.line > 1
    assert caught.value.column > 1
    assert caught.value.hint is not None
    assert "congestion" in caught.value.hint


def test_progress_rises_from_nothing_to_all() -> None:
    seen: list[float] = []
    airloom.run(UPLOAD, set={"duration": "100 s"}, progress=seen.append)
    assert seen == sorted(seen)
    assert all(0 <= fraction <= 1 for fraction in seen)


def test_what_progress_raises_ends_the_run(tmp_path: Path) -> None:
    class EnoughError(Exception):
        pass

    def stop(_: float) -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        airloom.run(UPLOAD, set={"duration": "20000 s"}, out=tmp_path / "out", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_is_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(airloom.RunError):
        airloom.run(UPLOAD, set=BRIEF, out=tmp_path / "out")


@pytest.mark.parametrize("scenario", ["a\0b", "a\udcff\n", "\ud800", "x" * 300, "[" * 100_000 + "\n"])
def test_what_cannot_be_a_scenario_is_reported(scenario: str) -> None:
    with pytest.raises(airloom.AirloomError):
        airloom.run(scenario)


@pytest.mark.parametrize("out", ["a\0b", "x" * 300, "\ud800"])
def test_what_cannot_be_a_folder_is_reported(out: str) -> None:
    with pytest.raises(airloom.AirloomError):
        airloom.load(out)
    with pytest.raises(airloom.AirloomError):
        airloom.run(UPLOAD, set=BRIEF, out=out)


def test_what_cannot_be_set_is_reported() -> None:
    for key, value in (("title", "\udcff"), ("\udcff", "x"), ("a\0", "x")):
        with pytest.raises(airloom.AirloomError):
            airloom.run(UPLOAD, set={key: value})


def test_a_folder_that_is_no_bundle_is_reported(tmp_path: Path) -> None:
    with pytest.raises(airloom.BundleError, match="not a run bundle"):
        airloom.load(tmp_path)
