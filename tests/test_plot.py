"""Charts as files, from the command line and from Python: what they hold, and what is refused."""

from __future__ import annotations

import csv
import json
import re
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import airloom
from airloom.cli import app, kinds
from airloom.cli import sweep as cli_sweep
from airloom.errors import AirloomError
from airloom.papers import runner
from airloom.report import html, picture, standalone
from airloom.report.line_chart import Point, Trace, against
from airloom.report.run_chart import run_chart
from airloom.results import bundle as bundles
from airloom.support.statistics import Spread
from airloom.sweep import chart, results, shown_file, words
from airloom.sweep.query import Encoding, Line, Shown
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

GRID = """
title = "Near and far"
scenario = "upload.toml"
seeds = 2
set = { duration = "1 s" }

[axis]
"ap.0.queue.limit" = ["25 packets", "100 packets"]
place = { near = { "station.0.distance" = "3 m" }, far = { "station.0.distance" = "12 m" } }
control = { cubic = { "flow.0.tcp.congestion" = "cubic" }, newreno = { "flow.0.tcp.congestion" = "newreno" } }
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plotted")
    (folder / "grid.toml").write_text(GRID, encoding="utf-8")
    (folder / "upload.toml").write_bytes((ROOT / "examples" / "download.toml").read_bytes())
    assert app.code(["sweep", str(folder / "grid.toml"), "-o", str(folder / "out")]) == 0
    return folder / "out"


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What a command that cannot be met says."""
    capsys.readouterr()
    assert app.code([str(one) for one in arguments]) == 2
    return capsys.readouterr().err


def texts(file: Path) -> list[str]:
    """The texts of an SVG."""
    return [text for text in ElementTree.fromstring(file.read_text(encoding="utf-8")).itertext() if text.strip()]  # noqa: S314


def test_panels_of_a_run_are_drawn_below_each_other(bundle: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "two.svg"
    arguments = ["--panel", "goodput", "--panel", "rtt", "--from", "20", "--to", "40", "-o", str(file)]
    assert app.code(["plot", str(bundle), *arguments]) == 0
    found = texts(file)
    assert {"Goodput, Mbit/s", "Round-trip time, ms", "Time, s", "22", "38"} <= set(found)
    assert found.count("Time, s") == 1
    assert not {"19", "41", "60"} & set(found), "what is outside of the span"
    assert "var(" not in file.read_text(encoding="utf-8")


@pytest.mark.long
def test_each_suffix_is_obeyed(bundle: Path, tmp_path: Path) -> None:
    starts = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".json": b'{"'}
    assert starts.keys() == picture.FORMATS.keys()
    for suffix, start in starts.items():
        run_chart([airloom.load(bundle)], ["goodput"]).save(tmp_path / f"chart{suffix}")
        assert (tmp_path / f"chart{suffix}").read_bytes().startswith(start)


def test_a_name_that_looks_like_a_colour_stays_a_name(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "download.toml", set={"duration": "1 s", "title": "var(--x)"})
    run.chart("goodput").save(tmp_path / "x.svg")
    assert "var(--x)" in texts(tmp_path / "x.svg")


def test_other_suffixes_are_refused_and_nothing_is_written(
    bundle: Path, swept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, instead in (("x.csv", "-o FILE.csv"), ("x.html", "write pages"), ("x", "")):
        said = refused(capsys, "plot", bundle, "-o", tmp_path / name)
        assert "there are .svg, .png, .pdf, .json" in said
        assert instead in said
    metric = ["--metric", "goodput_mbps", "--by", "place"]
    complaint = refused(capsys, "sweep", "show", swept, *metric, "-o", tmp_path / "x.xls")
    assert "there are .html, .csv, .svg" in complaint
    for command in (["report", bundle, "-o"], ["compare", bundle, bundle, "--report"]):
        said = refused(capsys, *command, tmp_path / "x.csv")
        assert "a page's name ends in .html" in said
        assert "`airloom export --table flows` writes tables" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_what_is_not_there_is_refused(bundle: Path, swept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'goodput'" in refused(capsys, "plot", bundle, "--panel", "goodpu", "-o", "x.svg")
    assert "the run takes 300 s" in refused(capsys, "plot", bundle, "--to", "400", "-o", "x.svg")
    assert "no such span" in refused(capsys, "plot", bundle, "--from", "40", "--to", "40", "-o", "x.svg")
    assert "no such folder, and no paper; there are anomaly" in refused(capsys, "plot", "nowhere", "-o", "x.svg")
    assert "--panel is for a run" in refused(capsys, "plot", swept, "--panel", "rtt", "-o", "x.svg")
    assert "--metric is for a sweep" in refused(capsys, "plot", bundle, "--metric", "rtt", "-o", "x.svg")
    assert "which metric?" in refused(capsys, "plot", swept, "-o", "x.svg")
    assert "which metric?" in refused(capsys, "sweep", "show", swept, "-o", "x.svg")
    assert "which figure?" in refused(capsys, "plot", "usb", "-o", "x.svg")
    assert "no figure 99" in refused(capsys, "plot", "usb", "--figure", "99", "-o", "x.svg")
    assert "needs 40 pixels" in refused(capsys, "plot", bundle, "--width", "3", "-o", "x.svg")


def test_without_what_draws_pictures_it_is_named(bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    made = run_chart([airloom.load(bundle)], ["goodput"])
    with pytest.raises(AirloomError, match="pip install vl-convert-python"):
        made.save(tmp_path / "x.svg")
    assert list(tmp_path.iterdir()) == []
    made.save(tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text())["layer"]
    assert "application/vnd.vegalite.v5+json" in made._repr_mimebundle_()


def test_what_draws_pictures_is_looked_for_before_the_work(
    bundle: Path, swept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("it has begun")

    monkeypatch.setitem(sys.modules, "vl_convert", None)
    for module, name in ((runner, "make"), (bundles, "load"), (cli_sweep, "shown"), (kinds, "shown")):
        monkeypatch.setattr(module, name, work)
    metric = ["--metric", "goodput_mbps", "--by", "place"]
    for what in (["usb", "--figure", "1"], [bundle], [swept, *metric]):
        assert "pip install vl-convert-python" in refused(capsys, "plot", *what, "-o", tmp_path / "x.svg")
    for name in ("x.svg", "x.png", "x.pdf"):
        assert "pip install vl-convert-python" in refused(
            capsys, "sweep", "show", swept, *metric, "-o", tmp_path / name
        )
    assert list(tmp_path.iterdir()) == []


def test_every_colour_of_the_page_is_one_that_a_saved_chart_can_have(bundle: Path, remedied: Path) -> None:
    """The page's script asks the browser; Python reads the style itself."""
    text = json.dumps(run_chart([airloom.load(bundle), airloom.load(remedied)]).spec)
    assert "var(" not in text
    for variable in re.findall(r"var\((--[\w-]+)\)", html.asset("figures.css")):
        if variable in standalone.palette():
            standalone.literal(variable)
    assert standalone.literal("--scan").startswith("rgba(")


def test_a_sweep_speaks_in_words(swept: Path, tmp_path: Path) -> None:
    arguments = ["--metric", "goodput_mbps", "--by", "ap.0.queue.limit", "--lines", "place", "--lines", "control"]
    for name in ("shown.html", "shown.csv"):
        assert app.code(["sweep", "show", str(swept), *arguments, "-o", str(tmp_path / name)]) == 0
    assert app.code(["plot", str(swept), *arguments, "-o", str(tmp_path / "plotted.svg")]) == 0
    page = (tmp_path / "shown.html").read_text(encoding="utf-8")
    assert "<h1>Near and far</h1>" in page
    assert "Goodput of download by queue limit of the access point, place and control: the mean over 2 seeds" in page
    found = texts(tmp_path / "plotted.svg")
    assert {"Near and far", "Goodput, Mbit/s", "Queue limit of the access point, packets", "25", "100"} <= set(found)
    assert {"near, cubic", "near, newreno", "far, cubic", "far, newreno"} <= set(found)
    rows = list(csv.DictReader((tmp_path / "shown.csv").read_text(encoding="utf-8").splitlines()))
    unit = "goodput_mbps {} (Mbit/s)".format
    assert list(rows[0]) == [
        "ap.0.queue.limit (packets)", "place", "control", unit("mean"), unit("from"), unit("to"), "seeds",
        "runs unsettled", "runs with silent flows",
    ]  # fmt: skip
    assert len(rows) == 8
    assert {row["ap.0.queue.limit (packets)"] for row in rows} == {"25", "100"}
    assert all(float(row[unit("from")]) < float(row[unit("mean")]) for row in rows)


def test_a_third_axis_has_a_chart_for_each_of_its_values(swept: Path, tmp_path: Path) -> None:
    arguments = ["--metric", "goodput_mbps", "--by", "ap.0.queue.limit", "--lines", "place", "--panels", "control"]
    assert app.code(["plot", str(swept), *arguments, "-o", str(tmp_path / "x.svg")]) == 0
    found = texts(tmp_path / "x.svg")
    assert {"Control: cubic", "Control: newreno", "near", "far"} <= set(found)
    assert app.code(["sweep", "show", str(swept), *arguments, "-o", str(tmp_path / "x.html")]) == 0
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.count('<figure class="drawn"') == 2


def shown(by: str, places: list[str], lines: list[Line]) -> Shown:
    return Shown("goodput_mbps", by, places, lines, [], Encoding("control", "place"), seeds=2)


def spec_of(one: Shown) -> dict[str, Any]:
    (drawn,) = chart.charts(one, chart.Named("a sweep", {}))
    return drawn.spec


def test_a_two_by_two_design_has_two_hues_and_two_shapes() -> None:
    names = [(hue, shape) for hue in ("cubic", "newreno") for shape in ("near", "far")]
    lines = [Line(f"{h} {s}", {"a": Spread.of([1.0, 2.0])}, h, s) for h, s in names]
    looks = chart.looks(shown("queue", ["a"], lines))
    assert len(set(looks.values())) == 4
    assert len({colour for colour, _ in looks.values()}) == 2
    assert looks["cubic, near"][0] == looks["cubic, far"][0]
    assert looks["cubic, far"][1] == looks["newreno, far"][1]


def test_nothing_is_drawn_between_names_and_intervals_do_not_lie_over_each_other() -> None:
    lines = [Line(name, {p: Spread.of([1.0, 2.0]) for p in ("fifo", "fq_codel")}, name) for name in ("a", "b")]
    layers = spec_of(shown("queue", ["fifo", "fq_codel"], lines))["layer"]
    assert {layer["mark"]["type"] for layer in layers} == {"rule", "point"}
    assert len({layer["mark"]["xOffset"] for layer in layers}) == 2
    lines = [Line("a", {p: Spread.of([1.0, 2.0]) for p in ("2 m", "30 m")}, "a")]
    assert "line" in {layer["mark"]["type"] for layer in spec_of(shown("d", ["2 m", "30 m"], lines))["layer"]}


def test_axes_fit_what_is_shown() -> None:
    def drawn(values: dict[str, float]) -> tuple[Any, Any]:
        points = [Point(place, value, value - 1, value + 1) for place, value in values.items()]
        encoding = against([Trace("k", points, "red")], "Distance", "Goodput")["layer"][0]["encoding"]
        return encoding["x"], encoding["y"]

    x, y = drawn({"3 m": 43.0, "5 m": 50.0, "12 m": 60.0, "30 m": 83.0})
    assert x["axis"]["values"] == [3, 5, 12, 30]
    assert x["title"] == "Distance, m"
    assert y["scale"]["domain"] == [0, 84.0]
    assert drawn({"3 m": 90.0, "5 m": 95.0})[1]["scale"]["domain"] == [89.0, 96.0]
    x, _ = drawn({f"{limit} packets": 1.0 for limit in (25, 50, 100, 200, 400, 800)})
    assert x["scale"]["type"] == "log"
    assert x["title"] == "Distance, packets (logarithmic)"


def test_an_interval_does_not_pull_the_axis_below_what_there_can_be() -> None:
    one = against([Trace("k", [Point("a", 5.0, -30.0, 40.0)], "red")], "Queue", "Goodput")
    assert one["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0.0, 40.0]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("ap.0.queue.limit", "Queue limit of the access point"),
        ("station.1.distance", "Distance of bob"),
        ("station.bob.distance", "Distance of bob"),
        ("station.7.distance", "Distance of station 7"),
        ("flow.0.tcp.congestion", "Congestion of the flow"),
        ("place", "Place"),
        ("air.width", "Air width"),
    ],
)
def test_keys_are_said_in_words(key: str, said: str) -> None:
    scenario = {"ap": [{"name": "ap"}], "station": [{"name": "alice"}, {"name": "bob"}], "flow": [{}]}
    assert words.key(key, scenario).title == said


def test_metrics_have_words_and_units() -> None:
    assert words.metric("goodput_mbps").axis == "Goodput, Mbit/s"
    assert words.metric("driver_mean_sojourn_ms").axis == "Driver mean sojourn, ms"
    assert words.metric("rpm").axis == "Responsiveness, round trips per minute"
    assert words.metric("frames_rts").axis == "Frames rts"


def test_a_table_of_nothing_measured_has_empty_cells() -> None:
    header, rows = shown_file.table(shown("queue", ["a"], [Line("x y", {"a": Spread.of([1.0])}, "x", "y")]))
    assert header[:3] == ["queue", "control", "place"]
    assert rows == [["a", "x", "y", 1.0, None, None, 1, 0, 0]]


def test_points_that_were_measured_stay_where_they_were_measured() -> None:
    traces = [Trace(name, [Point(at, 2.0, 1.0, 3.0) for at in (5.5, 130.2)], "red") for name in ("a", "b")]
    assert {layer["mark"]["xOffset"] for layer in against(traces, "Rate", "Ping")["layer"]} == {0}
    traces = [Trace(name, [Point(at, 2.0, 1.0, 3.0) for at in ("5 m", "10 m")], "red") for name in ("a", "b")]
    assert {layer["mark"]["xOffset"] for layer in against(traces, "Distance", "Ping")["layer"]} == {-3.5, 3.5}


def test_points_at_close_numbers_do_not_seem_to_lie_at_others() -> None:
    """Six series at twenty-one values: aside by 21 pixels they would lie at the next value, 24 pixels away."""
    places = [f"{place} m" for place in range(1, 22)]
    traces = [Trace(f"{name}", [Point(at, 2.0, 1.0, 3.0) for at in places], "red") for name in range(6)]
    aside = {layer["mark"]["xOffset"] for layer in against(traces, "Distance", "Ping")["layer"]}
    assert max(map(abs, aside)) <= 480 / 20 / 4


def test_a_panel_of_a_crowd_has_all_of_its_charts(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "crowd.toml", set={"duration": "1 s"}, out=tmp_path / "run")
    parts = run_chart([run], ["goodput"]).spec["vconcat"]
    assert [part["title"]["text"] for part in parts] == ["Goodput, all together", "Goodput, each"]


def test_what_changed_nothing_and_where_an_interval_is_cut_is_said(
    swept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results.Results, "idle", ("`control` changed nothing",))
    target = str(tmp_path / "a.json")
    assert app.code(["plot", swept.as_posix(), "--metric", "goodput_mbps", "--by", "place", "-o", target]) == 0
    said = capsys.readouterr().out.splitlines()
    assert (said[0], said[-1]) == (target, "`control` changed nothing")
    below = json.loads((tmp_path / "a.json").read_text())["title"]["subtitle"]
    assert "`control` changed nothing." in below, "a picture goes where no terminal is"
    few = Shown("goodput_mbps", "place", ["near"], [Line("", {"near": Spread(2.0, 1.0, 3.0, 3.0, 2)})], [], seeds=2)
    assert "Intervals that reach below 0 are cut there." in chart.sentence(few, chart.Named("", {}))
    sure = Shown("goodput_mbps", "place", ["near"], [Line("", {"near": Spread(2.0, 1.0, 3.0, 1.0, 2)})], [], seeds=2)
    assert "cut" not in chart.sentence(sure, chart.Named("", {}))


def test_a_title_of_ones_own_keeps_what_points_and_bars_are() -> None:
    """And lines that lie on each other are named: one of them is not to be seen."""
    lines = [Line(name, {"near": Spread(2.0, 1.0, 3.0, 0.1, 2)}, hue=name) for name in ("fifo", "fq_codel")]
    shown = Shown("goodput_mbps", "place", ["near"], lines, [], seeds=2)
    title = chart.picture(shown, chart.Named("Grid", {}), title="Mine").spec["title"]
    assert title["text"] == "Mine"
    said = " ".join(title["subtitle"])
    assert "the mean over 2 seeds, and its 95\N{NO-BREAK SPACE}% confidence interval" in said
    assert "The lines of fifo and fq_codel coincide." in said
    other = Line("codel", {"near": Spread(2.1, 1.0, 3.0, 0.1, 2)}, hue="codel")
    assert chart.coinciding(Shown("goodput_mbps", "place", ["near"], [lines[0], other], [], seeds=2)) == []


@pytest.mark.parametrize(
    ("means", "from_zero"), [((140.0, 156.0), True), ((80.0, 100.0), True), ((97.0, 100.0), False)]
)
def test_an_axis_of_what_has_a_zero_begins_there_or_says_that_it_does_not(
    means: tuple[float, float], from_zero: bool
) -> None:
    points = [Point(str(place), mean, mean, mean) for place, mean in enumerate(means)]
    y = against([Trace("", points, "red")], "Place", "Goodput, Mbit/s")["layer"][0]["encoding"]["y"]
    assert (y["scale"]["domain"][0] == 0) is from_zero
    whole = y["title"] if isinstance(y["title"], str) else " ".join(y["title"])
    assert whole == "Goodput, Mbit/s" + ("" if from_zero else " (axis not from 0)")
    spreads = {str(place): Spread(mean, mean, mean, 0.0, 2) for place, mean in enumerate(means)}
    shown = Shown("rtt_p95_ms", "place", list(spreads), [Line("", spreads)], [], seeds=2)
    picture = chart.picture(shown, chart.Named("Grid", {}), height=200).spec
    said = picture["layer"][0]["encoding"]["y"]["title"]
    lines = [said] if isinstance(said, str) else said
    assert ("(axis not from 0)" in " ".join(lines)) is not from_zero
    assert max(map(len, lines)) <= 300 // 7


def test_one_series_needs_no_legend_and_its_name_stands_below_the_title() -> None:
    def drawn(*labels: str) -> standalone.Spec:
        traces = [Trace(label, [Point("1", 1.0, 1.0, 1.0)], "var(--line-0)") for label in labels]
        spec = against(traces, "X", "Y")
        described = standalone.describe(spec, title="T", name="t", x="X", y="Y", columns=(), subtitle="What")
        return standalone.alone(described)

    def legends(spec: standalone.Spec) -> set[str]:
        return {
            channel
            for layer in spec["layer"]
            for channel, one in layer["encoding"].items()
            if isinstance(one, dict) and one.get("legend")
        }

    assert legends(drawn("upload")) == set()
    assert drawn("upload")["title"]["subtitle"] == ["What", "upload"]
    assert drawn("")["title"]["subtitle"] == ["What"]
    assert legends(drawn("upload", "download")) == {"color", "shape"}
    assert drawn("upload", "download")["title"]["subtitle"] == ["What"]
