"""Series and periods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import airloom
from airloom.analysis.scan_periods import RECOVERY, START, Periods
from airloom.report import page as report
from airloom.results.series import BIN, Series, SeriesTable
from airloom.results.table import Column, Table
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

times = st.integers(0, 400).map(float)
spans = st.lists(st.tuples(st.floats(0, 390), st.floats(0.1, 20)).map(lambda span: (span[0], span[0] + span[1])))


@given(spans, times)
def test_no_second_is_both_normal_and_degraded(scans: list[tuple[float, float]], time: float) -> None:
    periods = Periods(scans)
    assert not (periods.normal(time) and periods.degraded(time))


@given(spans, times)
def test_a_normal_second_touches_no_scan_nor_its_aftermath(scans: list[tuple[float, float]], time: float) -> None:
    if Periods(scans).normal(time):
        assert time >= START
        assert all(time + BIN <= start or time >= end + RECOVERY for start, end in scans)


def test_bins_without_a_value_do_not_count() -> None:
    series = Series("a", "b", "ms", [0.0, 1.0, 2.0], [1.0, math.nan, 3.0])
    assert (series.mean(), series.min(), series.max(), series.sum()) == (2.0, 1.0, 3.0, 4.0)


def test_a_series_of_nothing_has_no_mean() -> None:
    series = Series("a", "b", "", [], [])
    assert math.isnan(series.mean())
    assert math.isnan(series.min())


def test_a_table_is_sorted_by_entity_and_metric(bundle: Path) -> None:
    table = airloom.load(bundle).table
    assert table.entities("ampdus") == ["ap", "sta1"]
    goodput = table.get("sta1-server", "goodput")
    assert goodput.unit == "Mbit/s"
    assert goodput.times == [float(second) for second in range(300)]
    assert table.get("nobody", "goodput").values == []


def test_a_bin_outside_the_run_is_reported() -> None:
    row = [Column("entity", "text", ["a"]), Column("metric", "text", ["b"])]
    row += [Column("value", "number", [1.0]), Column("unit", "text", ["s"])]
    for time in (-1.0, 3.0, 1e300):
        with pytest.raises(ValueError, match="the run takes 3 s"):
            SeriesTable(Table([Column("time", "number", [time]), *row]), 3.0)


def test_coarser_bins_are_the_means_of_finer_ones() -> None:
    fine = Series("a", "goodput", "Mbit/s", [0.0, 0.1, 0.2, 0.3, 0.5], [1.0, 3.0, math.nan, 5.0, math.nan], 0.1)
    coarse = fine.dense().coarser(2)
    assert coarse.times == [0.0, 0.2, 0.4]
    assert coarse.values[:2] == [2.0, 5.0]
    assert math.isnan(coarse.values[2])
    assert coarse.width == pytest.approx(0.2)
    assert fine.within(5) is fine
    assert len(fine.within(2).times) <= 2


def test_a_run_has_its_series_as_wide_as_its_scenario_says(tmp_path: Path) -> None:
    scenario = ROOT / "examples" / "download.toml"
    fine = airloom.run(scenario, out=tmp_path / "fine", set={"duration": "2 s", "record.every": "50 ms"})
    usual = airloom.run(scenario, out=tmp_path / "usual", set={"duration": "2 s"})
    flow = usual.summary["flows"][0]["name"]
    goodput, second = fine.table.get(flow, "goodput"), usual.table.get(flow, "goodput")
    assert (len(goodput.times), goodput.width) == (40, 0.05)
    assert (second.times, second.width) == ([0.0, 1.0], 1.0)
    assert goodput.coarser(20).values == pytest.approx(second.values)
    for key in ("goodput_mbps", "cwnd_mean", "rtt_mean_ms"):
        assert fine.summary["flows"][0][key] == pytest.approx(usual.summary["flows"][0][key], rel=1e-12)
    report.write(fine, tmp_path / "page.html")
