"""Papers as they are run: their runs are made once, found again, and scored. The runs are shortened here."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from airloom.batch.executor import Threads
from airloom.cli.app import code
from airloom.papers import runner
from airloom.papers.paper import PaperRun
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

MOST_WAITS = 600
"""Tenths of a second until a run has begun."""


def new_laboratory(folder: Path) -> Path:
    """A folder with a copy of the papers, in which every run takes 45 s of simulated time and seeds are in two sets."""
    shutil.copytree(ROOT / "papers", folder / "papers")
    description = folder / "papers" / "scan" / "paper.toml"
    description.write_text(description.read_text().replace("seed_sets = 5", "seed_sets = 2"))
    shorten(folder, 45)
    return folder


@pytest.fixture
def laboratory(tmp_path: Path) -> Path:
    """A laboratory without runs."""
    return new_laboratory(tmp_path)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A laboratory that has scored its scan paper, and what that printed."""
    folder = new_laboratory(tmp_path_factory.mktemp("first"))
    return folder, papers(folder, "score", "scan", "--json")


@pytest.fixture
def scored(first: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of it to be changed."""
    folder, printed = first
    return shutil.copytree(folder, tmp_path / "scored"), printed


def shorten(laboratory: Path, seconds: int) -> None:
    """Sets how long the paper's runs take."""
    for scenario in (laboratory / "papers" / "scan").glob("*load*.toml"):
        original = (ROOT / "papers" / "scan" / scenario.name).read_text()
        scenario.write_text(original.replace('duration = "300 s"', f'duration = "{seconds} s"'))


def start(laboratory: Path, *arguments: str) -> subprocess.Popen[str]:
    """Starts `airloom papers` in the laboratory."""
    return subprocess.Popen(
        [sys.executable, "-m", "airloom", "papers", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=laboratory,
        env=os.environ | {"AIRLOOM_PAPERS": str(laboratory / "papers")},
    )


def papers(laboratory: Path, *arguments: str) -> str:
    """What `airloom papers` prints."""
    process = start(laboratory, *arguments)
    output, complaint = process.communicate(timeout=120)
    assert process.returncode == 0, complaint
    return output


def stamps(laboratory: Path) -> dict[str, int]:
    """The bundles there are, with the times they were made."""
    folder = laboratory / "out" / "papers" / "scan"
    return {bundle.name: bundle.stat().st_mtime_ns for bundle in folder.iterdir()}


@pytest.mark.nightly
@pytest.mark.long
def test_a_score_has_its_fixed_names(first: tuple[Path, str]) -> None:
    scores = json.loads(first[1])["scores"]
    assert len(scores) == 25
    for score in scores:
        assert {"id", "published", "ours", "unit", "verdict", "kind_of_evidence", "holds_in"} <= set(score)
        assert score["kind_of_evidence"] in ("robust", "predicted", "fitted", "input")
        assert (score["holds_in"] is None) == (score["verdict"] == "not run")
        assert score["verdict"] in ("holds", "misses", "not run")
        assert (score["verdict"] == "not run") <= (score["ours"] is None)


@pytest.mark.nightly
@pytest.mark.long
def test_what_was_run_is_found_again_until_its_scenario_changes(scored: tuple[Path, str]) -> None:
    laboratory, printed = scored
    made = stamps(laboratory)
    # Two of each direction with two congestion controls each, the remedy, and the frames; with each set of seeds.
    assert len(made) == 2 * 10
    assert sum("@2-" in name for name in made) == 10
    bundles = (laboratory / "out" / "papers" / "scan").iterdir()
    assert all((bundle / "detail.parquet").exists() == ("@2-" not in bundle.name) for bundle in bundles)
    assert papers(laboratory, "score", "scan", "--json") == printed
    assert stamps(laboratory) == made
    papers(laboratory, "score", "scan", "--fresh")
    again = stamps(laboratory)
    assert set(again) == set(made)
    assert all(again[name] > made[name] for name in made)
    shorten(laboratory, 46)
    papers(laboratory, "score", "scan")
    again = stamps(laboratory)
    assert len(again) == 2 * 10
    kept = [name for name in again if name in made]
    assert all(name.startswith("up-tsq-frames") for name in kept)  # it has a duration of its own


def test_runs_are_kept_in_folders_of_one_level_and_superseded_ones_go(laboratory: Path) -> None:
    folder = laboratory / "papers" / "tiny"
    folder.mkdir()
    shutil.copy(ROOT / "examples" / "download.toml", folder)
    for seconds in ("0.2 s", "0.3 s"):
        (folder / "paper.toml").write_text(f"""\
title = "A paper"
citation = "Nobody"
[[grid]]
id = "rates"
title = "Rates"
scenario = "download.toml"
set = {{ duration = "{seconds}" }}
seeds = 2
[grid.axis]
"station.0.rate" = ["6 Mbit/s", "12 Mbit/s"]
""")
        made = json.loads(papers(laboratory, "run", "tiny", "--json"))["bundles"]["tiny"]
        assert set(made) == {f"rates-{rate} Mbit/s-{seed}" for rate in ("6", "12") for seed in (1, 2)}
        kept = sorted((laboratory / "out" / "papers" / "tiny").iterdir())
        assert kept == sorted(laboratory / place for place in made.values())
        assert [file.name[:-17] for file in kept] == [
            f"rates-{rate}_Mbit_s-{seed}" for rate in ("12", "6") for seed in (1, 2)
        ]


def test_a_run_of_one_paper_supersedes_none_of_another(tmp_path: Path) -> None:
    old, new = "0" * 16, "1" * 16
    for name in ("one/up", "one/down", "other/up", "other/down"):
        (tmp_path / f"{name}-{old}").mkdir(parents=True)
    runner.tidy(
        runner.Job(PaperRun(name, "", "", tmp_path), "", tmp_path / folder / f"{name}-{new}")
        for folder, name in (("one", "up"), ("other", "down"))
    )
    left = {str(file.relative_to(tmp_path)) for file in tmp_path.glob("*/*")}
    assert left == {f"one/down-{old}", f"other/up-{old}"}


@pytest.mark.parametrize("name", ["usb/../arf", "../papers/arf", ".", "", "arf/", "/arf"])
def test_a_paper_goes_by_its_id(laboratory: Path, name: str) -> None:
    process = start(laboratory, "run", name)
    output, complaint = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, "")
    there = "anomaly, arf, ath11k, bloat, pi, roaming, scan, usb, wifi7"
    assert complaint == (
        f"airloom: no paper {name!r}; there are: {there}; or a folder that has a paper.toml, such as ./mine\n"
    )


@pytest.mark.sample(6)
@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("paper.toml", "title = 3"),
        ("paper.toml", "run = 3"),
        ("paper.toml", "[[run]]\nid = 1"),
        ("paper.toml", '[[run]]\nid = "a"\ntitle = "a"\nshort = "a"\nscenario = "a"\nset = [1]'),
        ("paper.toml", '[[run]]\nid = "a"\ntitle = "a"\nshort = "a"\nscenario = "a"\ncapture = { window = 3 }'),
        ("paper.toml", '[[run]]\nid = "a"\ntitle = "a"\nshort = "a"\nsame = "a"'),
        ("paper.toml", "x = " + "[" * 3000),
        ("paper.toml", "x = " + "{a=" * 300 + "1" + "}" * 300),
        ("paper.toml", "[[grid]]\nid = 'x'\ntitle = 'x'\nscenario = 'x'\nseeds = 99999999999999999999"),
        ("claims.toml", "claim = 3"),
        ("claims.toml", "claim = [3]"),
        ("claims.toml", "[[claim]]\nkind = 3"),
        ("claims.toml", "[[claim]]\nkind = 'text'"),
        ("claims.toml", "[[claim]]\nid = 'a'\nwhere = 'a'\nwhat = 'a'\nread = 'a'\nkind = 'value'\nvalue = 'a'"),
        ("figures.toml", "figure = 3"),
        ("figures.toml", "[[figure]]\nspan = 3\nsequence = 'tcp'"),
        ("figures.toml", "[[figure]]\nrun = 'a'\nnumber = 1\ntitle = 'a'\naxes = [3]"),
    ],
)
def test_a_description_of_another_shape_is_reported(laboratory: Path, file: str, text: str) -> None:
    folder = laboratory / "papers" / "tiny"
    folder.mkdir()
    head = 'title = "A"\ncitation = "B"\n'
    whole = {"paper.toml": head, "claims.toml": "claim = []\n", "figures.toml": "figure = []\n"}
    whole[file] = (head if file == "paper.toml" and "title = 3" not in text else "") + text + "\n"
    for name, content in whole.items():
        (folder / name).write_text(content)
    process = start(laboratory, "figures", "tiny")
    output, complaint = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, "")
    assert complaint.startswith("airloom: ")
    assert file in complaint
    assert complaint.count("\n") == 1
    assert ("`kind` is value, range, shape, order" in complaint) == ("kind = 'text'" in text or "kind = 3" in text)


@pytest.mark.nightly
def test_a_run_has_several_names(scored: tuple[Path, str]) -> None:
    laboratory, _ = scored
    runs = json.loads(papers(laboratory, "run", "scan", "--json"))["bundles"]["scan"]
    assert runs["fix-off"] == runs["up-tsq-cubic"]
    assert runs["fix-on"] != runs["fix-off"]


def test_what_ctrl_c_left_is_told_and_gone_on_with(
    laboratory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stopped(Threads):
        """Makes two runs, and then somebody types Ctrl-C."""

        def run(self, work: Any, tasks: Any, progress: Any) -> Generator[Any]:
            yield from super().run(work, [*tasks][:2], progress)
            raise KeyboardInterrupt

    shorten(laboratory, 1)
    monkeypatch.chdir(laboratory)
    monkeypatch.setenv("AIRLOOM_PAPERS", str(laboratory / "papers"))
    with monkeypatch.context() as until_then:
        until_then.setattr(runner, "Threads", Stopped)
        assert code(["papers", "run", "scan"]) == 130
        said = capsys.readouterr().err
        kept = stamps(laboratory)
        assert len(kept) == 2
        told = r"2 of \d+ runs are kept in out/papers/scan; the same command goes on from there"
        assert re.fullmatch(rf"airloom: interrupted; {told}\n", said)
        assert code(["papers", "run", "scan", "--fresh"]) == 130
        assert "; the same command without --fresh goes on from there\n" in capsys.readouterr().err
    assert code(["papers", "run", "scan"]) == 0
    assert len(stamps(laboratory)) > 2


def test_ctrl_c_ends_all_runs_and_leaves_only_whole_ones(laboratory: Path) -> None:
    shorten(laboratory, 20_000)
    process = start(laboratory, "run", "scan")
    # Its folder is made as its runs begin, which on a busy machine is late.
    for _ in range(MOST_WAITS):
        if (laboratory / "out" / "papers" / "scan").exists():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, complaint = process.communicate(timeout=20)
    assert process.returncode == 130, complaint
    assert (output, complaint) == ("", "airloom: interrupted; nothing half-written was left behind\n")
    assert stamps(laboratory) == {}
