"""Pages share a paper's score, and never one of another engine, other code or other files."""

from __future__ import annotations

import math
import shutil
from typing import TYPE_CHECKING

import pytest

import kept_scores
from airloom.papers import make_and_score, paper, scorer
from airloom.papers.claim import claim
from airloom.papers.measure import Ours
from conftest import ROOT
from test_scores import RANGE, SHAPE, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCORES = [
    scorer.verdict(claim(VALUE), [Ours(95.0, "95"), Ours(400.0)], ["a queue"]),
    scorer.verdict(claim(VALUE), [Ours(math.nan)]),
    scorer.verdict(claim(RANGE), [Ours((3.0, 4.5)), Ours((3.5, 5.0))]),
    scorer.verdict(claim(SHAPE), [Ours(value=True)]),
    scorer.verdict(claim({**SHAPE, "input": "read back"}), [], without="needs a run"),
]
"""One of each form that a score has."""


class Laboratory:
    """A copy of a paper, a package of one module, and how often the paper was scored."""

    def __init__(self, folder: Path) -> None:
        self.paper = shutil.copytree(ROOT / "papers" / "arf", folder / "papers" / "arf")
        self.package = folder / "package"
        self.engine = "1"
        self.scored = 0
        self.package.mkdir()
        self.change(self.package / "measures.py")

    def change(self, file: Path) -> None:
        """Adds a line to a file."""
        with file.open("a") as text:
            text.write("# more\n")

    def score(self, _: paper.Paper) -> make_and_score.Scored:
        """What making and scoring would find."""
        self.scored += 1
        return make_and_score.Scored(SCORES, {})

    def scores(self) -> list[scorer.Score]:
        """The paper's score, as a page has it."""
        return kept_scores.scores(paper.read("arf"))


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laboratory:
    """A laboratory with its own folders."""
    made = Laboratory(tmp_path)
    monkeypatch.setenv("AIRLOOM_PAPERS", str(made.paper.parent))
    monkeypatch.setenv("AIRLOOM_OUT", str(tmp_path / "out"))
    monkeypatch.setattr(kept_scores, "PACKAGE", made.package)
    monkeypatch.setattr(kept_scores, "engine", lambda: made.engine)
    monkeypatch.setattr(kept_scores, "make_and_score", made.score)
    return made


def test_a_paper_is_scored_once(laboratory: Laboratory) -> None:
    assert laboratory.scores() == SCORES
    assert laboratory.scores() == SCORES
    laboratory.change(laboratory.paper / "README.md")
    assert laboratory.scores() == SCORES
    assert laboratory.scored == 1


def rebuilt(laboratory: Laboratory) -> None:
    laboratory.engine = "2"


CHANGES: dict[str, Callable[[Laboratory], object]] = {
    "the engine": rebuilt,
    "a module": lambda one: one.change(one.package / "measures.py"),
    "a new module": lambda one: one.change(one.package / "more.py"),
    "a module's name": lambda one: (one.package / "measures.py").rename(one.package / "other.py"),
    "the runs": lambda one: one.change(one.paper / "paper.toml"),
    "a scenario": lambda one: one.change(one.paper / "two.toml"),
    "the claims": lambda one: one.change(one.paper / "claims.toml"),
    "what is calibrated": lambda one: one.change(one.paper / "calibrated.toml"),
    "a new file": lambda one: one.change(one.paper / "rates.csv"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_paper_is_scored_anew_after_a_change(what: str, laboratory: Laboratory) -> None:
    laboratory.scores()
    CHANGES[what](laboratory)
    laboratory.scores()
    laboratory.scores()
    assert laboratory.scored == 2
