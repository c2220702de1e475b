"""Series and periods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import airloom
from airloom.analysis.scan_periods import RECOVERY, START, Periods
from airloom.results.series import BIN, Series, SeriesTable

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


def test_polars_takes_the_series_as_they_are(bundle: Path) -> None:
    frame = polars.DataFrame(airloom.load(bundle).series)
    mean = frame.filter(polars.col("metric") == "mac_rate").get_column("value").mean()
    assert mean == pytest.approx(289, abs=1)


def test_a_bin_outside_the_run_is_reported() -> None:
    import pyarrow as pa

    row = {"entity": ["a"], "metric": ["b"], "value": [1.0], "unit": ["s"]}
    for time in (-1.0, 3.0, 1e300):
        with pytest.raises(ValueError, match="the run takes 3 s"):
            SeriesTable.from_arrow(pa.table({"time": [time], **row}), 3.0)
