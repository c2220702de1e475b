"""The command line, as a process: what it prints, where, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import typing
from typing import TYPE_CHECKING

import pytest

import airloom as api
import tools
from airloom import _engine
from airloom.cli import guard, man, manual, new
from airloom.cli.app import app, code
from conftest import ROOT
from in_process import airloom as in_process

if TYPE_CHECKING:
    from pathlib import Path

UPLOAD = ROOT / "papers" / "scan" / "upload-tsq.toml"
BRIEF = ("--set", "duration=3 s")


def airloom(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "airloom", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        check=False,
    )


def refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """One clear message, nothing else, and exit code 2."""
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith("airloom: ")
    for word in words:
        assert word in result.stderr


@pytest.mark.parametrize("more", [[], ["out"], ["out", "--metric", "goodput_mbps"]])
def test_a_misspelled_show_is_no_grid(
    more: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert code(["sweep", "shwo", *more]) == 2
    told = capsys.readouterr().err
    assert told == "airloom: no command `airloom sweep shwo`, nor such a grid file\n  did you mean `show`?\n"
    (tmp_path / "shwo").write_text("")
    code(["sweep", "shwo"])
    assert "did you mean" not in capsys.readouterr().err, "the file is there"


@pytest.mark.parametrize("more", [[], ["--help"], ["run"]])
def test_the_name_of_another_program_of_ours_is_known(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["rate", *more]) == 2
    told = capsys.readouterr().err
    assert "`airloom-rate` is a program of its own" in told
    assert "docs/airloom-rate.md" in told


def test_a_run_leaves_a_bundle_and_prints_its_figures(tmp_path: Path) -> None:
    result = airloom("run", UPLOAD, *BRIEF, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "Mbit/s" in result.stdout
    assert sorted(file.name for file in (tmp_path / "upload-tsq.run").iterdir()) == [
        "detail.parquet",
        "manifest.json",
        "scenario.toml",
        "series.parquet",
        "summary.json",
    ]


def test_a_run_for_a_script_prints_the_summary(tmp_path: Path) -> None:
    result = airloom("run", UPLOAD, *BRIEF, "--seed", "7", "-o", tmp_path / "out", "--json", "--report")
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["seed"] == 7
    kept = json.loads((tmp_path / "out" / "summary.json").read_text())
    ours = {"schema": "airloom-run/1", "results_version": _engine.results(), "bundle": str(tmp_path / "out")}
    assert summary == kept | ours
    assert (tmp_path / "out" / "report.html").stat().st_size > 500_000


def test_a_run_with_captures_leaves_them_in_the_bundle(tmp_path: Path) -> None:
    result = airloom("run", UPLOAD, "--set", "duration=1 s", "--capture", "--capture-window", "..10 ms", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert (
        "captures: air.pcapng, server.pcapng, sta1.pcapng, sockets.parquet, segments.parquet, transmissions.parquet"
        in result.stdout
    )
    files = {file.name: file.stat().st_size for file in (tmp_path / "upload-tsq.run").iterdir()}
    assert {
        "air.pcapng",
        "server.pcapng",
        "sta1.pcapng",
        "segments.parquet",
        "sockets.parquet",
        "transmissions.parquet",
    } <= set(files)
    assert files["sta1.pcapng"] < 100_000


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert airloom("run", UPLOAD, *BRIEF, "--seed", seed, "-o", tmp_path / name).returncode == 0
    files = sorted(file.name for file in (tmp_path / "a").iterdir())
    assert [(tmp_path / "a" / file).read_bytes() for file in files] == [
        (tmp_path / "b" / file).read_bytes() for file in files
    ]
    assert (tmp_path / "a" / "series.parquet").read_bytes() != (tmp_path / "c" / "series.parquet").read_bytes()


def test_an_output_that_is_there_is_kept_unless_forced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert airloom("run", UPLOAD, *BRIEF, "-o", out).returncode == 0
    before = (out / "manifest.json").read_bytes()
    refused(airloom("run", UPLOAD, *BRIEF, "--seed", "2", "-o", out), "exists already", "--force")
    assert (out / "manifest.json").read_bytes() == before
    assert airloom("run", UPLOAD, *BRIEF, "--seed", "2", "-o", out, "--force").returncode == 0
    assert (out / "manifest.json").read_bytes() != before
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_folders_above_the_output_are_made_but_not_for_nothing(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    refused(airloom("run", UPLOAD, "--set", "duration=-1 s", "-o", out))
    assert list(tmp_path.iterdir()) == []
    assert airloom("run", UPLOAD, *BRIEF, "-o", out).returncode == 0
    assert (out / "summary.json").is_file()


def test_what_is_not_of_the_run_is_never_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert airloom("run", UPLOAD, *BRIEF, "-o", out, "--report").returncode == 0
    assert airloom("run", UPLOAD, *BRIEF, "-o", out, "--report", "--force").returncode == 0
    (out / "notes.txt").write_text("precious")
    refused(airloom("run", UPLOAD, *BRIEF, "-o", out, "--force"), "holds notes.txt")
    assert (out / "notes.txt").read_text() == "precious"


def test_what_is_no_bundle_is_never_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "photos"
    precious.mkdir()
    (precious / "cat.jpg").write_text("meow")
    refused(airloom("run", UPLOAD, *BRIEF, "-o", precious, "--force"), "no run bundle")
    assert (precious / "cat.jpg").read_text() == "meow"


def test_a_failed_replacement_leaves_the_old_bundle(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert airloom("run", UPLOAD, *BRIEF, "-o", out).returncode == 0
    refused(airloom("run", UPLOAD, "--set", "duration=-1 s", "-o", out, "--force"))
    assert (out / "manifest.json").is_file()
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("flow.0.tcp.congeston=cubic", ["congeston", "congestion"]),
        ("flow.0.tcp.congestion=cubik", ["cubic"]),
        ("flow.0.to=nobody", ["nobody"]),
        ("station.0.host=linux-9", ["linux-9"]),
        ("station.0.distance=3 Mbit/s", ["distance"]),
        ("duration=-5 s", ["duration"]),
    ],
)
def test_a_mistake_is_reported_with_its_likely_word(change: str, words: list[str], tmp_path: Path) -> None:
    refused(airloom("run", UPLOAD, "--set", change, "-o", tmp_path / "out"), *words)
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_in_a_file_is_reported_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(UPLOAD.read_text().replace("congestion =", "congeston ="))
    line = next(n for n, text in enumerate(file.read_text().splitlines(), 1) if "congeston" in text)
    refused(airloom("check", file), f"{file}:{line}:", "did you mean", "congestion")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nowhere.toml"], ["nowhere.toml", "no such"]),
        (["run", "."], ["a folder"]),
        (["run"], ["SCENARIO"]),
        (["run", "x.toml", "--sed", "3"], ["--sed"]),
        (["run", "x.toml", "--seed", "three"], ["three"]),
        (["run", str(UPLOAD), "--seed", "-1"], ["-1", "2^64"]),
        (["check", str(UPLOAD), "--seed", "18446744073709551616"], ["2^64"]),
        (["run", "/dev/zero"], ["not a regular file"]),
        (["run", str(UPLOAD), "--set", "duration"], ["KEY=VALUE"]),
        (["run", str(UPLOAD), "--seed", "1.5"], ["'1.5' is no whole number"]),
        (["run", str(UPLOAD), "-o", f"{UPLOAD}/run"], ["upload-tsq.toml/run"]),
        (["run", str(UPLOAD), "--capture", "--snap-length", "-4"], ["snap length", "bytes"]),
        (["run", str(UPLOAD), "--capture", "--snap-length", "69"], ["69", "within their headers", "70 bytes", "160"]),
        (["run", str(UPLOAD), "--capture", "--snap-length", "all"], ["all"]),
        (["run", str(UPLOAD), "--capture", "--capture-window", "25 s"], ["'25 s'", "25 s..36 s"]),
        (["run", str(UPLOAD), "--capture", "--capture-window", "36 s..25 s"], ["ends before it begins"]),
        (["run", str(UPLOAD), "--capture", "--capture-window", "1 parsec..2 s"], ["parsec", "ms"]),
        (["run", str(UPLOAD), "--capture", "--capture-window", "400 s..500 s"], ["400 s", "300 s"]),
        (["run", str(UPLOAD), "--capture", "--capture-window", f"0 s..{'9' * 20} s"], ["no run takes"]),
        (["run", str(UPLOAD), "--capture", "--capture-window", f"0 s..{'9' * 5000} s"], ["is no time"]),
        (["run", str(UPLOAD), "--set", "title=\udcff"], ["title=\\udcff: not text in UTF-8"]),
        (["check", str(UPLOAD), "--set", "\udcff=1"], ["not text in UTF-8"]),
        (["run", "\udcff.toml"], ["\\udcff.toml: no such scenario"]),
        (["run", str(UPLOAD), "--snap-length", "64"], ["--capture is missing"]),
        (["walk"], ["walk"]),
        (["report", "nowhere"], ["nowhere", "not a run bundle"]),
        (["compare", "nowhere", "elsewhere"], ["not a run bundle"]),
        (["papers", "score", "skan"], ["skan", "scan"]),
    ],
)
def test_a_wrong_request_is_refused(arguments: list[str], words: list[str], tmp_path: Path) -> None:
    refused(in_process(*arguments, cwd=tmp_path), *words)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_a_run_and_leaves_nothing(tmp_path: Path) -> None:
    arguments = ["run", str(UPLOAD), "--set", "duration=20000 s", "-o", str(tmp_path / "out")]
    process = subprocess.Popen(
        [sys.executable, "-m", "airloom", *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    output, complaint = process.communicate(timeout=20)
    assert process.returncode == 130, complaint
    assert output == ""
    assert complaint == "airloom: interrupted; nothing half-written was left behind\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("program", [["-m", "airloom"], ["airloom"]], ids=["as a module", "as a script"])
def test_ctrl_c_is_heeded_while_airloom_itself_is_imported(program: list[str], tmp_path: Path) -> None:
    """A module that comes early sends it; a program that only imports airloom is interrupted as any other is."""
    (tmp_path / "sitecustomize.py").write_text(
        """
import os, signal, sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == "airloom.report":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
"""
    )
    for name in ("airloom", "other"):
        (tmp_path / name).write_text("from airloom.cli import main\nmain()\n")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT / 'python'}"}

    def told(*words: str) -> tuple[int, str]:
        result = subprocess.run(
            [sys.executable, *words, "version"],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            cwd=tmp_path,
        )
        return result.returncode, result.stderr

    assert told(*program) == (130, "airloom: interrupted; nothing half-written was left behind\n")
    assert told("other")[1].endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize("whole_group", [True, False], ids=["at a terminal", "to the command alone"])
def test_ctrl_c_ends_a_self_test_before_its_worlds_have_run(tmp_path: Path, whole_group: bool) -> None:
    """A terminal sends it to the workers too, each of which has seconds of work left."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "airloom", "diagnose", "--self-test"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    while not list(tmp_path.rglob("*.pcapng")) and process.poll() is None:
        time.sleep(0.02)
    began = time.monotonic()
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    output, complaint = process.communicate(timeout=20)
    assert time.monotonic() - began < 3.0
    assert process.returncode == 130, complaint
    assert (output, complaint.splitlines()[-1]) == ("", "airloom: interrupted; nothing half-written was left behind")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_says_of_a_whole_bundle_that_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from airloom.cli import run_tables

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_tables, "show", interrupted)
    for more in ([], ["--force"]):
        assert code(["run", str(UPLOAD), *BRIEF, "-o", str(tmp_path / "out"), *more]) == 130
        assert capsys.readouterr().err.endswith(f"airloom: interrupted; the bundle is whole: {tmp_path / 'out'}\n")
    assert code(["run", str(UPLOAD), *BRIEF, "-o", str(tmp_path / "out")]) == 2, "it is there"


def test_ctrl_c_is_heeded_before_anything_heavy_is_imported() -> None:
    script = """
import sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == "airloom.cli.app":
            assert not {"cyclopts", "airloom._engine", "json"} & sys.modules.keys()
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupter())
from airloom.cli import main
main()
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (130, "airloom: interrupted; nothing half-written was left behind\n")


def test_a_signal_that_ends_a_program_leaves_nothing(tmp_path: Path) -> None:
    arguments = ["run", str(UPLOAD), "--set", "duration=20000 s", "-o", str(tmp_path / "out")]
    process = subprocess.Popen([sys.executable, "-m", "airloom", *arguments], stderr=subprocess.PIPE)
    time.sleep(1.5)
    process.terminate()
    process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no small disk can be mounted here")
    try:
        refused(airloom("run", UPLOAD, *BRIEF, "-o", disk / "out"), "disk is full")
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m airloom schema | head -c 1"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert result.stderr == ""


def test_a_scenario_resolves_to_itself(tmp_path: Path) -> None:
    first = airloom("check", UPLOAD, "--resolved")
    assert first.returncode == 0, first.stderr
    again = tmp_path / "again.toml"
    again.write_text(first.stdout)
    assert airloom("check", again, "--resolved").stdout == first.stdout


def test_a_run_stays_small(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from airloom.cli.app import code; "
        f"code(['run', {str(UPLOAD)!r}, '--set', 'duration=60 s', '-o', {str(tmp_path / 'out')!r}]); "
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(result.stdout.splitlines()[-1]) < 50 * 1024  # KiB


def test_what_to_cite_names_the_version_and_the_numbers(bundle: Path) -> None:
    entry = airloom("cite").stdout
    assert f"version = {{{_engine.version()}}}" in entry
    assert f"results version {_engine.results()}" in entry
    said = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for field in ("title", "author"):
        (words,) = re.findall(rf"^  {field} = {{(.*)}},$", entry, re.MULTILINE)
        assert words.replace("{", "").replace("}", "") in said
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["sha256"]["series.parquet"][:16] in airloom("cite", bundle).stdout
    refused(airloom("cite", "nowhere"), "nowhere")


def test_the_schema_and_the_profiles_are_json() -> None:
    assert "flow" in json.loads(airloom("schema").stdout)["properties"]
    assert "flows" in json.loads(airloom("schema", "--summary").stdout)["properties"]
    assert "points" in json.loads(airloom("schema", "--json-of", "sweep show").stdout)["properties"]
    refused(airloom("schema", "--json-of", "snow"), "no command prints JSON called `snow`", "there are check, run, ")
    refused(airloom("schema", "--json-of", "diagnos"), "did you mean `diagnose`?")
    refused(airloom("schema", "air", "--json-of", "run"), "--json-of does not describe `air`")
    profiles = json.loads(airloom("profiles", "--json").stdout)["profiles"]
    assert {"host", "adapter"} <= {profile["kind"] for profile in profiles}
    assert "linux-3.13" in airloom("profiles").stdout
    assert airloom("profiles", "MT7921").stdout.startswith("mt76  adapter")


def test_papers_are_listed() -> None:
    listed = json.loads(airloom("papers", "list", "--json").stdout)["papers"]
    assert "scan" in [paper["id"] for paper in listed]


def test_a_profile_is_shown_with_values_and_sources() -> None:
    result = airloom("profiles", "networkmanager-0.9.8")
    assert result.returncode == 0, result.stderr
    assert "SCAN_INTERVAL_STEP 20" in " ".join(result.stdout.split())
    assert "calibrated to scan.null.pm1" in " ".join(airloom("profiles", "ath9k").stdout.split())
    assert json.loads(airloom("profiles", "ath9k", "--json").stdout)["kind"] == "adapter"
    assert {"hosts", "adapters", "scanners", "processors"} <= set(airloom("profiles").stdout.splitlines())
    refused(airloom("profiles", "linux-6"), "no profile 'linux-6'", "did you mean 'linux-6.18'?")
    refused(airloom("profiles", "ax210"), "no profile 'ax210'", "it has no profile yet: `edca-be`, `edca-ax`")
    refused(airloom("profiles", "ubuntu"), "no profile 'ubuntu'", "of linux there are")
    refused(airloom("schema", "ofdma"), "no key is called `ofdma`", "not supported yet: a PPDU is for one user")
    refused(airloom("schema", "station.twt"), "no key is called `station.twt`", "stations that doze by beacons")


def test_the_version_has_three_names() -> None:
    answers = {airloom(word).stdout for word in ("-V", "--version", "version")}
    assert len(answers) == 1
    assert "results version" in answers.pop()


PAGES = list(manual.pages(app))
"""What there is to say of each command."""


def test_every_command_is_listed() -> None:
    commands = {" ".join(page.words[1:]) for page in PAGES}
    assert {"", "new", "run", "sweep", "sweep show", "papers score", "completion"} <= commands
    text = airloom("--help").stdout
    assert all(f"\n  {page.words[1]} " in text for page in PAGES if len(page.words) == 2)
    assert [text.index(f"\n  {word} ") for word in ("new", "check", "run", "report", "compare", "sweep")] == sorted(
        text.index(f"\n  {word} ") for word in ("new", "check", "run", "report", "compare", "sweep")
    )
    assert airloom("help").stdout == airloom().stdout == text
    refused(airloom("help", "walk"), "no command `airloom walk`")
    assert airloom("help", "sweep", "show").stdout == airloom("sweep", "show", "-h").stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: " ".join(page.words))
def test_the_help_of_a_command_is_whole(page: manual.Page) -> None:
    assert page.purpose.endswith(".")
    assert page.examples or page.words[1:] in {("papers",), ("guard",)}
    assert all(meaning for _, meaning in [*page.arguments, *page.options])
    if page.words[1:] == ("guard",):
        return
    result = in_process(*page.words[1:], "--help")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert f"Usage: {page.usage.splitlines()[0]}" in lines
    examples = {f"  {line}" for call in page.examples for line in (call[0], f"# {call[1]}")}
    assert all(len(line) <= 80 or line in examples for line in lines)


@pytest.mark.parametrize("call", [call for page in PAGES for call, _ in page.examples])
def test_the_examples_of_the_help_are_commands(call: str) -> None:
    words = shlex.split(re.sub(r"^source <\((.*)\)$|>.*", r"\1", call))
    assert words[0] == "airloom"
    command, _, _ = app.parse_args(words[1:], exit_on_error=False, print_error=False)
    assert command is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["walk"], "no command `walk`\n  there are new, check, run, report, compare, "),
        (["--versoin"], "no option `--versoin`\n  did you mean `--version`?"),
        (["--nosuch"], "no option `--nosuch`\n  airloom --help says what there is"),
        (["plot", "x", "--jsom"], "unknown option --jsom\n  airloom plot"),
        (["export", "x", "--jsom"], "unknown option --jsom\n  airloom export"),
        (["run", "x", "--out-file", "y"], "unknown option --out-file; did you mean --out?"),
        (["plot", "x", "-o", ""], "-o: the name is empty"),
        (["run", "x.toml", "-o", ""], "-o: the name is empty"),
        (["rnu"], "no command `rnu`\n  did you mean `run`?"),
        (["sweep", "show"], "`airloom sweep show` needs FOLDER\n  airloom sweep show --help says what there is"),
        (["schema", "air", "ap"], "`airloom schema` does not take `ap`\n  airloom schema --help says what there is"),
        (
            ["run", "x.toml", "--set", "duration=2", "s"],
            "`s` stands apart from its number\n  write 'duration=2 s', with the quotes",
        ),
        (
            ["check", "x.toml", "--set", "air.width=20", "MHz"],
            "`MHz` stands apart from its number\n  write 'air.width=20 MHz', with the quotes",
        ),
        (["run", "x.toml", "-o"], "`airloom run` needs a value for -o"),
        (["run", "x.toml", "--seed", "1", "--seed", "2"], "`airloom run` takes --seed only once"),
        (["run", "x.toml", "--sed", "1"], "unknown option --sed; did you mean --seed?"),
        (["sweep", "x.toml", "--set", "a=1"], "unknown option --set\n  `set` is a key of the grid file"),
        (["sweep", "x.toml", "--seeds", "3"], "unknown option --seeds\n  `seeds` is a key of the grid file"),
        (["sweep", "x.toml", "--jobs=3"], "unknown option --jobs\n  a sweep takes all cores that it may use"),
        (["run", "x.toml", "--seeds", "3"], "unknown option --seeds\n  a run has one --seed; several are a grid"),
        (["shell", "x.toml", "--bogus", "--", "true"], "unknown option --bogus\n  airloom shell --help says"),
        (["on", "server", "--bogus", "--", "true"], "unknown option --bogus\n  airloom on --help says"),
        (["run", "x.toml", "--json=3"], "--json takes no value"),
    ],
)
def test_wrong_words_are_refused_in_words_of_ours(arguments: list[str], message: str) -> None:
    result = in_process(*arguments)
    refused(result)
    assert result.stderr.startswith(f"airloom: {message}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: " ".join(page.words))
def test_every_command_has_a_manual_page_without_a_flaw(page: manual.Page) -> None:
    text = man.source(page)
    checked = subprocess.run(
        [tools.need("mandoc"), "-T", "lint", "-W", "warning"], input=text, capture_output=True, text=True, check=False
    )
    flaws = [line for line in checked.stdout.splitlines() if "missing date" not in line]
    assert flaws == []
    shown = subprocess.run([tools.need("mandoc"), "-T", "utf8"], input=text, capture_output=True, text=True, check=True)
    plain = " ".join(re.sub(".\b", "", shown.stdout).split())
    for words in (page.purpose.rstrip(".")[1:], *(call for call, _ in page.examples)):
        assert " ".join(words.split()) in plain


def test_manual_pages_are_printed_and_installed(tmp_path: Path) -> None:
    assert airloom("man", "sweep", "show").stdout.startswith(".TH AIRLOOM-SWEEP-SHOW 1 ")
    refused(airloom("man", "walk"), "no command `airloom walk`")
    command = [sys.executable, "-m", "airloom", "man", "--install"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert {file.name for file in (tmp_path / "man" / "man1").iterdir()} == {
        f"{'-'.join(page.words)}.1" for page in PAGES
    }


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_takes_its_completion(shell: str, tmp_path: Path) -> None:
    script = airloom("completion", shell)
    assert script.returncode == 0, script.stderr
    assert "upload-scans" in script.stdout
    assert "--capture-window" in script.stdout or "capture-window" in script.stdout
    (tmp_path / "script").write_text(script.stdout)
    checked = subprocess.run(
        [tools.need(shell), "-n", tmp_path / "script"], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_completion_is_installed_for_a_user(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "SHELL": "/bin/bash"}
    environment.pop("XDG_DATA_HOME", None)
    command = [sys.executable, "-m", "airloom", "--install-completion"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    file = tmp_path / ".local/share/bash-completion/completions/airloom"
    assert result.stdout.startswith(f"completion for bash: {file}\n")
    complete = f"source {file}; COMP_WORDS=(airloom sw); COMP_CWORD=1; _airloom; echo ${{COMPREPLY[@]}}"
    found = subprocess.run(["bash", "-c", complete], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["sweep"]
    environment["SHELL"] = "/bin/tcsh"
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    refused(result, "no completion for tcsh", "bash, zsh, fish")


@pytest.mark.long
@pytest.mark.sample(1)
@pytest.mark.parametrize("template", typing.get_args(new.Template))
def test_a_template_runs_and_so_does_what_it_proposes(template: str, tmp_path: Path) -> None:
    result = airloom("new", template, "-o", "mine.toml", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "mine.toml").read_text()
    proposed = new.commands(text)
    assert len(proposed) >= 2
    assert all("FILE" not in line and len(line) <= 132 for line in text.splitlines())
    assert text.count("#") >= 5
    refused(airloom("new", template, "-o", "mine.toml", cwd=tmp_path), "mine.toml: exists already")
    long = {"latency": "6 s", "crowd": "6 s", "roaming": "30 s"}
    for line in proposed:
        words = shlex.split(line)[1:]
        if words[0] == "run":
            words += ["--set", f"duration={long.get(template, '1 s')}"]
        if words[0] == "sweep" and words[1] != "show":
            grid = (tmp_path / "mine.toml").read_text()
            brief = re.sub(r"^seeds = \d", 'seeds = 2\nset = { duration = "1 s" }', grid, flags=re.MULTILINE)
            assert brief != grid
            brief = (
                brief.replace('duration = "1 s"', 'duration = "1 s", warm_up = "0 s"')
                if template == "office"
                else brief
            )
            (tmp_path / "mine.toml").write_text(brief)
        done = airloom(*words, cwd=tmp_path)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stderr == ""


def test_what_there_is_to_begin_with_is_listed_by_question() -> None:
    listed = airloom("new", "--list")
    assert listed.returncode == 0, listed.stderr
    names, questions = zip(*(line.split("  ", 1) for line in listed.stdout.splitlines()), strict=True)
    assert list(names) == list(typing.get_args(new.Template))
    assert len(set(questions)) == len(names)
    assert max(map(len, listed.stdout.splitlines())) < 80
    refused(airloom("new", "crowd", "--list"), "--list writes nothing")


def test_grids_beside_each_other_have_scenarios_of_their_own(tmp_path: Path) -> None:
    for file in ("office.toml", "mine2.toml"):
        made = airloom("new", "office", "-o", file, cwd=tmp_path)
        assert made.returncode == 0, made.stderr
        checked = airloom("check", file, cwd=tmp_path)
        assert checked.returncode == 0, checked.stderr
    assert 'scenario = "mine2-calls.toml"' in (tmp_path / "mine2.toml").read_text()
    assert "scenario: mine2-calls.toml" in made.stdout
    assert airloom("new", "sweep", "-o", "download.toml", cwd=tmp_path).returncode == 0
    names = {
        "office.toml",
        "office-calls.toml",
        "mine2.toml",
        "mine2-calls.toml",
        "download.toml",
        "download-download.toml",
    }
    assert {one.name for one in tmp_path.iterdir()} == names


@pytest.mark.parametrize(
    ("template", "file", "folder"),
    [
        ("office", "club.toml", "out/club"),
        ("sweep", "my queue.toml", "'out/my queue'"),
        ("office", "office.toml", "out/office"),
    ],
)
def test_a_grid_that_has_another_name_proposes_results_of_that_name(
    template: str, file: str, folder: str, tmp_path: Path
) -> None:
    said = airloom("new", template, "-o", file, cwd=tmp_path).stdout.splitlines()
    run, show = (line.removeprefix("next: ") for line in said if line.startswith("next: "))
    assert run == f"airloom sweep {shlex.quote(file)} -o {folder}"
    assert show.startswith(f"airloom sweep show {folder} --metric ")


def test_run_refuses_a_grid_in_one_line(tmp_path: Path) -> None:
    made = airloom("run", "examples/buffer.toml", cwd=tmp_path)
    refused(made, "a sweep's grid, not a scenario", "`airloom sweep examples/buffer.toml` runs it")
    assert "mistake" not in made.stderr


@pytest.mark.parametrize("command", ["run", "check", "sweep"])
def test_what_a_grid_has_in_a_scenario_is_sent_to_no_other_command(tmp_path: Path, command: str) -> None:
    whole = (ROOT / "examples" / "download.toml").read_text(encoding="utf-8")
    (tmp_path / "both.toml").write_text(whole + '\n[axis]\n"flow.0.start" = ["1 s", "2 s"]\n', encoding="utf-8")
    made = airloom(command, "both.toml", cwd=tmp_path)
    line = len(whole.splitlines()) + 2
    remedy = 'move [axis] into a file of its own that begins with `scenario = "both.toml"`; `airloom new sweep`'
    refused(made, f"both.toml:{line}:2: [axis] is a grid's, and this is a scenario", remedy)


def test_a_run_says_that_interferers_are_in_no_capture(tmp_path: Path) -> None:
    more = 'interferer=[{name="next-door",kind="neighbour",channel=36,level="-60 dBm",occupancy=0.5}]'
    short = ("-o", "run", "--set", "duration=200 ms", "--set", more)
    scenario = ROOT / "examples" / "download.toml"
    said = "no capture has what interferers send: next-door"
    assert said in airloom("run", scenario, *short, "--capture", cwd=tmp_path).stdout
    assert said not in airloom("run", scenario, *short, "--force", cwd=tmp_path).stdout


def test_bundles_are_compared(bundle: Path, remedied: Path) -> None:
    table = airloom("compare", bundle, remedied)
    assert table.returncode == 0
    assert "Goodput" in table.stdout
    summaries = json.loads(airloom("compare", bundle, remedied, "--json").stdout)["runs"]
    assert [len(summary["scans"]) for summary in summaries.values()] == [3, 0]


def test_a_comparison_tells_what_differs_and_writes_its_report(tmp_path: Path) -> None:
    for name, value in (("a", "cubic"), ("b", "newreno")):
        made = airloom("run", UPLOAD, *BRIEF, "--set", f"flow.0.tcp.congestion={value}", "-o", tmp_path / name)
        assert made.returncode == 0, made.stderr
    page = tmp_path / "page.html"
    written = airloom("compare", tmp_path / "a", tmp_path / "b", "--report", page)
    assert (written.stdout, page.is_file()) == (f"report: {page}\n", True), written.stderr
    result = airloom("compare", tmp_path / "a", tmp_path / "b")
    assert result.returncode == 0, result.stderr
    (row,) = (line for line in result.stdout.splitlines() if line.startswith("flow.sta1-server.tcp.congestion"))
    assert row.split()[1:] == ["cubic", "newreno"]
    assert "station.0.name" not in result.stdout
    assert "What differs between the runs" in (tmp_path / "page.html").read_text()


def test_runs_of_other_seeds_are_told_apart(tmp_path: Path) -> None:
    """By the seed, whether anything else differs or not; what one pair of draws shows may be chance."""
    for name, seed, rate in (("a", "1", "20 Mbit/s"), ("b", "2", "20 Mbit/s"), ("c", "2", "30 Mbit/s")):
        overrides = ("--set", "duration=300 ms", "--set", f"server.0.link.rate={rate}")
        made = airloom("run", ROOT / "examples" / "download.toml", *overrides, "--seed", seed, "-o", tmp_path / name)
        assert made.returncode == 0, made.stderr
    for other, differing in (("b", ["seed"]), ("c", ["server.server.link.rate", "seed"])):
        shown = airloom("compare", tmp_path / "a", tmp_path / other).stdout
        airloom("compare", tmp_path / "a", tmp_path / other, "-o", tmp_path / "page.html")
        assert [line.split()[1:] for line in shown.splitlines() if line.startswith("seed ")] == [["1", "2"]]
        assert "runs with different seeds differ by chance, too" in shown
        page = (tmp_path / "page.html").read_text()
        assert "<code>seed</code>" in page
        assert "<span>seeds 1 and 2</span>" in page
        assert "Runs with different seeds differ by chance, too" in page
        compared = api.compare(tmp_path / "a", tmp_path / other)
        assert list(compared.differences) == differing
        assert "differ by chance" in compared._repr_html_()
    alike = airloom("compare", tmp_path / "b", tmp_path / "c").stdout
    assert "server.server.link.rate" in alike
    assert "chance" not in alike


def test_runs_of_other_results_versions_are_told_apart(bundle: Path, tmp_path: Path) -> None:
    older = shutil.copytree(bundle, tmp_path / "older")
    manifest = json.loads((older / "manifest.json").read_text())
    (older / "manifest.json").write_text(json.dumps(manifest | {"results": manifest["results"] - 1}))
    lines = airloom("compare", bundle, older).stdout.splitlines()
    airloom("compare", bundle, older, "--report", tmp_path / "page.html")
    (row,) = (line for line in lines if line.startswith("results version"))
    assert row.split()[2:] == [str(manifest["results"]), str(manifest["results"] - 1)]
    assert "results version</code>" in (tmp_path / "page.html").read_text()


def test_a_report_is_written_where_it_is_wanted(bundle: Path, remedied: Path, tmp_path: Path) -> None:
    result = airloom("report", bundle, "--against", remedied, "-o", tmp_path / "page.html")
    assert result.stdout == f"report: {tmp_path / 'page.html'}\n"
    assert "<!doctype html>" in (tmp_path / "page.html").read_text()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_page_never_takes_the_place_of_something_else(bundle: Path) -> None:
    before = (bundle / "summary.json").read_bytes()
    refused(airloom("report", bundle, "-o", bundle / "summary.json"), "summary.json", "ends in .html")
    assert (bundle / "summary.json").read_bytes() == before


def test_a_capture_that_is_not_there_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.pcapng"
    for words in ([str(missing)], [str(missing), "--json"], [str(missing), "-o", str(tmp_path / "page.html")]):
        assert code(["diagnose", *words]) == 2
        told = capsys.readouterr()
        assert f"{missing}: no such file" in told.out + told.err
        assert "os error" not in told.out + told.err


def test_the_option_of_the_version_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert code(["-v"]) == 2
    assert capsys.readouterr().err == "airloom: no option `-v`\n  `airloom -V` says the version\n"


def test_help_of_the_guard_says_where_it_is_in_a_copy_without_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A copy of the Python tree has links that lead nowhere."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(guard, "HELP", tmp_path / "guard.txt")
    for words in (["--help"], ["-h"], []):
        assert code(["guard", *words]) == 2
        assert capsys.readouterr().err == f"airloom: {guard.MISSING}\n"


@pytest.mark.parametrize(
    ("words", "suffix"),
    [
        (["new", "latency", "--force"], ".toml"),
        (["run", "examples/download.toml", "--force"], ".run"),
        (["report", "BUNDLE"], ".html"),
        (["compare", "BUNDLE", "BUNDLE"], ".html"),
        (["plot", "BUNDLE"], ".svg"),
        (["export", "BUNDLE"], ".csv"),
        (["diagnose", "BUNDLE", "--force"], ".html"),
        (["sweep", "examples/buffer.toml"], ".sweep"),
        (["sweep", "show", "nowhere", "--metric", "jain", "--by", "seed"], ".html"),
        (["papers", "figures", "scan"], ""),
        (["shell", "examples/download.toml", "--force"], ".run"),
    ],
)
def test_nothing_is_written_over_a_stream_or_a_device(
    words: list[str], suffix: str, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As root, `--force` or a page's name took the place of a device, and `-` that of standard input."""
    given = [str(bundle) if word == "BUNDLE" else word for word in words]
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    assert code([*given, "-o", str(pipe)]) == 2
    told = capsys.readouterr().err
    assert told == f"airloom: {pipe}: is not a regular file, so it is not replaced; name another\n"
    assert pipe.is_fifo()
    assert code([*given, "-o", "-"]) == 2
    assert capsys.readouterr().err == "airloom: -o -: `-` names no file; what is written needs a name\n"
    assert [file.name for file in tmp_path.iterdir()] == [pipe.name]


def test_a_damaged_bundle_is_reported(tmp_path: Path) -> None:
    assert airloom("run", UPLOAD, "--set", "duration=1 s", "-o", tmp_path / "run").returncode == 0
    for name, command in [("series.parquet", "report"), ("scenario.toml", "report"), ("summary.json", "compare")]:
        file = tmp_path / "run" / name
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + b"?")
        arguments = [tmp_path / "run"] * (2 if command == "compare" else 1)
        refused(airloom(command, *arguments), f"{file}: changed since the run", "run the scenario again")
        file.write_bytes(whole)
    (tmp_path / "run" / "manifest.json").write_text("{}")
    refused(airloom("report", tmp_path / "run"), "manifest.json", "not a run's manifest")


def test_runs_with_and_without_flows_share_a_report(tmp_path: Path) -> None:
    flow = UPLOAD.read_text().index("[[flow]]")
    (tmp_path / "idle.toml").write_text(UPLOAD.read_text()[:flow])
    for name, scenario in [("busy", UPLOAD), ("idle", tmp_path / "idle.toml")]:
        assert airloom("run", scenario, "--set", "duration=2 s", "-o", tmp_path / name).returncode == 0
    for one, other in [("busy", "idle"), ("idle", "busy")]:
        result = airloom("report", tmp_path / one, "--against", tmp_path / other)
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["duration=3 s"], "ends within its first 5 seconds"),
        (["air.fading=4.3 dB", "station.0.snr=-9 dB"], "Nothing arrives"),
    ],
)
def test_the_report_of_a_run_that_shows_little_says_so(settings: list[str], words: str, tmp_path: Path) -> None:
    given = [word for setting in settings for word in ("--set", setting)]
    result = airloom("run", UPLOAD, *BRIEF, *given, "--report", "-o", tmp_path / "run")
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "run" / "report.html").read_text()
    assert words in page
    assert "Goodput is - " not in page


def test_a_report_that_cannot_be_written_leaves_the_bundle(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = f"ulimit -f 200; exec {sys.executable} -m airloom run {UPLOAD} --set 'duration=3 s' -o {out} --report"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 2, result.stderr
    assert f"{out / 'report.html'}: cannot be written" in result.stderr
    assert "the bundle is whole without it" in result.stderr
    assert sorted(file.name for file in out.iterdir()) == [
        "detail.parquet",
        "manifest.json",
        "scenario.toml",
        "series.parquet",
        "summary.json",
    ]
