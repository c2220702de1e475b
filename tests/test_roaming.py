"""A station that roams: what its run says of it, what its captures show, and what its report draws."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.analysis.run_view import RunView
from airloom.analysis.summary_table import entities
from airloom.cli.run_tables import node_table, roamed
from airloom.diagnosis.roams import roams as diagnosed
from airloom.report import narrative, page, plan
from airloom.report.associations import associations
from airloom.report.callouts import callouts
from airloom.report.chart import LANE
from airloom.report.run_chart import run_chart
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.shapes import PhaseSeen, RoamSeen
    from airloom.results.summary import Roam, Summary

HALL = """
title = "A hall"
duration = "9 s"
air = { standard = "802.11ac", band = "5 GHz", width = "20 MHz" }

[[ap]]
name = "west"
ssid = "hall"
channel = 36
adapter = "edca-ac"
position = ["0 m", "0 m"]

[[ap]]
name = "east"
ssid = "hall"
channel = 36
adapter = "edca-ac"
position = ["60 m", "0 m"]

[[station]]
name = "laptop"
ap = "west"
host = "linux-6.18"
adapter = "edca-ac"
roam = { by = "wpa_supplicant", short = "4 s", forgets_neighbours = false }
walk = { from = ["20 m", "0 m"], to = ["56 m", "0 m"], speed = "5 m/s" }

[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "100 Mbit/s", delay = "2 ms" }

[[flow]]
name = "writes"
from = "laptop"
to = "server"
kind = "udp"
rate = "400 kbit/s"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> airloom.Run:
    folder = tmp_path_factory.mktemp("roaming")
    (folder / "hall.toml").write_text(HALL)
    return airloom.run(folder / "hall.toml", out=folder / "run", capture=True)


def roams(*captures: Path) -> list[RoamSeen]:
    """What `airloom diagnose` says of roams in these captures."""
    return diagnosed(captures)["roams"]


def phase(seen: RoamSeen, name: str) -> PhaseSeen:
    """A part of a roam that was heard."""
    found: dict[str, PhaseSeen | None] = {
        "authentication": seen["authentication"],
        "association": seen["association"],
        "keys": seen["keys"],
    }
    part = found[name]
    assert part is not None
    return part


PHASES = ("authentication", "association", "keys")


def test_a_station_that_roamed_was_at_its_access_point_first(run: airloom.Run) -> None:
    nodes = [node for node in run.summary["nodes"] if node.get("ampdus")]
    assert "laptop at west first" in list(node_table(nodes, {"laptop"}).columns[0].cells)
    assert "laptop at west" in list(node_table(nodes).columns[0].cells)


def test_the_captures_show_what_the_run_knows(run: airloom.Run) -> None:
    [known] = run.summary["roams"]
    [seen] = roams(run.path / "air.pcapng", run.path / "laptop.pcapng")
    names = {"west": "02:00:00:00:00:00", "east": "02:00:00:00:00:01", "laptop": "02:00:00:00:00:02"}
    assert (seen["station"], seen["from"], seen["to"]) == (
        names["laptop"],
        names[known["from"]],
        names[str(known["to"])],
    )
    assert (seen["kind"], seen["method"], seen["asked"], seen["status"]) == ("roam", "open", "reassociation", 0)
    assert known["gap_ms"] == pytest.approx(seen["gap_ms"], abs=0.01)
    assert [phase(seen, name)["frames"] for name in PHASES] == [[1, 1], [1, 1], [2, 2]]
    steps = [known["decided_s"], known["left_s"], known["associated_s"], known["first_data_s"]]
    told = [step for step in steps if step is not None]
    assert len(told) == len(steps)
    assert told == sorted(told)


def test_frames_follow_each_other_as_on_simulated_radios_of_linux(run: airloom.Run) -> None:
    """The frames of wpa_supplicant and hostapd in their order; how long they take is held in tests/beside_daemons."""
    hwsim = ROOT / "tests" / "foreign" / "hwsim"
    [theirs] = [one for one in roams(hwsim / "roam.air.pcap.gz") if one["kind"] == "roam"]
    [ours] = roams(run.path / "air.pcapng")
    for name in PHASES:
        one, other = phase(theirs, name), phase(ours, name)
        assert one["frames"] == other["frames"]


def test_a_run_says_each_roam_in_a_line(run: airloom.Run) -> None:
    [roam] = run.summary["roams"]
    line = roamed(roam)
    assert line.startswith("laptop from west to east at ")
    assert "associated after 35 ms" in line
    nowhere: Roam = {**roam, "to": None, "left_s": None, "associated_s": None, "first_data_s": None}
    assert roamed({**nowhere, "gap_ms": 2000.4, "tcp_stall_ms": None, "lost_in_buffer": 0}) == (
        "laptop from west to no access point: not there before the run ended, 2,000 ms without data so far"
    )
    assert ", beacons of west missed, associated" in roamed({**roam, "why": "lost"})
    assert ", west asked it to go, associated" in roamed({**roam, "why": "asked"})
    assert ", west did not know it, west gave up on it at 1.50 s, associated" in roamed(
        {**roam, "why": "dismissed", "given_up_s": 1.5}
    )


def test_a_picture_has_each_access_point_and_its_association_at_the_foot(run: airloom.Run) -> None:
    view = RunView(run)
    assert view.radios_of({**view.flow, "from": "server", "to": "laptop"}) == ["west", "east"]
    drawn = run_chart([run], ["goodput"], height=400).to_dict()
    [lane] = [layer for layer in drawn["layer"] if layer["encoding"].get("y") == {"value": "height"}]
    assert (lane["mark"]["yOffset"], lane["mark"]["y2Offset"]) == (1 - LANE, 0)
    points = [row["k"] for row in drawn["datasets"][lane["data"]["name"]] if not row.get("end_of_line")]
    assert points == lane["encoding"]["color"]["scale"]["domain"] == ["west", "east"]
    assert lane["encoding"]["color"]["legend"]["symbolType"] == "square"


def test_a_sweep_has_what_roams_cost(run: airloom.Run) -> None:
    """How many roams, the medians of what came about, and the sum of what they lost."""
    [roam] = run.summary["roams"]
    costs = [(100.0, None, 3, 10.0), (50.0, 70.0, 0, 30.0), (None, 90.0, 1, None)]
    several: list[Roam] = [
        {**roam, "gap_ms": gap, "tcp_stall_ms": stall, "lost_in_buffer": lost, "decided_late_ms": late}
        for gap, stall, lost, late in costs
    ]
    summary: Summary = {**run.summary, "roams": several}
    [numbers] = [one.numbers for one in entities(summary) if one.name == "laptop"]
    assert {key: value for key, value in numbers.items() if key.startswith("roam")} == {
        "roams": 3,
        "roam_late_ms": 20,
        "roam_gap_ms": 75,
        "roam_stall_ms": 80,
        "roam_lost": 4,
    }


def test_the_report_shows_where_the_station_is(run: airloom.Run) -> None:
    view = RunView(run)
    found = associations(run.summary)
    assert [(one.point, one.start) for one in found] == [
        ("west", 0.0),
        ("east", run.summary["roams"][0]["associated_s"]),
    ]
    assert found[-1].end == run.summary["duration_s"]
    text = page.render(run)
    assert "Roam by roam" in text
    [roam] = run.summary["roams"]
    assert f"Station laptop roams 1 time: the longest time without data is {roam['gap_ms']:,.0f} ms." in text
    assert "west to east" in text
    assert "served_0" in text
    picture = str(plan.drawn(view))
    assert picture.count('class="served"') == 2


def test_a_plan_shows_the_part_of_a_walk_that_was_walked() -> None:
    stops = [{"at": f"{at} s", "position": [f"{x} m", "0.0 m"]} for at, x in ((0, 0), (10, 20), (20, 40))]
    station = {"name": "laptop", "path": stops}
    assert plan.walked(station, 20.0) == station
    end = {"at": "15 s", "position": ["30.0 m", "0.0 m", "0.0 m"]}
    assert plan.walked(station, 15.0)["path"] == [*stops[:2], end]


def test_a_page_begins_with_the_most_that_roams_cost(run: airloom.Run) -> None:
    [roam] = run.summary["roams"]
    costs = [(100.0, None, 3.0), (1928.4, 70.0, 4.0), (None, 1627.0, None)]
    several: list[Roam] = [
        {**roam, "gap_ms": gap, "tcp_stall_ms": stall, "associated_s": there} for gap, stall, there in costs
    ]
    other = copy(run)
    other.summary = {**run.summary, "roams": several}
    assert narrative.roaming(RunView(other)) == [
        "Station laptop roams 3 times: the longest time without data is 1,928 ms, and TCP waits for up to 1,627 ms.",
    ]
    assert any(text.startswith("laptop is at no access point as the run ends") for text in callouts(other))


def test_nothing_is_said_of_roams_where_nobody_roams(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "walk.toml", set={"duration": "6 s"}, out=tmp_path / "run")
    assert "roams" not in run.summary
    assert "Roam by roam" not in page.render(run)
