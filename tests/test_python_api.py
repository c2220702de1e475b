"""`import airloom`: its functions, what they give, and what they say of wrong arguments."""

from __future__ import annotations

import doctest
import gc
import importlib
import json
import os
import pickle
import pkgutil
import re
import subprocess
import sys
import tempfile
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import airloom
import airloom.api
from airloom.errors import AirloomError
from airloom.results.parts import Flow, Node
from airloom.results.summary import FlowSummary
from airloom.results.summary import Node as NodeSummary
from airloom.scenario.toml_text import document, inline
from airloom.support import reading
from conftest import ROOT

UPLOAD = ROOT / "papers" / "scan" / "upload-tsq.toml"
DOWNLOAD = ROOT / "examples" / "download.toml"
BRIEF = {"duration": "3 s"}


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives each test a place for temporary folders of its own: other programs make some too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


@pytest.fixture(scope="module")
def download() -> airloom.Run:
    """A short download."""
    return airloom.run(DOWNLOAD, set={"duration": "2 s"})


class Number:
    """A number or an array of numpy, as far as that matters."""

    def __init__(self, value: object) -> None:
        self.value = value

    def tolist(self) -> object:
        """The value as Python has it."""
        return self.value


def temporary_folders() -> set[Path]:
    """The temporary folders of airloom that there are."""
    return set(Path(tempfile.gettempdir()).glob("airloom-*"))


@pytest.mark.parametrize(
    "module", ["airloom", *(f"airloom.api.{one.name}" for one in pkgutil.iter_modules(airloom.api.__path__))]
)
def test_the_examples_in_the_documentation_are_true(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    functions = [name for name in airloom.__all__ if getattr(getattr(airloom, name), "__module__", "") == module]
    if any(name.islower() for name in functions):
        assert found.attempted > 0


def test_a_room_never_takes_the_place_of_a_function() -> None:
    script = (
        "import airloom, airloom.sweep.plan, airloom.report.page, airloom.papers.paper\n"
        "from airloom.sweep import results\n"
        "assert all(callable(getattr(airloom, name)) for name in ('sweep', 'report', 'papers'))"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_import_brings_nothing_heavy() -> None:
    script = "import sys, airloom; print(*{'airloom._engine', 'altair', 'json', 'rich'} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"


def test_all_that_is_listed_is_there() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", airloom.__version__)
    assert all(getattr(airloom, name) for name in airloom.__all__)
    with pytest.raises(AttributeError):
        _ = airloom.walk


def test_a_run_gives_its_tables() -> None:
    run = airloom.run(UPLOAD, seed=3, set=BRIEF)
    assert run.summary["seed"] == 3
    assert run.series.column_names == ["time", "entity", "metric", "value", "unit"]
    assert run.path.is_dir()
    assert airloom.load(run.path).summary == run.summary


def test_a_scenario_may_be_given_as_text() -> None:
    run = airloom.run(UPLOAD.read_text(), set=BRIEF)
    assert run.summary["duration_s"] == 3.0


def test_a_scenario_may_be_given_as_tables(download: airloom.Run) -> None:
    tables = reading.toml(DOWNLOAD.read_text()) | {"duration": "2 s"}
    assert airloom.run(tables).summary == download.summary
    assert airloom.run(download.settings).summary == download.summary


def test_a_mistake_in_tables_has_its_place_there() -> None:
    tables = reading.toml(DOWNLOAD.read_text())
    tables["station"][0]["distance"] = "8 parsec"
    with pytest.raises(airloom.ScenarioError) as caught:
        airloom.check(tables)
    assert caught.value.file == 'scenario["station"][0]["distance"]'
    assert str(caught.value).startswith('scenario["station"][0]["distance"]: ')


@pytest.mark.parametrize(
    ("key", "value", "path", "resolved"),
    [
        ("station.0.host.sack", False, "station.0.host.sack", False),
        ("seed", 7, "seed", 7),
        ("seed", Number(7), "seed", 7),
        ("title", "true", "title", "true"),
        ("duration", timedelta(seconds=2.5), "duration", "2.5 s"),
        ("duration", None, "duration", "20 s"),
        ("ap.0.queue", {"discipline": "fifo", "limit": "100 packets"}, "ap.0.queue.limit", "100 packets"),
        ("ap.0.queue", {"discipline": "codel", "limit": None}, "ap.0.queue.discipline", "codel"),
        ("flow.download.tcp", {"congestion": "newreno"}, "flow.0.tcp.congestion", "newreno"),
    ],
)
def test_python_values_are_set_as_they_are(key: str, value: Any, path: str, resolved: object) -> None:
    found: Any = airloom.check(DOWNLOAD, set={key: value}).settings
    for word in path.split("."):
        found = found[int(word)] if isinstance(found, list) else found.get(word)
    assert found == resolved


def test_values_become_toml_and_come_back() -> None:
    content = {
        "a key": 'quo"te \\ \x7f \n',
        "flag": True,
        "count": 3,
        "share": 1e-7,
        "list": [1, [2.5, "x"], (), {"in": "line", "not": None}],
        "array": Number([1.5, 2.0]),
        "left": None,
        "table": {"deep": {"er": [{"one": 1}, {"two": {"three": 3}}]}, "after": "text"},
    }
    back = {key: value for key, value in content.items() if key != "left"}
    back |= {"list": [1, [2.5, "x"], [], {"in": "line"}], "array": [1.5, 2.0]}
    made = document(content)  # type: ignore[arg-type]
    assert reading.toml(made.text) == back
    assert len(made.places) == len(made.lines)
    assert reading.toml(f"all = {inline(back)}") == {"all": back}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"station.0.host.sack": "no"}, ['set["station.0.host.sack"]: ', "true or false"]),
        ({"flow.0.tcp.congestion": "cubik"}, ['set["flow.0.tcp.congestion"]: ', "cubic"]),
        ({"duration": [None]}, ['set["duration"] has None in a list']),
        ({"duration": object()}, ['set["duration"] is an object']),
        ({"duration": {1: 2}}, ['set["duration"] has the key 1']),
        ({3: "x"}, ["set: 3 is no dotted key"]),
        ({"title": "\udcff"}, ["not text in UTF-8"]),
        ({"\udcff": "x"}, ["not text in UTF-8"]),
        ({"a\0": "x"}, ["unknown"]),
        (["duration"], ["set: needs a dict"]),
    ],
)
def test_what_cannot_be_set_is_reported(change: Any, words: list[str]) -> None:
    with pytest.raises(airloom.AirloomError) as caught:
        airloom.run(DOWNLOAD, set=change)
    assert "--set" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_a_list_that_holds_itself_is_reported() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for scenario in (DOWNLOAD, {"title": endless}):
        with pytest.raises(airloom.RunError, match="nested deeper"):
            airloom.check(scenario, set={"title": endless} if scenario == DOWNLOAD else None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seed": "1"}, ["seed: needs a whole number, not '1'"]),
        ({"seed": True}, ["seed: needs a whole number"]),
        ({"seed": 1.5}, ["seed: needs a whole number"]),
        ({"seed": -1}, ["2^64"]),
        ({"capture": "25 s"}, ["'25 s..36 s'"]),
        ({"capture": 3}, ["capture: needs True, a window"]),
        ({"out": 3}, ["out: needs a path"]),
        ({"progress": 3}, ["progress: needs a function"]),
        ({"scenario": 3}, ["a scenario is a file, its text or a dict, not 3"]),
        ({"scenario": b"x.toml"}, ["a scenario is a file"]),
        ({"scenario": {"title": "x"}}, ["scenario: `air` is missing"]),
    ],
)
def test_wrong_arguments_of_run_are_reported(arguments: dict[str, Any], words: list[str]) -> None:
    before = temporary_folders()
    with pytest.raises(airloom.AirloomError) as caught:
        airloom.run(**{"scenario": DOWNLOAD, "set": {"duration": "1 s"}, **arguments})
    for word in words:
        assert word in str(caught.value)
    assert temporary_folders() == before


@pytest.mark.parametrize("field", [{"snap_length": "x"}, {"window": 3}])
def test_wrong_settings_of_captures_are_reported(field: dict[str, Any]) -> None:
    with pytest.raises(airloom.RunError):
        airloom.CaptureSettings(**field)


def test_a_capture_may_be_given_as_its_window() -> None:
    run = airloom.run(DOWNLOAD, set={"duration": "1 s"}, capture="500 ms..600 ms")
    assert min(frame.start for frame in run.frames) >= 0.49


def test_a_mistake_has_its_place() -> None:
    with pytest.raises(airloom.ScenarioError) as caught:
        airloom.run(UPLOAD.read_text().replace("congestion =", "congeston ="))
    assert caught.value.line > 1
    assert caught.value.column > 1
    assert caught.value.hint is not None
    assert "congestion" in caught.value.hint


def test_what_a_scenario_hardly_means_is_a_warning() -> None:
    late = {"flow.0.start": "3 s", "duration": "2 s"}
    with pytest.warns(airloom.ScenarioWarning, match=r'set\["flow\.0\.start"\]: flow `download` starts at 3 s'):
        airloom.run(DOWNLOAD, set=late)
    assert len(airloom.check(DOWNLOAD, set=late).warnings) == 1
    assert airloom.check(DOWNLOAD).warnings == []


def test_what_cells_hardly_mean_is_a_warning() -> None:
    starts = ["0 s", "2 h"]
    with pytest.warns(airloom.ScenarioWarning, match=r'^axes\["flow.0.start"\]: in 1 of 2 cells') as told:
        airloom.sweep(DOWNLOAD, {"flow.0.start": starts}, set={"duration": "1 s"})
    assert [one.filename for one in told] == [__file__]


def test_all_mistakes_are_reported_at_once() -> None:
    text = UPLOAD.read_text().replace("congestion =", "congeston =").replace('"5 GHz"', '"5GHz"')
    with pytest.raises(airloom.ScenarioError) as caught:
        airloom.run(text, set={"station.0.scan.channels": "many"})
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - what was just made
    assert error.mistakes == caught.value.mistakes
    places = [mistake.file for mistake in error.mistakes]
    assert places == ["<scenario>", "<scenario>", 'set["station.0.scan.channels"]']
    assert error.mistakes[0][:5] == (error.file, error.line, error.column, error.message, error.hint)
    assert str(error.mistakes[2]).startswith('set["station.0.scan.channels"]: `channels` must be a whole number')
    assert str(error).splitlines()[:2] == [
        f'<scenario>:{error.line}:{error.column}: `band` cannot be "5GHz"',
        "  did you mean `5 GHz`?",
    ]


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

    before = temporary_folders()
    for out in (tmp_path / "out", None):
        with pytest.raises(EnoughError):
            airloom.run(UPLOAD, set={"duration": "20000 s"}, out=out, progress=stop)
    assert list(tmp_path.iterdir()) == []
    assert temporary_folders() == before


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


def test_what_is_no_bundle_is_reported(tmp_path: Path) -> None:
    with pytest.raises(airloom.BundleError, match="not a run bundle"):
        airloom.load(tmp_path)
    with pytest.raises(airloom.BundleError, match=r"download\.toml: a file, not the folder of a run"):
        airloom.load(DOWNLOAD)
    with pytest.raises(airloom.AirloomError, match="path: needs a path"):
        airloom.load(3)  # type: ignore[arg-type]


def test_a_temporary_run_leaves_nothing(tmp_path: Path) -> None:
    before = temporary_folders()
    run = airloom.run(DOWNLOAD, set={"duration": "1 s"})
    folder, flow = run.path, run.flow("download")
    assert folder.is_dir()
    del run
    gc.collect()
    assert flow.series("goodput").values  # what refers to the run keeps it
    del flow
    gc.collect()
    assert not folder.exists()
    with airloom.run(DOWNLOAD, set={"duration": "1 s"}) as run:
        _ = run.series
    assert len(run.series) > 0
    with pytest.raises(airloom.BundleError, match="went with the run's temporary folder"):
        _ = run.scenario
    with airloom.run(DOWNLOAD, set={"duration": "1 s"}, out=tmp_path / "kept") as run:
        pass
    assert airloom.load(run.path).summary == run.summary
    assert temporary_folders() == before


def test_temporary_runs_go_when_the_program_ends(tmp_path: Path) -> None:
    script = (
        "import os, airloom\n"
        f"run = airloom.run({str(DOWNLOAD)!r}, set={{'duration': '1 s'}})\n"
        "if os.fork() == 0:\n"
        "    raise SystemExit(0)\n"  # a fork goes without taking what is not its own
        "os.wait()\n"
        "assert (run.path / 'summary.json').is_file()\n"
    )
    subprocess.run([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(tmp_path)}, check=True)
    assert list(tmp_path.iterdir()) == []


def test_flows_and_nodes_are_found_by_name(download: airloom.Run) -> None:
    flow = download.flow("download")
    assert flow.goodput_mbps == download.summary["flows"][0]["goodput_mbps"]
    assert (flow.from_, flow.to, flow.kind) == ("server", "laptop", "tcp")
    assert flow.series("goodput") == download.series.get("download", "goodput")
    assert download.station("laptop").received_rate_mbps == download.node("laptop").received_rate_mbps
    assert [node.name for node in download.nodes] == [node["name"] for node in download.summary["nodes"]]
    assert {"goodput_mbps", "series"} <= set(dir(flow))


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (lambda run: run.flow("downlaod"), ["no flow 'downlaod'", "did you mean 'download'?"]),
        (lambda run: run.station("ap"), ["no station 'ap'", "there is only laptop"]),
        (lambda run: run.node("apx"), ["no node 'apx'", "did you mean 'ap'?", "laptop"]),
        (lambda run: run.flow("download").goodputt_mbps, ["did you mean 'goodput_mbps'?"]),
        (lambda run: run.flow("download").answered, ["no figure of tcp 'download' called 'answered'"]),
        (lambda run: run.series.get("download", "goodputt"), ["did you mean 'goodput'?", "there are"]),
        (lambda run: run.series.get("downlaod", "goodput"), ["did you mean 'download'?"]),
    ],
)
def test_a_wrong_name_is_answered_with_the_likely_one(look: Any, words: list[str], download: airloom.Run) -> None:
    with pytest.raises(airloom.UnknownNameError) as caught:
        look(download)
    for word in words:
        assert word in str(caught.value)


def test_parts_declare_what_summaries_hold() -> None:
    of_both = {"name", "kind", "group"}
    declared = set(Flow.__annotations__) | of_both
    assert {key.rstrip("_") for key in declared} == set(FlowSummary.__annotations__)
    assert set(Node.__annotations__) | of_both == set(NodeSummary.__annotations__)


def test_runs_are_compared(tmp_path: Path) -> None:
    for number in (1, 2):
        airloom.run(DOWNLOAD, set={"duration": "2 s"}, seed=number, out=tmp_path / f"seed{number}")
    there = [tmp_path / "seed1", tmp_path / "seed2"]
    compared = airloom.compare(*there)
    assert list(compared.runs) == ["seed1", "seed2"]
    assert compared.differences == {"seed": ["1", "2"]}
    assert list(airloom.compare({"a": there[0], "b": airloom.load(there[1])}).runs) == ["a", "b"]
    with pytest.raises(airloom.AirloomError, match="two runs or more"):
        airloom.compare(there[0])
    with pytest.raises(airloom.AirloomError, match="neither a run"):
        airloom.compare(there[0], 3)  # type: ignore[arg-type]
    page = compared.report(tmp_path / "page.html")
    assert "<!doctype html>" in page.read_text()
    assert airloom.report(there[0], against=there[1:]).parent == there[0]
    with pytest.raises(airloom.AirloomError, match="out: needs a path"):
        airloom.report(there[0], 3)  # type: ignore[arg-type]


def test_a_sweep_from_python_is_that_of_a_grid_file(tmp_path: Path) -> None:
    grid = tmp_path / "grid.toml"
    grid.write_text(
        f'scenario = "{DOWNLOAD}"\nseeds = 2\nset = {{ duration = "1 s" }}\n[axis]\n'
        'place = { near = { "station.0.distance" = "3 m" }, far = { "station.0.distance" = "20 m" } }\n'
        '"ap.0.queue.limit" = ["25 packets", "50 packets"]\n'
    )
    axes: Any = {
        "place": {"near": {"station.0.distance": "3 m"}, "far": {"station.0.distance": "20 m"}},
        "ap.0.queue.limit": ["25 packets", "50 packets"],
    }
    before = temporary_folders()
    filed = airloom.sweep(grid, out=tmp_path / "out")
    swept = airloom.sweep(DOWNLOAD, axes, seeds=range(1, 3), set={"duration": "1 s"}, keep="bundle")
    assert len(swept) == len(filed) == 8
    assert [swept.summary(cell) for cell in range(8)] == [filed.summary(cell) for cell in range(8)]
    assert swept.place(0) == {"place": "near", "ap.0.queue.limit": "25 packets", "seed": "1"}
    assert "goodput_mbps" in swept.metrics
    assert swept.show("goodput_mbps", "place").places == ["near", "far"]
    assert swept.run(3).flow("download").goodput_mbps > 0
    assert airloom.Sweep.load(tmp_path / "out").axes == filed.axes == swept.axes
    with pytest.raises(airloom.UnknownNameError, match="no cell"):
        swept.place(8)
    with pytest.raises(airloom.SweepError, match="keep='bundle'"):
        filed.run(0)
    del swept
    gc.collect()
    assert temporary_folders() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["download.toml: a scenario; say what", "axes={"]),
        ({"axes": []}, ["axes: needs a dict"]),
        ({"axes": {"ap.0.queue.limit": ["25 parsec"]}}, ['axes["ap.0.queue.limit"]: ', "packets"]),
        ({"axes": {"ap.0.queue.limits": ["25 packets"]}}, ['axes["ap.0.queue.limits"]: ', "limit"]),
        ({"axes": {"ap.0.queue.limit": "25 packets"}}, ["'ap.0.queue.limit' needs a list of values"]),
        ({"axes": {"a": [object()]}}, ["axes is an object"]),
        ({"seeds": 0}, ["`seeds` needs a list"]),
        ({"seeds": 2, "sample": 3}, ["sample: needs how many"]),
        ({"seeds": 2, "set": {"duraton": "1 s"}}, ['set["duraton"]', "duration"]),
        ({"seeds": 2, "set": 3}, ["set: needs a dict"]),
        ({"seeds": 2, "keep": "all"}, ["`keep` is one of"]),
        ({"seeds": 2, "workers": 0}, ["workers: needs a number"]),
        ({"seeds": 2, "progress": 0}, ["progress: needs a function"]),
        ({"seeds": 2, "out": 0}, ["out: needs a path"]),
        ({"seeds": 2, "dask": 0}, ["dask: needs the address"]),
    ],
)
def test_wrong_arguments_of_sweep_are_reported(arguments: dict[str, Any], words: list[str]) -> None:
    before = temporary_folders()
    with pytest.raises(airloom.AirloomError) as caught:
        airloom.sweep(DOWNLOAD, **arguments)
    for word in words:
        assert word in str(caught.value)
    assert "grid:" not in str(caught.value)
    assert temporary_folders() == before


def test_captures_are_diagnosed(tmp_path: Path) -> None:
    run = airloom.run(DOWNLOAD, set=BRIEF, out=tmp_path / "run", capture=True)
    found = airloom.diagnose(run.path / "air.pcapng", str(run.path / "laptop.pcapng"))
    assert [Path(capture["file"]).name for capture in found["captures"]] == ["air.pcapng", "laptop.pcapng"]
    assert len(found["abstained"]) + len(found["findings"]) > 0
    folder = airloom.diagnose(run.path)
    assert len(folder["captures"]) == 3, "a folder stands for the captures in it"
    with pytest.raises(airloom.CaptureError, match="no file to diagnose"):
        airloom.diagnose()
    with pytest.raises(airloom.CaptureError, match=r"summary\.json"):
        airloom.diagnose(run.path / "summary.json")


def test_a_machine_is_examined(tmp_path: Path) -> None:
    machines = ROOT / "crates" / "linux" / "doctor" / "tests" / "machines"
    planted, sound = (airloom.doctor(machines / f"{name}.json") for name in ("planted", "sound"))
    assert planted["findings"][0]["command"] == "sudo iw dev wlan0 set power_save off"
    assert planted["findings"][0]["evidence"][0]["from"].startswith("nl80211")
    assert (sound["schema"], sound["findings"]) == ("airloom-doctor/1", [])
    # Its driver keeps no counts, and its aggregation cannot be read.
    assert [one["code"] for one in sound["abstained"]] == ["D106", "D108"]
    (tmp_path / "none.json").write_text("{}")
    with pytest.raises(airloom.MachineError, match=r"none\.json: is no snapshot of a machine"):
        airloom.doctor(tmp_path / "none.json")


def test_papers_and_profiles_are_listed() -> None:
    scan = airloom.papers()["scan"]
    assert "fix-off" in scan.runs
    assert len(scan.claims) > 20
    with pytest.raises(airloom.UnknownNameError, match="did you mean 'scan'"):
        _ = airloom.papers()["scann"]
    assert {one.kind for one in airloom.profiles().values()} == {"host", "adapter", "scanner", "processor"}
    assert "qca9984" in airloom.profiles()["ath10k"].chips
    assert "linux-9" not in airloom.profiles()
    assert airloom.profiles().get("linux-9") is None
    with pytest.raises(airloom.UnknownNameError, match="ath9k"):
        _ = airloom.profiles()["ath9"]


def test_the_schemas_are_dicts() -> None:
    assert "flow" in airloom.schema()["properties"]
    assert "flows" in airloom.schema(summary=True)["properties"]


MISUSES = """\
import airloom
run = airloom.run("x.toml", set={"duration": {"a", "b"}})
run.flow("a").goodput_mbs
run.station("a").goodput
run.summary["flow"]
airloom.sweep("x.toml", {"a": 3})
airloom.compare(3)
airloom.check("x.toml").setting
airloom.papers()["scan"].titel
"""


def test_mypy_finds_a_misuse_in_each_line(tmp_path: Path) -> None:
    (tmp_path / "misuses.py").write_text(MISUSES)
    # With the settings of the whole tree, and so with what mypy remembers of it from `make lint`.
    command = [sys.executable, "-m", "mypy", str(tmp_path / "misuses.py")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = {int(place[1]) for place in re.finditer(r"misuses\.py:(\d+): error", result.stdout)}
    assert lines == set(range(2, len(MISUSES.splitlines()) + 1)), result.stdout


def test_tables_come_in_one_call(download: airloom.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert download.to_polars().columns == ["time", "entity", "metric", "value", "unit"]
    assert download.to_polars("flows")["goodput_mbps"].to_list() == [download.flow("download").goodput_mbps]
    compared = airloom.compare({"a": download, "b": download})
    assert compared.to_polars().height == 2
    assert compared.to_polars()["run"].to_list() == ["a", "b"]
    with pytest.raises(airloom.UnknownNameError, match="did you mean 'flows'"):
        download.to_polars("flow")
    with pytest.raises(airloom.BundleError, match="without captures"):
        download.to_table("segments")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(airloom.AirloomError, match="pip install pandas"):
        download.to_pandas()


def test_charts_have_what_they_are_asked_for(download: airloom.Run) -> None:
    chart = download.chart("goodput")
    text = json.dumps(chart.to_dict())
    assert "Goodput" in text
    assert "var(--" not in text
    both = airloom.compare({"calm": download, "wild": download}).chart("rtt")
    assert {"calm", "wild"} <= set(re.findall(r"calm|wild", json.dumps(both.to_dict())))
    with pytest.raises(airloom.UnknownNameError, match="did you mean 'goodput'"):
        download.chart("goodputt")
    with pytest.raises(airloom.AirloomError, match="no such span"):
        download.chart("goodput", start=5, end=4)
    shown = set(download.chart("goodput")._repr_mimebundle_())
    assert shown & {"image/svg+xml", "application/vnd.vegalite.v5+json"}


def test_notebooks_show_runs_comparisons_and_sweeps(download: airloom.Run) -> None:
    strange = airloom.run(DOWNLOAD, set={"duration": "1 s", "title": "<script>alert(1)</script>"})
    swept = airloom.sweep(DOWNLOAD, {"ap.0.queue.limit": ["50 packets"]}, set={"duration": "1 s"})
    pages = {
        "one": download._repr_html_(),
        "strange": strange._repr_html_(),
        "both": airloom.compare({"calm": download, "brief": strange})._repr_html_(),
        "sweep": swept._repr_html_(),
        "shown": swept.show("goodput_mbps")._repr_html_(),
    }
    words = {
        "one": ["Goodput, Mbit/s", "download (CUBIC)", "2 s simulated"],
        "strange": ["&lt;script&gt;"],
        "both": ["calm", "brief", "duration", "What differs"],
        "sweep": ["1 cell", "50 packets"],
        "shown": ["goodput_mbps of download", "50 packets"],
    }
    for name, page in pages.items():
        assert "<script" not in page
        assert len(page) < 10_000
        for word in words[name]:
            assert word in page, name
        HTMLParser().feed(page)
        assert page.count("<table") == page.count("</table>")
        assert page.count("<div") == page.count("</div>")


def test_the_package_lists_what_there_is_to_use() -> None:
    assert {name for name in dir(airloom) if not name.startswith("__")} == set(airloom.__all__) - {"__version__"}


def test_a_key_of_a_scenario_is_looked_up() -> None:
    assert airloom.schema("station.0.rate")["path"] == "station.rate"
    with pytest.raises(airloom.AirloomError, match="no key is called"):
        airloom.schema("station.rat")


@pytest.mark.parametrize("wrong", [["a.pcapng"], b"abc", 3, None])
def test_what_is_no_capture_is_refused_as_one(wrong: Any) -> None:
    for call in (lambda: airloom.diagnose(wrong), lambda: airloom.against([wrong], ["b.pcapng"])):
        with pytest.raises(airloom.CaptureError, match=r"needs a path, such as 'air\.pcapng'"):
            call()


def test_a_path_by_itself_is_a_side() -> None:
    with pytest.raises(airloom.CaptureError, match=r"^before\.pcapng: no such file"):
        airloom.against("before.pcapng", "after.pcapng")


@pytest.mark.parametrize("wrong", [3, "/nowhere/laptop.json"])
def test_what_is_no_snapshot_is_refused_as_one(wrong: Any) -> None:
    with pytest.raises(airloom.MachineError, match=r"needs a path|cannot be read"):
        airloom.doctor(wrong)


@pytest.mark.parametrize(
    "use", [airloom.run, airloom.check, lambda grid: airloom.sweep(grid, {"flow.0.start": ["1 s", "2 s"]})]
)
def test_a_grid_is_refused_as_a_scenario_in_one_line(use: Any) -> None:
    grid = ROOT / "examples" / "buffer.toml"
    with pytest.raises(AirloomError) as caught:
        use(grid)
    assert str(caught.value) == f"{grid}: a sweep's grid, not a scenario\n  `airloom.sweep({str(grid)!r})` runs it"


def test_axes_in_a_scenario_are_refused_with_their_place(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "download.toml").read_text(encoding="utf-8")
    both = tmp_path / "both.toml"
    both.write_text(f'{text}\n[axis]\n"flow.0.start" = ["1 s", "2 s"]\n', encoding="utf-8")
    for use in (airloom.run, airloom.check, airloom.sweep):
        with pytest.raises(AirloomError, match=r"\[axis\] is a grid's, and this is a scenario\n  move \[axis\]"):
            use(both)
