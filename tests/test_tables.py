"""Tables: what other libraries make of them, and what is in their files."""

from __future__ import annotations

import math
import random
import sys
from typing import TYPE_CHECKING

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from airloom import _engine
from airloom.errors import AirloomError, BundleError
from airloom.results import tables
from airloom.results.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS: list[dict[str, object]] = [
    {"flow": "up", "seed": 2**64 - 1, "cell": -1, "far": True, "goodput_mbps": 3.5},
    {"flow": None, "seed": None, "cell": None, "far": None, "goodput_mbps": None},
    {"flow": "ü", "seed": 0, "cell": 2**62, "far": False, "goodput_mbps": -1e300},
]


@pytest.fixture
def table() -> Table:
    values = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    return Table(
        [
            Column("flow", "text", values["flow"]),
            Column("seed", "natural", values["seed"]),
            Column("cell", "integer", values["cell"]),
            Column("far", "truth", values["far"]),
            Column("goodput_mbps", "number", values["goodput_mbps"], "Mbit/s"),
        ]
    )


def from_duckdb(results: Table) -> object:
    found = duckdb.sql("from results")  # which names the argument
    assert results.num_rows
    assert found is not None
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


READERS: dict[str, Callable[[Table], object]] = {
    "polars": lambda table: pl.DataFrame(table).to_dicts(),
    "to_polars": lambda table: table.to_polars().to_dicts(),
    "pyarrow": lambda table: pa.table(table).to_pylist(),
    "duckdb": from_duckdb,
}


@pytest.mark.parametrize("reader", READERS)
def test_a_table_is_taken_as_it_is(reader: str, table: Table) -> None:
    assert READERS[reader](table) == ROWS


def test_a_table_becomes_a_data_frame_of_pandas(table: Table) -> None:
    frame = table.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["flow"].dropna()) == ["up", "ü"]
    assert frame["goodput_mbps"].sum() == -1e300


def test_a_unit_stands_in_the_metadata_of_its_column(table: Table) -> None:
    fields = pa.table(table).schema
    assert fields.field("goodput_mbps").metadata == {b"unit": b"Mbit/s"}
    assert fields.field("flow").metadata is None


def test_a_library_that_is_missing_is_named(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(AirloomError, match="pip install polars"):
        table.to_polars()


def test_what_is_written_is_what_others_read(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    table.write(file)
    assert pq.read_table(file).to_pylist() == ROWS
    assert pl.read_parquet(file).to_dicts() == ROWS
    assert pl.read_parquet_metadata(file)["units"] == '{"goodput_mbps": "Mbit/s"}'
    empty = Table([Column("flow", "text", [])])
    empty.write(file)
    assert pq.read_table(file).schema.field("flow").type == pa.string()
    assert empty.to_polars().schema == {"flow": pl.String}


def test_columns_of_unequal_length_are_no_table(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="equally long"):
        Table([Column("a", "number", [1.0]), Column("b", "number", [])]).write(tmp_path / "table.parquet")


@pytest.mark.parametrize("rows", [0, 1, 8191, 8192, 8193, 40000])
@pytest.mark.parametrize("group", [1000, 8192, 1 << 20])
def test_what_others_write_is_read(rows: int, group: int, tmp_path: Path) -> None:
    file = tmp_path / tables.SERIES
    columns: dict[str, list[object]] = {
        "time": [float(row) for row in range(rows)],
        "entity": [f"station {row % 7}" for row in range(rows)],
        "metric": ["goodput"] * rows,
        "value": [math.nan if row % 3 else -row / 2 for row in range(rows)],
        "unit": ["Mbit/s" if row % 2 else "" for row in range(rows)],
    }
    kinds = {name: pa.float64() if name in ("time", "value") else pa.string() for name in columns}
    written = pa.table({name: pa.array(values, kinds[name]) for name, values in columns.items()})
    pq.write_table(written, file, row_group_size=group, data_page_size=4096)
    read = tables.read(file)
    for name, values in columns.items():
        assert list(map(repr, read[name])) == list(map(repr, values))


def test_a_small_file_of_many_rows_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / tables.SERIES
    one = pa.table({"time": pa.array([1.0] * 1_000_000)})
    with pq.ParquetWriter(file, one.schema) as writer:
        for _ in range(3):
            writer.write_table(one)
    with pytest.raises(BundleError, match="3,000,000 rows, at most 2,999,999"):
        _engine.read_table(file, [("time", "number")], 2_999_999, "")
    (column,) = _engine.read_table(file, [("time", "number")], 3_000_000, "")
    assert len(column) == 8 * 3_000_000


def test_a_damaged_table_is_read_or_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / tables.SERIES
    columns = {"time": [1.0, 2.0] * 300, "entity": ["a", "b"] * 300, "metric": ["c"] * 600, "value": [0.5] * 600}
    pq.write_table(pa.table(columns | {"unit": ["s"] * 600}), file)
    sound = file.read_bytes()
    chance = random.Random(7)  # noqa: S311 - always the same
    refused = []
    for _ in range(600):
        content = bytearray(sound)
        for _ in range(chance.choice((1, 1, 2, 5))):
            content[chance.randrange(len(content))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        file.write_bytes(content)
        try:
            tables.read(file)
        except BundleError as error:
            refused.append(str(error))
    assert 200 < len(refused) < 600
    assert not any("\n" in complaint for complaint in refused)
    assert any(complaint.endswith("damaged") for complaint in refused)
    assert capfd.readouterr().err == ""
