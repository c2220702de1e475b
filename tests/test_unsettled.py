"""What a run says of itself: figures that have not settled, stations cut off, air that an interferer took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import airloom
from airloom.analysis.compared_figures import of_runs
from airloom.analysis.stranded import stranded
from airloom.analysis.summary_table import entities
from airloom.analysis.trends import cells, trends
from airloom.cli.run_tables import rest
from airloom.report import page

if TYPE_CHECKING:
    from pathlib import Path

    from airloom import Value
    from airloom.results.summary import Summary

CELL = """
title = "A cell"
duration = "14 s"
air = { standard = "802.11g", band = "2.4 GHz", width = "20 MHz" }
ap = [{ name = "ap", adapter = "dcf", channel = 6 }]
station = [{ name = "sta", host = "linux-6.18", adapter = "dcf", snr = "20 dB", rate = "6 Mbit/s" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "1 ms" } }]
"""
OVEN = "interferer = [{ name = 'oven', kind = 'microwave', level = '-50 dBm' }]\n"
FLOW = "flow = [{ kind = 'tcp', from = 'server', to = 'sta' }]\n"


def test_an_interferer_s_time_is_a_line_of_its_own_everywhere(tmp_path: Path) -> None:
    run = airloom.run(CELL + OVEN + FLOW, set={"duration": "3 s"}, out=tmp_path / "run")
    airtime = run.summary["airtime"]
    taken, idle = airtime["interfered"], airtime["idle"]
    assert 0.4 < taken < 0.5
    assert abs(sum(airtime["by_node"].values()) + airtime["collided"] + taken + idle - 1) < 1e-9
    rows = {row.name: row.cells[0].value for row in of_runs([run.summary])}
    assert rows["air taken by interferers, %"] == f"{100 * taken:.1f}"
    assert float(rows["air idle, %"]) < 60 - 100 * taken
    assert entities(run.summary)[0].numbers["airtime_interfered"] == taken
    text = page.render(run)
    assert "interferers" in text
    assert "idle, or an interferer" not in text
    without = airloom.run(CELL + FLOW, set={"duration": "1 s"}, out=tmp_path / "without")
    assert "interfered" not in without.summary["airtime"]


def test_a_warm_up_hides_nothing_where_little_was_measured(tmp_path: Path) -> None:
    """Behind a warm-up a run looks as if it had settled; less than six seconds of it cannot tell."""
    run = airloom.run(CELL + FLOW, set={"duration": "4 s", "warm_up": "3 s"}, out=tmp_path / "run")
    said = "only 1 s were measured, too few to tell whether they have settled"
    assert trends(run.summary) == [said]
    assert said in list(rest(run.summary))
    assert cells([run.summary]) == said.replace("measured,", "measured in 1 of 1 run,")
    cold = airloom.run(CELL + FLOW, set={"duration": "1 s"}, out=tmp_path / "cold")
    assert trends(cold.summary) == []


def test_what_still_changes_is_said_by_run_page_and_sweep(tmp_path: Path) -> None:
    """CUBIC fills a long queue for longer than the run lasts."""
    long: dict[str, Value] = {"ap.0.queue": {"discipline": "fifo", "limit": "2000 packets"}, "duration": "20 s"}
    run = airloom.run(CELL + FLOW, set=long, out=tmp_path / "run")
    [trend] = run.summary["trends"]
    assert trend["of"] == "in_flight"
    assert trend["change"] > 1
    [said] = trends(run.summary)
    assert said.startswith("the data in flight of server-sta rises by 1")
    assert said[1:] in page.render(run)
    assert said in list(rest(run.summary))
    swept = airloom.sweep(CELL + FLOW, {"ap.0.queue.limit": ["20 packets", "2000 packets"]}, set={**long})
    [still] = [note for note in swept.show("goodput_mbps").notes if "rises or falls" in note]
    assert still.startswith("the data in flight rises or falls towards the end of 1 of 2 runs: ")
    assert still.endswith("; 2000 packets (1)"), "which point that is"
    settled = swept.show("goodput_mbps", where={"ap.0.queue.limit": "20 packets"})
    assert not settled.unsettled, "of what is not shown nothing is said"
    shown = swept.show("goodput_mbps", where={"ap.0.queue.limit": "2000 packets"})
    assert "towards the end of 1 of 1 run: " in shown.unsettled
    assert shown.doubtful == [shown.unsettled], "there is one point alone"
    (each,) = swept.show("goodput_mbps", "entity").doubtful
    assert each == swept.show("goodput_mbps").unsettled, "entities are of the same runs"


def test_a_trend_names_the_flows_that_it_is_of() -> None:
    """Of several flows nobody knew which one's goodput rose: those of TCP that always have more to send, together."""

    def said(*flows: dict[str, Any], settings: list[dict[str, Any]] | None = None) -> str:
        found = {"duration_s": 20.0, "trends": [{"of": "goodput", "change": 1.91}]}
        (told,) = trends(cast("Summary", {**found, "flows": list(flows)}), {"flow": settings} if settings else None)
        return told.removesuffix(" towards the end of the run: one that is longer may say something else")

    up, down, late = ({"name": name, "kind": "tcp"} for name in ("up", "down", "late"))
    ping, over = {"name": "ping", "kind": "ping"}, {"name": "over", "kind": "tcp", "end_s": 9.0}
    assert said(ping, up, over, {**late, "start_s": 12.0}) == "goodput of up rises by 191 %"
    every = [{"name": "up"}, {"name": "down"}, {"name": "late", "bytes": "9 MB"}]
    assert said(up, down, late, settings=every) == "goodput of up and down together rises by 191 %"
    assert said(up, late, settings=every) == "goodput of up rises by 191 %"
    assert said(up, down) == "goodput of TCP flows that always have more to send rises by 191 %"
    many = [{"name": f"many{n}", "group": "many", "kind": "tcp"} for n in range(9)]
    assert said(*many, settings=[{"name": "many"}]) == "goodput of 9 TCP flows together rises by 191 %"


def test_what_has_settled_is_not_spoken_of(tmp_path: Path) -> None:
    run = airloom.run(CELL + FLOW, out=tmp_path / "run")
    assert "trends" not in run.summary
    assert trends(run.summary) == []
    assert cells([run.summary]) == ""


def test_a_trend_in_few_runs_of_a_sweep_is_chance() -> None:
    still = cast("Summary", {"trends": [{"of": "goodput", "change": 0.3}]})
    settled = cast("Summary", {})
    assert cells([still, *[settled] * 9]) == ""
    assert cells([still, *[settled] * 8]).startswith("goodput rises or falls towards the end of 1 of 9 runs")


def roamed(**changes: Any) -> Summary:
    """A run of 30 s in which a laptop with a flow roamed."""
    roam = {
        "station": "laptop",
        "from": "hall",
        "to": "kitchen",
        "left_s": 12.0,
        "associated_s": 12.3,
        "first_data_s": 12.4,
        "gap_ms": 400.0,
    }
    flow = {"name": "server-laptop", "from": "server", "to": "laptop"}
    return cast("Summary", {"duration_s": 30.0, "flows": [flow], "roams": [roam | changes]})


def test_a_station_that_does_not_come_back_is_named() -> None:
    gone = roamed(to=None, associated_s=None, first_data_s=None, gap_ms=18_100.0)
    left = "laptop is at no access point as the run ends: it left hall at 12.00 s, without data for the last 18.1 s"
    assert stranded(gone) == [left]
    lost = roamed(to=None, left_s=None, associated_s=None, first_data_s=None, gap_ms=None)
    assert stranded(lost) == ["laptop is at no access point as the run ends: it lost hall"]
    many = {**gone, "roams": [{**gone["roams"][0], "station": f"laptop{n}"} for n in range(9)]}
    assert stranded(cast("Summary", many))[3:] == ["6 more stations are cut off as the run ends"]
    silent = roamed(first_data_s=None, gap_ms=None)
    no_data = "laptop is cut off as the run ends: no data since it came to kitchen at 12.30 s, 17.7 s before"
    assert stranded(silent) == [no_data]


def test_a_station_that_roams_as_the_run_ends_is_not_cut_off() -> None:
    nowhere: dict[str, Any] = {"associated_s": None, "first_data_s": None}
    assert stranded(roamed(**nowhere, left_s=29.98, gap_ms=30.0)) == []
    assert stranded(roamed(**nowhere, left_s=29.0, gap_ms=1010.0)) != []
    assert stranded(roamed(**nowhere, left_s=None, to=None, gap_ms=700.0)) == []
    assert stranded(roamed(**nowhere, left_s=None, to=None, gap_ms=1000.0)) != []


def test_a_station_that_came_back_is_not() -> None:
    assert stranded(roamed()) == []
    assert stranded(roamed(associated_s=29.8, first_data_s=None)) == [], "too late to tell"
    idle = roamed(first_data_s=None)
    idle["flows"] = []
    assert stranded(idle) == [], "nothing is to go there"
    back = roamed(associated_s=None, first_data_s=None)
    back["roams"].append(roamed()["roams"][0])
    assert stranded(back) == []
    assert stranded(cast("Summary", {"duration_s": 1.0, "flows": []})) == []
