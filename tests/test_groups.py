"""Groups of stations and of flows are asked about as one: in runs, in sweeps, in tables and in comparisons."""

from __future__ import annotations

import json
import math
import re
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import airloom
import transcript
from airloom.analysis.compared_figures import compared
from airloom.analysis.flow_sets import sets
from airloom.analysis.run_view import RunView
from airloom.errors import GridError, ScenarioWarning, SweepError, UnknownNameError
from airloom.report import narrative, page
from airloom.results.aggregates import NATURES, aggregate, nature, usual
from airloom.results.differing import differing
from airloom.sweep.as_groups import as_one, of_one
from airloom.sweep.words import METRICS
from conftest import ROOT
from in_process import airloom as command
from small_cells import cell, flow, station

if TYPE_CHECKING:
    from airloom.api.run import Run
    from airloom.api.sweep_results import Sweep

CALL = 'kind = "udp"\nrate = "64 kbit/s"\npayload = "160 B"'
PING = 'kind = "ping"\ninterval = "100 ms"'

CROWD = cell(
    "Uploads and calls",
    "2 s",
    station("sta", "5 m", "count = 9", rate="MCS 7"),
    station("phone", "5 m", "count = 3", rate="MCS 7"),
    station("lone", "5 m", rate="MCS 7"),
    flow("sta", "server"),
    flow("phone", "server", CALL, name="call"),
    flow("lone", "server", PING, name="beside"),
)
"""Nine uploads of one group, three calls of another, and a ping of none."""

CALLS = ("call1", "call2", "call3")


@pytest.fixture(scope="module")
def run() -> Run:
    """It was run."""
    return airloom.run(CROWD)


@pytest.fixture(scope="module")
def swept() -> Sweep:
    """It was run with two sizes of a group, and two seeds."""
    return airloom.sweep(CROWD, {"station.sta.count": [2, 4]}, seeds=2)


def test_a_group_has_the_figures_of_its_members(run: Run) -> None:
    uploads = [one.goodput_mbps for one in run.flows if one.name.startswith("sta")]
    delays = [run.flow(name).delay_p95_ms for name in CALLS]
    assert len(uploads) == 9
    assert [one.name for one in run.group("call").members] == list(CALLS)
    assert [one.name for one in run.group("phone").members] == ["phone1", "phone2", "phone3"]
    for name in ("sta", "sta-server"):  # the stations, and their flows
        group = run.group(name)
        assert group.goodput_mbps == pytest.approx(sum(uploads))
        assert group.median("goodput_mbps") == statistics.median(uploads)
        assert group.worst("goodput_mbps") == min(uploads)
        assert group.quantile("goodput_mbps", 0.9) == max(uploads)
    assert run.group("call").delay_p95_ms == statistics.median(d for d in delays if d is not None)
    assert run.group("call").worst("delay_p95_ms") == max(d for d in delays if d is not None)
    assert run.group("sta").airtime_share == pytest.approx(
        sum(one.airtime_share for one in run.stations if one.name.startswith("sta"))
    )


def test_a_groups_series_are_those_of_its_members(run: Run) -> None:
    goodputs = [run.flow(name).series("goodput").sum() for name in CALLS]
    assert run.group("call").series("goodput").sum() == pytest.approx(sum(goodputs))
    assert run.group("call").series("delay", "worst").max() == max(run.flow(n).series("delay").max() for n in CALLS)


def test_a_group_that_there_is_not_is_answered(run: Run) -> None:
    with pytest.raises(UnknownNameError, match="no group 'cal'") as caught:
        run.group("cal")
    assert "did you mean 'call'?" in str(caught.value)
    with pytest.raises(UnknownNameError, match="rtt_mean"):
        run.group("call").over("rtt_mean")
    with pytest.raises(UnknownNameError, match="does not add up"):
        run.group("call").sum("delay_p95_ms")
    with pytest.raises(UnknownNameError, match="neither its least nor its greatest"):
        run.group("sta").worst("cwnd_mean")


def test_flows_of_several_groups_at_the_same_stations_are_told_apart() -> None:
    both = cell(
        "Both ways",
        "1 s",
        station("sta", "5 m", "count = 2", rate="MCS 7"),
        flow("sta", "server"),
        flow("server", "sta"),
    )
    ran = airloom.run(both)
    with pytest.raises(UnknownNameError, match="of which flows") as caught:
        ran.group("sta").sum("goodput_mbps")
    assert "sta-server, server-sta" in str(caught.value)
    assert ran.group("server-sta").goodput_mbps > 0
    swept = airloom.sweep(both, seeds=1)
    with pytest.raises(SweepError, match="of which of its flows"):
        swept.show("goodput_mbps", "entity", of="sta")


def test_every_metric_with_words_has_a_nature() -> None:
    neither = {
        "cwnd_mean",
        "cwnd_max",
        "in_flight_mean",
        "airtime_idle",
        "airtime_interfered",
        "airtime_collided",
        "scans",
    }
    patterns = {pattern for one in NATURES for pattern in one.names}
    assert {metric for metric in METRICS if nature(metric).names == ()} == neither
    assert len(patterns) == sum(len(one.names) for one in NATURES)


@given(st.lists(st.none() | st.floats(0, 1e9), min_size=1), st.sampled_from(sorted(METRICS)))
def test_an_aggregate_lies_where_it_has_to(values: list[float | None], metric: str) -> None:
    known = [value for value in values if value is not None]
    usually = aggregate(metric, values, usual(metric))
    if not known:
        assert math.isnan(usually)
        return
    low, high = min(known), max(known)
    slack = 1e-6 * high
    assert low - slack <= aggregate(metric, values, "median") <= high + slack
    assert low - slack <= aggregate(metric, values, "mean") <= high + slack
    assert aggregate(metric, values, "sum") == pytest.approx(math.fsum(known))
    worst = aggregate(metric, values, "worst") if nature(metric).worst else math.nan
    if None in values:
        assert math.isnan(worst)
    elif nature(metric).worst:
        assert worst == (low if nature(metric).worst == "least" else high)


def test_a_sweep_is_asked_about_groups_and_about_the_run(swept: Sweep) -> None:
    rows = [row for row in swept.table if row["goodput_mbps"] is not None]

    def mean(count: int, names: str) -> float:
        cells: dict[int, float] = {}
        for row in rows:
            if row["station.sta.count"] == count and row["entity"].startswith(names):
                cells[row["cell"]] = cells.get(row["cell"], 0.0) + row["goodput_mbps"]
        return statistics.fmean(cells.values())

    shown = swept.show("goodput_mbps", "station.sta.count", of="sta")
    assert shown.places == ["2", "4"]
    for count in (2, 4):
        assert shown.lines[0].points[str(count)].mean == pytest.approx(mean(count, "sta"))
        assert shown.lines[0].points[str(count)].count == 2  # seeds, whatever the members
    assert shown.about == ("goodput_mbps of sta-server", "mean over 2 seeds; in each run the sum over its members")
    whole = swept.show("goodput_mbps", "station.sta.count", of="run").lines[0].points
    assert whole["4"].mean == pytest.approx(mean(4, "sta") + mean(4, "call"))
    assert [line.name for line in swept.show("goodput_mbps").lines] == ["sta-server", "call"]
    worst = swept.show("delay_p95_ms", of="call", over="worst").lines[0].points["2"]
    by_seed: dict[int, list[float]] = {}
    for row in swept.table:
        if row["group"] == "call" and row["station.sta.count"] == 2:
            by_seed.setdefault(row["seed"], []).append(row["delay_p95_ms"])
    assert worst.mean == pytest.approx(statistics.fmean(max(own) for own in by_seed.values()))
    assert swept.show("goodput_mbps", "entity", of="call").places == list(CALLS)
    one = swept.show("goodput_mbps", of="call2")
    assert (one.members, one.entity) == ("", "call2")


@pytest.mark.parametrize(
    ("of", "over", "metric", "said"),
    [
        ("cal", None, "goodput_mbps", "did you mean `call`?"),
        ("nothing", None, "goodput_mbps", "there are sta-server, call, run"),
        ("call", "sum", "delay_p95_ms", "ask for worst, median or mean"),
        ("call1", "median", "delay_p95_ms", "it is for a group"),
        ("sta", None, "delay_p95_ms", "neither the stations of `sta` nor their flows have delay_p95_ms"),
    ],
)
def test_what_a_sweep_cannot_show_of_a_group(swept: Sweep, of: str, over: str | None, metric: str, said: str) -> None:
    with pytest.raises(SweepError) as caught:
        swept.show(metric, "station.sta.count", of=of, over=over)
    assert said in "\n".join(caught.value.args)


def test_several_groups_are_asked_about_as_one() -> None:
    """Both directions of a call; the worst of all is the worst of the two."""
    rows = [
        {"cell": 0, "kind": "flow", "group": group, "entity": f"{group}{n}", "delay_p95_ms": delay}
        for group, delays in {"spoken": (3.0, 9.0), "heard": (5.0, 11.0), "other": (50.0, 60.0)}.items()
        for n, delay in enumerate(delays)
    ]
    at_stations = {"phone": ["spoken", "heard"]}
    found = of_one(rows, "delay_p95_ms", "spoken,heard", at_stations)
    assert [row["entity"] for row in found] == ["spoken0", "spoken1", "heard0", "heard1"]
    (one,) = as_one(found, "delay_p95_ms", "worst")
    assert (one["entity"], one["delay_p95_ms"]) == ("spoken,heard", 11.0)
    with pytest.raises(SweepError, match="of all together: spoken,heard"):
        of_one(rows, "delay_p95_ms", "phone", at_stations)
    with pytest.raises(SweepError, match="did you mean `heard`"):
        of_one(rows, "delay_p95_ms", "spoken,herd", at_stations)


def test_a_member_without_a_value_leaves_the_worst_open(tmp_path: Path) -> None:
    """A call of which nothing arrives has no delay; that of no other is the worst then."""
    silent = CROWD.replace(PING, f'{CALL}\nstart = "1.9999 s"\ngroup = "call"')
    assert silent != CROWD
    found = airloom.run(silent).group("call")
    assert len(found) == 4
    assert found.values("delay_p95_ms").count(None) == 1
    assert math.isnan(found.worst("delay_p95_ms"))
    assert found.median("delay_p95_ms") > 0
    shown = airloom.sweep(silent, seeds=[1]).show("delay_p95_ms", "entity", of="call")
    assert shown.places == list(CALLS)
    folder = tmp_path / "open.sweep"
    airloom.sweep(silent, {"record.every": ["1 s"]}, seeds=[1], out=folder)
    asked = ("sweep", "show", str(folder), "--metric", "delay_p95_ms", "--by", "record.every")
    answer = command(*asked, "--of", "call", "--over", "worst")
    assert "1 run left out: there a member of the group has no value" in answer.stdout


def test_no_quantile_is_over_calls_and_uploads(run: Run) -> None:
    found = sets(run.summary)
    assert [one.title for one in found] == ["sta-server, 9 uploads", "call, 3 UDP flows", "1 ping flow"]
    figures, rest = compared([run.summary, run.summary])
    names = {(figure.flows, row.name) for figure in figures for row in figure.rows}
    assert ("sta-server, 9 uploads", "median") in names
    assert not any(name in ("5 %", "95 %") for _, name in names)  # which is the least, or the most, of nine
    assert ("call, 3 UDP flows", "call2") in names
    assert [figure.flows for figure in rest] == ["sta-server, 9 uploads"] * len(rest)
    told = " ".join(narrative.lead(RunView(run)))
    assert "The 9 uploads of sta-server get " in told
    assert "Of the 3 UDP flows of call, the worst (call" in told
    html = page.render(run)
    for title in ("sta-server, 9 uploads", "call, 3 UDP flows", "All together"):
        assert f"<h3>{title}</h3>" in html


@pytest.mark.parametrize("width", [80, 120])
def test_groups_have_blocks_of_their_own_on_a_terminal(
    run: Run, tmp_path: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.chdir(tmp_path)  # its path, which the last line names, may be of any length
    Path("crowd.toml").write_text(CROWD, encoding="utf-8")
    told = command("run", "crowd.toml", "-o", "out").stdout
    lines = told.splitlines()
    assert max(map(len, lines)) <= width
    assert lines.index("sta-server, 9 uploads") < lines.index("call, 3 UDP flows") < lines.index("1 ping flow")
    total = sum(one.get("goodput_mbps", 0) for one in run.summary["flows"])
    assert f"all together: goodput {total:.1f} Mbit/s" in told


def test_one_change_to_a_group_is_one_line(run: Run) -> None:
    with pytest.warns(ScenarioWarning, match="no Linux since"):
        other = airloom.run(CROWD, set={"station.sta.host.queue": {"discipline": "codel"}, "flow.call.payload": "80 B"})
    found = differing([run, other])
    assert found["station.sta (9): host.queue.discipline"] == [
        run.settings["station"][0]["host"]["queue"]["discipline"],
        "codel",
    ]
    assert found["flow.call (3): payload"] == ["160 B", "80 B"]
    assert all(key.startswith(("station.sta (9): host.queue.", "flow.call (3): payload")) for key in found)
    fewer = airloom.run(CROWD, set={"station.sta.count": 2})
    assert differing([run, fewer]) == {"station.sta.count": ["9", "2"]}


def test_a_bundle_says_shared_values_once(run: Run) -> None:
    many = airloom.run(CROWD, set={"station.sta.count": 60, "duration": "0.1 s"})
    assert len(many.scenario.splitlines()) == len(run.scenario.splitlines())
    assert [one["name"] for one in run.settings["station"]] == ["sta", "phone", "lone"]
    again = airloom.run(run.scenario)
    assert again.summary == run.summary


def test_the_json_of_a_run_has_the_groups(run: Run) -> None:
    assert {one.get("group") for one in run.summary["flows"]} == {"sta-server", "call", None}
    assert {one.get("group") for one in run.summary["nodes"]} == {"sta", "phone", None}
    json.dumps(run.summary, allow_nan=False)


def test_a_key_that_names_no_part_is_told_with_two_ways(tmp_path: Path) -> None:
    (tmp_path / "near-and-far.toml").write_text((ROOT / "examples" / "near-and-far.toml").read_text(), encoding="utf-8")
    grid = tmp_path / "grid.toml"
    grid.write_text('scenario = "near-and-far.toml"\n[axis]\nqueue = ["fifo", "fq_codel"]\n', encoding="utf-8")
    answer = command("sweep", str(grid))
    assert answer.returncode == 2
    assert "grid.toml:3:1: `queue` is a key of several parts of a scenario, and none is named" in answer.stderr
    assert 'write "ap.0.queue" = [...] or ' in answer.stderr
    assert '"station.0.host.queue" = [...]' in answer.stderr
    assert '[axis.queue] with lines such as a = { "ap.0.queue" = "fifo" }' in answer.stderr
    with pytest.raises(GridError, match="none is named"):
        airloom.sweep(CROWD, {"distance": ["1 m", "2 m"]})


MOST_LINES = 15
"""Lines of a shell that a figure may take."""


@pytest.mark.nightly
@pytest.mark.long
def test_the_tutorial_draws_a_figure_of_groups_in_a_few_lines(tmp_path: Path) -> None:
    """Twenty stations in two groups, two access points, two controls, five seeds: the total and the worst call."""
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8").partition("## Groups")[2]
    block = tutorial.partition("```console\n")[2].partition("```")[0]
    lines = list(transcript.commands(block))
    assert len(lines) <= MOST_LINES
    assert {line.split()[1] for line in lines} == {"new", "check", "sweep", "plot"}
    folder = transcript.folder(tmp_path)
    printed = "".join(f"$ {line}\n{folder.run(line)}" for line in lines)
    assert "exit code" not in printed
    scenario = (tmp_path / "office-calls.toml").read_text(encoding="utf-8")
    assert sorted(int(count) for count in re.findall(r"^count = (\d+)", scenario, re.MULTILINE)) == [5, 15]
    assert 'jitter = "20 ms"' in scenario, "calls of a group would send in the same instant, as no real ones do"
    swept = airloom.Sweep.load(tmp_path / "office")
    assert [len(values) for values in swept.axes.values()] == [2, 2]
    assert len(swept) == 2 * 2 * 5
    whole = swept.show("goodput_mbps", "access_point", lines="flow.download.tcp.congestion", of="run").lines
    cubic = next(line for line in whole if line.name == "cubic").points
    today, before = cubic["today"], cubic["linux-4.4"]
    assert today.mean - today.margin > before.mean + before.margin  # they act, and no interval reaches the other
    for name, caption in (
        ("total", "Goodput of all flows together by access point"),
        ("worst", "of call, the worst over its members"),
    ):
        drawn = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        bars = [group.count("<line") for group in re.findall(r"mark-rule role-mark bars_\d_marks.*?</g>", drawn)]
        assert bars == [2, 2], name  # an interval for each access point and control
        assert caption in drawn
