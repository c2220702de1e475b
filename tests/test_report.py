"""What the report says, read as text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import airloom
import synthetic
from airloom import _engine
from airloom.analysis.run_view import RunView
from airloom.papers import paper, run_report
from airloom.report import narrative, page
from airloom.report.chart import ceiling
from airloom.report.comparison import compare
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

UPLOAD = ROOT / "papers" / "scan" / "upload-tsq.toml"
IDLE = """\
title = "Nobody sends"
duration = "30 s"
[air]
standard = "802.11n"
band = "5 GHz"
width = "40 MHz"
[[ap]]
name = "ap"
adapter = "ath9k"
[[station]]
name = "sta1"
distance = "3 m"
host = "linux-3.13"
adapter = "ath9k"
scan = { by = "networkmanager-0.9.8", channels = 3 }
[[server]]
name = "server"
host = "linux-3.13"
link = { rate = "1 Gbit/s", delay = "0.25 ms" }
"""


def test_the_head_tells_what_happened_and_why(bundle: Path) -> None:
    text = " ".join(narrative.lead(RunView(airloom.load(bundle))))
    assert "Goodput is 136 Mbit/s while the radio stays on its channel" in text
    assert "takes the radio off its channel 26 times for 110 ms" in text
    assert "of 203 packets only 42.0 are in flight" in text


def test_the_head_tells_of_a_remedy(remedied: Path) -> None:
    text = " ".join(narrative.lead(RunView(airloom.load(remedied))))
    assert "no second falls below" in text
    assert "The remedy skipped 3 of 3 scan requests." in text


def test_a_run_of_a_paper_is_held_against_it(tmp_path: Path) -> None:
    resolved = _engine.check(UPLOAD.read_text(), "upload", [], 5)
    run = airloom.load(synthetic.write(tmp_path / "run", scenario=resolved, seed=5))
    run_report.write(run, tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert "Held against the paper" in text
    assert escape(paper.read("scan").citation) in text
    assert 'class="verdict ' in text
    assert "Held against the paper" not in page.render(run)


def test_a_run_of_no_paper_is_held_against_none(bundle: Path) -> None:
    assert run_report.published([airloom.load(bundle)]) is None


def test_the_paper_names_its_runs(tmp_path: Path) -> None:
    text = UPLOAD.read_text()
    remedy = [("station.0.scan.remedy", "skip-if-moved")]
    off = synthetic.write(tmp_path / "a", scenario=_engine.check(text, "upload", [], 1))
    on = synthetic.write(tmp_path / "b", scenario=_engine.check(text, "upload", remedy, 1), remedy=True)
    runs = [airloom.load(off), airloom.load(on)]
    published = run_report.published(runs)
    assert published is not None
    assert [one.short for one in compare(runs, published.names).runs] == ["no remedy", "skip if moved"]


def test_runs_of_one_title_go_by_their_folders(bundle: Path, remedied: Path) -> None:
    compared = compare([airloom.load(bundle), airloom.load(remedied)]).runs
    assert [one.label for one in compared] == ["off", "on"]


def test_what_a_scenario_says_cannot_break_the_page(tmp_path: Path) -> None:
    scenario = synthetic.SCENARIO + '# </script><img src="http://example.org/x.png">\n'
    text = page.render(airloom.load(synthetic.write(tmp_path / "run", scenario=scenario)))
    assert '<img src="http://example' not in text
    assert "# &lt;/script&gt;&lt;img" in text


def test_a_run_without_a_flow_has_a_report(tmp_path: Path) -> None:
    run = airloom.run(IDLE, out=tmp_path / "idle")
    assert "No data is sent." in page.render(run)


def test_an_axis_ends_on_a_round_number_above_its_values() -> None:
    assert [ceiling([value]) for value in (0.0, 0.9, 1.0, 97.0, 136.0, 290.0, 1190.0)] == [
        1.0,
        1.0,
        1.5,
        150.0,
        150.0,
        400.0,
        1500.0,
    ]


def test_other_kinds_of_flows_have_their_own_figures(tmp_path: Path) -> None:
    flows = """
[[flow]]
kind = "ping"
from = "sta1"
to = "server"
[[flow]]
kind = "udp"
from = "server"
to = "sta1"
rate = "5 Mbit/s"
"""
    (tmp_path / "mixed.toml").write_text(IDLE + flows)
    view = RunView(airloom.run(tmp_path / "mixed.toml", out=tmp_path / "mixed"))
    assert view.flow["kind"] == "ping"
    labels = [card.label for card in narrative.figures(view)]
    assert labels[:2] == ["Ping, median", "Ping, 95 %"]
    assert "pings are answered" in " ".join(narrative.lead(view))
    view.run.summary["flows"].reverse()
    assert "Datagrams lost" in [card.label for card in narrative.figures(view)]
    assert "datagrams sent" in " ".join(narrative.lead(view))
    assert "UDP" in page.render(view.run)
