"""Where commands write: `-o` names a folder, or a file that is what its suffix says; what is neither is refused."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.cli import manual
from airloom.cli.app import app, code
from airloom.emulation.live import Emulation
from airloom.errors import AirloomError
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = {
    "run SCENARIO": "a bundle is a folder",
    "shell SCENARIO": "a bundle is a folder",
    "sweep GRID": "a sweep is a folder",
    "fit PROBLEM": "a fit is a folder",
    "collect": "what is recorded is a folder",
    "lab hidden --student anna": "a student's sheet is a folder",
    "papers figures scan": "what the pages go into is a folder",
    "export SCENARIO": "what is exported of a scenario is a folder",
}
"""Commands that write folders, and what they say of a file's name."""

FILES = {
    "report BUNDLE": ".html",
    "compare BUNDLE BUNDLE": ".html",
    "plot BUNDLE": ".svg",
    "export BUNDLE": ".csv",
    "sweep show SWEPT --metric goodput_mbps --by place": ".html",
    "diagnose BUNDLE/laptop.pcapng": ".html",
    "diagnose BUNDLE --against OTHER": ".html",
    "new": "",
}
"""Commands that write files, and a suffix that each has; of `new`, the name is the user's."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A scenario, a grid, a bundle and a sweep, by the words that stand for them."""
    folder = tmp_path_factory.mktemp("made")
    text = (ROOT / "examples" / "download.toml").read_text()
    (folder / "one.toml").write_text(re.sub(r"(?m)^duration = .*$", 'duration = "1 s"', text))
    grid = 'scenario = "one.toml"\n[axis]\nplace = { near = { "station.0.distance" = "2 m" } }\n'
    (folder / "grid.toml").write_text(grid)
    for seed, name in enumerate(("bundle", "other"), start=1):
        airloom.run(folder / "one.toml", out=folder / name, capture=True, seed=seed)
    airloom.sweep(folder / "grid.toml", out=folder / "swept")
    unknown = '[parameter.place]\nsets = "station.0.distance"\nfrom = "2 m"\nto = "3 m"\n'
    measured = '[[measured]]\nmetric = "goodput_mbps"\nvalue = 100\nerror = "5 %"\n'
    (folder / "problem.toml").write_text(f'scenario = "one.toml"\n{unknown}{measured}')
    names = {
        "SCENARIO": "one.toml",
        "GRID": "grid.toml",
        "PROBLEM": "problem.toml",
        "BUNDLE": "bundle",
        "OTHER": "other",
        "SWEPT": "swept",
    }
    return {word: str(folder / name) for word, name in names.items()}


def words(command: str, made: dict[str, str], out: Path) -> list[str]:
    """A command as it is called, with a place to write to."""
    for word, name in made.items():
        command = command.replace(word, name)
    return [*command.split(), "-o", str(out)]


def test_every_command_that_writes_is_here() -> None:
    found = {
        " ".join(page.words[1:])
        for page in manual.pages(app)
        if any(re.search(r"-o\b", names) for names, _ in page.options)
    }
    known = {re.match(r"[a-z ]+?(?= [^a-z]| scan| hidden|$)", command) for command in (*FOLDERS, *FILES)}
    assert found == {one[0] for one in known if one}


@pytest.mark.parametrize("command", FOLDERS)
@pytest.mark.parametrize("name", ["page.html", "kept.pcapng"])
def test_a_folder_has_no_name_of_a_file(
    command: str, name: str, made: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code(words(command, made, tmp_path / name)) == 2
    assert FOLDERS[command] in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("command", FILES)
def test_a_file_is_what_its_suffix_says_or_refused(
    command: str, made: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / f"new{FILES[command] or '.toml'}"
    assert code(words(command, made, target)) == 0, capsys.readouterr().err
    assert target.is_file()
    if target.suffix == ".html":
        assert target.read_text().startswith("<!doctype html>")
    said = capsys.readouterr().out
    assert str(target) in said, "it says where"
    if FILES[command]:
        assert code(words(command, made, tmp_path / "x.pcapng")) == 2
        assert capsys.readouterr().err.startswith(f"airloom: {tmp_path / 'x.pcapng'}: ")
    assert list(tmp_path.iterdir()) == [target], "there is nothing beside it"


def test_a_diagnosis_is_a_page_or_its_data_or_a_folder_of_both(
    made: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, data in (
        ("diagnose BUNDLE/laptop.pcapng", "diagnosis.json"),
        ("diagnose BUNDLE --against OTHER", "against.json"),
    ):
        page, found, both = tmp_path / "page.html", tmp_path / "found.json", tmp_path / data.split(".")[0]
        for target in (page, found, both):
            assert code(words(command, made, target)) == 0, capsys.readouterr().err
        assert "beside it" not in page.read_text(), "a page may stand alone"
        assert page.read_text() == (both / "report.html").read_text()
        assert json.loads(found.read_text()) == json.loads((both / data).read_text())
        assert {one.name for one in both.iterdir()} == {"report.html", data}
    assert code(words("diagnose BUNDLE/laptop.pcapng", made, tmp_path / "diagnosis")) == 2, "a folder needs --force"


def test_a_folder_that_has_a_name_of_a_file_already_is_a_folder(made: dict[str, str], tmp_path: Path) -> None:
    shutil.copytree(made["BUNDLE"], tmp_path / "odd.html")
    assert code(words("run SCENARIO --force", made, tmp_path / "odd.html")) == 0
    assert (tmp_path / "odd.html" / "summary.json").is_file()
    (tmp_path / "page.html").mkdir()
    assert code(words("diagnose BUNDLE/laptop.pcapng", made, tmp_path / "page.html")) == 2


def test_python_refuses_the_name_of_a_file_too(made: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(AirloomError, match="a bundle is a folder"):
        airloom.run(made["SCENARIO"], out=tmp_path / "run.html")
    with pytest.raises(AirloomError, match="a sweep is a folder"):
        airloom.sweep(made["GRID"], out=tmp_path / "sweep.csv")
    with pytest.raises(AirloomError, match="a bundle is a folder"):
        Emulation("", "", {}, out=tmp_path / "run.html")
