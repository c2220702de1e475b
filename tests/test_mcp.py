"""`airloom mcp`: a client of the protocol's own SDK uses every tool, and is refused in words of ours."""

from __future__ import annotations

import inspect
import json
import os
import re
import signal
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from airloom.api.json_schemas import json_of
from airloom.cli.airtime import airtime
from airloom.cli.app import code
from airloom.cli.commands import COMMANDS
from airloom.mcp import cut, installed
from airloom.mcp.tools import TOOLS
from airloom.support.itself import itself
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp_types import CallToolResult

DOWNLOAD = (ROOT / "examples" / "download.toml").read_text(encoding="utf-8")
SHORT = {"duration": "1 s"}
GRID = """
scenario = "home.toml"
seeds = 2
set = { duration = "1 s" }
[axis]
"station.0.distance" = ["2 m", "10 m"]
"""
PROBLEM = """
scenario = "home.toml"
set = { duration = "1 s" }
seeds = 1
waves = 1
points = 10
worlds = 5

[parameter.distance]
sets = "station.0.distance"
from = "2 m"
to = "30 m"

[[measured]]
metric = "goodput_mbps"
of = "download"
value = 150
error = "10 %"
"""
MACHINE = "crates/linux/doctor/tests/machines/planted.json"


@contextmanager
def served(folder: Path, *words: str) -> Iterator[Any]:
    """A client whose server has a folder; and what calls a tool of it."""
    first, *rest = itself("mcp", str(folder), *words)
    server = StdioServerParameters(command=first, args=rest, env={"PYTHONPATH": str(ROOT / "python")})
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(server))) as client,
    ):

        def call(name: str, **arguments: Any) -> CallToolResult:
            came: CallToolResult = portal.call(client.call_tool, name, arguments)
            return came

        call.tools = portal.call(client.list_tools).tools  # type: ignore[attr-defined]
        yield call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scenario, and one beside it that is none of the server's."""
    place = tmp_path_factory.mktemp("mcp")
    (place / "beside.toml").write_text(DOWNLOAD)
    there = place / "lab"
    there.mkdir()
    (there / "home.toml").write_text(DOWNLOAD)
    (there / "machine.json").write_text((ROOT / MACHINE).read_text())
    (there / "out.toml").symlink_to(place / "beside.toml")
    (there / "leaves").mkdir()
    (there / "leaves" / "summary.json").symlink_to(place / "beside.toml")
    (there / "grid-out.toml").write_text(GRID.replace("home.toml", "../beside.toml"))
    (there / "paper.toml").write_text('paper = "."\n')
    (there / "huge.toml").write_text("#" * (16 << 20) + "\n#")
    (there / "odd").mkdir()
    for fifo in (there / "fifo.pcap", there / "odd" / "fifo.pcap"):
        os.mkfifo(fifo)
    return there


@pytest.fixture(scope="module")
def call(folder: Path) -> Iterator[Any]:
    """What calls a tool of a server."""
    with served(folder) as found:
        yield found


def answer(came: CallToolResult, name: str) -> dict[str, Any]:
    """The document that came of a call: as the tool's types and those of its command have it, and as text too."""
    (content,) = came.content
    assert content.type == "text"
    assert not came.is_error, content.text
    document = came.structured_content
    assert isinstance(document, dict)
    assert json.loads(content.text) == document
    jsonschema.validate(document, json_of(name))
    return document


def refused(came: CallToolResult) -> str:
    """What is wrong, in words."""
    (content,) = came.content
    assert content.type == "text"
    assert came.is_error, content.text
    assert "Traceback" not in content.text
    return content.text


def test_the_tools_are_listed_with_types_and_words(call: Any) -> None:
    assert [tool.name for tool in call.tools] == list(TOOLS)
    for tool in call.tools:
        assert "Use it" in tool.description
        assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
        writes = bool({"text", "out", "report"} & tool.input_schema["properties"].keys())
        assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (not writes, writes), tool.name
        assert all("description" in field for field in tool.input_schema["properties"].values()), tool.name
    assert len(json.dumps([tool.model_dump() for tool in call.tools])) < 30_000, "an agent reads all of it"


def test_a_scenario_is_written_checked_run_and_compared(call: Any, folder: Path) -> None:
    document = answer(call("check", file="new.toml", text=DOWNLOAD, resolved=True), "check")
    assert document["ok"]
    assert "initial_window" in document["resolved"]
    assert (folder / "new.toml").read_text() == DOWNLOAD
    document = answer(call("check", file="new.toml", settings={"flow.0.tcp.congestion": "cubik"}), "check")
    assert [mistake["hint"] for mistake in document["mistakes"]] == ["did you mean `cubic`?"]
    first = answer(call("run", scenario="new.toml", settings=SHORT, capture=True), "run")
    assert first["bundle"] == "new.run"
    changed = {**SHORT, "flow.0.tcp.congestion": "newreno"}
    second = answer(call("run", scenario="new.toml", settings=changed, out="renewed", seed=2), "run")
    assert second["flows"][0]["congestion"] == "newreno"
    document = answer(call("compare", runs=["new.run", "renewed"]), "compare")
    assert list(document["runs"]) == ["new.run", "renewed"]
    assert document["differences"]["flow.download.tcp.congestion"] == ["cubic", "newreno"]
    document = answer(call("diagnose", captures=["new.run/air.pcapng", "new.run/laptop.pcapng"]), "diagnose")
    assert len(document["captures"]) == 2
    assert "exists already" in refused(call("run", scenario="new.toml", settings=SHORT)), "no result is lost unasked"
    assert "another content" in refused(call("check", file="new.toml", text=DOWNLOAD + "\n"))
    answer(call("run", scenario="new.toml", text=DOWNLOAD + "\n", settings=SHORT, force=True), "run")


def test_a_grid_is_swept_and_shown(call: Any) -> None:
    document = answer(
        call("sweep", grid="grid.toml", text=GRID, metric="goodput_mbps", by="station.0.distance"), "sweep"
    )
    assert (document["done"], document["failed"]) == (4, {})
    assert [point["station.0.distance"] for point in document["points"]] == ["2 m", "10 m"]
    assert all(point["from"] <= point["mean"] <= point["to"] for point in document["points"])
    assert answer(call("sweep", grid="grid.toml"), "sweep")["run"] == 0, "it goes on from what is done"
    assert "goodput_mbps" in refused(call("sweep", grid="grid.toml", metric="speed", by="station.0.distance"))


def test_what_is_not_simulated_is_answered(call: Any) -> None:
    document = answer(call("doctor", file="machine.json"), "doctor")
    assert "D101" in [finding["code"] for finding in document["findings"]]
    document = answer(call("airtime", standard="802.11ax", width=80, mcs=7, count=32, rts=True), "airtime")
    assert [part["name"] for part in document["exchange"]].count("RTS") == 1
    assert answer(call("schema", key="station.rate"), "schema")["path"] == "station.rate"
    assert "flow" in [key["path"] for key in answer(call("schema"), "schema")["tables"][0]["keys"]]
    shown = call("schema", json_of="run")
    assert shown.structured_content == json_of("run")


@pytest.mark.long
def test_a_problem_is_fitted(call: Any) -> None:
    document = answer(call("fit", problem="problem.toml", text=PROBLEM), "fit")
    assert [one["name"] for one in document["parameters"]] == ["distance"]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("walk", {}, "no tool is called 'walk'\n  there are check, run, "),
        ("check", {}, "check: Object missing required field `file`\n  it takes file, text, "),
        ("check", {"file": 3}, "check: Expected `str`, got `int` - at `$.file`"),
        ("check", {"file": "home.toml", "fiel": 1}, "check: Object contains unknown field `fiel`"),
        ("check", {"file": "none.toml"}, "none.toml: no such scenario file"),
        ("check", {"file": "huge.toml"}, "huge.toml: longer than 16 MiB"),
        ("check", {"file": "big.toml", "text": "#" * (2 << 20)}, "text: longer than 1 MiB"),
        ("check", {"file": "notes.txt", "text": "x"}, "notes.txt: a text is written into a file that ends in .toml"),
        ("check", {"file": ""}, "'': no file can have such a name"),
        ("check", {"file": "a\0b"}, "no file can have such a name"),
        ("check", {"file": "a" * 5000}, "File name too long"),
        ("check", {"file": "a" * 300 + ".toml", "text": DOWNLOAD}, "File name too long"),
        ("check", {"file": "home.toml", "settings": {"duration": [[None]]}}, 'set["duration"]'),
        ("run", {"scenario": "--help"}, "--help: no such scenario file"),
        ("run", {"scenario": "home.toml", "seed": -1}, "seed"),
        ("run", {"scenario": "home.toml", "capture_window": "1 s"}, "--capture is missing"),
        ("run", {"scenario": "home.toml", "settings": {"duration": "1 yr"}}, '--set duration="1 yr": '),
        ("compare", {"runs": ["home.run"]}, "compare: Expected `array` of length >= 2"),
        ("sweep", {"grid": "home.toml"}, "home.toml: a scenario, not a grid"),
        ("sweep", {"grid": "home.toml", "metric": "goodput_mbps"}, "give both `metric` and `by`"),
        ("diagnose", {"captures": ["home.toml"]}, "home.toml"),
        ("doctor", {"file": "home.toml"}, "home.toml"),
        ("fit", {"problem": "paper.toml"}, "paper.toml: names a paper, whose Python code a fit runs"),
        ("airtime", {"standard": "802.11zz"}, "802.11zz"),
        ("airtime", {"standard": "--help"}, "--standard"),
        ("airtime", {"standard": "802.11ax", "mpdu": 10**30}, "is too large"),
        ("check", {"file": "home.toml", "settings": {"snow": None}}, "settings: snow is null"),
        ("diagnose", {"captures": ["fifo.pcap"]}, "fifo.pcap: is neither a file nor a folder"),
        ("diagnose", {"captures": ["odd"]}, "odd: holds fifo.pcap, which is neither"),
        ("doctor", {"file": "fifo.pcap"}, "fifo.pcap: is neither"),
        ("schema", {"key": "--summary"}, "--summary: is no key of scenario files"),
        ("schema", {"key": "stations"}, "no key is called `stations`"),
        ("schema", {"json_of": "snow"}, "no command prints JSON called `snow`"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(name: str, arguments: dict[str, Any], words: str, call: Any) -> None:
    assert words in refused(call(name, **arguments))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("check", {"file": "../beside.toml"}),
        ("check", {"file": "/etc/hostname"}),
        ("check", {"file": "/dev/stdin"}),
        ("check", {"file": "out.toml"}),
        ("check", {"file": "grid-out.toml"}),
        ("check", {"file": "../new.toml", "text": DOWNLOAD}),
        ("check", {"file": "out.toml", "text": DOWNLOAD, "force": True}),
        ("run", {"scenario": "home.toml", "out": "../made"}),
        ("run", {"scenario": "home.toml", "out": "/tmp/made-by-nobody"}),  # noqa: S108 - never made
        ("run", {"scenario": "home.toml", "out": ".", "force": True}),
        ("compare", {"runs": ["..", "."]}),
        ("compare", {"runs": ["leaves", "leaves"]}),
        ("compare", {"runs": ["leaves", "leaves"], "report": "../page.html"}),
        ("sweep", {"grid": "grid-out.toml"}),
        ("diagnose", {"captures": ["/"]}),
        ("diagnose", {"captures": ["leaves"], "out": "page.html"}),
        ("doctor", {"file": "../beside.toml"}),
        ("fit", {"problem": "../problem.toml", "text": PROBLEM}),
    ],
)
def test_what_lies_elsewhere_is_neither_read_nor_written(
    name: str, arguments: dict[str, Any], call: Any, folder: Path
) -> None:
    said = refused(call(name, **arguments))
    assert "outside of the folder" in said or "the folder of this server itself" in said
    assert {path.name for path in folder.parent.iterdir()} == {"lab", "beside.toml"}
    assert (folder.parent / "beside.toml").read_text() == DOWNLOAD


def test_what_takes_too_long_is_stopped_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "home.toml").write_text(DOWNLOAD)
    with served(tmp_path, "--limit", "2") as call:
        began = time.monotonic()
        said = refused(call("run", scenario="home.toml", settings={"duration": "86400 s"}))
        assert time.monotonic() - began < 30
        assert said.startswith("run: stopped after 2 s, the limit of a call\n  simulate less")
        grid = GRID.replace('"1 s"', '"3600 s"')
        assert "goes on from there" in refused(call("sweep", grid="grid.toml", text=grid))
        assert answer(call("check", file="home.toml"), "check")["ok"], "the server goes on"
    assert {path.name for path in tmp_path.iterdir()} == {"home.toml", "grid.toml", "grid.sweep"}, (
        "nothing half-written"
    )
    assert not running_in(tmp_path)


@pytest.mark.parametrize("leaves", [True, False], ids=["leaves", "signals"])
def test_the_end_of_a_client_or_of_the_server_is_that_of_its_commands(leaves: bool, tmp_path: Path) -> None:
    (tmp_path / "home.toml").write_text(DOWNLOAD)
    first, *rest = itself("mcp", str(tmp_path))
    server = StdioServerParameters(command=first, args=rest, env={"PYTHONPATH": str(ROOT / "python")})
    with start_blocking_portal() as portal:
        with portal.wrap_async_context_manager(Client(stdio_client(server))) as client:
            arguments = {"scenario": "home.toml", "settings": {"duration": "86400 s"}}
            (served_by,) = running_in(tmp_path)
            asked = portal.start_task_soon(client.call_tool, "run", arguments)
            until(lambda: len(running_in(tmp_path)) == 2)
            if not leaves:
                os.kill(served_by, signal.SIGTERM)
                until(lambda: not running_in(tmp_path))
        assert asked.exception(timeout=10) is not None
    until(lambda: not running_in(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["home.toml"]


def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < 30
        time.sleep(0.1)


def running_in(folder: Path) -> list[int]:
    """The processes whose current folder this is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink() == folder.resolve():
                found.append(int(process.name))
    return found


def test_airtime_takes_what_its_command_takes() -> None:
    assert list(TOOLS["airtime"].__struct_fields__) == [
        name for name in inspect.signature(airtime).parameters if name != "as_json"
    ]


def test_a_long_answer_is_cut_and_says_what_is_left_out() -> None:
    rows = [{"name": "a" * 100, "values": [*range(300)]}] * 1000
    found = cut.fitting({"schema": "airloom-x/1", "rows": rows, "text": "b" * 200_000, "few": [1, 2]})
    assert len(cut.compact(found)) <= cut.LONGEST
    kept = len(found["rows"])
    assert kept + found["left_out"]["rows"] == 1000
    assert len(found["rows"][0]["values"]) + found["left_out"]["rows.0.values"] == 300
    assert len(found["text"]) + found["left_out"]["text"] == 200_000
    assert found["few"] == [1, 2][:kept]
    assert cut.fitting({"rows": [1] * 1000}) == {"rows": [1] * 1000}, "what is short is whole"


def test_what_agents_read_names_every_command_and_page_that_there_is() -> None:
    text = (ROOT / "llms.txt").read_text(encoding="utf-8")
    listed = re.findall(r"^- `airloom (\w+)`: (.*)$", text, re.MULTILINE)
    assert listed == [(name, purpose) for commands in COMMANDS.values() for name, (_, purpose) in commands.items()]
    assert all(f"| `{name}` |" in (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8") for name in TOOLS)
    for page in ("llms.txt", "AGENTS.md"):
        for target in re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            assert (ROOT / target).is_file(), f"{page}: {target}"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make ([a-z-]+)`", (ROOT / "AGENTS.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_without_its_sdk_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(installed, "NEEDED", ("mcp", "no_such_module"))
    assert code(["mcp"]) == 2
    assert capsys.readouterr().err == (
        "airloom: `airloom mcp` needs the SDK of the protocol: pip install 'airloom[mcp]'\n"
    )


@pytest.mark.parametrize(("words", "said"), [(["nowhere"], "nowhere: no such folder"), (["--limit", "0"], "--limit 0")])
def test_a_server_that_cannot_be_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["mcp", *words]) == 2
    assert said in capsys.readouterr().err
