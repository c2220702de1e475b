"""What pages show is what their commands print: every page's commands are run again."""

from __future__ import annotations

import difflib
import re
import shutil
from typing import TYPE_CHECKING

import pytest

import transcript
from airloom.papers import paper, score_section
from airloom.papers.evidence import EVIDENCE
from airloom.papers.make_and_score import make_and_score
from conftest import ROOT
from tools import need

if TYPE_CHECKING:
    from pathlib import Path

    from _pytest.mark import ParameterSet

PROGRAMS = ("tshark", "capinfos")
"""What pages use of the distribution's."""


DAILY_PAGES = ("captures",)
DAILY_PAPERS = ("pi",)
"""The pages and papers of which `make test` holds that they show what comes out; of the others `make nightly` does."""


def late(name: str, value: object, daily: tuple[str, ...]) -> ParameterSet:
    """A page or a paper, called by its name."""
    return pytest.param(value, id=name, marks=() if name in daily else pytest.mark.nightly)


@pytest.mark.parametrize("page", [late(page.stem, page, DAILY_PAGES) for page in transcript.pages()])
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for program in transcript.programs(text).intersection(PROGRAMS):
        need(program)
    now = transcript.renewed(text, transcript.folder(tmp_path))
    stale = "".join(difflib.unified_diff(text.splitlines(True), now.splitlines(True), "page", "now", n=0))
    assert now == text, f"`make docs-numbers` writes these anew:\n{stale}"


@pytest.mark.parametrize("name", [late(name, name, DAILY_PAPERS) for name in paper.available()])
def test_the_page_of_a_paper_has_its_score(name: str) -> None:
    one = paper.read(name)
    text = score_section.page(one)
    now = score_section.written(text, score_section.section(make_and_score(one).scores, one.seed_sets))
    assert now == text, f"`airloom papers score {name} --write` writes it anew"


def test_readme_has_the_score_of_each_paper() -> None:
    """As the papers' pages have it, and the sums of all."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    sums = [0] * 5
    for name in paper.available():
        tally = re.search(
            r" sets of seeds, (\d+) of (\d+) claims hold:?([a-z0-9, ]*)", score_section.page(paper.read(name))
        )
        assert tally, name
        held, of = int(tally[1]), int(tally[2])
        kinds = {kind: int(number) for number, kind in re.findall(r"(\d+) ([a-z]+)", tally[3])}
        assert sum(kinds.values()) == held, name
        evidence = sum(kinds.get(kind, 0) for kind in EVIDENCE)
        row = [evidence, kinds.get("fitted", 0), kinds.get("input", 0), of - held, of]
        cells = r" \| ".join(map(str, row))
        assert re.search(rf"\[{name}\]\(papers/{name}/README.md\) \| [^|]* \| {cells} \|", text), name
        sums = [sum(both) for both in zip(sums, row, strict=True)]
    assert f"| all | | {' | '.join(map(str, sums))} |" in text


@pytest.fixture
def place(tmp_path: Path) -> transcript.Folder:
    """The folder of a page."""
    return transcript.folder(tmp_path)


def test_a_block_is_written_anew_and_its_commands_kept(place: transcript.Folder) -> None:
    page = "Before\n\n```console\n$ printf '1\\n2\\n'\n1\n3\n$ echo a \\\n    b\n```\nafter, $ echo c\n"
    assert transcript.renewed(page, place) == page.replace("1\n3\n", "1\n2\n").replace("    b\n", "    b\na b\n")


def test_commands_of_a_page_share_a_folder_and_no_other_block_is_run(place: transcript.Folder) -> None:
    page = "```console\n$ echo seen >file\n```\n```\n$ rm file\n```\n```console\n$ cat file\n```\n"
    assert transcript.renewed(page, place) == page.replace("$ cat file\n", "$ cat file\nseen\n")


def test_a_file_that_a_page_shows_is_there(place: transcript.Folder) -> None:
    page = "```toml a.toml\na = 1\n```\n```toml >>a.toml\nb = 2\n```\n```console\n$ cat a.toml\n```\n"
    assert transcript.renewed(page, place) == page.replace("$ cat a.toml\n", "$ cat a.toml\na = 1\nb = 2\n")


def test_a_command_that_fails_says_so(place: transcript.Folder) -> None:
    assert place.run("airloom check examples/missing.toml").endswith("[exit code 2]\n")
    assert place.run("airloom check examples/download.toml | grep fine") == "examples/download.toml: fine\n"


def test_a_constant_that_changes_is_found(place: transcript.Folder) -> None:
    """A page with a run's number, and the same scenario with another number in it."""
    page = "```console\n$ airloom run download.toml --set 'duration=1 s' -o run | grep CUBIC\n```\n"
    shutil.copy(ROOT / "examples" / "download.toml", place.path)
    true = transcript.renewed(page, place)
    shutil.rmtree(place.path / "run")
    other = (place.path / "download.toml").read_text(encoding="utf-8").replace('"8 m"', '"30 m"')
    (place.path / "download.toml").write_text(other, encoding="utf-8")
    assert transcript.renewed(true, place) != true


def test_the_programs_of_a_page_are_known() -> None:
    assert transcript.programs("```console\n$ airloom run a | tail -1; tshark -v\n```\n") == {
        "airloom",
        "tail",
        "tshark",
    }
