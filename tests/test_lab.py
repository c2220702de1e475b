"""Sheets for a class: what they state is what runs show, for every draw; hand-ins are graded, or refused with words."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from airloom import _engine
from airloom.cli.app import code
from airloom.errors import AirloomError
from airloom.lab import draw, grade, hand_in, sheet, text
from airloom.lab.quantity import Condition, Figure, Quantity, condition, quantity
from airloom.lab.task import task
from airloom.lab.truth import found
from airloom.support.formatting import number

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.lab.task import Question, Task
    from airloom.lab.truth import Truth

STUDENTS = ("anna", "7032514", "li.wei")


LATE = [pytest.param(name, marks=pytest.mark.nightly) for name in sheet.ORDER[2:]]
"""Two sheets of the twelve are in `make test`."""


@pytest.fixture(scope="module", params=[*sheet.ORDER[:2], *LATE])
def done(request: pytest.FixtureRequest) -> list[tuple[Task, Truth]]:
    """A sheet as several students have it, with what its runs show."""
    tasks = [task(request.param, student) for student in STUDENTS]
    return list(zip(tasks, found(tasks), strict=True))


def filled(own: Task, answers: dict[str, object], predicted: object = 1.0) -> str:
    """A file of answers as a student leaves it."""
    given = text.answers(own)
    head, _, measured = given.partition("[measured]")
    head = re.sub(r'(?m)^(\w+) = ""', rf"\1 = {predicted}", head)
    for name, value in answers.items():
        measured = re.sub(rf'(?m)^{name} = ""', f"{name} = {json.dumps(value)}", measured)
    return f"{head}[measured]{measured}"


def hand(folder: Path, content: str) -> Path:
    """A folder with this file of answers."""
    folder.mkdir()
    (folder / hand_in.ANSWERS).write_text(content, encoding="utf-8")
    return folder


def as_read(one: Question, truth: Truth) -> object:
    """An answer as a student has it, who reads tables with three digits and divides what they say."""
    if one.number is None:
        return one.right
    above, below = (
        part if isinstance(part, float) else float(number(truth(part)).replace(",", ""))
        for part in (one.number.above, one.number.below)
    )
    return float(f"{above / below:.3g}") if one.number.figures[1:] else above / below


def test_what_a_sheet_states_is_what_runs_show(done: list[tuple[Task, Truth]]) -> None:
    for own, truth in done:
        for one in own.questions:
            assert all(each.holds(truth) for each in one.holds), (own.name, own.student, one.id, one.holds)
            assert one.number or one.holds, f"{one.id}: nothing says that its answer is right"
            if one.number:
                assert math.isfinite(one.number.of(truth))


def test_the_key_has_all_points_and_nothing_has_none(done: list[tuple[Task, Truth]], tmp_path: Path) -> None:
    for own, truth in done:
        right = {one.id: as_read(one, truth) for one in own.questions}
        full = hand_in.read(hand(tmp_path / f"{own.student}-full", filled(own, right)))
        assert [row["said"] for row in grade.one_graded(full, truth)["questions"]] == [""] * len(own.questions)
        blank = hand_in.read(hand(tmp_path / f"{own.student}-blank", text.answers(own)))
        rows = grade.one_graded(blank, truth)["questions"]
        assert {row["said"] for row in rows} == {"not answered"}
        assert sum(row["points"] for row in rows) == 0


def test_a_sheet_names_what_there_is_and_leaves_no_value_open(done: list[tuple[Task, Truth]]) -> None:
    for own, _ in done:
        whole = text.sheet(own)
        assert not re.search(r"\{\w+\}", whole), whole
        assert all(one.why not in whole for one in own.questions), "the reasons are the teacher's"
        assert tomllib.loads(text.answers(own))["results_version"] == _engine.results()
        named = set(re.findall(r"`(\w[\w-]*)`", " ".join(one.read for one in own.questions)))
        assert named & own.runs.keys() or own.name == "capture"
        for one in own.questions:
            assert one.right in one.lettered or one.number
            assert len(set(one.options)) == len(one.options)


def test_sheets_differ_between_students_and_never_for_one() -> None:
    lists = {"rate": [6, 9, 12], "channels": [13, 18, 22, 26]}
    assert draw.values("hidden", "anna", lists) == {"rate": 12, "channels": 22}, "the same with every Python"
    assert draw.seed("hidden", "anna") == 8013
    seeds = {draw.seed(name, str(student)) for name in sheet.ORDER for student in range(50)}
    assert len(seeds) > 570
    assert all(1 <= one <= draw.MOST_SEEDS for one in seeds)
    places = {draw.shuffled("hidden", str(student), "cause", "abcd").index("a") for student in range(50)}
    assert places == {0, 1, 2, 3}


def test_commands_of_a_sheet_are_the_runs_that_grade_it(tmp_path: Path) -> None:
    own = task("small-queues", "anna")
    (truth,) = found([own])
    for command, (run, summary) in zip(own.run_commands(), truth.runs.items(), strict=True):
        line = command.replace("airloom", f'"{sys.executable}" -P -m airloom', 1)
        subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, capture_output=True)
        assert json.loads((tmp_path / run / "summary.json").read_text())["flows"] == summary["flows"]


def test_a_quantity_is_a_figure_or_a_ratio_and_a_condition_compares_two() -> None:
    first, second = Figure("goodput_mbps", "run", "a"), Figure("rtt_p99_ms", "to-near", "b-2")
    assert quantity("goodput_mbps of run in a") == Quantity(first)
    assert quantity("goodput_mbps of run in a / rtt_p99_ms of to-near in b-2") == Quantity(first, second)
    assert condition("rtt_p99_ms of to-near in b-2 > 3") == Condition(Quantity(3.0), Quantity(second))
    assert condition("1 < goodput_mbps of run in a / 2").holds(lambda _: 3.0)
    assert not condition("1 < goodput_mbps of run in a / 2").holds(lambda _: 2.0)
    with pytest.raises(AirloomError, match="is divided by it"):
        quantity("goodput_mbps of run in a / rtt_p99_ms of to-near in b-2").of(
            lambda one: 0.0 if one == second else 1.0
        )
    for wrong in ("goodput_mbps", "goodput_mbps of in a", ""):
        with pytest.raises(ValueError, match="is no figure"):
            quantity(wrong)
    with pytest.raises(ValueError, match="compares nothing"):
        condition("goodput_mbps of run in a")


def test_a_sheet_that_makes_no_sense_is_refused() -> None:
    good = (sheet.FOLDER / "hidden.toml").read_text(encoding="utf-8")
    sheet.parsed(good)
    for old, new, message in (
        ("in heard-rts / ", "in herd-rts / ", "there is no run `herd-rts`"),
        ("read = ", "red = ", "no key 'red'"),
        ("right = ", "# right = ", "needs either"),
        ("[run.heard]", "[airtime.hidden]\n[run.heard]", "are called 'hidden'"),
    ):
        with pytest.raises(ValueError, match=message):
            sheet.parsed(good.replace(old, new))


def test_what_is_wrong_with_answers_is_said_with_its_place(tmp_path: Path) -> None:
    own = task("hidden", "anna")
    good = filled(own, {"left_over": "0.3", "cause": " D) "})
    read = hand_in.read(hand(tmp_path / "good", good))
    assert (read.measured, read.chosen) == ({"left_over": 0.3}, {"cause": "d"})
    for place, (old, new, message) in enumerate(
        (
            ('left_over = "0.3"', 'left_over = "fast"', "answers.toml:13:1: measured.left_over is 'fast', no number"),
            ('left_over = "0.3"', "left_over = inf", "answers.toml:13:1: measured.left_over is 'inf', no number"),
            ('left_over = "0.3"', "left_over = true", "answers.toml:13:1: measured.left_over is 'True', no number"),
            ('left_over = "0.3"', "left_over = 12,670", "answers.toml:13:15: not TOML"),
            ('cause = " D) "', "cause = 3", "answers.toml:18:1: chosen.cause is '3', no letter of it"),
            ('cause = " D) "', 'cause = "e"', "write one of a, b, c, d"),
            ("[chosen]", "[choosen]", "there is no table [chosen]"),
            ('cause = " D) "', 'caus = "d"', "[chosen] asks for no `caus`"),
            ('sheet = "hidden"', 'sheet = "hiden"', "answers.toml:3:1: no sheet 'hiden'\n  did you mean 'hidden'?"),
            ('sheet = "hidden"', "sheet = 3", "sheet is 3, no text"),
            ('student = "anna"', 'student = "../anna"', "answers.toml:4:1: student ../anna: no ID"),
            ('student = "anna"\n', "", "there is no `student`"),
            (f"results_version = {_engine.results()}", "results_version = 3", "answers are of results version 3, and"),
        )
    ):
        with pytest.raises(AirloomError) as caught:
            hand_in.read(hand(tmp_path / str(place), good.replace(old, new)))
        assert message in str(caught.value)


def test_what_is_no_file_of_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = hand(tmp_path / "here", "")
    for octets, message in ((b"\xff\xfe\0", "not text in UTF-8"), (b"#" * (1 << 17), "longer than any answers")):
        (folder / hand_in.ANSWERS).write_bytes(octets)
        with pytest.raises(AirloomError, match=message):
            hand_in.read(folder)
    (folder / hand_in.ANSWERS).unlink()
    for name, message in (("here", "has no answers.toml"), ("none", "no such folder"), ("file", "a file, no folder")):
        with pytest.raises(AirloomError, match=message):
            hand_in.read(tmp_path / name)
    (folder / hand_in.ANSWERS).mkdir()
    with pytest.raises(AirloomError, match="cannot be read"):
        hand_in.read(folder)


def test_a_prediction_is_never_wrong_but_has_to_be_there(tmp_path: Path) -> None:
    own = task("contention", "anna")
    (truth,) = found([own])
    right = {one.id: as_read(one, truth) for one in own.questions}
    far = hand_in.read(hand(tmp_path / "far", filled(own, right, predicted=1e6)))
    assert grade.one_graded(far, truth)["points"] == len(own.questions)
    none = hand_in.read(hand(tmp_path / "none", filled(own, right, predicted='""')))
    rows = grade.one_graded(none, truth)["questions"]
    assert [row["said"] for row in rows] == ["no prediction"] * 3 + [""]
    off = hand_in.read(hand(tmp_path / "off", filled(own, right | {"two": right["two"] * 1.05})))  # type: ignore[operator]
    assert [row["points"] for row in grade.one_graded(off, truth)["questions"]] == [0, 1, 1, 1]


def test_many_are_one_table_and_those_that_are_none_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for student in ("anna", "ben"):
        assert code(["lab", "hidden", "--student", student]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "sheet: hidden-ben/sheet.md",
        "to fill in: hidden-ben/answers.toml",
    ]
    (tmp_path / "hidden-ben" / hand_in.ANSWERS).write_text("sheet = 1")
    with pytest.raises(SystemExit) as ended:
        code(["lab", "check", "hidden-anna", "hidden-ben"])
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert re.search(r"hidden-anna +hidden +anna +0 of 4 +left_over, with_rts, price, cause", said.out)
    assert said.err.startswith("airloom: hidden-ben/answers.toml:1:1: sheet is 1, no text")
    with pytest.raises(SystemExit):
        code(["lab", "check", "hidden-anna", "hidden-ben", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (len(told["graded"]), [one["folder"] for one in told["refused"]]) == (1, ["hidden-ben"])
    assert code(["lab", "check", "hidden-ben"]) == 2


def test_a_sheet_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert code(["lab"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(sheet.ORDER)
    assert code(["lab", "rate", "--student", "anna", "--key"]) == 0
    assert "393.5 us" in capsys.readouterr().out
    for words, message in (
        (["hiden"], "did you mean 'hidden'?"),
        (["hidden"], "airloom lab hidden --student anna"),
        (["hidden", "--student", "a/b"], "--student a/b: no ID"),
        (["--student", "anna"], "which sheet?"),
        (["hidden", "--student", "anna", "--key", "-o", "x"], "--key writes nothing"),
        (["check"], "what is to be graded?"),
    ):
        assert code(["lab", *words]) == 2
        assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert code(["lab", "hidden", "--student", "anna", "-o", "deep/mine"]) == 0
    before = (tmp_path / "deep" / "mine" / hand_in.ANSWERS).read_text()
    assert {one.name for one in (tmp_path / "deep" / "mine").iterdir()} == {text.SHEET, hand_in.ANSWERS}
    assert code(["lab", "scan", "--student", "anna", "-o", "deep/mine"]) == 2
    assert (tmp_path / "deep" / "mine" / hand_in.ANSWERS).read_text() == before
