"""The report, opened in a real browser: what it draws, what it shades, and that it asks nothing of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.analysis import tcp_trace
from airloom.papers import figures_page, paper, published_marks, scorer
from airloom.papers.figure import Figure
from airloom.papers.figure_file import read_figures
from airloom.report import page as report
from airloom.support.statistics import Spread
from airloom.sweep import page as sweep_page
from airloom.sweep.chart import Named
from airloom.sweep.query import Line, Shown
from browsing import REACH, Visit
from conftest import ROOT
from small_cells import crowd

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from airloom.results.bundle import Run

PANELS = ("goodput", "cwnd", "mac_rate", "ampdus", "mpdus", "queue", "rtt", "airtime")

pytestmark = pytest.mark.browser


@pytest.fixture
def single(browser: Browser, page_of_one: Path) -> Visit:
    return Visit(browser, page_of_one, viewport={"width": 1280, "height": 900})


@pytest.fixture
def both(browser: Browser, page_of_two: Path) -> Visit:
    return Visit(browser, page_of_two, viewport={"width": 1280, "height": 900})


def test_every_panel_draws_its_series(single: Visit) -> None:
    for panel in PANELS:
        lines = single.page.locator(f"#panel-{panel} .mark-line path").all()
        assert lines, panel
        for line in lines:
            assert (line.get_attribute("d") or "").count("L") > 200, f"{panel}: a line of {line.get_attribute('d')}"
            assert (line.get_attribute("stroke") or "").startswith(("var(--hue-", "var(--node)"))


def test_every_panel_shades_the_scans_and_each_visit(single: Visit) -> None:
    for panel in PANELS:
        assert single.page.locator(f"#panel-{panel} .scans_0_marks path").count() == 3
        assert single.page.locator(f"#panel-{panel} .away_0_marks path").count() == 3 * 26
    box = single.page.locator("#panel-goodput .scans_0_marks path").first.bounding_box()
    assert box is not None
    assert box["height"] > 90
    assert 20 < box["width"] < 40  # a scan takes 10.9 s of 300 s, on a plot of some 750 pixels


def test_nothing_is_complained_of_and_nothing_leaves_the_file(single: Visit, both: Visit) -> None:
    for visit in (single, both):
        assert visit.complaints == []
        assert [url for url in visit.requests if not url.startswith(("file:", "data:", "blob:"))] == []
        assert len([url for url in visit.requests if url.startswith("file:")]) == 1


INJECTED = """
<p id="styled" style="--colour: red">injected</p><script>window.injected = "script"</script>
<script type="module">window.injected = "module"</script>
<script src="data:text/javascript,window.injected='source'"></script>
<img src="data:," onerror="window.injected = 'handler'">
<a id="link" href="javascript:void(window.injected='link')">go</a>
<style>#styled { color: rgb(1, 2, 3) }</style><base href="http://example.org/">
<form action="http://example.org/"><button id="send">send</button></form>
<iframe src="http://example.org/"></iframe>
"""
"""What a hole in the escaping could let into a page."""


@pytest.mark.parametrize("name", ["page_of_one", "page_of_two", "page_of_a_sweep"])
def test_what_slips_into_a_page_does_not_run(
    browser: Browser, name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    file: Path = request.getfixturevalue(name)
    whole = file.read_text(encoding="utf-8")
    assert "unsafe-eval" not in whole.partition("<style>")[0]
    assert whole.partition("<style>")[0].count("unsafe-inline") == 1  # for style attributes
    before, main, after = whole.partition("<main>")
    (tmp_path / "page.html").write_text(before + main + INJECTED + after, encoding="utf-8")
    visit = Visit(browser, tmp_path / "page.html")
    visit.page.evaluate("for (const id of ['link', 'send']) document.getElementById(id).click()")
    visit.settle()
    assert visit.page.evaluate("window.injected") is None
    assert visit.page.evaluate("document.baseURI").startswith("file:")
    assert visit.colour("#styled", "color") != "rgb(1, 2, 3)"
    assert [url for url in visit.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    refused = [complaint for complaint in visit.complaints if "Content Security Policy" in complaint]
    assert len(refused) >= 8
    assert visit.page.locator("svg .mark-line path, svg .mark-symbol path").count() > 0


def test_the_same_run_gives_the_same_page(bundle: Path, page_of_one: Path, tmp_path: Path) -> None:
    report.write(airloom.load(bundle), tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page_of_one.read_bytes()


def test_dragging_across_one_chart_zooms_all(single: Visit) -> None:
    plot = single.page.locator("#panel-ampdus .plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    whole = single.spans()
    assert set(whole) == set(PANELS)
    assert all(span == [0, 300] for span in whole.values())
    single.page.mouse.move(box["x"] + 200, box["y"] + 40)
    single.page.mouse.down()
    single.page.mouse.move(box["x"] + 400, box["y"] + 40, steps=4)
    single.page.mouse.up()
    single.settle()
    spans = list(single.spans().values())
    assert all(span == spans[0] for span in spans)
    assert 0 < spans[0][0] < spans[0][1] < 300
    plot.dblclick()
    single.settle()
    assert all(span == [0, 300] for span in single.spans().values())


def test_a_chip_shows_one_scan_on_all_charts(single: Visit) -> None:
    single.page.get_by_role("button", name="Scan 2").click()
    single.settle()
    for start, end in single.spans().values():
        assert start == pytest.approx(140.0)
        assert end == pytest.approx(159.86)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("start", "end"), [(30.0, 30.02), (25.0, 36.0), (299.9, 300.0), (0.0, 300.0)])
def test_close_up_nothing_is_drawn_far_outside(both: Visit, start: float, end: float) -> None:
    """A browser takes seconds to dash a line that reaches hundreds of plots beyond what one sees."""
    both.page.evaluate(f"airloom.show({start}, {end})")
    both.settle()
    marks = both.page.locator(".panel .plot .role-mark path, .panel .plot .role-mark line")
    assert marks.evaluate_all(REACH) < 1.5
    for panel in PANELS:
        for line in both.page.locator(f"#panel-{panel} .mark-line path").all():
            box, plot = line.bounding_box(), both.page.locator(f"#panel-{panel} .plot").first.bounding_box()
            assert box is not None
            assert plot is not None
            assert box["x"] <= plot["x"] + 47, f"{panel} begins within view"  # 46 px are left of the axis
            assert box["x"] + box["width"] >= plot["x"] + plot["width"] - 13, f"{panel} ends within view"


@pytest.mark.nightly
def test_the_keyboard_pans_and_zooms(single: Visit) -> None:
    single.page.locator("#panel-cwnd .plot").focus()
    single.page.keyboard.press("+")
    single.page.keyboard.press("ArrowRight")
    single.settle()
    start, end = single.spans()["airtime"]
    assert end - start == pytest.approx(210.0)
    assert start == pytest.approx(66.0)


def test_pointing_at_a_second_reads_it_in_every_panel(single: Visit) -> None:
    plot = single.page.locator("#panel-goodput .plot")
    plot.scroll_into_view_if_needed()
    plot.hover(position={"x": 300, "y": 40})
    for panel in PANELS:
        assert single.page.locator(f"#panel-{panel} .cursor").first.evaluate("node => !node.hidden")
        assert float((single.page.locator(f"#panel-{panel} .now").first.text_content() or "").replace(",", "")) > 0


def test_a_name_hides_its_lines_and_shows_them_again(both: Visit) -> None:
    lines = "#panel-goodput .mark-line path, #panel-rtt .mark-line path"
    assert both.page.locator(lines).count() == 4
    name = both.page.locator("#panel-goodput .readout button").first
    name.click()
    both.settle()
    assert both.page.locator(lines).count() == 2
    assert name.get_attribute("aria-pressed") == "false"
    both.page.locator("#panel-rtt .readout button").first.click()
    both.settle()
    assert both.page.locator(lines).count() == 4


@pytest.mark.nightly
def test_a_link_shows_the_time_that_it_names(browser: Browser, single: Visit, page_of_one: Path) -> None:
    single.page.evaluate("airloom.show(25, 36)")
    single.settle()
    single.page.wait_for_url(lambda url: url.endswith("#t=25,36"))
    mean = single.page.locator("#panel-goodput .mean").first.text_content()
    again = Visit(browser, page_of_one, "#t=25,36", viewport={"width": 1280, "height": 900})
    again.settle()
    assert set(map(tuple, again.spans().values())) == {(25, 36)}
    assert again.page.locator("#panel-goodput .mean").first.text_content() == mean
    again.page.get_by_role("button", name="Whole run").click()
    again.page.wait_for_url(lambda url: "#" not in url)


@pytest.fixture(scope="session")
def page_of_a_crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crowd")
    report.write(airloom.run(crowd(50), out=folder / "run"), folder / "crowd.html")
    return folder / "crowd.html"


@pytest.mark.nightly
def test_fifty_stations_fit_on_three_screens(browser: Browser, page_of_a_crowd: Path) -> None:
    visit = Visit(browser, page_of_a_crowd, viewport={"width": 1280, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollHeight") <= 3 * 800 + 100
    assert page_of_a_crowd.stat().st_size < 3e6
    assert (
        max(visit.page.locator(".panel").evaluate_all("all => all.map(one => one.querySelectorAll('li').length)")) <= 6
    )
    visit.page.locator(".key details summary").click()
    assert visit.page.locator(".key details tbody tr").count() == 50
    assert visit.complaints == []


def test_a_page_prints_small(page_of_two: Path, tmp_path: Path, browser: Browser) -> None:
    visit = Visit(browser, page_of_two, viewport={"width": 1280, "height": 800})
    visit.page.emulate_media(media="print")
    assert not visit.page.locator(".toolbar").is_visible()
    assert len(visit.page.pdf(path=tmp_path / "page.pdf")) < 3e6


@pytest.mark.nightly
def test_the_page_follows_the_system_into_the_dark(single: Visit) -> None:
    single.page.emulate_media(color_scheme="light")
    light = single.colour("body"), single.colour("#panel-goodput .mark-line path", "stroke")
    single.page.emulate_media(color_scheme="dark")
    dark = single.colour("body"), single.colour("#panel-goodput .mark-line path", "stroke")
    assert light[0] == "rgb(250, 249, 246)"
    assert dark[0] == "rgb(18, 20, 24)"
    assert light[1] != dark[1]


def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, bundle: Path) -> None:
    report.write(airloom.load(bundle), bundle / "report.html")
    visit = Visit(
        browser, bundle / "report.html", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
    )
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 390
    box = visit.page.locator("#panel-goodput .plot svg").bounding_box()
    assert box is not None
    assert 300 < box["width"] <= 390


def test_two_runs_share_each_panel_and_meet_in_a_table(both: Visit) -> None:
    colours = {line.get_attribute("stroke") for line in both.page.locator("#panel-goodput .mark-line path").all()}
    assert colours == {"var(--hue-0)", "var(--hue-1)"}
    rows = both.page.locator("section:has(#remedy-title) tbody tr").all()
    assert len(rows) == 2
    without, with_remedy = ([cell.inner_text() for cell in row.locator("td").all()] for row in rows)
    assert without[1:] == ["33", "3", "0", "0", "120"]
    assert with_remedy[1:] == ["0", "0", "3", "0", "300"]


@pytest.mark.nightly
def test_the_figures_of_a_paper_are_drawn(browser: Browser, bundle: Path, remedied: Path, tmp_path: Path) -> None:
    scan = paper.read("scan")
    wanted, claims = read_figures(scan), scorer.claims_by_id(scan)
    off, on = airloom.load(bundle), airloom.load(remedied)
    runs = {name: on if name == "fix-on" else off for name in wanted.runs if name != wanted.frames}
    frames = airloom.run(
        scan.run("up-tsq-frames").scenario,
        set={"duration": "3 s", "station.0.scan.first": "1 s", "station.0.scan.channels": 4},
        out=tmp_path / "frames",
        capture=airloom.CaptureSettings(snap_length=256),
    )
    runs["up-tsq-frames"] = frames
    figures_page.write(scan, runs, scorer.score([(scan, runs)]), tmp_path / "scan.html")
    visit = Visit(browser, tmp_path / "scan.html", viewport={"width": 1280, "height": 900})
    for figure in wanted.figures:
        assert isinstance(figure, Figure)
        drawn = visit.page.locator(f"#figure-{figure.number}")
        dashes = sum(len(mark.ends) for mark in published_marks.marks(figure.published, claims, {}))
        assert drawn.locator(".mark-line path").count() == len(figure.axes) + dashes
        assert drawn.locator(".mark-line path[stroke-dasharray='6,4']").count() == dashes
        assert drawn.locator(".save summary").count() == 1
        assert drawn.get_by_role("heading", level=3).count() == 1
        assert figure.title in (drawn.locator("[aria-roledescription=visualization]").get_attribute("aria-label") or "")
        assert drawn.locator(".scans_0_marks path").count() == (0 if figure.run == "fix-on" else 3)
    names = visit.page.locator(".frames td.name").all_text_contents()
    assert names[0] == "Null PM=1"
    assert names.index("Beacon") < names.index("Null PM=0")
    said = dict(zip(*(visit.page.locator(f".averages {tag}").all_text_contents() for tag in ("dt", "dd")), strict=True))
    assert said["Sleeping period"].endswith(" mspublished: 110 ms")
    assert said["Waiting"].endswith("published: 114 ms (of one, Fig 7)")
    assert visit.page.locator(".claims tbody tr").count() == 25
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("places", [["2 m", "5 m", "9 m"], ["near", "far", "away"]])
def test_a_sweep_is_drawn(browser: Browser, places: list[str], tmp_path: Path) -> None:
    lines = [
        Line("cubic", {place: Spread.of([number, number + 1.0]) for number, place in enumerate(places)}),
        Line("newreno", {place: Spread.of([2.0]) for place in places[1:]}),
    ]
    sweep_page.write(
        Named("a sweep", {}), Shown("goodput_mbps", "distance", places, lines, ["seed"]), tmp_path / "page.html"
    )
    visit = Visit(browser, tmp_path / "page.html", viewport={"width": 1280, "height": 900})
    drawn = visit.page.locator("#figure-1")
    assert drawn.locator(".mark-line path").count() == (2 if places[0] == "2 m" else 0)  # none between names
    assert drawn.locator(".mark-symbol path").count() == 5
    assert drawn.locator(".mark-rule line").count() >= 3
    assert visit.page.locator("tbody tr").count() == 3
    assert visit.page.locator("tbody tr").first.locator("td").all_text_contents() == ["0.5 \u00b1 6.4", "-"]
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.nightly
def test_a_sender_is_drawn_from_two_places(browser: Browser, tmp_path: Path) -> None:
    """What seems to be sent again after its ACK is marked below the queue, and is not there at TCP."""
    run = airloom.run(ROOT / "papers/usb/hold.toml", set={"duration": "3 s"}, out=tmp_path / "run", capture=True)
    report.write(run, tmp_path / "held.html")
    visit = Visit(browser, tmp_path / "held.html", viewport={"width": 1280, "height": 900})
    visit.page.locator(".chip", has_text="Held back 1").click()
    visit.settle()
    for place, late in (("tcp", 0), ("device", late_below(run))):
        panel = f"#panel-sequence-{place}"
        assert visit.page.locator(f"{panel} .holds_marks path").count() == 1
        assert visit.page.locator(f"{panel} .timeouts_marks line").count() == 1
        assert visit.page.locator(f'{panel} .data_marks path[fill="var(--bad)"]').count() == late
    assert visit.spans()["sequence-tcp"] == visit.spans()["goodput"]
    assert visit.complaints == []


def late_below(run: Run) -> int:
    """How many segments pass the device again after they were acknowledged; some do."""
    seen = tcp_trace.sender(run, run.summary["flows"][0]["name"], "device, sent")
    late = sum(segment.again and segment.late for segment in seen.segments)
    assert late > 0
    return late


RUNS = {"short": "10 packets", "a queue with a much longer name": "30 packets"}


@pytest.fixture(scope="session")
def page_of_queues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("queues")
    queue = {"discipline": "fifo"}
    runs = [
        airloom.run(
            ROOT / "examples" / "download.toml",
            set={"title": title, "duration": "2 s", "ap.0.queue": queue | {"limit": limit}},
            out=folder / str(place),
        )
        for place, (title, limit) in enumerate(RUNS.items())
    ]
    report.write(runs[0], folder / "queues.html", against=runs[1:])
    return folder / "queues.html"


GAPS = """cells => cells.map(cell => {
  const box = node => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const change = cell.querySelector(".change");
  change.textContent = "\u2212100\u00a0%";
  return box(change).left - box(cell.firstChild).right;
})"""
"""The room between a figure and the widest of usual changes."""


@pytest.mark.nightly
def test_a_figure_and_its_change_stand_apart(browser: Browser, page_of_queues: Path) -> None:
    visit = Visit(browser, page_of_queues, viewport={"width": 1280, "height": 900})
    gaps = visit.page.locator(".figures.runs td:has(.change)").evaluate_all(GAPS)
    assert gaps
    assert min(gaps) > 5


@pytest.mark.nightly
def test_a_phone_shows_a_figure_beside_its_label(browser: Browser, page_of_queues: Path) -> None:
    visit = Visit(browser, page_of_queues, viewport={"width": 400, "height": 844}, is_mobile=True, has_touch=True)
    table = visit.page.locator(".scroll:has(> .figures.runs)").first
    values = table.locator("tbody td:nth-child(2)")
    ends = values.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().right)")
    assert max(ends) < 400 - 16
    table.evaluate("node => node.scrollLeft = 1000")
    assert table.locator("tbody th").first.evaluate("cell => cell.getBoundingClientRect().left") == 16
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 400


def test_bars_are_as_long_as_what_they_stand_for(browser: Browser, page_of_queues: Path) -> None:
    visit = Visit(browser, page_of_queues, viewport={"width": 1280, "height": 900})
    cells = visit.page.locator(".parts td:has(.bar)").evaluate_all(
        "cells => cells.map(cell => [cell.closest('section').textContent.includes('Where'),"
        " parseFloat(cell.innerText.replace(/,/g, '')), cell.querySelector('.bar').getBoundingClientRect().width])"
    )
    for of_drops in {drops for drops, _, _ in cells}:
        known = [(value, width) for drops, value, width in cells if drops == of_drops and width > 5]
        scales = [width / value for value, width in known]
        assert len(scales) > 2
        assert max(scales) / min(scales) < 1.05
