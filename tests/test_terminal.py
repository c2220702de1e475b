"""What comes from files is text on a terminal, whatever it says: no markup, no control characters, no tracebacks."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import airloom
import synthetic
from airloom.analysis.flow_sets import sets
from airloom.cli import tables
from airloom.cli.progress import Bar
from airloom.cli.run_tables import compared_table, flow_table, show
from airloom.cli.screen import Screen
from airloom.cli.terminal import IN_ASCII, fitted
from airloom.support.visible import visible
from conftest import ROOT
from test_command_line import airloom as command

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.sweep.query import Shown

DOWNLOAD = (ROOT / "examples" / "download.toml").read_text()
NASTY = "[/foo] [bold]x[/] :smile: \u001b]0;pwn\u0007 \u009b2J \u202ecba \u2028 é"
SHOWN = r"[/foo] [bold]x[/] :smile: \x1b]0;pwn\x07 \x9b2J \u202ecba \u2028 é"
STEERING = ("\u001b", "\u0007", "\u009b", "\u202e", "\u2028")


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """A scenario whose title is all that a title should not be."""
    head, rest = DOWNLOAD.split("\n", 1)
    assert head.startswith("title")
    file = tmp_path / "nasty.toml"
    file.write_text(f"title = {json.dumps(NASTY)}\n{rest}".replace('"6 s"', '"1 s"'), encoding="utf-8")
    return file


@given(st.text())
def test_what_is_visible_is_one_line_of_characters(text: str) -> None:
    shown = visible(text)
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown)
    assert len(shown.splitlines()) <= 1
    assert visible(shown) == shown
    shown.encode()


def test_every_line_of_an_error_is_one_line() -> None:
    error = airloom.RunError("a\nb\u001b[31m", "hint\u202e")
    assert str(error) == "a\\nb\\x1b[31m\n  hint\\u202e"
    mistake = airloom.ScenarioError("f\n.toml", 3, 1, "no \u0007", "perhaps")
    assert str(mistake) == "f\\n.toml:3:1: no \\x07\n  perhaps"


def test_a_bar_has_a_title_that_is_text() -> None:
    assert Bar("a\u001bb").title == "a\\x1bb"


def test_a_title_and_a_folder_are_text(scenario: Path, tmp_path: Path) -> None:
    folder = tmp_path / "o[b]r\u001b"
    made = command("run", scenario, "-o", folder, "--report")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[0] == SHOWN
    assert f"bundle: {tmp_path}/o[b]r\\x1b\n" in made.stdout
    other = tmp_path / "[/x]"
    assert command("run", scenario, "-o", other).returncode == 0
    compared = command("compare", folder, other, cwd=tmp_path)
    assert compared.returncode == 0, compared.stderr
    for output in (made.stdout, compared.stdout):
        assert not any(char in output for char in STEERING)
    summary = json.loads(command("run", scenario, "-o", tmp_path / "again", "--json").stdout)
    assert summary["title"] == NASTY


def test_a_file_is_printed_to_the_byte_where_no_terminal_is(scenario: Path) -> None:
    resolved = command("check", scenario, "--resolved").stdout
    again = scenario.parent / "again.toml"
    again.write_text(resolved, encoding="utf-8")
    assert command("check", again, "--resolved").stdout == resolved


def test_the_axes_and_values_of_a_sweep_are_text(scenario: Path) -> None:
    tmp_path = scenario.parent
    grid = tmp_path / "grid.toml"
    axis = json.dumps("[/axis]\u001b")
    grid.write_text(f'scenario = "nasty.toml"\n[axis]\n{axis} = {{ "[/x]\\u0007" = {{ duration = "1 s" }} }}\n')
    assert command("sweep", grid, "-o", "out", cwd=tmp_path).returncode == 0
    for options in ([], ["--cell", "0"], ["--metric", "goodput_mbps", "--by", "title"], ["--metric", "x", "--by", "y"]):
        shown = command("sweep", "show", "out", *options, cwd=tmp_path)
        assert "Traceback" not in shown.stderr
        assert not any(char in shown.stdout + shown.stderr for char in STEERING)
    table = command("sweep", "show", "out", "--metric", "goodput_mbps", "--by", "[/axis]\u001b", cwd=tmp_path)
    assert [line.split()[0] for line in table.stdout.splitlines()] == [r"[/axis]\x1b", r"[/x]\x07"]


def test_the_titles_of_papers_are_text(tmp_path: Path) -> None:
    folder = tmp_path / "papers" / "mine"
    folder.mkdir(parents=True)
    text = json.dumps(NASTY)
    (folder / "paper.toml").write_text(f"title = {text}\ncitation = {text}\n", encoding="utf-8")
    (folder / "claims.toml").write_text("claim = []\n")
    listed = subprocess.run(
        [sys.executable, "-m", "airloom", "papers", "list"],
        env=os.environ | {"AIRLOOM_PAPERS": str(tmp_path / "papers")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"mine  {SHOWN} (0 claims)" in listed.stdout
    assert not any(char in listed.stdout for char in STEERING)


def test_an_error_that_quotes_a_file_is_text(scenario: Path) -> None:
    scenario.write_text(scenario.read_text(encoding="utf-8") + f'\n"{"k"}\\u001b\\u202e" = 1\n', encoding="utf-8")
    found = command("check", scenario)
    assert found.returncode == 2
    assert not any(char in found.stderr for char in STEERING)


def test_what_a_stream_cannot_write_is_replaced(scenario: Path, tmp_path: Path) -> None:
    ascii_only = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for out, options in (("a", []), ("b", ["--json"])):
        result = subprocess.run(
            [sys.executable, "-m", "airloom", "run", scenario, "-o", tmp_path / out, *options],
            env=ascii_only,
            capture_output=True,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, b"")
        if options:
            assert json.loads(result.stdout)["title"] == NASTY
        else:
            assert result.stdout.startswith(SHOWN.replace("é", "?").encode())


@pytest.mark.sample(8)
@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "code"),
    [("schema", 0), ("profiles", 0), ("papers list", 0), ("papers list --json", 0), ("--help", 0), ("run nowhere", 2)],
)
@pytest.mark.parametrize("streams", ["| head -c 0", ">&-", "<&- >&- 2>&-", "2>&-"])
def test_streams_that_are_closed_are_no_error(arguments: str, code: int, streams: str) -> None:
    script = f"{sys.executable} -m airloom {arguments} {streams}"
    if streams.startswith("|"):
        script = f"({script.replace('|', '; echo $? >&2) |')}"
    result = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr
    if streams.startswith("|"):
        assert result.stderr.splitlines()[-1] == str(code)
    else:
        assert result.returncode == code


@pytest.mark.parametrize(("stderr", "read"), [(True, "result\n"), (False, "")])
def test_the_stream_whose_reader_is_gone_is_dropped_and_no_other(stderr: bool, read: str) -> None:
    script = (
        "from airloom.cli.screen import Screen\n"
        f"screen = Screen(stderr={stderr})\n"
        "screen.say('a bar')\n"
        "screen.say('a bar')\n"
        "print('result')\n"
    )
    gone, end = os.pipe()
    os.close(gone)
    streams = (subprocess.PIPE, end) if stderr else (end, subprocess.PIPE)
    result = subprocess.run(
        [sys.executable, "-c", script], stdout=streams[0], stderr=streams[1], text=True, check=False
    )
    os.close(end)
    assert (result.returncode, result.stdout or "", result.stderr or "") == (0, read, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_went_wrong_outlives_a_reader_that_stopped(unbuffered: str, tmp_path: Path) -> None:
    clashing = 'axis = { "flow.0.start" = ["0 s", "0.5 s"], "flow.0.stop" = ["0.8 s", "0.4 s"] }'
    grid = f'scenario = "{ROOT}/examples/download.toml"\nset = {{ duration = "1 s" }}\n{clashing}\n'
    (tmp_path / "grid.toml").write_text(grid)
    script = f"({sys.executable} -m airloom sweep grid.toml; echo $? >&2) | head -c 0"
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    result = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
    )
    assert result.stderr.startswith("airloom: 1 cell failed\n")
    assert result.stderr.splitlines()[-1] == "2"


@pytest.mark.parametrize("what", ["schema", "profiles", "compare {run} {run}"])
def test_a_full_device_is_reported_once(what: str, bundle: Path) -> None:
    script = f"{sys.executable} -m airloom {what.format(run=bundle)} > /dev/full"
    result = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (2, "airloom: standard output: No space left on device\n")


def test_the_names_within_a_bundle_are_text(tmp_path: Path) -> None:
    folder = synthetic.write(tmp_path / "run")
    file = folder / "summary.json"
    file.write_text(json.dumps(json.loads(file.read_text().replace("sta1", "sta[/x]\\u001b"))))
    synthetic.sign(folder)
    shown = command("compare", folder, folder)
    assert shown.returncode == 0, shown.stderr
    assert r"sta[/x]\x1b-server" in shown.stdout
    assert not any(char in shown.stdout for char in STEERING)


def test_a_heading_breaks_between_its_pieces_and_sentences_between_words(tmp_path: Path) -> None:
    """`out/download-with-f` and `q-codel` below it are no name."""
    names = [tmp_path / "out-download-with-fq-codel", tmp_path / "out-download-with-fifo"]
    for folder in names:
        synthetic.write(folder)
    environment = os.environ | {"COLUMNS": "60"}
    arguments = ["compare", *(name.name for name in names)]
    made = subprocess.run(
        [sys.executable, "-m", "airloom", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    lines = made.stdout.splitlines()
    assert max(map(len, lines)) <= 60
    heads = {one for line in lines[:2] for one in line.split() if "-" in one or one == "fifo"}
    assert heads == {"out-download-with-", "sta1-server", "fq-codel", "fifo"}, lines[:3]


def test_what_goes_to_standard_error_fits_its_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake and its hint; no terminal, no fold: an editor reads it line by line."""
    line = f"  {'some words of a hint ' * 6}end"
    monkeypatch.setenv("COLUMNS", "60")
    assert fitted(line) == line
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True))
    lines = fitted(line).split("\n")
    assert max(map(len, lines)) <= 60
    assert [one[:5].count(" ") for one in lines] == [2, 4, 4]
    assert " ".join(" ".join(lines).split()) == line.strip()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_a_quantile_keeps_its_noun_however_narrow_the_terminal_is(bundle: Path, width: int) -> None:
    for flows in sets(airloom.load(bundle).summary):
        heads = [(str(one.header), str(next(iter(one.cells)))) for one in flow_table(flows, width).columns]
        assert {head for head, which in heads if which in ("mean", "median", "95 %", "99 %")} <= {
            "RTT",
            "one way",
            "window",
        }


def test_lines_are_not_folded_where_no_terminal_shows_them(tmp_path: Path) -> None:
    def unfolded(*words: str | Path) -> list[str]:
        """What a command prints whose environment says no width; readline puts one into ours."""
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        asked = [sys.executable, "-m", "airloom", *map(str, words)]
        return subprocess.check_output(asked, env=environment, text=True, cwd=ROOT).splitlines()

    assert any("RPM" in line for line in unfolded("run", "examples/voices.toml", "-o", tmp_path / "run"))
    assert len(unfolded("profiles")) < len(airloom.profiles()) + 12


@pytest.mark.parametrize("width", ["", "0", "00", "-1", "²", "wide"])
def test_a_width_that_is_none_is_no_width(
    width: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As none is said: what no terminal shows is not folded, and all of it is there."""
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("LINES", width)
    text = "some words " * 30
    Screen().fold(text, indent=0)
    assert capsys.readouterr().out == f"{text.strip()}\n"
    Screen().table(tables.swept(cast("Shown", SimpleNamespace(columns=["entity", "x"], rows=[["sta", "1"]]))))
    assert "sta" in capsys.readouterr().out


@pytest.mark.parametrize("width", ["1", "10", "20"])
def test_help_has_room_however_narrow_the_terminal_is(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    shown = command("run", "--help")
    assert shown.returncode == 0, shown.stderr
    assert "Run a scenario and write its bundle." in shown.stdout


@pytest.mark.parametrize(
    ("settings", "styles"),
    [
        ({"TERM": "xterm"}, {"1", "1;31", "2"}),
        ({"TERM": "xterm", "NO_COLOR": "1"}, {"1", "2"}),
        ({"TERM": "dumb"}, set()),
    ],
)
def test_colours_and_styles_are_those_that_a_terminal_wants(settings: dict[str, str], styles: set[str]) -> None:
    """NO_COLOR is about colours alone (no-color.org); a dumb terminal knows no style at all."""
    machine = ROOT / "crates" / "linux" / "doctor" / "tests" / "machines" / "planted.json"
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLORTERM")}
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "airloom", "doctor", str(machine)]
    with subprocess.Popen(words, stdout=theirs, env={**kept, **settings}) as process:
        os.close(theirs)
        said = b""
        with suppress(OSError):  # the terminal's end
            while got := os.read(ours, 1 << 16):
                said += got
        assert process.wait() == 0
    os.close(ours)
    assert set(re.findall(r"\x1b\[([0-9;]+)m", said.decode())) - {"0"} == styles


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_no_terminal_is_too_narrow_for_a_number(
    width: int, bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    names = [f"heard-by-station-{number}" for number in range(9)]
    rows = [[f"{10_000 * row + 7 * place + 101:,}" for place in range(len(names))] for row in range(3)]
    swept = SimpleNamespace(columns=["entity", *names], rows=[[f"r{row}", *own] for row, own in enumerate(rows)])
    screen = Screen()
    screen.table(tables.swept(cast("Shown", swept)))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    for row, own in enumerate(rows):
        assert [cell for line in lines if line.startswith(f"r{row}") for cell in line.split()[1:]] == own
    summary = airloom.load(bundle).summary
    folders = [f"mac80211-cubic-{number}" for number in range(6)]
    screen.table(compared_table([summary] * 6, folders, width), labels=1)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    (value,) = {line.split()[-1] for line in lines if line.startswith("Goodput")}
    assert sum(line.split().count(value) for line in lines if line.startswith("Goodput")) == len(folders)
    assert "have room in" in " ".join(lines)


def test_a_run_says_which_figures_had_no_room(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show(Screen(), airloom.load(bundle).summary)
    assert re.search(
        r"left out, since they need a\s+terminal\s+of\s+\d+\s+columns:\s+RTT\s+mean", capsys.readouterr().out
    )


def test_signs_of_numbers_stay_signs_where_a_stream_is_ascii() -> None:
    said = "\u221294\u00a0%, \u00d7\u00a012, 3 \u00b1 1, \u2603"
    assert said.encode("ascii", IN_ASCII) == b"-94 %, x 12, 3 +- 1, ?"
    printed = subprocess.run(
        [sys.executable, "-c", f"from airloom.cli.terminal import prepare; prepare(); print({said!r})"],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert printed.stdout == b"-94 %, x 12, 3 +- 1, ?\n"
