"""Flows that are under way for a part of what is measured: their goodputs do not add up, what ended is not slow."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING, Any, cast

import pytest

import airloom
import small_cells
from airloom.analysis import key_figures
from airloom.analysis.compared_figures import of_runs
from airloom.analysis.own_times import own_times
from airloom.analysis.run_view import RunView
from airloom.analysis.starved import sentences
from airloom.analysis.summary_table import entities
from airloom.cli.run_tables import node_figures, rest
from airloom.errors import ScenarioWarning
from airloom.report import narrative
from airloom.results.series import Series, binwise
from small_cells import flow, station
from test_command_line import airloom as command

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.results.summary import Node, Summary

STARTS = (0, 3, 6)


def in_turn(duration: str = "12 s", **more: str) -> str:
    """Three downloads of a megabyte, one after the other."""
    flows = [flow("server", "sta", name=f"get{at}", start=f"{at} s", bytes="1 MB", **more) for at in STARTS]
    return small_cells.cell("In turn", duration, station("sta", "5 m", rate="MCS 7"), *flows, delay="5 ms")


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    """A run of them."""
    folder = tmp_path_factory.mktemp("turns")
    (folder / "cell.toml").write_text(in_turn())
    return airloom.run(folder / "cell.toml", out=folder / "run")


def test_goodput_together_is_bytes_over_the_time_of_the_run(turns: airloom.Run) -> None:
    summary = turns.summary
    over_run = 3 * 8 / 12
    assert all(flow["goodput_mbps"] > 10 * over_run for flow in summary["flows"])
    assert entities(summary)[0].numbers["goodput_mbps"] == pytest.approx(over_run)
    assert key_figures.total(summary["flows"], key_figures.METRICS[0]) == pytest.approx(over_run)
    said = " ".join(narrative.lead(RunView(turns)))
    assert "The 3 flows get 2 Mbit/s together over the whole run: " in said
    assert ", each over its own time." in said
    assert "The last flow ends at 6." in said
    assert "nothing arrives" not in said
    (over,) = own_times(summary)
    assert over.startswith("goodput is over each flow's own time: get0 until 0.")
    assert over.endswith("; sums of goodputs are over the whole run")


def test_what_a_run_prints_adds_up(turns: airloom.Run) -> None:
    shown = command("compare", turns.path, turns.path / ".." / "run").stdout
    assert "sums of goodputs are over the whole run" in shown.replace("\n  ", " ")
    (line,) = (line for line in shown.splitlines() if "all together" in line and "Goodput" in line)
    assert line.split("all together")[1].split()[0] == "2"


def test_goodput_of_a_group_is_over_the_time_of_the_run(tmp_path: Path) -> None:
    """Its members end one after the other, and so have times of their own."""
    stations = station("crowd", "5 m", "count = 3", rate="minstrel")
    text = small_cells.cell("Crowd", "5 s", stations, flow("server", "crowd", name="get", bytes="1 MB"))
    (tmp_path / "cell.toml").write_text(text)
    swept = airloom.sweep(tmp_path / "cell.toml", {"station.crowd.distance": ["5 m"]}, keep="bundle")
    (group,) = swept.show("goodput_mbps", of="get").lines
    (of_run,) = swept.show("goodput_mbps", of="run").lines
    over_run = 3 * 8 / 5
    assert [point.mean for line in (group, of_run) for point in line.points.values()] == pytest.approx([over_run] * 2)
    assert swept.run(0).group("get").goodput_mbps == pytest.approx(over_run)
    assert swept.run(0).group("get").median("goodput_mbps") > over_run / 3
    assert "a sum is over the time that was measured" in " ".join(swept.show("goodput_mbps", of="get").notes)
    assert "over its own time" in " ".join(swept.show("goodput_mbps", by="entity").notes)


def test_flows_that_ended_before_the_warm_up_are_not_slow(tmp_path: Path) -> None:
    call = flow("server", "sta", 'kind = "udp"', name="call", rate="1 Mbit/s", stop="2 s")
    (tmp_path / "cell.toml").write_text(in_turn() + call)
    with pytest.warns(ScenarioWarning, match="nothing of it is measured"):
        early = airloom.run(tmp_path / "cell.toml", out=tmp_path / "early", set={"warm_up": "5 s"})
    with pytest.warns(ScenarioWarning, match="nothing of it is measured"):
        none = airloom.run(tmp_path / "cell.toml", out=tmp_path / "none", set={"warm_up": "9 s"})
    told = "get0, get3 and call had ended before 5 s, when measuring begins: nothing was measured of them"
    assert own_times(early.summary)[0] == told
    assert sentences(early.summary) == []
    said = narrative.lead(RunView(early))
    assert said[0].startswith("get6 gets ")
    assert f"{told}." in said
    shown = command("report", early.path, "-o", tmp_path / "page.html")
    assert shown.returncode == 0, shown.stderr
    assert narrative.lead(RunView(none))[0].startswith("get0, get3, get6 and call had ended before 9 s")


def test_a_download_that_begins_late_is_of_its_own_time_whatever_the_bins_are(tmp_path: Path) -> None:
    """A ping stands before it, which has no goodput: its bins are none."""
    parts = (
        station("sta", "5 m", rate="MCS 7"),
        flow("server", "sta", 'kind = "ping"', name="ping", interval="100 ms"),
        flow("server", "sta", name="download", start="3 s"),
    )
    (tmp_path / "cell.toml").write_text(small_cells.cell("Late", "14 s", *parts, delay="20 ms"))
    run = airloom.run(tmp_path / "cell.toml", out=tmp_path / "run", set={"record.every": "10 ms"})
    view = RunView(run)
    assert (view.goodput.width, view.step, view.begin) == (1.0, "second", 3.0)
    said = " ".join(narrative.lead(view))
    assert " from 3 s on." in said
    assert "From 8 s on no second falls below" in said
    empty, known = Series("ping", "goodput", "", [], []), Series("get", "goodput", "Mbit/s", [0.0], [1.0], 0.1)
    assert binwise([empty, known], sum).width == 0.1


def test_figures_per_ppdu_of_many_stations_are_of_all_their_ppdus() -> None:
    nodes = [
        {"kind": "station", "ampdus": 900, "mpdus_per_ampdu": 10.0, "mac_rate_mbps": 100.0},
        {"kind": "station", "ampdus": 100, "mpdus_per_ampdu": 60.0, "mac_rate_mbps": 1000.0},
        {"kind": "station", "ampdus": 0, "mpdus_per_ampdu": None, "mac_rate_mbps": None},
    ]
    some = cast("list[Node]", nodes)
    assert node_figures(some, some)[:3] == ["1,000", "15", "190"]


def test_what_somebody_changed_as_a_run_ran_is_among_what_differs(turns: airloom.Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / "cell.toml").write_text(in_turn())
    airloom.run(tmp_path / "cell.toml", out=other)
    changes: dict[str, Any] = {"changes": [{"change": "station.sta.distance = 60 m", "time_s": 1.433}]}
    (other / "changes.json").write_text(json.dumps(changes | {"schema": "airloom-changes/1"}))
    manifest = json.loads((other / "manifest.json").read_text())
    manifest["sha256"]["changes.json"] = hashlib.sha256((other / "changes.json").read_bytes()).hexdigest()
    (other / "manifest.json").write_text(json.dumps(manifest))
    assert airloom.compare(turns, other).differences == {"station.sta.distance at 1.43 s": ["-", "60 m"]}
    shown = command("compare", turns.path, other).stdout
    assert "station.sta.distance at 1.43 s" in shown.split("what differs")[1]


def test_of_a_run_beside_itself_it_is_said_that_there_is_one(turns: airloom.Run) -> None:
    done = command("compare", turns.path, turns.path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{turns.path}: given more than once, shown once\n")


def test_a_flow_without_own_times_is_as_it_was() -> None:
    flows = [{"name": "a", "kind": "tcp", "goodput_mbps": 3.0}, {"name": "b", "kind": "tcp", "goodput_mbps": 4.0}]
    assert own_times(cast("Summary", {"flows": flows})) == []


def test_flows_share_while_all_are_under_way(tmp_path: Path) -> None:
    """A flow that is alone for a while gets more then, and is no less fair for that."""
    worlds = {"never all under way at once": ("2 s", "3 s"), "over the 50% of the time": ("6 s", "3 s")}
    for place, (said, (stop, start)) in enumerate(worlds.items()):
        stations = station("red", "5 m", rate="MCS 7") + station("blue", "5 m", rate="MCS 7")
        flows = [flow("server", "red", name="red", stop=stop), flow("server", "blue", name="blue", start=start)]
        (tmp_path / "cell.toml").write_text(small_cells.cell("Two", "6 s", stations, *flows))
        run = airloom.run(tmp_path / "cell.toml", out=tmp_path / f"run{place}")
        assert said in " ".join(rest(run.summary))
        for part, shown in ((0.996, "99.6%"), (0.99996, "99.9%"), (0.004, "0.4%")):
            summary = cast("Summary", {**run.summary, "jain_time_share": part})
            assert ("never" in said) or f"over the {shown} of the time" in " ".join(rest(summary))
        assert math.isnan(key_figures.fairness(run.summary)) == ("never" in said)
        rows = [row.name for row in of_runs([run.summary])]
        assert ("fairness (Jain's index, while all flows are under way)" in rows) == ("never" not in said)
