"""Traces in Parquet: the same columns as in CSV, of whatever numbers, and the same complaints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import airloom
from airloom.errors import RunError
from airloom.scenario.traces import spelled_out
from test_traces import CELL, STEPS, TRACE, traced

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stored(columns: Mapping[str, Any], name: str = "walk.parquet") -> str:
    """The scenario, whose signal is in a table beside it."""
    pq.write_table(pa.table(dict(columns)), name)
    return CELL.replace("SNR", f'{{ trace = "{name}" }}')


WALK = {"time_s": [at for at, _ in STEPS], "snr_db": [db for _, db in STEPS]}


@pytest.mark.parametrize("times", [pa.int32(), pa.uint16(), pa.int64(), pa.float32(), pa.float64()])
@pytest.mark.parametrize("levels", [pa.float32(), pa.float64()])
def test_it_is_the_script_that_a_csv_is(times: pa.DataType, levels: pa.DataType) -> None:
    walk = {"time_s": pa.array(WALK["time_s"], times), "snr_db": pa.array(WALK["snr_db"], levels)}
    assert spelled_out(stored(walk), Path()) == spelled_out(traced(TRACE), Path())
    airloom.check(stored(walk))


def test_what_else_it_has_is_left_alone() -> None:
    walk = stored(WALK | {"where": ["hall", "stairs", "attic"]})
    assert spelled_out(walk, Path()) == spelled_out(traced(TRACE), Path())


def test_rates_are_texts() -> None:
    pq.write_table(pa.table({"time_s": [0, 1], "rate": ["MCS 7", "MCS 0"]}), "rates.parquet")
    Path("rates.csv").write_text("time_s,rate\n0,MCS 7\n1,MCS 0\n")
    said = CELL.replace("SNR", '"40 dB"').replace('rate = "minstrel"', "rate = { trace = 'rates.SUFFIX' }")
    scripts = {spelled_out(said.replace("SUFFIX", suffix), Path()) for suffix in ("csv", "parquet")}
    assert len(scripts) == 1
    airloom.check(scripts.pop())


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"time_s": [], "snr_db": []}, "snr_db"),
        ({"when": [0.0], "how": [40.0]}, "walk.parquet: has no column time_s"),
        ({"time_s": [0.0, 0.0], "snr_db": [40.0, 39.0]}, "walk.parquet: row 2: time_s is 0.0, which is no later"),
        ({"time_s": [0.0, 1.0], "snr_db": [40.0, None]}, "walk.parquet: row 2: snr_db is ''"),
        ({"time_s": [0.0, None], "snr_db": [40.0, 39.0]}, "walk.parquet: row 2: time_s is ''"),
        ({"time_s": [0.0], "snr_db": [float("inf")]}, "walk.parquet: row 1: snr_db is 'inf'"),
        ({"time_s": [1785499200], "snr_db": [40.0]}, "taken off"),
        ({"time_s": [0.0], "snr_db": ["strong"]}, "not every row has a number as its snr_db"),
        ({"time_s": [[0.0]], "snr_db": [40.0]}, "not every row has a number as its time_s"),
        ({"time_s": pa.array([0], pa.timestamp("us")), "snr_db": [40.0]}, "not every row has a number as its time_s"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_row(columns: Mapping[str, Any], said: str) -> None:
    with pytest.raises(RunError, match=said):
        airloom.check(stored(columns))


def test_a_table_that_is_far_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airloom.scenario.trace_tables.MOST_ROWS", 2)
    with pytest.raises(RunError, match="3 rows, at most 2; a trace is short"):
        airloom.check(stored(WALK))


def test_what_is_no_file_of_parquet_is_refused(folder: Path) -> None:
    text = stored(WALK)
    content = Path("walk.parquet").read_bytes()
    for damaged in (b"", TRACE.encode(), content[:-9], content[:4] + b"\0" * (len(content) - 8) + content[-4:]):
        Path("walk.parquet").write_bytes(damaged)
        with pytest.raises(RunError, match=r"walk\.parquet: not readable as Parquet"):
            airloom.check(text)
    Path("walk.parquet").unlink()
    with pytest.raises(RunError, match=r"walk\.parquet: no such trace file"):
        airloom.check(text)
    (folder / "walk.parquet").mkdir()
    with pytest.raises(RunError, match=r"walk\.parquet: not a regular file"):
        airloom.check(text)


@settings(deadline=None)
@given(st.data())
def test_damage_anywhere_is_refused_or_read(data: st.DataObject) -> None:
    """Each octet may be any other: what comes out is a script or one clear error."""
    text = stored(WALK)
    content = bytearray(Path("walk.parquet").read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    Path("walk.parquet").write_bytes(content)
    try:
        said = spelled_out(text, Path())
    except RunError as error:
        said = str(error)
    assert said.startswith("walk.parquet: ") or "snr = [{ at" in said
