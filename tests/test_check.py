"""`airloom check` and `airloom schema KEY`: what they print about a scenario and its keys, as text and as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from airloom.errors import AirloomError
from airloom.scenario import reference
from conftest import ROOT
from in_process import airloom
from test_command_line import refused

if TYPE_CHECKING:
    from pathlib import Path

DOWNLOAD = ROOT / "examples" / "download.toml"
GRID = ROOT / "examples" / "buffer.toml"


def piped(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command with a text on its standard input."""
    command = [sys.executable, "-m", "airloom", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def test_all_mistakes_are_counted_and_listed() -> None:
    result = airloom("check", DOWNLOAD, "--set", "duration=6", "--set", "air.band=5GHz", "--set", "flow.9.start=1 s")
    refused(result, "--set duration=6: `duration` has no unit\n", "--set air.band=5GHz: ", "there is no `flow.9`\n")
    assert result.stderr.startswith("airloom: 3 mistakes\n--set duration=6: ")


def test_mistakes_and_warnings_are_json() -> None:
    result = airloom("check", DOWNLOAD, "--set", "duration=6", "--json")
    assert (result.returncode, result.stderr) == (2, "")
    assert json.loads(result.stdout) == {
        "schema": "airloom-check/1",
        "ok": False,
        "message": "`duration` has no unit",
        "mistakes": [
            {
                "file": "--set",
                "line": 1,
                "column": 10,
                "message": "`duration` has no unit",
                "hint": 'write for example "6 s"; the units are `us`, `ms`, `s`, `min` and `h`',
                "setting": "duration=6",
            }
        ],
        "warnings": [],
    }
    late = airloom("check", DOWNLOAD, "--set", "flow.0.start=3 h", "--json")
    assert (late.returncode, late.stderr) == (0, "")
    said = json.loads(late.stdout)
    assert (said["ok"], said["mistakes"], [warning["column"] for warning in said["warnings"]]) == (True, [], [14])
    assert "resolved" not in said
    assert "[[flow]]" in json.loads(airloom("check", DOWNLOAD, "--resolved", "--json").stdout)["resolved"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("check", "no-such.toml"), "no such scenario file"),
        (("run", DOWNLOAD, "--seed", "-1"), "seed -1: out of range"),
        (("compare", "no-such.run", "other.run"), "no-such.run"),
    ],
)
def test_every_error_is_json_for_a_script(arguments: tuple[str, ...], words: str) -> None:
    result = airloom(*arguments, "--json")
    assert (result.returncode, result.stderr) == (2, "")
    said = json.loads(result.stdout)
    assert said["ok"] is False
    assert words in said["message"]
    refused(airloom(*arguments), words)


def test_json_is_of_one_file() -> None:
    said = json.loads(airloom("check", DOWNLOAD, "another.toml", "--json").stdout)
    assert (said["ok"], "--resolved and --json are for one file" in said["message"]) == (False, True)


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_scenario_comes_from_standard_input(name: str) -> None:
    text = DOWNLOAD.read_text()
    assert piped(text, "check", name).stdout == "<stdin>: fine\n"
    wrong = piped(text.replace("duration", "durration"), "check", name)
    assert wrong.stderr.startswith("airloom: <stdin>:")
    for words in (("diagnose", name), ("report", name), ("fit", name, "-o", "fitted")):
        assert piped("x", *words).stderr.startswith("airloom: <stdin>:"), "whatever reads it"
    assert piped("x" * (17 << 20), "check", name).stderr.endswith("longer than 16 MiB; a scenario is a short text\n")


def test_a_run_from_standard_input_is_called_after_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "airloom", "run", "-", "--set", "duration=1 s"]
    text = DOWNLOAD.read_text()
    result = subprocess.run(command, input=text, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "stdin.run" / "summary.json").is_file()


def test_a_grid_is_checked_with_its_scenario() -> None:
    result = airloom("check", GRID)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{GRID}: fine, 36 cells; `airloom sweep {GRID}` runs it\n"
    assert json.loads(airloom("check", GRID, "--json").stdout)["cells"] == 36
    refused(airloom("check", GRID, "--seed", "3"), "a grid, which sets values and seeds itself")
    here = GRID.read_text().replace('scenario = "', f'scenario = "{GRID.parent}/')
    assert piped(here, "check", "-").stdout == "<stdin>: fine, 36 cells; `airloom sweep -` runs it\n"
    assert "`airloom sweep -` runs it" in piped(here, "run", "-").stderr


OFFICE = """
seeds = 5
[axis.queue]
fifo = { "ap.0.queue" = { discipline = "fifo", limit = "1000 packets" } }
mac80211 = { "ap.0.queue" = { discipline = "mac80211" } }
[axis]
"flow.download.tcp.congestion" = ["cubic", "bbr"]
"""


def test_a_grid_is_warned_of_as_its_cells_are(tmp_path: Path) -> None:
    grid, scenario = tmp_path / "office.toml", ROOT / "examples" / "office-calls.toml"
    grid.write_text(f'scenario = "{scenario}"\n{OFFICE}')
    fifo = 'ap.0.queue={ discipline = "fifo", limit = "1000 packets" }'
    (one,) = json.loads(airloom("check", scenario, "--set", fifo, "--json").stdout)["warnings"]
    checked = airloom("check", grid)
    said = f"warning: {grid}:5:11: in 10 of 20 cells (queue fifo): {one['message']}\n  {one['hint']}\n"
    assert (checked.returncode, checked.stderr) == (0, said)
    assert ": fine, with 1 warning, 20 cells; " in checked.stdout
    (told,) = json.loads(airloom("check", grid, "--json").stdout)["warnings"]
    assert (told["line"], told["message"]) == (5, f"in 10 of 20 cells (queue fifo): {one['message']}")


def test_a_grid_of_very_many_cells_is_warned_of_at_once(tmp_path: Path) -> None:
    """Of a warning in a single value's cells too."""
    grid, late = tmp_path / "grid.toml", tmp_path / "late.toml"
    starts = [f"{tenth / 10} s" for tenth in range(60)]
    grid.write_text(f'scenario = "{DOWNLOAD}"\nseeds = 100\n[axis]\n"flow.0.start" = {json.dumps([*starts, "3 h"])}\n')
    (told,) = json.loads(airloom("check", grid, "--json").stdout)["warnings"]
    assert " cells that were looked at of 6,100 (flow.0.start 3 h): " in told["message"]
    late.write_text(f'scenario = "{DOWNLOAD}"\nset = {{ "flow.0.start" = "3 h" }}\nseeds = 2\n')
    (all_of_it,) = json.loads(airloom("check", late, "--json").stdout)["warnings"]
    assert all_of_it["message"].startswith("in all of 2 cells: ")


def test_a_key_is_described() -> None:
    result = airloom("schema", "air.fading")
    assert result.stdout.splitlines() == [
        'air.fading: a ratio in dB from "0 dB" to "20 dB"',
        '    default: "0 dB"',
        "    Standard deviation of the signal-to-noise ratio from PPDU to PPDU, in dB.",
    ]
    host = airloom("schema", "station.0.host.initial-window").stdout
    assert "default: that of the host profile" in host
    assert "linux-6.18: 10\n    include/net/tcp.h: TCP_INIT_CWND 10\n" in host
    queue = airloom("schema", "ap.queue").stdout
    assert 'with discipline = "codel":\n' in queue
    assert 'target: a time from "' in queue
    limit = " ".join(airloom("schema", "ap.queue.limit").stdout.split())
    assert 'default: "1000 packets" with discipline = "fifo"; ' in limit
    assert '"10240 packets" with discipline = "fq_codel"; ' in limit
    assert airloom("schema").stdout.startswith("{\n")
    refused(airloom("schema", "air.fadding"), "no key is called `air.fadding`", "did you mean `air.fading`?")
    refused(airloom("schema", "queue"), "there are several keys `queue`", "ap.queue")


def test_every_key_has_a_meaning_and_what_can_be_written() -> None:
    keys = [key for key in reference.every(reference.scenario()) if key.path]
    assert len(keys) > 250
    for key in keys:
        assert key.meaning, key.path
        assert key.values, key.path
        assert reference.find(key.path).values
    with pytest.raises(AirloomError, match="tables are air"):
        reference.find("xyzzy")


def test_several_files_are_checked_each_by_itself(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(DOWNLOAD.read_text(encoding="utf-8").replace("[air]", "[air]\nsnr = 3", 1), encoding="utf-8")
    both = airloom("check", wrong, DOWNLOAD)
    assert both.returncode == 2
    assert "wrong.toml:" in both.stderr
    assert "unknown key `snr` in `air`" in both.stderr
    assert both.stdout == f"{DOWNLOAD}: fine\n"
    assert (
        airloom("check", DOWNLOAD, GRID).stdout
        == f"{DOWNLOAD}: fine\n{GRID}: fine, 36 cells; `airloom sweep {GRID}` runs it\n"
    )
    refused(airloom("check", DOWNLOAD, GRID, "--resolved"), "--resolved and --json are for one file")


def test_what_does_not_hold_is_noted() -> None:
    result = airloom("check", DOWNLOAD, "--set", "station.0.snr=30 dB")
    assert result.stderr == "note: --set station.0.snr=30 dB: `snr` takes the place of the file's `distance`\n"
    assert result.stdout == f"{DOWNLOAD}: fine\n"


def test_what_every_default_spelled_out_does_not_hold_is_no_note(tmp_path: Path) -> None:
    """Nobody wrote it; what somebody sets over such a file is noted all the same."""
    scenario = ROOT / "examples" / "office-calls.toml"
    resolved = tmp_path / "resolved.toml"
    resolved.write_text(airloom("check", scenario, "--resolved").stdout, encoding="utf-8")
    again = airloom("check", resolved)
    assert (again.stdout, again.stderr) == (f"{resolved}: fine\n", "")
    result = airloom("check", resolved, "--set", "station.laptop.adapter.rate_control=minstrel")
    assert result.stderr.startswith("note: --set station.laptop.adapter.rate_control=mins"), result.stderr
    assert "`rate_control` chooses nothing" in result.stderr
    written = tmp_path / "written.toml"
    text = scenario.read_text(encoding="utf-8").replace(
        'name = "server"\nhost = "linux-6.18"', 'name = "server"\nhost = { profile = "linux-6.18", congestion = "bbr" }'
    )
    written.write_text(text, encoding="utf-8")
    assert "`congestion` of host `server` does not hold" in airloom("check", written).stderr
