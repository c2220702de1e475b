"""Flows that delivered nothing are called out with their reason; one that starts late makes no false headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

import airloom
import small_cells
from airloom.analysis.key_figures import METRICS, value
from airloom.analysis.run_view import RunView
from airloom.analysis.standstill import standstills
from airloom.analysis.starved import cells, sentences, starved, unexplained
from airloom.report import narrative
from airloom.report.callouts import callouts
from airloom.results.groups import Group
from airloom.results.parts import Flow
from airloom.results.table import Column, Table
from airloom.sweep import query, shown_file
from in_process import airloom as command
from small_cells import flow, station

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.results.summary import Summary

REASON = (
    "MCS 15 needs about 28 dB, but `bob` has 22.2 dB at 20 m: all frames to it are lost "
    '(rate = "minstrel" chooses what works; the highest that works is MCS 12)'
)


STILL = {"flow": "upload", "share": 0.662, "from_s": 2.3, "to_s": 12.86}


def test_a_flow_that_stood_still_is_said_and_many_are_counted() -> None:
    def said(many: int) -> list[str]:
        return standstills(cast("Summary", {"standstills": [STILL] * many}))

    assert said(0) == standstills(cast("Summary", {})) == []
    (one,) = said(1)
    assert one.startswith("upload delivered nothing for 66% of its time")
    assert one.endswith("longest from 2.30 s to 12.86 s")
    assert said(10)[8:] == ["2 more flows delivered nothing for a tenth of their time or longer"]


def test_of_a_flow_whose_segments_came_behind_a_hole_that_is_said() -> None:
    def ends(segments: int) -> str:
        (one,) = standstills(cast("Summary", {"standstills": [{**STILL, "behind_hole": segments}]}))
        return one.partition("12.86 s")[2]

    assert ends(1) == ""
    assert ends(2) == "; meanwhile 2 segments arrived behind a hole"
    assert ends(1328) == "; meanwhile 1,328 segments arrived behind a hole"


def cell(tmp_path: Path, *, duration: str = "2 s", rate: str = "MCS 15", start: str = "0 s") -> Path:
    """The file of a cell with two downloads."""
    file = tmp_path / "cell.toml"
    stations = station("alice", "5 m"), station("bob", "20 m", rate=rate)
    flows = (flow("server", name, start=start) for name in ("alice", "bob"))
    file.write_text(small_cells.cell("Near and far", duration, *stations, *flows, delay="5 ms"))
    return file


def test_a_flow_that_delivered_nothing_is_called_out_with_its_reason(tmp_path: Path) -> None:
    result = command("run", cell(tmp_path), "-o", tmp_path / "run")
    assert result.returncode == 0, result.stderr
    assert result.stderr.startswith(f"warning: {tmp_path / 'cell.toml'}:20:8: MCS 15 needs about 28 dB")
    assert f"server-bob delivered nothing in 2 s: {REASON}" in " ".join(result.stdout.split())
    run = airloom.load(tmp_path / "run")
    (one,) = starved(run.summary)
    assert (one.flow, one.reason) == ("server-bob", REASON)
    assert unexplained(run.summary) == []
    assert callouts(run) == [f"server-bob delivered nothing in 2 s: {REASON}."]
    timeouts = next(metric for metric in METRICS if metric.key == "timeouts")
    alice, bob = run.summary["flows"]
    assert value(alice, timeouts) == alice["timeouts"]
    assert value(bob, timeouts) != value(bob, timeouts), "none is known of a connection that did not come about"
    again = command("compare", tmp_path / "run", tmp_path / "run")
    assert "server-bob delivered nothing" in " ".join(again.stdout.split())


def test_with_a_rate_control_the_same_station_is_served(tmp_path: Path) -> None:
    run = airloom.run(cell(tmp_path, rate="minstrel"), out=tmp_path / "run")
    assert starved(run.summary) == []
    assert run.summary["flows"][1]["goodput_mbps"] > 5
    assert callouts(run) == []


@pytest.mark.filterwarnings("ignore::airloom.errors.ScenarioWarning")
def test_a_flow_that_never_starts_says_so(tmp_path: Path) -> None:
    run = airloom.run(cell(tmp_path, rate="minstrel"), set={"flow.1.start": "3 s"}, out=tmp_path / "run")
    reason = "flow `server-bob` starts at 3 s, but the run ends at 2 s"
    assert sentences(run.summary) == [
        f"server-bob delivered nothing in 2 s: {reason} (let it start earlier, or give the run a longer `duration`)"
    ]


def test_without_a_warning_the_reason_is_what_the_run_saw() -> None:
    flow = {"name": "call", "kind": "udp", "from": "a", "to": "b", "bytes_delivered": 0, "sent": 7, "lost": 7}
    drops = [{"place": "ap driver", "cause": "retries", "count": 7}]
    nodes = [{"name": "ap", "kind": "ap"}, {"name": "b", "kind": "station"}, {"name": "c", "kind": "station"}]
    summary: Any = {"duration_s": 3.0, "flows": [flow], "nodes": nodes, "drops": drops, "warnings": []}
    said = "call delivered nothing in 3 s: none of 7 datagrams arrived"
    assert sentences(summary) == [f"{said}; on its way most packets were lost at `ap driver` (retries, 7)"]
    other = {**flow, "name": "other", "to": "c", "bytes_delivered": 9}
    beside: Any = {**summary, "flows": [flow, other]}
    of_all = f"{said}; on its way most packets of all that pass there were lost at `ap driver` (retries, 7)"
    assert sentences(beside) == [of_all], "whose these are is not known"
    drops[0]["place"] = "c driver"
    assert sentences(beside) == [said], "none of its packets is ever there"
    up: Any = {**summary, "flows": [{**flow, "from": "b", "to": "a"}]}
    drops[0]["place"] = "ap queue"
    assert sentences(up) == [said], "what goes up is in no queue of the access point"


def test_the_time_is_the_flows_own() -> None:
    summary = silent("f1")
    summary["flows"][0]["time_share"] = 0.25
    assert sentences(summary) == ["f1 delivered nothing in 0.75 s: nothing that it wrote arrived"]


def test_settling_counts_from_the_start_of_the_first_flow(tmp_path: Path) -> None:
    run = airloom.run(cell(tmp_path, duration="14 s", rate="minstrel", start="2500 ms"), out=tmp_path / "run")
    view = RunView(run)
    assert (view.begin, view.periods.settled) == (2.5, 7.5)
    assert "From 7.5 s on no second of all flows together falls below" in " ".join(narrative.lead(view))
    assert view.normal(view.goodput).min() > 0
    short = airloom.run(cell(tmp_path, duration="9 s", rate="minstrel", start="2 s"), out=tmp_path / "short")
    assert "Data begin at 2 s, and the run goes on for 2.0 s only after the 5 seconds from there on" in " ".join(
        narrative.lead(RunView(short))
    )


def silent(*names: str) -> Summary:
    """A summary of five flows, of which these delivered nothing."""
    flows = [
        {"name": f"f{n}", "kind": "tcp", "from": "a", "to": "b", "bytes_delivered": 0 if f"f{n}" in names else 9}
        for n in range(1, 6)
    ]
    return cast("Summary", {"flows": flows, "nodes": [], "warnings": [], "drops": [], "duration_s": 3.0})


def test_flows_that_delivered_nothing_for_one_reason_are_one_sentence() -> None:
    reason = "delivered nothing in 3 s: nothing that it wrote arrived"
    assert sentences(silent("f2", "f4")) == [f"f2 and f4 {reason}"]
    assert sentences(silent("f1", "f2", "f3", "f4", "f5")) == [f"f1, f2, f3 and 2 more {reason}"]


def test_of_many_reasons_few_are_sentences() -> None:
    """Seventeen flows with a reason each were seventeen lines above the table."""
    flows = [
        {"name": f"f{n}", "kind": "ping", "from": "a", "to": "b", "answered": 0, "sent": n, "lost": n}
        for n in range(1, 18)
    ]
    summary = {"flows": flows, "nodes": [], "warnings": [], "drops": [], "duration_s": 3.0}
    said = sentences(cast("Summary", summary))
    assert said[0].startswith("f1 had no answer to what it sent in 3 s: none of 1 ping ")
    assert said[3:] == ["14 more flows delivered nothing"]
    assert len(sentences(cast("Summary", summary | {"flows": flows[:4]}))) == 4


def test_a_sweep_says_in_how_many_runs_flows_delivered_nothing() -> None:
    assert cells([silent(), silent()]) == ""
    said = cells([silent("f4", "f5"), silent()])
    assert said.startswith("in 1 of 2 runs flows delivered nothing (f4 and f5): ")


def test_a_mean_over_a_group_says_that_members_have_no_value() -> None:
    """Two of three stations never had a connection: the median is of the third, and the goodput counts zeros."""
    table = Table(
        [
            Column("cell", "integer", [0, 0, 0, 1, 1, 1]),
            Column("queue", "text", ["fifo"] * 3 + ["codel"] * 3),
            Column("seed", "natural", [1] * 6),
            Column("kind", "text", ["flow"] * 6),
            Column("group", "text", ["up"] * 6),
            Column("entity", "text", ["up1", "up2", "up3"] * 2),
            Column("rtt_mean_ms", "number", [9.0, None, None, 5.0, 6.0, 7.0]),
        ]
    )
    doubted = {"unsettled": {1}, "silent": {0}}
    shown = query.show(table, ["queue"], query.Question("rtt_mean_ms", "queue"), None, doubted)
    assert shown.partial == 1
    assert "in 1 run some members have no value; the median is of the rest" in shown.notes
    header, rows = shown_file.table(shown)
    assert header[-2:] == ["runs unsettled", "runs with silent flows"]
    assert [row[-2:] for row in rows] == [[0, 1], [1, 0]]
    assert [(point["unsettled"], point["silent"]) for point in shown.as_json()] == [(0, 1), (1, 0)]


def test_a_group_names_its_flows_that_delivered_nothing() -> None:
    def flow_of(name: str, arrived: int) -> Flow:
        told = {"name": name, "kind": "tcp", "bytes_delivered": arrived, "goodput_mbps": arrived, "rtt_mean_ms": None}
        return Flow(told, lambda *_: pytest.fail("no series"))

    flows = [flow_of("one", 9), flow_of("two", 0), flow_of("three", 0)]
    group = Group("up", flows, flows)
    assert group.silent == ["two", "three"]
    assert repr(group) == "<airloom group 'up' of 3, 2 silent flows>"
    assert group.sum("goodput_mbps") == 9
