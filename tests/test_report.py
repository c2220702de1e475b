"""What the report says, read as text."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, cast

import pytest

import airloom
import synthetic
from airloom import _engine
from airloom.analysis.compared_figures import compared
from airloom.analysis.flow_sets import FlowSet
from airloom.analysis.key_figures import carrying
from airloom.analysis.run_view import RunView
from airloom.papers import paper, run_report
from airloom.report import distributions, key_table, narrative, page, sections
from airloom.report.chart import ceiling
from airloom.report.colours import HUES, NODE, SUM, hue
from airloom.report.comparison import compare
from airloom.report.html import asset
from airloom.report.panels import PANELS
from airloom.report.traces import plots
from airloom.support.formatting import number
from conftest import ROOT
from small_cells import IDLE, TWO, cell, crowd, station
from small_cells import flow as flow_of

if TYPE_CHECKING:
    from pathlib import Path

    from airloom import Value
    from airloom.results.summary import FlowSummary, Summary

ASSETS = ROOT / "python" / "airloom" / "report" / "assets"
UPLOAD = ROOT / "papers" / "scan" / "upload-tsq.toml"


def test_the_head_tells_what_happened_and_why(bundle: Path) -> None:
    text = " ".join(narrative.lead(RunView(airloom.load(bundle))))
    assert "Goodput is 136 Mbit/s while the radio stays on its channel" in text
    assert "takes the radio off its channel 26 times for 110 ms" in text
    assert "of 203 packets only 42.0 are in flight" in text


def test_the_head_tells_of_a_remedy(remedied: Path) -> None:
    text = " ".join(narrative.lead(RunView(airloom.load(remedied))))
    assert "no second falls below" in text
    assert "The remedy skipped 3 of 3 scan requests." in text


def test_every_head_of_a_table_says_what_it_is_of() -> None:
    """Of a column or of a row: a screen reader tells it with each cell (WCAG 2.2, technique H63)."""
    pages = [*ASSETS.glob("*.j2"), *(ROOT / "site").rglob("*.j2"), *(ROOT / "papers").rglob("*.j2")]
    texts = {file.name: re.sub(r"{%.*?%}|{{.*?}}", "", file.read_text()) for file in pages}
    heads = [(name, head) for name, text in texts.items() for head in re.findall(r"<th\b[^>]*>", text)]
    assert len(heads) > 50
    scopes = [(name, head, re.findall(r'scope="([^"]*)"', head)) for name, head in heads]
    known = {"col", "row", "colgroup", "rowgroup"}
    assert [one for one in scopes if len(one[2]) != 1 or one[2][0] not in known] == []


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
    assert run_report.repeated([airloom.load(bundle)]) is None


def test_the_paper_names_its_runs(tmp_path: Path) -> None:
    text = UPLOAD.read_text()
    remedy = [("station.0.scan.remedy", "skip-if-moved")]
    off = synthetic.write(tmp_path / "a", scenario=_engine.check(text, "upload", [], 1))
    on = synthetic.write(tmp_path / "b", scenario=_engine.check(text, "upload", remedy, 1), remedy=True)
    runs = [airloom.load(off), airloom.load(on)]
    published = run_report.repeated(runs)
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


@pytest.mark.filterwarnings("ignore::airloom.errors.ScenarioWarning")
def test_a_run_without_a_flow_has_a_report(tmp_path: Path) -> None:
    with pytest.warns(airloom.ScenarioWarning, match="there is no flow"):
        run = airloom.run(IDLE, out=tmp_path / "idle")
    assert "There is no flow: nothing will be sent;" in page.render(run)
    assert "The scenario has no flows." in page.render(run)


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
    said = " ".join(narrative.lead(view))
    assert "pings of sta1-server are answered" in said
    assert "datagrams sent, " in said
    shown = page.render(view.run)
    assert "server → sta1, UDP" in shown
    assert "sta1 → server, ping" in shown
    for word in ("Round trip, ms", "One way, ms", "Lost"):
        assert f">{word}<" in shown


def test_the_head_speaks_of_all_flows(tmp_path: Path) -> None:
    run = airloom.run(TWO, out=tmp_path / "two")
    near, far = (flow["goodput_mbps"] for flow in run.summary["flows"])
    said = " ".join(narrative.lead(RunView(run)))
    assert f"The 2 flows get {number(near + far)} Mbit/s together over the whole run" in said
    assert f"near (CUBIC) {number(near)}" in said
    assert f"far (NewReno) {number(far)}" in said
    (table,) = key_table.of(RunView(run))
    assert [row.name for row in table.rows] == ["near", "far", "all together"]
    assert [row.values[0] for row in table.rows] == [number(near), number(far), number(near + far)]


def test_of_two_flows_there_is_no_median_one() -> None:
    """The mean of two delays is the delay of neither."""

    def said(*delays: float) -> str:
        flows = [{"name": f"call{number}", "kind": "udp", "delay_p95_ms": delay} for number, delay in enumerate(delays)]
        return narrative.grouped(FlowSet("", "UDP flow", cast("list[FlowSummary]", flows)))

    assert said(310.0, 16.0).endswith(
        "the worst (call0) has 95 % of its packets within 310 ms, the other (call1) within 16 ms."
    )
    assert said(310.0, 16.0, 20.0).endswith("within 310 ms, the median one within 20 ms.")


def test_compared_figures_say_what_time_they_are_of() -> None:
    """A run with `warm_up` is counted from there on."""

    def measured(*runs: dict[str, float]) -> str:
        return narrative.measured(cast("list[Summary]", runs))

    whole, later = {"duration_s": 12.0}, {"duration_s": 12.0, "warm_up_s": 3.0}
    assert measured(whole, {"duration_s": 8.0}) == "Of the whole runs."
    assert measured(later, later) == "From 3 s to 12 s of each run."
    assert measured(whole, later) == "Of each run a part: from 0 s to 12 s and from 3 s to 12 s."


def test_a_second_is_one_however_fine_a_run_records(tmp_path: Path) -> None:
    def recorded(every: str) -> RunView:
        settings = {"duration": "22 s", "record.every": every}
        return RunView(airloom.run(ROOT / "examples" / "upload-scans.toml", out=tmp_path / every, set=settings))

    plain, fine, wide = recorded("1 s"), recorded("50 ms"), recorded("2 s")
    assert narrative.lead(fine) == narrative.lead(plain)
    assert sections.scan_rows(fine) == sections.scan_rows(plain)
    rows = [sections.remedy_rows(compare([view.run]).runs)[0] for view in (plain, fine)]
    assert (rows[0].worst, rows[0].drops) == (rows[1].worst, rows[1].drops)
    assert "in the worst second of a scan" in narrative.lead(plain)[0]
    assert "in the worst 2 seconds of a scan" in narrative.lead(wide)[0]
    assert "Worst 2 seconds<small>" in page.render(wide.run)
    missed = [float(sections.scan_rows(view)[0].missed) for view in (plain, wide)]
    assert missed[1] == pytest.approx(missed[0], rel=0.25), "the scan begins within a bin"


def test_a_scan_that_ends_with_the_run_is_no_time_on_the_channel(tmp_path: Path) -> None:
    """Its seconds were among the normal ones, so that the scan before it seemed to cost less."""
    whole = RunView(airloom.run(ROOT / "examples" / "upload-scans.toml", out=tmp_path / "whole"))
    assert [scan["end_s"] is None for scan in whole.run.summary["scans"]] == [False, True]
    early = RunView(airloom.run(ROOT / "examples" / "upload-scans.toml", set={"duration": "32 s"}, out=tmp_path / "32"))
    rows, before = sections.scan_rows(whole), sections.scan_rows(early)
    assert rows[0] == before[0]
    assert [row.ended for row in rows] == [True, False]
    assert rows[1].of_normal == rows[0].of_normal.replace("66", "67")
    head, at_32 = (" ".join(narrative.lead(view)) for view in (whole, early))
    falls = "Mbit/s (66\N{NO-BREAK SPACE}%) in the worst second of a scan."
    assert falls in head
    assert falls in at_32
    assert "The one scan that ended takes" in head
    assert "1 scan had not ended with the run." in head
    assert "not ended" not in at_32
    assert '<small class="unit">laptop, not ended with the run</small>' in page.render(whole.run)


def scanning_pair(where: Path, **settings: Value) -> RunView:
    """Two stations that scan for four seconds, from 10 s and from 12 s on, each with a flow."""
    scan = 'scan = { by = "networkmanager-0.9.8", channels = 10, first = "%s" }'
    both = [station(name, "3 m", scan % first, host="linux-3.13") for name, first in (("a", "10 s"), ("b", "12 s"))]
    flows = [f"{flow_of(name, 'server')}stop = '{end}'\n" for name, end in (("a", "9 s"), ("b", "30 s"))]
    text = cell("Two that scan", "30 s", *both, *flows, delay="1 ms", host="linux-3.13")
    return RunView(airloom.run(text, set=settings, out=where))


def test_a_scan_costs_its_own_station_s_flows(tmp_path: Path) -> None:
    """That of a station whose upload had ended was charged with what its neighbour's scan cost the neighbour."""
    view = scanning_pair(tmp_path / "idle")
    idle, uploads = sections.scan_rows(view)
    assert (idle.station, idle.worst, idle.of_normal, idle.missed) == ("a", "-", "-", "-")
    goodput = view.run.table.get("b-server", "goodput")
    assert float(uploads.worst) == pytest.approx(goodput.between(12, 14.5).min(), rel=0.01)
    assert float(uploads.of_normal.removesuffix("\N{NO-BREAK SPACE}%")) < 75
    assert "Mbit/s together while no station scans, and fall to " in narrative.lead(view)[0]


def test_what_one_station_s_scan_costs_is_not_made_up_by_another_s_flow(tmp_path: Path) -> None:
    view = scanning_pair(
        tmp_path / "down",
        **{"flow.0.from": "server", "flow.0.to": "a", "flow.0.stop": "30 s", "station.b.scan.first": "40 s"},
    )
    (row,) = sections.scan_rows(view)
    goodput = view.run.table.get(view.flows[0]["name"], "goodput")
    before, during = goodput.between(5, 9).mean(), goodput.between(10, 13)
    assert float(row.worst) == pytest.approx(during.min(), rel=0.01)
    assert float(row.missed) >= sum(before - value for value in during.known()) / 8 > 1


def test_what_a_scan_delivered_is_counted_however_short_it_is(tmp_path: Path) -> None:
    """Before a roam it was charged with what the roam cost, up to all that could have gone."""
    few = {"duration": "20 s", "record.every": "10 ms"}
    fine = RunView(airloom.run(ROOT / "examples" / "roaming.toml", set=few, out=tmp_path / "fine"))
    (row,) = sections.scan_rows(fine)
    goodput = fine.run.table.get("download", "goodput")
    inside = goodput.between(row.start, row.end).sum() * goodput.width / 8
    before = goodput.between(11, 15.995).mean() * (row.end - row.start) / 8
    assert inside > 3
    assert float(row.missed) == pytest.approx(before - inside, abs=0.1)
    coarse = RunView(airloom.run(ROOT / "examples" / "roaming.toml", set={"duration": "20 s"}, out=tmp_path / "coarse"))
    assert sections.scan_rows(coarse)[0].missed == "-", "no second lies within it"


def test_a_panel_s_mean_of_what_is_sent_is_that_of_the_summary(tmp_path: Path) -> None:
    """Seconds in which little was sent counted as much as full ones: 3.60 MPDUs per A-MPDU stood beside 2.93."""
    few: dict[str, Value] = {"duration": "20 s", "record.every": "2 ms", "flow.0.stop": "8 s"}
    run = airloom.run(ROOT / "examples" / "upload-scans.toml", set=few, out=tmp_path / "run")
    (node,) = (node for node in run.summary["nodes"] if node["name"] == "laptop")
    for panel in PANELS:
        if panel.id in {"mpdus", "mac_rate"}:
            (trace,) = (
                trace for trace in plots(panel, compare([run]))[0].traces if trace.label in {"laptop", "from it"}
            )
            value = node["mpdus_per_ampdu" if panel.id == "mpdus" else "mac_rate_mbps"]
            assert trace.mean == pytest.approx(value, rel=1e-4)
            assert trace.weights is not None
            assert len(trace.weights) == len(trace.series.times)


def test_a_panel_s_mean_delay_is_that_of_the_summary(tmp_path: Path) -> None:
    few: dict[str, Value] = {"duration": "20 s", "flow.0.stop": "12.5 s"}
    run = airloom.run(ROOT / "examples" / "upload-scans.toml", set=few, out=tmp_path / "run")
    (panel,) = (panel for panel in PANELS if panel.id == "rtt")
    sampled = plots(panel, compare([run]))[0].traces[0]
    assert sampled.mean == run.summary["flows"][0]["rtt_mean_ms"] != sampled.series.mean()


def test_the_table_of_the_air_says_what_a_share_is_of(bundle: Path) -> None:
    """It claimed gaps and answers for each frame: answers count for who sends them, and gaps are idle."""
    text = page.render(airloom.load(bundle))
    assert "of each node the time of its own frames that did not collide, its answers to others among them." in text
    assert "Gaps between frames are idle." in text
    assert "with the gaps and the answer" not in text


def test_the_head_tells_whose_the_lowest_second_is(tmp_path: Path) -> None:
    """Behind "far gets 352 Mbit/s" stood that no second falls below 368 Mbit/s: of all flows together."""
    two = airloom.run(TWO, set={"duration": "12 s"}, out=tmp_path / "two")
    said = " ".join(narrative.lead(RunView(two)))
    assert "After the first 5 seconds no second of all flows together falls below" in said


def test_the_head_counts_the_flows_that_it_speaks_of(tmp_path: Path) -> None:
    ping = '\n[[flow]]\nkind = "ping"\nfrom = "server"\nto = "sta1"\n'
    said = " ".join(narrative.lead(RunView(airloom.run(TWO + ping, out=tmp_path / "three"))))
    assert "The 2 flows that carry data get " in said


def test_a_flow_that_delivered_nothing_is_called_out(tmp_path: Path) -> None:
    run = airloom.run(TWO, set={"flow.1.start": "2.999 s"}, out=tmp_path / "two")
    assert run.summary["flows"][1]["bytes_delivered"] == 0
    assert "far delivered nothing in 0.001 s: " in page.render(run)


def test_a_page_without_scans_has_no_word_of_them(tmp_path: Path) -> None:
    runs = [airloom.run(TWO, seed=seed, out=tmp_path / str(seed)) for seed in (1, 2, 3)]
    for text in (page.render(runs[0]), page.render(runs[0], runs[1:])):
        shown = text.partition("<main>")[2].partition('class="scenario"')[0]
        assert "scan" not in shown.lower()
        assert ">-<" not in shown


def test_every_run_is_in_every_chart_and_table(tmp_path: Path) -> None:
    runs = [airloom.run(TWO, seed=seed, set={"title": f"Run {seed}"}, out=tmp_path / str(seed)) for seed in (1, 2, 3)]
    beside = compare(runs)
    for panel in PANELS:
        for plot in plots(panel, beside):
            assert {trace.label.partition(":")[0] for trace in plot.traces} == {"Run 1", "Run 2", "Run 3"}
            assert {trace.colour for trace in plot.traces} == {hue(0), hue(1), hue(2)}
    shown, rest = compared([run.summary for run in runs])
    assert rest == []
    assert [row.name for row in shown[0].rows] == ["all together", "near", "far"]
    assert all(len(row.cells) == 3 for group in shown for row in group.rows)
    total = sum(flow["goodput_mbps"] for flow in runs[2].summary["flows"])
    assert shown[0].rows[0].cells[2].value == number(total)


def test_each_flow_has_one_hue_on_the_whole_page(tmp_path: Path) -> None:
    run = airloom.run(TWO, out=tmp_path / "two")
    drawn = [trace for panel in PANELS for plot in plots(panel, compare([run])) for trace in plot.traces]
    found = {(trace.label.partition(" ")[0], trace.colour) for trace in drawn}
    of_flows = {("near", hue(0)), ("sta1", hue(0)), ("far", hue(1)), ("sta2", hue(1))}
    of_others = {("all", SUM), ("ap", NODE)}
    assert found == of_flows | of_others


MIXED = """
[[flow]]
name = "udp"
kind = "udp"
from = "server"
to = "sta1"
rate = "5 Mbit/s"
[[flow]]
name = "ping"
kind = "ping"
from = "sta1"
to = "server"
"""


def test_a_quantile_is_the_same_wherever_the_page_shows_it(tmp_path: Path) -> None:
    run = airloom.run(IDLE + MIXED, out=tmp_path / "run")
    ping, datagrams = run.flow("ping"), run.flow("udp")
    (entry,) = distributions.entries(compare([run]), "title")
    shown = {curve.label: curve.cells for curve in entry["curves"]}
    assert shown["ping"] == [number(value) for value in (ping.rtt_median_ms, ping.rtt_p95_ms, ping.rtt_p99_ms)]
    tables = {table.rows[0].name: table for table in key_table.of(RunView(run))}
    for name, kind in (("udp", "delay"), ("ping", "rtt")):
        quantiles = {metric.key: place for place, metric in enumerate(tables[name].metrics)}
        keys = [quantiles[f"{kind}_{which}_ms"] for which in ("median", "p95", "p99")]
        assert shown[name] == [tables[name].rows[0].values[key] for key in keys]
    marked = [row for values in entry["spec"]["datasets"].values() for row in values if "q" in row]
    assert {(row["k"], row["s"]): row["q"] for row in marked}["udp", 95] == pytest.approx(datagrams.delay_p95_ms)
    assert "Lines: the share of intervals of 1 s whose mean delay" in page.render(run)


def test_delays_one_way_are_no_round_trips(tmp_path: Path) -> None:
    """A plot of datagrams alone says so, of one run and of several; one that has both says both."""
    datagrams = airloom.run(IDLE + MIXED.partition('[[flow]]\nname = "ping"')[0], out=tmp_path / "datagrams")
    both = airloom.run(IDLE + MIXED, out=tmp_path / "both")
    rtt = next(panel for panel in PANELS if panel.id == "rtt")
    assert [plot.title for plot in plots(rtt, compare([datagrams]))] == ["One-way delay"]
    assert [plot.title for plot in plots(rtt, compare([both]))] == ["Round trip or one way"]
    assert {plot.title for plot in plots(rtt, compare([both, both]))} == {"Round-trip time", "One-way delay"}
    shown = distributions.entries(compare([both, both]), "title")
    assert [(entry["of"], entry["one_way"]) for entry in shown] == [("udp", True), ("ping", False)]


def test_quantiles_that_were_not_counted_are_left_out(tmp_path: Path) -> None:
    run = airloom.run(IDLE + MIXED, out=tmp_path / "run")
    for flow in run.summary["flows"]:
        flow["rtt_p99_ms"] = flow["delay_p99_ms"] = None
    (entry,) = distributions.entries(compare([run]), "title")
    assert {curve.cells[2] for curve in entry["curves"]} == {""}


def test_the_access_point_of_a_crowd_has_its_own_plot(tmp_path: Path) -> None:
    """Its lines are as long as those of the stations are short; of several runs each has the hue of its run."""
    ending = {"duration": "1 s"}
    both_ways = crowd(9) + flow_of("crowd", "server")
    runs = [airloom.run(both_ways, seed=seed, set=ending, out=tmp_path / str(seed)) for seed in (1, 2)]
    queue = next(panel for panel in PANELS if panel.id == "queue")
    own = next(plot for plot in plots(queue, compare(runs)) if plot.facet == "ap")
    assert [(trace.label, trace.colour) for trace in own.traces] == [
        (f"{place + 1}: {what}", hue(place)) for place in (0, 1) for what in ("discipline", "driver")
    ]
    # One run has it beside its one crowd, in the grey of a node, which no station has.
    (one,) = plots(queue, compare(runs[:1]))
    assert {trace.label for trace in one.traces if trace.colour == NODE} == {"ap, discipline", "ap, driver"}


def test_the_flows_of_a_crowd_are_bands_and_two_names(tmp_path: Path) -> None:
    run = airloom.run(crowd(20), out=tmp_path / "crowd")
    shown = {panel.id: plots(panel, compare([run])) for panel in PANELS}
    above, each = shown["goodput"]
    assert [trace.label for trace in above.traces] == ["all together"]
    assert above.traces[0].mean == pytest.approx(sum(flow["goodput_mbps"] for flow in run.summary["flows"]), rel=1e-3)
    assert [band.label for band in each.bands] == ["least to most"]  # which the quantiles of twenty nearly are
    ranked = [flow["name"] for flow in carrying(run.summary["flows"])]
    assert {trace.label for trace in each.traces} == {"median of 20", ranked[0], ranked[-1]}
    for time, low, high in zip(
        each.bands[0].low.times, each.bands[0].low.values, each.bands[0].high.values, strict=True
    ):
        at = [run.table.get(flow["name"], "goodput").between(time, time).values[0] for flow in run.summary["flows"]]
        assert (low, high) == (min(at), max(at))
    (table,) = key_table.of(RunView(run))
    assert len(table.rows) < 10
    assert len(table.rest) == 20


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_hues_differ_and_stand_out_from_the_paper() -> None:
    style = str(asset("style.css"))
    for paper_of, hues in zip(
        re.findall(r"--paper: (#\w+)", style), re.findall(r"((?:--hue-\d: #\w+; ?)+)", style), strict=True
    ):
        found = re.findall(r"#\w{6}", hues)
        assert len(set(found)) == HUES
        for one in found:
            low, high = sorted((luminance(one), luminance(paper_of)))
            assert (high + 0.05) / (low + 0.05) >= 2.9, one


def test_what_is_written_has_the_contrast_that_small_text_needs() -> None:
    sheets = [str(asset(name)) for name in ("style.css", "detail.css", "figures.css", "findings.css", "save.css")]
    inks = {ink for sheet in sheets for ink in re.findall(r"(?<![-\w])color: var\(--(\w[\w-]*)\)", sheet)}
    grounds = {"paper", "surface"}
    for block in re.findall(r":root \{(.*?)\n *\}", sheets[0], re.DOTALL):
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", block))
        for ink in inks & colours.keys() - grounds - {"edge"}:  # an edge parts words, and is none
            for ground in grounds:
                low, high = sorted((luminance(colours[ink]), luminance(colours[ground])))
                assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


def test_the_goodput_of_the_only_data_is_told_once(tmp_path: Path) -> None:
    """Beside pings: of one download, and of several."""
    ping = '[[flow]]\nkind = "ping"\nname = "ping"\nfrom = "server"\nto = "laptop"\ninterval = "50 ms"\n'
    for many, begins in ((1, "get gets "), (2, "The 2 flows that carry data get ")):
        gets = [flow_of("server", "laptop", name="get" if one == 0 else "other") for one in range(many)]
        text = cell("Pings", "2 s", station("laptop", "3 m", rate="MCS 7"), ping, *gets)
        (tmp_path / "w.toml").write_text(text)
        run = airloom.run(tmp_path / "w.toml", out=tmp_path / f"run{many}")
        said = narrative.lead(RunView(run))
        assert said[0].startswith(begins), said
        assert sum("Mbit/s" in sentence and " get" in sentence for sentence in said) == 1, said
        assert ("get (CUBIC) " in said[0]) == (many > 1), said
