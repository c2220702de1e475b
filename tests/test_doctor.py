"""`airloom doctor` and `airloom collect`: machines that were read in the emulated machine, and this one."""

from __future__ import annotations

import copy
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from airloom import _engine
from airloom.diagnosis.reading import diagnose
from airloom.errors import CaptureError, MachineError
from conftest import ROOT
from test_command_line import airloom

if TYPE_CHECKING:
    from collections.abc import Iterator

MACHINES = ROOT / "crates" / "linux" / "doctor" / "tests" / "machines"

WITHOUT_WIFI = not any(Path("/sys/class/ieee80211").glob("*"))


def test_what_was_planted_is_told_on_one_page() -> None:
    done = airloom("doctor", str(MACHINES / "planted.json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "7 things are wrong" in done.stdout
    assert "sudo iw dev wlan0 set power_save off" in done.stdout
    assert len(done.stdout.splitlines()) < 90
    sound = airloom("doctor", str(MACHINES / "sound.json")).stdout
    assert "15 of 17 checks could look everywhere, and found nothing wrong." in sound
    assert "D106  mac80211_hwsim keeps no count of retries and failures" in sound


def test_the_page_of_the_docs_is_what_it_says() -> None:
    """Word by word: lines end elsewhere in a terminal of another width."""
    page = (ROOT / "docs" / "doctor.md").read_text(encoding="utf-8")
    shown = page.partition("machines/planted.json\n")[2].partition("```")[0]
    assert shown.split() == airloom("doctor", str(MACHINES / "planted.json")).stdout.split()


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where in a document there is something."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield from places(inside, (*path, key))


@pytest.mark.long
@pytest.mark.parametrize("machine", sorted(MACHINES.glob("*.json")), ids=lambda file: file.stem)
def test_the_schema_takes_what_is_read_and_refuses_what_is_refused(machine: Path) -> None:
    """Whatever is put in a snapshot's place, the schema and the reader agree; the reader names the field."""
    schema = json.loads(airloom("doctor", "--schema").stdout)
    checker = jsonschema.Draft202012Validator(schema)
    read = json.loads(machine.read_text())
    values: tuple[object, ...] = ("word", -1, 7, None, [], {}, True)
    checker.validate({"schema": "airloom-snapshot/1", **read})
    for path in places(read):
        for instead in values:
            other = copy.deepcopy(read)
            inner: Any = other
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = instead
            try:
                _engine.examine_machine(json.dumps(other), 80)
                said = ""
            except MachineError as error:
                said = str(error)
            wrong_shape = said.startswith("is no snapshot of a machine")
            assert wrong_shape == (not checker.is_valid(other)), (path, instead, said)
            if wrong_shape and "missing field" not in said:
                assert str(path[0]) in said
                assert " at line 1 column " in said


def test_the_json_has_what_the_page_has() -> None:
    told = json.loads(airloom("doctor", "--json", str(MACHINES / "planted.json")).stdout)
    assert list(told) == ["schema", "kernel", "root", "interfaces", "findings", "abstained", "unread"]
    keys = ["code", "name", "subject", "evidence", "why", "command", "only_looks", "keep", "advice", "source"]
    assert all(list(finding) == keys for finding in told["findings"])
    checks = json.loads(airloom("doctor", "--checks", "--json").stdout)["checks"]
    assert {finding["code"] for finding in told["findings"]} <= {check["code"] for check in checks}
    assert "D101 power save is on" in airloom("doctor", "--checks").stdout


def test_each_check_is_in_the_docs() -> None:
    checks = json.loads(airloom("doctor", "--checks", "--json").stdout)["checks"]
    page = (ROOT / "docs" / "doctor.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| D")]
    assert rows == [check["code"] for check in checks]


def test_a_file_that_is_no_snapshot_is_refused_by_name(tmp_path: Path) -> None:
    for text in ("", "{}", "\x00\xff", '{"format": 2}', (MACHINES / "sound.json").read_text()[:-3]):
        file = tmp_path / "machine.json"
        file.write_text(text, encoding="latin-1")
        done = airloom("doctor", str(file))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"airloom: {file}: is no snapshot of a machine: ")
        assert done.stderr.count("\n") == 1
        # A snapshot of another machine is no help to what records this one.
        said = "there is no Wi-Fi interface here" if os.geteuid() == 0 else "captures need root: run it with sudo"
        assert airloom("collect", "-o", str(tmp_path / "out")).stderr == f"airloom: {said}\n"


def test_a_snapshot_that_is_printed_can_be_read_again(tmp_path: Path) -> None:
    first = airloom("doctor", str(MACHINES / "planted.json"), "--snapshot").stdout
    file = tmp_path / "machine.json"
    file.write_text(first, encoding="utf-8")
    assert airloom("doctor", str(file), "--snapshot").stdout == first
    assert json.loads(first)["format"] == 1


def test_a_recording_has_a_snapshot_in_it(tmp_path: Path) -> None:
    shown = airloom("doctor", str(MACHINES / "planted.json")).stdout
    folder = tmp_path / "recorded"
    folder.mkdir()
    assert f"{folder}/machine.json: cannot be read" in airloom("doctor", str(folder)).stderr
    (folder / "machine.json").write_text((MACHINES / "planted.json").read_text())
    assert airloom("doctor", str(folder)).stdout == shown


def test_a_file_larger_than_any_snapshot_is_not_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    with file.open("wb") as there:
        there.truncate(1 << 40)
    done = airloom("doctor", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"airloom: {file}: is no snapshot of a machine: it has more than 64 MiB\n"


def test_this_machine_is_read_or_the_reason_is_one_line() -> None:
    done = airloom("doctor")
    if WITHOUT_WIFI:
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("airloom: there is no Wi-Fi interface here; `airloom doctor FILE` examines")
        assert done.stderr.count("\n") == 1
    else:
        assert (done.returncode, done.stderr) == (0, "")
    asked = json.loads(airloom("doctor", "--json").stdout)
    assert asked["ok"] is False if WITHOUT_WIFI else asked["kernel"] == os.uname().release


@pytest.mark.skipif(not WITHOUT_WIFI, reason="would record this machine's Wi-Fi")
def test_nothing_is_recorded_where_there_is_no_wifi(tmp_path: Path) -> None:
    for arguments, said in ((["--seconds", "0"], "needs a number from 1 to 3600"), ([], "")):
        done = airloom("collect", "-o", str(tmp_path / "out"), *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert said in done.stderr
        assert not (tmp_path / "out").exists()


def test_a_folder_of_captures_is_diagnosed_as_its_captures(tmp_path: Path) -> None:
    foreign = ROOT / "tests" / "foreign" / "hwsim"
    folder = tmp_path / "collected"
    folder.mkdir()
    with pytest.raises(CaptureError, match=r"has no capture in it"):
        diagnose([folder])
    captures = [folder / f"scans.{place}.pcap.gz" for place in ("air", "station")]
    for capture in captures:
        shutil.copy(foreign / capture.name, capture)
    (folder / "events.jsonl").write_text("{}\n", encoding="utf-8")
    (folder / "usb").mkdir()
    (folder / "usb" / "bus1.pcap").write_bytes(b"nothing of the network")
    found = diagnose([folder])
    assert [Path(capture["file"]) for capture in found["captures"]] == captures
    assert found["findings"][0]["code"] == "W101"
    assert found == diagnose(captures)
