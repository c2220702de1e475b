"""JSON that commands print and write: each document says what it is, and scripts can go by exit codes."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

import airloom
import profile_values
import synthetic
from airloom import _engine
from airloom.api.json_schemas import HOMES, json_of
from airloom.cli.app import code
from airloom.errors import AirloomError
from airloom.lab.hand_in import ANSWERS
from airloom.lab.task import task
from airloom.lab.text import answers
from airloom.papers.scorer import Score
from airloom.support.document import named
from airloom.sweep.results import IDENTITY
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MACHINES = ROOT / "crates" / "linux" / "doctor" / "tests" / "machines"
GRID = """
scenario = "one.toml"
seeds = 2
[axis]
"station.laptop.host.initial_window" = [4, 10]
place = { near = { "station.0.distance" = "2 m" } }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scenario, bundles and captures of it with two seeds, and a sweep."""
    made = tmp_path_factory.mktemp("documents")
    text = (ROOT / "examples" / "download.toml").read_text()
    (made / "one.toml").write_text(re.sub(r"(?m)^duration = .*$", 'duration = "1 s"', text))
    (made / "grid.toml").write_text(GRID)
    for seed, name in enumerate(("a", "b"), start=1):
        airloom.run(made / "one.toml", out=made / name, capture=True, seed=seed)
    airloom.sweep(made / "grid.toml", out=made / "swept")
    (made / "sheet").mkdir()
    (made / "sheet" / ANSWERS).write_text(answers(task("hidden", "anna")))
    return made


def printed(words: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    """The exit code of a command, and the JSON that it printed."""
    given = [word.replace("HERE", str(folder)).replace("MACHINES", str(MACHINES)) for word in words.split()]
    try:
        came = code([*given, "--json"])
    except SystemExit as ended:
        came = int(str(ended.code))
    return came, json.loads(capsys.readouterr().out)


COMMANDS = {
    "check HERE/one.toml": "check",
    "check HERE/grid.toml": "check",
    "check HERE/none.toml": "check",
    "run HERE/one.toml -o HERE/made --force": "run",
    "report HERE/a": "report",
    "compare HERE/a HERE/b": "compare",
    "sweep HERE/grid.toml -o HERE/swept": "sweep",
    "sweep show HERE/swept": "sweep-progress",
    "sweep show HERE/swept --cell 0": "sweep-cell",
    "sweep show HERE/swept --metric goodput_mbps --by place --of download": "sweep-show",
    "diagnose HERE/a/laptop.pcapng": "diagnose",
    "diagnose HERE/a --against HERE/b": "against",
    "diagnose HERE/a/air.pcapng HERE/a/laptop.pcapng --table roams": "diagnose-roams",
    "diagnose --rules": "diagnose-rules",
    "doctor MACHINES/planted.json": "doctor",
    "doctor --checks": "doctor-checks",
    "papers list": "papers-list",
    "profiles": "profiles",
    "profiles ath9k": "profile",
    "airtime --standard 802.11n --mcs 7": "airtime",
    "lab check HERE/sheet": "lab-check",
    "lab check HERE/none": "check",
    "schema station.rate": "schema",
    "schema": "schema",
    "knob": "check",
}
TAKES_LONG = {"demo", "fit", "papers-run", "papers-score", "papers-figures", "diagnose-self-test", "knob", "collect"}
"""What takes minutes, a shell that runs or Wi-Fi."""


@pytest.mark.parametrize("words", COMMANDS)
def test_what_a_command_prints_says_what_it_is(words: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told = printed(words, folder, capsys)
    assert next(iter(told.items())) == ("schema", f"airloom-{COMMANDS[words]}/1"), told
    if COMMANDS[words] == "run":
        assert told["results_version"] == _engine.results()
    validator(COMMANDS[words]).validate(told)


def validator(name: str) -> Any:
    """What holds a document to its JSON Schema, and takes no key that this does not have."""
    schema = json_of(name)
    for part in [schema, *schema.get("$defs", {}).values()]:
        if part["type"] == "object" and "properties" in part:
            part.setdefault("additionalProperties", "from" in part["required"] and name == "sweep-show")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_every_type_is_of_a_document_and_what_it_does_not_know_is_refused(folder: Path) -> None:
    assert set(HOMES) <= {*COMMANDS.values(), *TAKES_LONG}
    told = named("run", {**airloom.load(folder / "a").summary, "bundle": "a", "results_version": _engine.results()})
    validator("run").validate(told)
    for wrong in (told | {"seed": "one"}, told | {"news": 1}, told | {"schema": "airloom-summary/1"}):
        with pytest.raises(jsonschema.ValidationError):
            validator("run").validate(wrong)


def test_a_schema_is_known_by_the_string_that_documents_carry() -> None:
    for name in HOMES:
        assert json_of(f"airloom-{name}/1") == json_of(name)
    with pytest.raises(AirloomError, match="no command prints JSON"):
        json_of("airloom-run/2")


def test_a_score_is_of_its_type_and_its_keys_have_the_meanings_of_its_class() -> None:
    told = Score(
        "a.b", (1.0, 2.0), 1.5, (1.4, 1.6), "ms", "holds", "robust", "a fit", 1.0, "IV", "what", "", (0.9, 2.1)
    )
    validator("papers-score").validate(json.loads(json.dumps(named("papers-score", {"scores": [told.as_json()]}))))
    keys = json_of("papers-score")["$defs"]["Score"]["properties"]
    assert keys["holds_in"]["description"] == "The share of the sets in which it holds; none if it was not run."
    assert all(value["description"] for value in keys.values())


@pytest.mark.parametrize("name", HOMES)
def test_the_keys_of_a_type_that_the_engine_knows_have_their_meaning(name: str) -> None:
    schema = json_of(name)
    parts = [schema, *schema.get("$defs", {}).values()] if name in ("run", "diagnose", "knob") else []
    keys = {key: value for part in parts for key, value in part.get("properties", {}).items()}
    dumb = [key for key, value in keys.items() if "description" not in value and not (value.keys() & {"$ref", "const"})]
    assert dumb in ([], ["bundle", "results_version"], ["results_version", "bundle"])


def calls(file: Path) -> Iterator[ast.Call]:
    """The calls of `print_json` in a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print_json":
            yield node


def test_every_document_is_in_the_docs_and_here() -> None:
    files = (ROOT / "python" / "airloom" / "cli").glob("*.py")
    names = {
        str(call.args[0].value) for file in files for call in calls(file) if isinstance(call.args[0], ast.Constant)
    }
    page = (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `airloom-([a-z-]+)/1`", page, re.MULTILINE)
    assert set(listed) == names | {"snapshot", "sweep-folder", "fit-folder", "summary", "manifest", "timing", "changes"}
    assert len(set(listed)) == len(listed)
    assert names == set(COMMANDS.values()) | TAKES_LONG


def test_what_is_written_says_what_it_is(folder: Path) -> None:
    assert code(["diagnose", str(folder / "a" / "laptop.pcapng"), "-o", str(folder / "diagnosis")]) == 0
    against = ["diagnose", str(folder / "a"), "--against", str(folder / "b")]
    assert code([*against, "-o", str(folder / "changed")]) == 0
    names = {
        "diagnosis.json": "diagnose",
        "against.json": "against",
        "manifest.json": "manifest",
        "summary.json": "summary",
        IDENTITY: "sweep-folder",
    }
    written = [file for file in folder.rglob("*.json") if file.is_file()]
    assert {file.name for file in written} == names.keys()
    for file in written:
        assert json.loads(file.read_text())["schema"] == f"airloom-{names[file.name]}/1"


def test_a_summary_of_another_schema_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = synthetic.write(tmp_path / "made")
    summary, manifest = made / "summary.json", made / "manifest.json"
    older = json.loads(summary.read_text())
    older.pop("schema", None)
    for content, came in ((older, 0), (older | {"schema": "airloom-summary/2"}, 2)):
        summary.write_text(json.dumps(content))
        listed = json.loads(manifest.read_text())
        listed["sha256"]["summary.json"] = hashlib.sha256(summary.read_bytes()).hexdigest()
        manifest.write_text(json.dumps(listed))
        assert code(["compare", str(made), str(made)]) == came
    assert "airloom-summary/2" in capsys.readouterr().err


def test_what_is_said_below_tables_is_in_their_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script saw no verdict: what has the same numbers, what never acted, what has not settled."""

    def notes(words: str) -> list[str]:
        said = printed(words, folder, capsys)[1]["notes"]
        code(words.replace("HERE", str(folder)).split())
        shown = " ".join(capsys.readouterr().out.split())
        assert isinstance(said, list)
        assert said
        assert [text for text in said if " ".join(text.split()) not in shown] == []
        return said

    found = notes("compare HERE/a HERE/b")
    assert "runs with different seeds differ by chance, too: `seeds` of a sweep tells how far" in found
    key = "record.every"
    (folder / "every.toml").write_text(f'scenario = "one.toml"\n[axis]\n"{key}" = ["10 ms", "100 ms"]\n')
    airloom.sweep(folder / "every.toml", out=folder / "every")
    found = notes(f"sweep show HERE/every --metric goodput_mbps --by {key}")
    assert f"`{key}` changed nothing: runs that differ in it alone have the same numbers" in found


def test_numbers_on_an_axis_stay_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = "station.laptop.host.initial_window"
    _, told = printed(
        f"sweep show HERE/swept --metric goodput_mbps --by {key} --lines place --of download", folder, capsys
    )
    points = told["points"]
    assert isinstance(points, list)
    assert [(point[key], point["place"]) for point in points] == [(4, "near"), (10, "near")]
    _, told = printed(
        f"sweep show HERE/swept --metric goodput_mbps --by place --lines {key} --of download", folder, capsys
    )
    assert isinstance(told["points"], list)
    assert sorted(point[key] for point in told["points"]) == [4, 10]
    assert printed("sweep show HERE/swept", folder, capsys)[1]["axes"] == {key: [4, 10], "place": ["near"]}
    place = printed("sweep show HERE/swept --cell 3", folder, capsys)[1]["place"]
    assert place == {key: 10, "place": "near", "seed": 2}


@pytest.mark.parametrize(
    ("words", "came"),
    [
        ("doctor MACHINES/planted.json", 0),
        ("doctor MACHINES/planted.json --fail-on any", 1),
        ("doctor MACHINES/planted.json --fail-on D301,D101", 1),
        ("doctor MACHINES/planted.json --fail-on D301", 0),
        ("doctor MACHINES/sound.json --fail-on any", 0),
        ("doctor MACHINES/planted.json --fail-on D301,any", 1),
        ("doctor MACHINES/planted.json --fail-on any,D999", 2),
        ("doctor MACHINES/sound.json --fail-on D999", 2),
        ("doctor MACHINES/sound.json --fail-on D101,", 2),
        ("diagnose HERE/a/laptop.pcapng --fail-on W101", 0),
        ("diagnose HERE/a/laptop.pcapng --fail-on W000", 2),
        ("diagnose --rules --fail-on any", 2),
    ],
)
def test_exit_codes_say_what_was_found(words: str, came: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code, told = printed(words, folder, capsys)
    assert exit_code == came, told
    if came == 2:
        assert "--fail-on" in str(told["message"])


def test_an_unknown_code_is_answered_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["doctor", str(MACHINES / "planted.json"), "--fail-on", "W101"]) == 2
    said = capsys.readouterr()
    assert said.out == "", "nothing was examined"
    assert said.err.startswith("airloom: --fail-on W101: no code 'W101'\n  there are any and D101, D102, ")


def test_a_scan_in_a_capture_fails_on_its_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = airloom.run(
        ROOT / "examples" / "upload-scans.toml", out=tmp_path / "run", set={"duration": "15 s"}, capture=True
    )
    words = f"diagnose {run.path}/air.pcapng {run.path}/laptop.pcapng"
    assert printed(f"{words} --fail-on W101", tmp_path, capsys)[0] == 1
    assert printed(f"{words} --fail-on any", tmp_path, capsys)[0] == 1
    assert printed(words, tmp_path, capsys)[0] == 0


def test_the_page_of_profiles_has_what_they_say() -> None:
    assert profile_values.PAGE.read_text(encoding="utf-8") == profile_values.profiles(), (
        "`make profiles` writes it anew"
    )
