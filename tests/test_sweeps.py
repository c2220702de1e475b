"""Sweeps: every cell once, whatever happens in between, and one table in the end."""

from __future__ import annotations

import errno
import fcntl
import json
import math
import operator
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import polars as pl
import pytest
from distributed import Client

import airloom
from airloom import _engine
from airloom.api.sweep_results import Sweep
from airloom.batch.dask import Dask, OtherBuildError, untold
from airloom.batch.executor import Threads
from airloom.errors import GO_ON, GridError, SweepError
from airloom.results.table import Table
from airloom.scenario.quantities import measured
from airloom.simulation.simulate import engine
from airloom.support import atomic
from airloom.support.statistics import Spread, quantile
from airloom.sweep import plan, results, shown_file, table
from airloom.sweep.chart import sentence
from airloom.sweep.query import Line, Question, Shown, show
from airloom.sweep.unlike import unlike
from conftest import ROOT
from in_process import airloom as in_process
from test_command_line import airloom as run_to_its_end

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

DOWNLOAD = ROOT / "examples" / "download.toml"

GRID = f"""\
scenario = "{DOWNLOAD}"
set = {{ duration = "1 s" }}
seeds = 2

[axis]
"ap.0.queue.limit" = ["25 packets", "100 packets"]
place = {{ near = {{ "station.0.distance" = "3 m" }}, far = {{ "station.0.distance" = "20 m" }} }}
"""

CLASHING = """
[axis]
"flow.0.start" = ["0 s", "0.5 s"]
"flow.0.stop" = ["0.8 s", "0.4 s"]
"""
"""Two axes of which each value is right by itself: a flow that stops before it starts is found out when it is run."""


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    """A grid of eight short runs."""
    file = tmp_path / "grid.toml"
    file.write_text(GRID)
    return file


def swept(file: Path, folder: str = "out") -> results.Results:
    """Runs a grid beside its file."""
    asked = plan.read(file)
    made = results.make(asked, file.parent / folder)
    made.run(Threads(2))
    return made


def lines(made: results.Results) -> list[dict[str, object]]:
    """The lines of the journal."""
    return [json.loads(line) for line in (made.folder / results.JOURNAL).read_text().splitlines()]


def command(*arguments: str | Path, cwd: Path) -> subprocess.Popen[str]:
    """Starts `airloom sweep`."""
    return subprocess.Popen(
        [sys.executable, "-m", "airloom", "sweep", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
    )


def refused(tmp_path: Path, *arguments: str | Path) -> str:
    """What is said of a request that cannot be met."""
    done = in_process("sweep", *arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("airloom: ")
    return done.stderr


def finished(journal: Path) -> int:
    """How many cells are on disk."""
    return journal.read_text().count('"summary"') if journal.is_file() else 0


def test_the_same_mistake_at_two_places_of_the_scenario_is_reported_twice(grid: Path) -> None:
    scenario = grid.parent / "twice.toml"
    flow = DOWNLOAD.read_text().partition("[[flow]]")[2].replace('name = "download"\n', "")
    late = f"[[flow]]{flow}\nstart = 3\n"
    scenario.write_text(DOWNLOAD.read_text() + late + late)
    grid.write_text(GRID.replace(str(DOWNLOAD), str(scenario)))
    with pytest.raises(GridError) as caught:
        plan.read(grid).check()
    assert str(caught.value).count("`start` has no unit") == 2


def test_the_table_has_a_row_for_each_cell_and_entity_with_typed_axes(grid: Path) -> None:
    made = swept(grid)
    read = pl.read_parquet(made.folder / results.TABLE)
    assert read.height == 8 * 5  # the run, the flow, the access point, the laptop, the server
    assert read.schema["ap.0.queue.limit"] == pl.Int64
    assert read.schema["place"] == pl.String
    assert read.schema["station.0.distance"] == pl.Int64
    assert read["cell"].to_list() == sorted(read["cell"].to_list())
    assert read.filter(place="far")["station.0.distance"].unique().to_list() == [20]
    row = read.filter(pl.col("ap.0.queue.limit") == 100, place="far", seed=2, entity="download").to_dicts()[0]
    direct = airloom.run(
        DOWNLOAD,
        seed=2,
        set={"duration": "1 s", "ap.0.queue.limit": "100 packets", "station.0.distance": "20 m"},
    )
    assert row["cell"] == 7
    assert row["goodput_mbps"] == direct.summary["flows"][0]["goodput_mbps"]
    assert row["airtime_share"] is None


@pytest.mark.long
def test_a_sweep_that_was_killed_ends_in_the_same_table_and_repeats_nothing(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(GRID.replace("seeds = 2", "seeds = 10").replace('"1 s"', '"8 s"'))
    undisturbed = swept(file, "undisturbed")
    process = command(file, "-o", "killed", cwd=tmp_path)
    journal = tmp_path / "killed" / results.JOURNAL
    while finished(journal) < 7 and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    before = finished(journal)
    assert 7 <= before < 40
    assert not (tmp_path / "killed" / results.TABLE).exists()
    again = command(file, "-o", "killed", "--json", cwd=tmp_path)
    output, complaint = again.communicate(timeout=120)
    assert again.returncode == 0, complaint
    answer = json.loads(output)
    assert (answer["run"], answer["done"], answer["failed"]) == (40 - before, 40, {})
    assert (tmp_path / "killed" / results.TABLE).read_bytes() == (undisturbed.folder / results.TABLE).read_bytes()
    kept = [line["cell"] for line in lines(results.load(tmp_path / "killed")) if "summary" in line]
    assert sorted(kept, key=lambda number: int(str(number))) == list(range(40))


def test_no_cell_is_run_twice(grid: Path) -> None:
    made = swept(grid)
    first = lines(made)
    assert sorted(str(line["cell"]) for line in first if "summary" not in line) == [str(n) for n in range(8)]
    assert lines(swept(grid)) == first


def test_ctrl_c_keeps_what_is_done(tmp_path: Path, grid: Path) -> None:
    grid.write_text(GRID.replace('"1 s"', '"2000 s"'))
    process = command(grid, "-o", "out", cwd=tmp_path)
    while not (tmp_path / "out" / results.JOURNAL).exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, complaint = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (output, complaint) == (
        "",
        "airloom: interrupted; 0 of 8 cells are kept in out; the same command goes on from there\n",
    )


def test_a_line_that_was_cut_off_is_dropped_and_its_cell_run_again(grid: Path) -> None:
    made = swept(grid)
    whole = (made.folder / results.TABLE).read_bytes()
    journal = made.folder / results.JOURNAL
    journal.write_bytes(journal.read_bytes()[:-20])
    assert len(made.journal.done) == 7
    swept(grid)
    assert len(made.journal.done) == 8
    assert (made.folder / results.TABLE).read_bytes() == whole


def test_a_damaged_journal_is_reported_with_the_line(grid: Path) -> None:
    made = swept(grid)
    journal = made.folder / results.JOURNAL
    journal.write_text("{nonsense\n" + journal.read_text())
    with pytest.raises(SweepError, match=r"cells\.jsonl:1: damaged"):
        swept(grid)


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "3",
        "[]",
        "{}",
        '{"cell":"1"}',
        '{"cell":1.5}',
        '{"cell":true}',
        '{"cell":-1}',
        '{"cell":8}',
        '{"cell":99999999999999999999999}',
        '{"cell":1,"error":3}',
        '{"cell":1,"summary":{}}',
        '{"cell":1,"summary":{"seed":1,"flows":[]}}',
        '{"cell":1,"summary":null}',
        '{"cell":NaN}',
        '{"cell":' + "[" * 3000 + "]" * 3000 + "}",
        "\x00\xff",
    ],
)
def test_a_foreign_line_of_a_journal_is_reported(line: str, grid: Path, tmp_path: Path) -> None:
    made = results.make(plan.read(grid), tmp_path / "out")
    (made.folder / results.JOURNAL).write_text(f"{line}\n", encoding="latin-1")
    complaint = refused(tmp_path, grid, "-o", made.folder)
    assert "cells.jsonl:1: damaged" in complaint
    assert complaint.count("\n") == 1
    with pytest.raises(SweepError, match="damaged"):
        _ = made.journal


@pytest.mark.parametrize("content", ["", "[]", '{"airloom":1,"grid":2}', '{"airloom":"a"}', "[" * 3000, "\xff"])
def test_an_identity_of_another_shape_is_reported(content: str, grid: Path, tmp_path: Path) -> None:
    made = results.make(plan.read(grid), tmp_path / "out")
    (made.folder / results.IDENTITY).write_text(content, encoding="latin-1")
    assert "not a sweep's results" in refused(tmp_path, grid, "-o", made.folder)


def test_a_failed_cell_is_reported_and_stops_no_other(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(GRID.partition("[axis]")[0] + CLASHING)
    process = command(file, "-o", "out", cwd=tmp_path)
    output, complaint = process.communicate(timeout=60)
    assert process.returncode == 2
    assert output.splitlines()[0] == "8 cells: 6 done"
    assert complaint.startswith("airloom: 2 cells failed\n  cell 6 (flow.0.start 0.5 s, flow.0.stop 0.4 s, seed 1): ")
    assert "airloom run out/scenario.toml --set 'duration=1 s' --set 'flow.0.start=0.5 s'" in complaint
    assert set(pl.read_parquet(tmp_path / "out" / results.TABLE)["cell"].to_list()) == set(range(6))
    made = results.load(tmp_path / "out")
    before = len(lines(made))
    made.run(Threads())
    assert len(lines(made)) == before
    made.run(Threads(), retry=True)
    assert len(lines(made)) == before + 4  # both begun once more, both failed once more
    shown = command("show", "out", cwd=tmp_path).communicate(timeout=60)[0]
    assert "6 done, 2 failed" in shown


def test_a_cell_that_does_not_fit_into_memory_fails_and_stops_no_other(tmp_path: Path) -> None:
    pings = '[[flow]]\nkind = "ping"\nfrom = "laptop"\nto = "server"\ninterval = "1 ms"\n'
    (tmp_path / "pings.toml").write_text(DOWNLOAD.read_text().partition("[[flow]]")[0] + pings)
    large = '{ "station.0.count" = 1000, duration = "86400 s" }'
    file = tmp_path / "grid.toml"
    file.write_text(
        'scenario = "pings.toml"\nseeds = 2\n[axis]\n'
        f'size = {{ small = {{ "station.0.count" = 1, duration = "1 s" }}, large = {large} }}\n'
    )
    asked = plan.read(file)
    # 86.4 thousand million round trips of 16 bytes.
    words = "this run needs about 1382.4 GB of memory, and "
    with pytest.raises(GridError, match=rf"^{words}.*\n  in the cell size large, seed 1$"):
        asked.check()
    made = results.make(asked, tmp_path / "out")
    # Cells 1 and 3 have begun before: they run in a process of their own.
    (made.folder / results.JOURNAL).write_text('{"cell":1}\n{"cell":3}\n')
    for retry in (False, True):
        journal = made.run(Threads(1), retry=retry)
        assert sorted(journal.done) == [0, 1]
        assert sorted(journal.failed) == [2, 3]
        assert all(error.startswith(words) for error in journal.failed.values())
        assert journal.hindered == {}


def test_a_cell_whose_process_dies_loses_no_other(grid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = grid.parent / "python"
    shell.write_text(f'#!/bin/sh\ncase "$*" in *"--seed 2"*) kill -9 $$;; esac\nexec {sys.executable} "$@"\n')
    shell.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(shell))
    made = results.make(plan.read(grid), grid.parent / "out")
    # What a process leaves that died while it ran the first four cells.
    (made.folder / results.JOURNAL).write_text("".join(f'{{"cell":{number}}}\n' for number in range(4)))
    journal = made.run(Threads(2))
    assert journal.failed == dict.fromkeys((1, 3), "the process that ran it died of signal 9")
    assert sorted(journal.done) == [0, 2, 4, 5, 6, 7]
    direct = swept(grid, "direct")
    assert made.journal.summary(2) == direct.journal.summary(2)


def test_two_sweeps_do_not_write_the_same_folder(grid: Path) -> None:
    made = results.make(plan.read(grid), grid.parent / "out")
    with (made.folder / results.JOURNAL).open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(SweepError, match="another airloom is at work"):
            made.run(Threads())


def test_the_results_of_another_grid_or_engine_are_left_alone(grid: Path, tmp_path: Path) -> None:
    made = swept(grid)
    before = (made.folder / results.JOURNAL).read_bytes()
    grid.write_text(GRID + "\n# a comment changes nothing\n")
    swept(grid)
    grid.write_text(GRID.replace("25 packets", "26 packets"))
    assert "holds the results of another grid" in refused(tmp_path, grid, "-o", made.folder)
    grid.write_text(GRID)
    identity = json.loads((made.folder / results.IDENTITY).read_text())
    (made.folder / results.IDENTITY).write_text(json.dumps(identity | {"airloom": "0.0.1"}))
    assert "another build of airloom or of a class of your own" in refused(tmp_path, grid, "-o", made.folder)
    assert (made.folder / results.JOURNAL).read_bytes() == before
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "cat.jpg").write_text("meow")
    assert "not a sweep's results" in refused(tmp_path, grid, "-o", photos)
    assert [file.name for file in photos.iterdir()] == ["cat.jpg"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"ap.0.queue.limit"', '"ap.0.queue.limt"'), ["grid.toml:6:2: ", "limt", "did you mean `limit`"]),
        (('"100 packets"', '"100 packages"'), ["grid.toml:6:2: ", "100 packages"]),
        (("duration", "durration"), ["grid.toml:2:9: ", "did you mean `duration`"]),
        (('"station.0.distance" = "20 m"', '"station.7.distance" = "20 m"'), ["grid.toml:7:", "station.7"]),
        (
            ("place = {", 'station.0.distance = ["2 m"]\nplace = {'),
            ["grid.toml:7:1: `station.0.distance` stands without quotes", 'write "station.0.distance" = [...]'],
        ),
        (
            ("place = {", '"station.0.snr" = ["9 dB"]\n"station.laptop.snr" = ["8 dB"]\nplace = {'),
            ["grid.toml:8:2: axis 'station.laptop.snr' is the same key as axis 'station.0.snr'"],
        ),
        (
            ("seeds = 2", 'seeds = []\nkeep = "all"\nkept = 3'),
            ["3 mistakes", ":3:1: ", ":4:1: ", ":5:1: unknown key `kept`"],
        ),
        (('"25 packets", "100 packets"', '"25 pakets", "100"'), ["2 mistakes", "25 pakets", "`limit` has no unit"]),
        (("seeds", "seed"), ["grid.toml:3:1: unknown key `seed`", "did you mean `seeds`"]),
        (("seeds = 2", "seeds = []"), ["grid.toml:3:1: `seeds` needs a list"]),
        (('["25 packets", "100 packets"]', "[]"), ["grid.toml:6:2: axis 'ap.0.queue.limit' has no values"]),
        (("place =", "entity ="), ["grid.toml:7:1: no axis can be called 'entity'"]),
        (("seeds = 2", 'seeds = 2\nkeep = "all"'), ["grid.toml:4:1: `keep` is one of 'summary', 'bundle'"]),
        (("seeds = 2", "sample = 3"), ["`sample` needs how many cells"]),
        (("seeds = 2", "sample = { cells = 900, seed = 1 }"), ["a sample of 900 from 4 cells"]),
        (("seeds = 2", "seeds = 250_000"), ["1,000,000 cells", "--yes"]),
        (("scenario =", "# scenario ="), ["needs the scenario"]),
        (("place = {", '"flow.0.to" = ["laptop", "nobody"]\nplace = {'), ["grid.toml:7:2: ", "nobody"]),
        (("download.toml", "nowhere.toml"), ["nowhere.toml: no such scenario file"]),
        (("[axis]", "[axis"), ["grid.toml:5:6: not TOML: expected ']' at the end of a table declaration"]),
        (('100 packets"]', "100 packets]"), ["grid.toml:6:50: not TOML: a quote is not closed"]),
        (("seeds = 2", "seeds = 9999999999999999999"), ["`seeds` asks for more than 1,000,000,000,000"]),
        (("seeds = 2", f"seeds = {10**30}"), ["more than 64 bits"]),
        (("seeds = 2", f"seeds = {'9' * 5000}"), ["grid.toml: "]),
        (("seeds = 2", f"seeds = {10**12}"), ["4,000,000,000,000 cells; a grid has 1,000,000,000,000 at most"]),
        (("seeds = 2", f"sample = {'[' * 3000}{']' * 3000}"), ["nested deeper than 64 levels"]),
        (("seeds = 2", f"sample = {'{a=' * 300}1{'}' * 300}"), ["nested deeper than 64 levels"]),
        (("download.toml", "a\\u0000b"), ["no file can have such a name"]),
        (("near = {", 'near = { "seed" = 3,'), ["axis 'place' sets the seed", "seeds = [1, 2, 3]"]),
        (("near = {", 'near = { " seed " = 3,'), ["axis 'place' sets the seed"]),
        (('"1 s" }', '"1 s", seed = 3 }'), ["grid.toml:2:1: ", "seeds = [1]"]),
        (
            ("near = {", 'near = { "ap.0.queue.limit" = "7 packets",'),
            ["'place' sets 'ap.0.queue.limit'", "another axis"],
        ),
        (("near = {", 'near = { "ap.00.queue.limit" = "7 packets",'), ["'place' sets 'ap.0.queue.limit'"]),
        (
            ('.limit" = ["25 packets", "100 packets"]', '" = [{ discipline = "fifo" }, { discipline = "fq_codel" }]'),
            ["`ap.0.queue` is a table", 'write "ap.0.queue.discipline" = ["fifo", "fq_codel"]'],
        ),
        (
            ('.limit" = ["25 packets", "100 packets"]', '" = [{ discipline = "fifo", limit = "9 packets" }]'),
            ['[axis.queue] with lines such as a = { "ap.0.queue.discipline" = "fifo", "ap.0.queue.limit" ='],
        ),
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(
    change: tuple[str, str], words: list[str], grid: Path, tmp_path: Path
) -> None:
    grid.write_text(GRID.replace(*change))
    complaint = refused(tmp_path, grid)
    for word in words:
        assert word in complaint
    assert [file.name for file in tmp_path.iterdir()] == ["grid.toml"]


def test_an_axis_seed_is_one_mistake(grid: Path, tmp_path: Path) -> None:
    """Beside another one, which is reported too."""
    grid.write_text(GRID.replace("place =", "seed = [1, 2]\nplace =").replace("download.toml", "nowhere.toml"))
    complaint = refused(tmp_path, grid)
    assert complaint.startswith("airloom: 2 mistakes\n")
    assert ":7:1: seeds are no axis of their own; write `seeds = [1, 2, 3]`" in complaint


def test_an_axis_may_be_called_what_a_metric_is(grid: Path) -> None:
    grid.write_text(GRID.replace("place =", "jain =").replace("[axis]", "[axis]\njain_ = { x = {} }"))
    built = pl.read_parquet(swept(grid).folder / results.TABLE)
    assert set(built["jain"]) == {"near", "far"}
    assert set(built["jain_"]) == {"x"}
    assert built.filter(kind="run")["jain__"].to_list() == [None] * 8


def test_a_sample_is_drawn_from_the_whole_grid_the_same_way_each_time(grid: Path) -> None:
    grid.write_text(GRID.replace("seeds = 2", "seeds = 1_000_000_000\nsample = { cells = 100, seed = 7 }"))
    asked = plan.read(grid)
    assert asked.size == len(set(asked.numbers)) == 100
    assert plan.read(grid).numbers == asked.numbers
    cells = [asked.grid[number] for number in asked.numbers]
    assert {one.choices["place"].name for one in cells} == {"near", "far"}
    assert max(one.seed or 0 for one in cells) > 10_000_000
    grid.write_text(grid.read_text().replace("seed = 7", "seed = 8"))
    assert plan.read(grid).numbers != asked.numbers


def test_every_number_of_a_grid_is_another_cell_in_the_order_of_its_axes(grid: Path) -> None:
    asked = plan.read(grid).grid
    assert [asked[number] for number in range(asked.size)] == list(asked)
    assert len({tuple(one.place.items()) for one in asked}) == asked.size == 8


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A disk of so many bytes, for as long as the block lasts."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    place.mkdir()
    mount: list[str | Path] = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no small disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_full_disk_is_reported_and_what_was_done_is_kept(grid: Path, tmp_path: Path) -> None:
    grid.write_text(GRID.replace("seeds = 2", "seeds = 9"))
    with small_disk(tmp_path / "disk", "32k") as disk:
        assert "No space left on device; what was done is kept" in refused(tmp_path, grid, "-o", disk / "out")
        kept = results.load(disk / "out")
        assert 0 < len(kept.journal.done) < 36
        subprocess.run(["mount", "-o", "remount,size=1m", disk], check=True)
        assert len(kept.run(Threads()).done) == 36


def test_cells_that_had_no_room_are_named_and_run_the_next_time(grid: Path, tmp_path: Path) -> None:
    grid.write_text(GRID.replace("seeds = 2", 'seeds = 9\nkeep = "bundle"'))
    kept = results.make(plan.read(grid), tmp_path / "out")
    # The journal has a disk of its own, or it might meet the full one first.
    with small_disk(kept.folder / results.BUNDLES, "256k") as disk:
        process = command(grid, "-o", kept.folder, cwd=tmp_path)
        output, complaint = process.communicate(timeout=60)
        done, hindered = kept.journal.done, kept.journal.hindered
        assert (process.returncode, kept.journal.failed) == (2, {})
        assert output.startswith(f"36 cells: {len(done)} done\n")
        assert "table" not in output
        answer = complaint.splitlines()
        assert answer[0] == f"airloom: {len(hindered)} cell{'s' * (len(hindered) > 1)} could not be run"
        assert answer[1].startswith(f"  cell {min(hindered)} (ap.0.queue.limit ")
        assert "disk is full" in answer[1]
        assert answer[-1] == f"  {GO_ON}"
        assert len(done) + len(hindered) < 36  # the others were not run for nothing
        assert "could not be run" in command("show", kept.folder, cwd=tmp_path).communicate(timeout=60)[0]
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        journal = kept.run(Threads())
        assert (len(journal.done), journal.failed, journal.hindered) == (36, {}, {})
        assert airloom.load(disk / str(min(hindered))).summary == journal.summary(min(hindered))


def test_a_table_that_cannot_be_written_is_reported(grid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Table, "write", full)
    with pytest.raises(SweepError, match=r"table\.parquet: cannot be written: .*what was done is kept"):
        swept(grid)
    monkeypatch.undo()
    assert len(swept(grid).journal.done) == 8


def test_bundles_are_kept_where_they_are_asked_for(grid: Path) -> None:
    grid.write_text(GRID.replace("seeds = 2", 'keep = "bundle"'))
    made = swept(grid)
    kept = [airloom.load(made.folder / results.BUNDLES / str(number)) for number in range(4)]
    assert [run.summary for run in kept] == [summary for _, summary in made.journal.summaries()]
    assert kept[0].series.num_rows > 0


def test_a_metric_is_shown_as_the_mean_over_the_seeds_with_students_t(grid: Path) -> None:
    grid.write_text(GRID.replace("seeds = 2", "seeds = 4"))
    made = swept(grid)
    built = table.build(made.plan.grid, made.journal)
    shown = show(built, ["ap.0.queue.limit", "place"], Question("goodput_mbps", "ap.0.queue.limit", ("place",)))
    assert shown.places == ["25 packets", "100 packets"]
    assert [line.label for line in shown.lines] == ["near", "far"]
    assert shown.over == []
    values = [s["flows"][0]["goodput_mbps"] for number, s in made.journal.summaries() if number in range(12, 16)]
    point = shown.lines[1].points["100 packets"]
    assert point.mean == pytest.approx(fmean(values))
    assert point.margin == pytest.approx(3.182446305 * stdev(values) / 2)
    assert (point.low, point.high, point.count) == (min(values), max(values), 4)
    over = show(built, ["ap.0.queue.limit", "place"], Question("goodput_mbps", "place"))
    assert over.over == ["ap.0.queue.limit"]
    assert over.lines[0].points["far"].count == 4  # a value for each seed, not for each cell
    nodes = show(built, [], Question("ampdus", "place", where={"ap.0.queue.limit": "25 packets"}))
    assert [line.label for line in nodes.lines] == ["ap", "laptop"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (Question("goodput", "place"), "no metric `goodput`.*\n.*did you mean `goodput_mbps`"),
        (Question("place", "place"), r"no metric `place`.*\n  there are \d+; `airloom sweep show FOLDER` lists them$"),
        (Question("throughput", "place"), r"did you mean `goodput_mbps`\?$"),
        (Question("rtt", "place"), "did you mean `rtt_mean_ms`, `rtt_median_ms`, `rtt_p95_ms` or `rtt_p99_ms`"),
        (Question("loss", "place"), "did you mean .*`drops`.*`retransmissions`.* or `"),
        (Question("goodput_mbps", "plaice"), "did you mean `place`"),
        (Question("goodput_mbps", "limit"), "did you mean `ap.0.queue.limit`"),
        (Question("goodput_mbps", "place", of="laptop"), "no entity `laptop`.*\n.*there are download"),
        (Question("goodput_mbps", "place", where={"seed": "9"}), "no seed `9`.*\n.*there are 1, 2"),
    ],
)
def test_what_a_sweep_does_not_have_is_not_shown(question: Question, words: str, grid: Path) -> None:
    made = swept(grid)
    with pytest.raises(SweepError, match=words):
        show(table.build(made.plan.grid, made.journal), ["place", "ap.0.queue.limit"], question)


def test_what_a_sweep_has_is_listed_by_whose_it_is(grid: Path) -> None:
    """One line of all columns was longer than any screen."""
    folder = swept(grid).folder
    shown = subprocess.run(
        [sys.executable, "-m", "airloom", "sweep", "show", folder],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "100"},
    ).stdout
    assert max(map(len, shown.splitlines())) <= 100
    assert "keys, for --by, --lines, --panels and --where\n  ap.0.queue.limit, place, " in shown
    run, flow, node = shown.split("metrics of ")[1:]
    assert "Mbit/s: goodput_mbps" in run
    assert "\n  ms: rtt_mean_ms, " in flow
    assert "ampdus" in node
    assert "ampdus" not in flow
    assert "docs/bundle.md" in shown.splitlines()[-1]
    refused = [sys.executable, "-m", "airloom", "plot", str(folder), "--metric", "latency", "-o", "x.json"]
    said = subprocess.run(refused, capture_output=True, text=True, check=False).stderr
    assert "did you mean `rtt_mean_ms`, " in said, "which metric comes before by what"


def test_a_table_of_figures_has_no_digits_of_the_arithmetic() -> None:
    shown = Shown("jain", "place", ["near"], [Line("", {"near": Spread(0.1 + 0.2, 0.0, 1.0, 0.1, 2)})], [], seeds=2)
    assert shown_file.table(shown)[1][0][1:4] == [0.3, 0.2, 0.4]


def test_a_sweep_without_a_title_is_called_what_its_runs_are(tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_text(DOWNLOAD.read_text().partition("\n")[2])
    file = tmp_path / "grid.toml"
    file.write_text(GRID.replace(str(DOWNLOAD), "scenario.toml"))
    assert plan.read(file).title == "untitled"


@pytest.mark.nightly
@pytest.mark.long
def test_the_example_answers_its_question(tmp_path: Path) -> None:
    process = command(ROOT / "examples" / "buffer.toml", cwd=tmp_path)
    _, complaint = process.communicate(timeout=300)
    assert process.returncode == 0, complaint
    question = ["show", "buffer.sweep", "--by", "ap.0.queue.limit", "--lines", "place", "--json", "--metric"]
    for metric in ("goodput_mbps", "rtt_mean_ms"):
        output, _ = command(*question, metric, "-o", "page.html", cwd=tmp_path).communicate(timeout=60)
        points = [point for point in json.loads(output)["points"] if point["line"] == "near"]
        assert [point["ap.0.queue.limit"] for point in points][::5] == ["25 packets", "800 packets"]
        assert points[0]["mean"] + points[0]["margin"] < points[-1]["mean"] - points[-1]["margin"]
    assert "<!doctype html>" in (tmp_path / "page.html").read_text()
    output, _ = command("show", "buffer.sweep", "--cell", "3", cwd=tmp_path).communicate(timeout=60)
    assert "airloom run buffer.sweep/scenario.toml" in output


def test_a_cell_costs_less_than_20_ms_beside_its_run(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(GRID.replace("seeds = 2", "seeds = 25").replace('"1 s"', '"0.1 s"'))
    asked = plan.read(file)
    started = time.perf_counter()
    for one in asked.grid:
        _engine.summarize(asked.base, "download.toml", asked.overrides(one), one.seed)
    alone = time.perf_counter() - started
    made = results.make(asked, tmp_path / "out")
    started = time.perf_counter()
    made.run(Threads(1))
    assert (time.perf_counter() - started - alone) / asked.size < 0.020


@contextmanager
def started(*words: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask's, which is killed in the end."""
    with subprocess.Popen(
        [sys.executable, "-m", *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@dataclass(frozen=True)
class Cluster:
    """A scheduler and two workers, each a process of its own."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster as one starts it by hand: `dask scheduler` and `dask worker`."""
    file = tmp_path / "scheduler.json"
    place = ("--scheduler-file", file, "--no-dashboard", "--host", "127.0.0.1")
    with started("distributed.cli.dask_scheduler", "--port", "0", *place) as scheduler:
        while not file.exists():
            assert scheduler.poll() is None
            time.sleep(0.05)
        alone = ("--no-nanny", "--nthreads", "1", "--local-directory", tmp_path / "dask")
        worker = ("distributed.cli.dask_worker", *place, *alone)
        with started(*worker) as first, started(*worker) as second:
            address = json.loads(file.read_text())["address"]
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=60)
            yield Cluster(address, scheduler, [first, second])


def test_a_worker_that_comes_later_is_used_but_not_with_another_build(tmp_path: Path, cluster: Cluster) -> None:
    executor = Dask(cluster.address)
    place = ("--no-dashboard", "--no-nanny", "--nthreads", "3", "--local-directory", tmp_path / "later")
    before = executor.room()
    with started("distributed.cli.dask_worker", cluster.address, *place):
        executor.client.wait_for_workers(3, timeout=60)
        assert (before, executor.room()) == (4, 10)
    assert executor.client.submit(untold, operator.is_not, 3, engine()).result()
    with pytest.raises(OtherBuildError, match="tcp://127"):
        executor.client.submit(untold, operator.is_not, 3, "another").result()
    executor.client.close()


def same_table(clustered: Path, made: results.Results) -> bool:
    """Whether a sweep on a cluster left the very bytes of one on this machine."""
    return (clustered / results.TABLE).read_bytes() == (made.folder / results.TABLE).read_bytes()


def test_a_cluster_gives_the_same_table(grid: Path, tmp_path: Path, cluster: Cluster) -> None:
    grid.write_text(GRID.partition("[axis]")[0] + CLASHING)
    process = command(grid, "-o", "clustered", "--dask", cluster.address, cwd=tmp_path)
    output, complaint = process.communicate(timeout=60)
    assert output.startswith("8 cells: 6 done")
    assert complaint.startswith("airloom: 2 cells failed")
    made = swept(grid)
    assert same_table(tmp_path / "clustered", made)
    assert results.load(tmp_path / "clustered").journal.failed == made.journal.failed


@pytest.mark.nightly
@pytest.mark.long
def test_a_worker_that_is_killed_half_way_loses_nothing(grid: Path, tmp_path: Path, cluster: Cluster) -> None:
    grid.write_text(GRID.replace("seeds = 2", "seeds = 20").replace('"1 s"', '"5 s"'))
    process = command(grid, "-o", "clustered", "--dask", cluster.address, cwd=tmp_path)
    while (done := finished(tmp_path / "clustered" / results.JOURNAL)) < 20 and process.poll() is None:
        time.sleep(0.02)
    cluster.workers[0].kill()
    output, complaint = process.communicate(timeout=120)
    assert 20 <= done < 80
    assert (process.returncode, complaint) == (0, "")
    assert output.startswith("80 cells: 80 done")
    assert same_table(tmp_path / "clustered", swept(grid))


def test_a_cluster_that_goes_away_is_reported_and_what_was_done_is_kept(
    grid: Path, tmp_path: Path, cluster: Cluster
) -> None:
    grid.write_text(GRID.replace("seeds = 2", "seeds = 100").replace('"1 s"', '"10 s"'))
    process = command(grid, "-o", "out", "--dask", cluster.address, cwd=tmp_path)
    while finished(tmp_path / "out" / results.JOURNAL) < 2 and process.poll() is None:
        time.sleep(0.05)
    for each in (cluster.scheduler, *cluster.workers):
        each.kill()
    output, complaint = process.communicate(timeout=120)
    assert (process.returncode, output) == (2, "")
    assert complaint.startswith("airloom: the Dask scheduler at tcp://127.0.0.1:")
    assert complaint.endswith(f" is gone: {GO_ON}\n")
    journal = results.load(tmp_path / "out").journal
    assert 2 <= len(journal.done) < 400
    assert (journal.failed, journal.hindered) == ({}, {})


def test_a_cluster_that_is_not_there_is_reported(grid: Path, tmp_path: Path) -> None:
    assert "tcp://HOST:8786" in refused(tmp_path, grid, "--dask", "somewhere")
    assert [file.name for file in tmp_path.iterdir()] == ["grid.toml"]


def test_students_t_has_the_quantiles_of_the_tables() -> None:
    known = {1: 12.7062047, 2: 4.3026527, 3: 3.1824463, 4: 2.7764451, 9: 2.2621572, 30: 2.0422725, 1000: 1.9623391}
    for freedom, value in known.items():
        assert quantile(0.975, freedom) == pytest.approx(value, rel=1e-7)
    assert math.isnan(Spread.of([3.0]).margin)
    assert math.isnan(Spread.of([None, math.nan]).mean)


@pytest.mark.parametrize(
    ("values", "meaning"),
    [
        ([1, 2], ([1, 2], "")),
        (["2 m", "2.5 m"], ([2, 2.5], "m")),
        (["2 m", "3 km"], None),
        (["1", "near"], None),
        (["1e3 Mbit/s"], ([1000.0], "Mbit/s")),
        ([[1], [2]], None),
        (["nan", "inf"], None),
        (["1e999"], None),
        ([10**30], None),
        (["802.11n"], None),
    ],
)
def test_values_of_one_unit_are_numbers(values: list[object], meaning: tuple[list[float], str] | None) -> None:
    assert measured(values) == meaning


def test_the_table_names_its_units(grid: Path) -> None:
    written = pl.read_parquet_metadata(swept(grid).folder / results.TABLE)["units"]
    assert json.loads(written)["ap.0.queue.limit"] == "packets"


def test_what_is_not_finished_says_so(grid: Path) -> None:
    made = swept(grid)
    assert made.unfinished == ""
    journal = made.folder / results.JOURNAL
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]), encoding="utf-8")
    assert made.unfinished.startswith("7 of 8 cells are done")
    shown = Sweep(made).show("goodput_mbps", by="place")
    assert made.unfinished in shown.notes
    assert f"Not finished: {made.unfinished}." in sentence(shown, shown_file.named(made))


DRAWN = """
scenario = "{scenario}"
set = {{ duration = "300 ms" }}
seeds = 2
sample = {{ cells = 5, seed = 1 }}

[axis]
"station.0.distance" = ["5 m", "10 m", "15 m", "20 m"]
"ap.0.queue.discipline" = ["fifo", "mac80211"]
"""


def test_points_of_a_sample_that_mix_another_axis_say_so(tmp_path: Path) -> None:
    """Else the distance of a point is read as what the discipline does that was drawn with it."""
    file = tmp_path / "grid.toml"
    file.write_text(DRAWN.format(scenario=DOWNLOAD))
    made = swept(file)
    found = Sweep(made).show("goodput_mbps", by="station.0.distance")
    assert found.unlike == ("ap.0.queue.discipline",)
    assert (found.fewest, found.seeds) == (1, 2)
    said = "the points do not have the same values of ap.0.queue.discipline, or not equally often"
    asked = ("show", made.folder, "--metric", "goodput_mbps", "--by", "station.0.distance")
    page, drawn = tmp_path / "page.html", tmp_path / "chart.json"
    shown = " ".join(run_to_its_end("sweep", *asked, "-o", page).stdout.split())
    assert said in shown
    assert "points are of 1 to 2 seeds; that of one has no interval" in shown
    assert said in " ".join(run_to_its_end("plot", *asked[1:], "-o", drawn).stdout.split())
    for file in (page, drawn):
        assert "do not have the same values of queue discipline" in file.read_text().replace('",\n', " ")
    assert (
        "the mean over 1 to 2 seeds, and its 95\N{NO-BREAK SPACE}% confidence interval where there are"
        in page.read_text()
    )
    assert Sweep(made).show("goodput_mbps", by="station.0.distance", lines="ap.0.queue.discipline").unlike == ()
    assert Sweep(made).show("goodput_mbps", by="cell").unlike == ()


def test_a_value_that_a_cell_does_not_set_is_the_scenarios_own(tmp_path: Path) -> None:
    """It was a row named `-`, beside one of the same value where another cell sets it."""
    file = tmp_path / "grid.toml"
    file.write_text(f"""\
scenario = "{DOWNLOAD}"
set = {{ duration = "300 ms" }}
[axis.queue]
own = {{}}
same = {{ "ap.0.queue.limit" = "200 packets" }}
small = {{ "ap.0.queue.limit" = "5 packets" }}
codel = {{ "ap.0.queue.discipline" = "codel", "server.0.link.rate" = "90 Mbit/s" }}
""")
    made = Sweep(swept(file))
    limits = made.show("goodput_mbps", by="ap.0.queue.limit")
    assert limits.places == ["5 packets", "200 packets"]
    assert made.show("goodput_mbps", by="ap.0.queue.discipline").places == ["fifo", "codel"]
    rates = made.show("goodput_mbps", by="server.0.link.rate").places
    assert rates == ["1 Gbit/s", "90 Mbit/s"], "of two units"
    assert made.show("goodput_mbps", by="queue", where={"ap.0.queue.limit": "200 packets"}).places == [
        "own",
        "same",
        "codel",
    ]
    assert made.table["ap.0.queue.limit"].count(None) > 0


def test_what_a_grid_ties_together_is_told_from_what_it_mixes() -> None:
    """A row is a cell; an axis that sets what is shown is no doubt, what it sets beside that is one."""
    near, far = {"place": "near", "d": 3, "power": 10}, {"place": "far", "d": 20, "power": 10}
    loud = far | {"power": 20}
    place = {"place": ("d", "power")}
    assert unlike(place, ["place"], [[[near]], [[loud]]]) == []
    assert unlike(place, ["d"], [[[near]], [[far]]]) == []
    assert unlike(place, ["d"], [[[near]], [[loud]]]) == ["power"]
    ab = [{"a": a, "b": b} for a in (1, 2) for b in (1, 2)]
    both: dict[str, tuple[str, ...]] = {"a": (), "b": ()}
    assert unlike(both, [], [[ab], [ab], [ab[::-1]]]) == []
    assert unlike(both, ["a"], [[ab[:2], ab[:1]], [ab[2:], ab[2:]]]) == ["b"], "not equally often"
    assert unlike(both, [], [[[ab[0], ab[3]]], [[ab[1], ab[2]]]]) == ["a", "b"], "together"


def test_points_have_the_ends_of_their_interval_and_truth_values_as_grids_have_them(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(
        GRID.replace('"ap.0.queue.limit" = ["25 packets", "100 packets"]', '"ap.0.queue.ecn" = [true, false]')
    )
    file.write_text(file.read_text().replace("set = {", 'set = { "ap.0.queue.discipline" = "fq_codel",'))
    assert run_to_its_end("sweep", file, "-o", tmp_path / "out").returncode == 0
    asked = ("--metric", "goodput_mbps", "--of", "download", "--by", "place", "--where", "ap.0.queue.ecn=false")
    shown = run_to_its_end("sweep", "show", tmp_path / "out", *asked, "--json")
    assert shown.returncode == 0, shown.stderr
    for point in json.loads(shown.stdout)["points"]:
        ends = [point["mean"] - point["margin"], point["mean"] + point["margin"]]
        assert [point["from"], point["to"]] == pytest.approx(ends)
        assert point["low"] <= point["mean"] <= point["high"]


def test_what_has_to_be_asked_for_once_more_is_said_before(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(GRID.replace("seeds = 2", "seeds = 5000"))
    done = run_to_its_end("check", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("runs it, with --yes, since they are so many\n")


def test_a_scenario_is_no_grid() -> None:
    with pytest.raises(GridError, match="a scenario, not a grid"):
        plan.read(DOWNLOAD)


@pytest.mark.parametrize(
    ("warm_up", "said"),
    [('warm_up = "400 ms"', "measured from 0.4 s to 1 s, grid"), ("", "seeds 1 and 2, grid")],
)
def test_where_numbers_are_from_says_from_when_on_they_were_measured(warm_up: str, said: str, tmp_path: Path) -> None:
    grid = tmp_path / "grid.toml"
    settings = ", ".join(['duration = "1 s"', *([warm_up] if warm_up else [])])
    grid.write_text(f'scenario = "{DOWNLOAD}"\nset = {{ {settings} }}\nseeds = 2\n')
    airloom.sweep(grid, out=tmp_path / "out")
    assert said in results.load(tmp_path / "out").origin


def test_a_grid_from_standard_input_has_its_scenario_in_the_current_folder(tmp_path: Path) -> None:
    words = [sys.executable, "-P", "-m", "airloom", "sweep", "-"]
    came = subprocess.run(
        words, input='scenario = "gone.toml"\n', capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (came.returncode, came.stderr) == (2, "airloom: <stdin>:1:1: gone.toml: no such scenario file\n")


def test_two_sweeps_that_begin_at_once_share_a_new_folder(grid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second has seen no folder yet when the first makes it."""
    asked, folder = plan.read(grid), grid.parent / "out"
    makes = atomic.folder_of

    def overtaken(texts: Mapping[str, str], target: Path) -> None:
        makes(texts, target)
        makes(texts, target)

    monkeypatch.setattr(results, "folder_of", overtaken)
    made = results.make(asked, folder)
    assert results.read_identity(folder)["grid"] == asked.identity
    with (folder / results.JOURNAL).open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(SweepError, match="another airloom is at work"):
            made.run(Threads())
