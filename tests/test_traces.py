"""Recorded signals and rates: a station's `snr` or `rate` is what a file says."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import airloom
from airloom.errors import RunError, ScenarioError
from airloom.scenario.traces import spelled_out

CELL = """
title = "A laptop whose signal was recorded"
duration = "3 s"
air = { standard = "802.11n", band = "5 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "ath9k" }]
station = [
    # What stands in a comment is not read: snr = { trace = "nowhere.csv" }
    { name = "laptop", host = "linux-6.18", adapter = "ath9k", rate = "minstrel", snr = SNR },
]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "5 ms" } }]
flow = [{ from = "server", to = "laptop" }]
"""

STEPS = ((0, 40.0), (1, 11.5), (2, 25.0))
"""When which signal begins: seconds and dB."""

TRACE = "time_s,snr_db\n" + "".join(f"{at},{db}\n" for at, db in STEPS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def traced(trace: str = TRACE, name: str = "walk.csv") -> str:
    """The scenario, whose signal is in a file beside it."""
    Path(name).write_text(trace)
    return CELL.replace("SNR", f'{{ trace = "{name}" }}')


def test_a_recorded_signal_is_as_one_that_is_changed_at_the_same_times() -> None:
    """The same world, stopped at each step to be told its next signal."""
    run = airloom.run(traced())
    steps = airloom.steps(CELL.replace("SNR", '"40 dB"'), every="1 s")
    parts = [steps.next(), *(steps.next({"station.0.snr": f"{db} dB"}) for _, db in STEPS[1:])]
    sums = [part.sum("flows", "goodput") for part in parts if part is not None]
    assert math.isclose(sum(sums) * 1e6 / 8, run.summary["flows"][0]["bytes_delivered"], rel_tol=1e-9)
    assert max(sums) > 4 * min(sums), "the signal matters"


def test_it_is_written_into_the_bundle_and_runs_from_there(folder: Path) -> None:
    first = airloom.run(traced(), out="first")
    (folder / "walk.csv").unlink()
    again = airloom.run(folder / "first" / "scenario.toml")
    assert again.summary["flows"] == first.summary["flows"]


def test_its_series_has_each_step() -> None:
    rows = airloom.run(traced()).series.to_pylist()
    seen = [row["value"] for row in rows if row["metric"] == "signal" and row["entity"] == "laptop"]
    assert sorted(set(seen)) == sorted(db for _, db in STEPS)


def test_a_recorded_rate_is_the_script_that_it_holds() -> None:
    Path("rates.csv").write_text("time_s,rate\n0,MCS 7\n1,MCS 0\n")
    said = CELL.replace("SNR", '"40 dB"')
    recorded = airloom.run(said, set={"station.0.rate": {"trace": "rates.csv"}})
    script = [{"at": "0 s", "rate": "MCS 7"}, {"at": "1 s", "rate": "MCS 0"}]
    assert recorded.summary["flows"] == airloom.run(said, set={"station.0.rate": script}).summary["flows"]


@given(
    st.lists(st.tuples(st.floats(0.001, 5), st.floats(-60, 100)), min_size=1, max_size=20),
    st.floats(0, 9),
)
def test_any_trace_is_a_script_that_the_checker_takes(steps: list[tuple[float, float]], first: float) -> None:
    """Times that ascend, levels within reach: no number is written so that it cannot be read."""
    at, lines = first + 1, ["time_s,snr_db", f"{first!r},40"]
    for pause, db in steps:
        lines.append(f"{at!r},{db!r}")
        at += pause
    airloom.check(traced("\n".join(lines) + "\n"))


def test_it_lies_beside_its_scenario() -> None:
    Path("rooms").mkdir()
    Path("rooms/hall.toml").write_text(traced(name="rooms/walk.csv").replace("rooms/walk.csv", "walk.csv"))
    airloom.check("rooms/hall.toml")
    for name in ("/etc/passwd", "../walk.csv"):
        with pytest.raises(RunError, match="beside its scenario, or in a folder below"):
            airloom.check(CELL.replace("SNR", f"{{ trace = '{name}' }}"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("time_s,snr_db\n", "has no line but its first"),
        ("when,how\n0,40\n", "its first line is when,how"),
        ("time_s,snr_db\n0,40\n0,39\n", r":3: time_s is 0, which is no later than the line before"),
        ("time_s,snr_db\n0,40\n1,strong\n", r":3: snr_db is 'strong'"),
        ("time_s,snr_db\n1785499200,40\n", "taken off"),
        ("time_s,snr_db\n0,nan\n", r":2: snr_db is 'nan'"),
        ("time_s,snr_db\n0\n", r":2: snr_db is"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(RunError, match=said):
        airloom.check(traced(text))


def test_a_level_that_no_radio_has_is_refused() -> None:
    with pytest.raises(ScenarioError, match="snr"):
        airloom.check(traced("time_s,snr_db\n0,400\n"))


def test_lines_stay_where_they_are() -> None:
    text = traced()
    assert spelled_out(text, Path()).count("\n") == text.count("\n")
    assert "nowhere.csv" in spelled_out(text, Path())
