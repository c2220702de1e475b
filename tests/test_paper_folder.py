"""A paper is a folder, one's own too: its measures lie in it, and its score is written into its page."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from airloom.cli.app import code
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "# Mine\n\n<!-- score -->\nold\n<!-- end -->\n\nAfter it.\n"
CLAIMS = """
[[claim]]
id = "mine.goodput"
where = "Table 1"
what = "A download | with <markup> and *stars*"
kind = "range"
lo = 1
hi = 1000
unit = "Mbit/s"
read = "text"
"""
MEASURES = """
from dataclasses import dataclass
from airloom.papers.measure import Measures, Ours

MEASURES = Measures()

@dataclass
class Of:
    name: "str"

@MEASURES.claim("mine.goodput", "one")
def goodput(one):
    return Ours(one.total(Of("download").name, "goodput_mbps"), "a|b")
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a paper of one run."""
    monkeypatch.setenv("AIRLOOM_OUT", str(tmp_path / "out"))
    folder = tmp_path / "somewhere" / "mine"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "examples" / "download.toml", folder / "download.toml")
    (folder / "paper.toml").write_text(
        'title = "Mine"\ncitation = "None."\nseed_sets = 2\n[[run]]\nid = "one"\ntitle = "One"\nshort = "one"\n'
        'scenario = "download.toml"\nset = { duration = "1 s" }\n'
    )
    (folder / "claims.toml").write_text(CLAIMS)
    (folder / "measures.py").write_text(MEASURES)
    (folder / "README.md").write_text(PAGE)
    return folder


def test_a_folder_is_scored_as_a_paper_is(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["papers", "score", str(mine), "--json"]) == 0
    (score,) = json.loads(capsys.readouterr().out)["scores"]
    assert (score["id"], score["verdict"], score["holds_in"]) == ("mine.goodput", "holds", 1.0)
    assert (mine / "README.md").read_text() == PAGE
    assert not (mine / "__pycache__").exists()


def test_a_folder_is_named_from_where_one_is(
    mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine)
    assert code(["papers", "score", ".", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["verdict"] == "holds"
    monkeypatch.chdir(mine.parent)
    assert code(["papers", "score", "./mine/", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["verdict"] == "holds"


def test_a_mistyped_id_runs_nothing_of_the_current_folder(
    mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine.parent)
    (mine / "measures.py").write_text("raise SystemExit(7)\n")
    assert code(["papers", "score", "mine"]) == 2
    assert "no paper 'mine'; there are: anomaly, " in capsys.readouterr().err


def test_a_score_is_written_into_its_page(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["papers", "score", str(mine), "--write"]) == 0
    capsys.readouterr()
    text = (mine / "README.md").read_text()
    assert text.startswith("# Mine\n\n<!-- score -->\nOver 2 sets of seeds, 1 of 1 claims hold: 1 predicted")
    assert text.endswith("| 2 of 2 | holds |\n<!-- end -->\n\nAfter it.\n")
    (row,) = (line for line in text.splitlines() if line.startswith("| <details>"))
    assert row.replace("\\|", "").count("|") == 8, "what a claim says stays in its cell"
    assert "&lt;markup>" in row
    assert "<details><summary><code>mine.goodput</code></summary>" in row


@pytest.mark.parametrize("page", [None, "# Mine\n", PAGE + PAGE], ids=["no page", "no place", "two places"])
def test_a_page_without_a_place_is_refused_before_any_run(
    page: str | None, mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mine / "README.md").unlink()
    if page is not None:
        (mine / "README.md").write_text(page)
    assert code(["papers", "score", str(mine), "--write"]) == 2
    assert str(mine / "README.md") in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        ("MEASURES = 3\n", "measures.py: no MEASURES = Measures()"),
        ("\ndef (:\n", "measures.py:2: invalid syntax"),
        ("a = 1\nb = {}['c']\n", "measures.py:2: KeyError: 'c'"),
        ("import no_such_module\n", "measures.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        (MEASURES.replace("one.total", "one.no_such"), "measures.py:13: claim mine.goodput: AttributeError: "),
    ],
)
def test_measures_that_cannot_be_run_are_named(
    measures: str, said: str, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mine / "measures.py").write_text(measures)
    assert code(["papers", "score", str(mine)]) == 2
    printed = capsys.readouterr()
    assert f"{mine}/{said}" in printed.err
    assert printed.out == ""


def test_a_folder_without_a_paper_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["papers", "score", str(tmp_path)]) == 2
    assert "or a folder that has a paper.toml, such as ./mine" in capsys.readouterr().err


def test_a_folder_whose_name_is_no_id_is_refused(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = mine.rename(mine.with_name("my paper"))
    assert code(["papers", "score", str(other)]) == 2
    assert "it is the paper's id" in capsys.readouterr().err
