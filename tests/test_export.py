"""Tables as files: each suffix is obeyed, and what is in a file is what the run has."""

from __future__ import annotations

import csv
import json
import math
from typing import TYPE_CHECKING

import polars as pl
import pytest

import airloom
from airloom.analysis.run_tables import TABLES, table_of
from airloom.cli import app
from airloom.papers import tables
from airloom.papers.scorer import Score
from airloom.report import page
from airloom.report.comparison import compare
from airloom.report.standalone import rows
from airloom.results import table_file
from airloom.results.table import Column

if TYPE_CHECKING:
    from pathlib import Path


def test_the_series_are_the_same_in_every_format(bundle: Path, tmp_path: Path) -> None:
    for suffix in table_file.FORMATS:
        assert app.code(["export", str(bundle), "-o", str(tmp_path / "new" / f"x{suffix}")]) == 0
    series = airloom.load(bundle).series
    read = {
        ".csv": pl.read_csv(tmp_path / "new" / "x.csv", infer_schema_length=None).rename({"time (s)": "time"}),
        ".json": pl.read_json(tmp_path / "new" / "x.json", infer_schema_length=None),
        ".parquet": pl.read_parquet(tmp_path / "new" / "x.parquet"),
    }
    for suffix, table in read.items():
        assert table.columns == series.column_names, suffix
        assert len(table) == len(series), suffix
        assert table["entity"].to_list() == series["entity"], suffix
        assert table["time"].cast(pl.Float64).to_list() == series["time"], suffix
        known = [value for value in series["value"] if value == value]  # noqa: PLR0124 - not NaN
        assert table["value"].fill_nan(None).drop_nulls().to_list() == known, suffix


def test_counts_are_whole_numbers_in_text(bundle: Path, tmp_path: Path) -> None:
    """Their type in a table is that of all numbers: `2481872.0` bytes were no count to what reads them."""
    for suffix in (".csv", ".json"):
        assert app.code(["export", str(bundle), "--table", "flows", "-o", str(tmp_path / f"flows{suffix}")]) == 0
    flow = airloom.load(bundle).summary["flows"][0]
    (row,) = csv.DictReader((tmp_path / "flows.csv").read_text(encoding="utf-8").splitlines())
    assert row["bytes_delivered"] == str(int(flow["bytes_delivered"]))
    assert float(row["goodput_mbps"]) == flow["goodput_mbps"]
    (parsed,) = json.loads((tmp_path / "flows.json").read_text(encoding="utf-8"))
    assert repr(parsed["bytes_delivered"]) == row["bytes_delivered"]
    kinds: list[list[object]] = [[1.0, math.nan, None], [1.0, 1.5], [2.0**60], ["a", True]]
    read = [table_file.written(Column("x", "number", values)) for values in kinds]
    assert list(map(repr, read)) == ["[1, None, None]", "[1.0, 1.5]", repr([2.0**60]), "['a', True]"]


def test_flows_of_several_runs_have_the_runs_name(bundle: Path, remedied: Path, tmp_path: Path) -> None:
    file = tmp_path / "flows.csv"
    assert app.code(["export", str(bundle), str(remedied), "--table", "flows", "-o", str(file)]) == 0
    found = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [row["run"] for row in found] == [str(bundle), str(remedied)]
    summaries = [airloom.load(one).summary for one in (bundle, remedied)]
    assert [float(row["goodput_mbps"]) for row in found] == [one["flows"][0]["goodput_mbps"] for one in summaries]
    assert {row["congestion"] for row in found} == {"cubic"}


def test_what_cannot_be_exported_is_refused(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (["-o", tmp_path / "x.xlsx"], "there are .csv, .json, .parquet"),
        (["-o", tmp_path], "is a folder"),
        (["--table", "flow", "-o", tmp_path / "x.csv"], "did you mean 'flows'"),
        (["--table", "segments", "-o", tmp_path / "x.csv"], "made without captures"),
        (["--figure", "3", "-o", tmp_path / "x.csv"], "--figure is for a paper"),
    ):
        assert app.code(["export", str(bundle), *map(str, arguments)]) == 2
        assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_every_table_without_captures_is_there(bundle: Path) -> None:
    for name in list(TABLES)[:3]:
        assert len(table_of({"run": airloom.load(bundle)}, name)) > 0


def test_the_rows_of_a_chart_are_its_points(bundle: Path) -> None:
    run = airloom.load(bundle)
    entry = page.timeline(compare([run]), run.summary["duration_s"])[0]
    header, found = rows(entry["spec"])
    assert header == ["time (s)", "series", "Goodput (Mbit/s)"]
    goodput = run.series.get("sta1-server", "goodput")
    assert [row[0] for row in found] == goodput.times
    assert [row[2] for row in found] == pytest.approx(goodput.values, rel=1e-4)


def test_claims_are_rows_with_the_ends_of_their_values() -> None:
    scores = [
        Score("a", 5.0, 5.1, (5.0, 5.2), "ms", "holds", "robust", "", 1.0, "Table 1", "what", "", (4.0, 6.0)),
        Score("b", (1.0, 2.0), (1.5, 1.6), (1.4, 1.7), "s", "holds", "fitted", "x", 0.8, "T 2", "what", "", (1.0, 2.0)),
        Score("c", True, None, None, "", "not run", "predicted", "", None, "Table 3", "what", "needs x", None),
    ]
    found = tables.of_claims(scores).to_pylist()
    assert [(row["published_from"], row["published_to"]) for row in found] == [(5.0, 5.0), (1.0, 2.0), (None, None)]
    assert [(row["ours_from"], row["ours_to"]) for row in found] == [(5.1, 5.1), (1.5, 1.6), (None, None)]
    assert [(row["spread_from"], row["holds_in"]) for row in found] == [(5.0, 1.0), (1.4, 0.8), (None, None)]
    assert [row["kind_of_evidence"] for row in found] == ["robust", "fitted", "predicted"]
    assert json.loads(json.dumps(found[2]))["note"] == "needs x"
