"""Grids of runs in a paper: they are made like single runs, and measured and drawn along their axes."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

from airloom.analysis.run_view import RunView
from airloom.errors import AirloomError, BundleError, GridError, PaperError
from airloom.papers import drawn_figure, figure, figure_file, figures_page, paper, published_marks, runner, scorer
from airloom.papers.claim_rows import claim_row
from airloom.papers.measure import Measures, Ours
from airloom.papers.views import Views, views_of
from airloom.report.frame_walkthrough import Walk
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.papers.grid_runs import GridRuns

PAPER = """\
title = "A paper of one grid"
citation = "Nobody: Nowhere."

[[grid]]
id = "up"
title = "An upload"
scenario = "upload.toml"
set = { duration = "1 s" }
seeds = [1, 2]

[grid.axis]
"flow.0.tcp.congestion" = ["cubic", "newreno"]
place = { near = { "station.0.snr" = "40 dB" }, far = { "station.0.snr" = "12 dB" } }
"""

CLAIMS = """\
[[claim]]
id = "tiny.near"
where = "I"
what = "a near station is faster than a far one"
kind = "order"
read = "text"
"""

FIGURES = """\
[[figure]]
number = 1
title = "Goodput"
grid = "up"
along = "place"
lines = "flow.0.tcp.congestion"
show = [
    { metric = "goodput_mbps", of = "sta1-server", title = "Goodput", unit = "Mbit/s" },
    { metric = "twice", title = "Twice", unit = "Mbit/s" },
]

[[figure]]
number = 2
title = "Goodput and rate"
grid = "up"
where = { "flow.0.tcp.congestion" = "cubic" }
along = "place"
against = { metric = "mac_rate_mbps", of = "sta1", title = "Rate", unit = "Mbit/s" }
show = [{ metric = "goodput_mbps", of = "sta1-server", title = "Goodput", unit = "Mbit/s" }]
"""


def goodput(view: RunView) -> float:
    return view.flow["goodput_mbps"]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> paper.Paper:
    """A paper of one grid, and its measures."""
    folder = tmp_path / "papers" / "tiny"
    folder.mkdir(parents=True)
    (folder / "paper.toml").write_text(PAPER)
    (folder / "claims.toml").write_text(CLAIMS)
    (folder / "figures.toml").write_text(FIGURES)
    (folder / "upload.toml").write_text((ROOT / "papers" / "scan" / "upload-tsq.toml").read_text())
    monkeypatch.setenv("AIRLOOM_PAPERS", str(folder.parent))
    measures = Measures()

    @measures.claim("tiny.near", "up")
    def near(up: GridRuns) -> Ours:
        places = {place: cells.mean(goodput) for place, cells in up.by("place").items()}
        return Ours(places["near"] > places["far"])

    measures.quantity("twice")(lambda view: 2 * goodput(view))
    for module in (scorer, drawn_figure):
        monkeypatch.setattr(module, "measures_of", lambda _: measures)
    return paper.read("tiny")


def test_a_grid_is_every_combination_of_its_values_with_every_seed(tiny: paper.Paper) -> None:
    assert len(tiny.runs) == 8
    assert list(tiny.runs)[:3] == ["up-cubic-near-1", "up-cubic-near-2", "up-cubic-far-1"]
    run = tiny.runs["up-newreno-far-2"]
    assert run.seed == 2
    assert run.overrides == [
        ("record.detail", "false"),
        ("duration", "1 s"),
        ("flow.0.tcp.congestion", "newreno"),
        ("station.0.snr", "12 dB"),
    ]


def test_a_grid_is_run_scored_and_drawn(tiny: paper.Paper) -> None:
    reported: list[tuple[float, int]] = []
    runs = runner.make(tiny, ["up"], fresh=True, progress=lambda done, total: reported.append((done, total)))
    assert len(runs) == 8
    assert all(run.detail is None for run in runs.values())
    assert reported[-1] == (8, 8)
    assert [score.verdict for score in scorer.score([(tiny, runs)])] == ["holds"]
    page = figures_page.render(tiny, runs, scorer.score([(tiny, runs)]))
    assert "Twice newreno" in page
    wanted = figure_file.read_figures(tiny)
    assert wanted.runs == ["up"]


def test_a_grid_is_not_scored_before_all_of_it_is_there(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up-cubic-near-1"])
    (score,) = scorer.score([(tiny, runs)])
    assert (score.verdict, score.note) == ("not run", "needs up")


def test_a_figure_shows_the_mean_and_the_range_of_its_runs(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up"])
    views = views_of(tiny, runs).grids
    one, two = figure_file.read_figures(tiny).figures
    assert isinstance(one, figure.GridFigure)
    assert isinstance(two, figure.GridFigure)
    drawn = drawn_figure.draw_grid(one, views["up"], tiny)
    assert [line.title for line in drawn.legend] == ["Goodput cubic", "Twice cubic", "Goodput newreno", "Twice newreno"]
    layer = next(part for part in drawn.spec["layer"] if part["name"] == "points_3")
    far = drawn.spec["datasets"][layer["data"]["name"]][1]
    values = [2 * runs[f"up-newreno-far-{seed}"].summary["flows"][0]["goodput_mbps"] for seed in (1, 2)]
    assert far["x"] == "far"
    assert far["y"] == pytest.approx(fmean(values), rel=1e-4)
    assert [far["low"], far["high"]] == pytest.approx([min(values), max(values)], rel=1e-4)
    drawn = drawn_figure.draw_grid(two, views["up"], tiny)
    assert drawn.over == "Rate, Mbit/s"
    assert all(row["x"] > 1 for row in next(iter(drawn.spec["datasets"].values())))


def test_a_quantity_that_no_measure_defines_is_refused(tiny: paper.Paper) -> None:
    view = next(iter(views_of(tiny, runner.make(tiny, ["up"])).grids["up"]))
    thrice = figure.Quantity("thrice", None, title="", unit="")
    known = Measures()
    known.quantity("twice")(goodput)
    with pytest.raises(AirloomError, match="no quantity 'thrice' among the paper's measures; there are: twice"):
        thrice.value(view, known)


def test_cells_are_picked_by_the_values_of_their_axes(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up"])
    up = views_of(tiny, runs).grids["up"]
    assert len(up.where(place="near")) == 4
    assert len(up.where(place="near", seed=2)) == 2
    assert list(up.by("flow.0.tcp.congestion")) == ["cubic", "newreno"]
    (view,) = up.where(place="far", seed=1, **{"flow.0.tcp.congestion": "cubic"})
    assert view.run.path.name.startswith("up-cubic-far-1-")
    assert view.total("sta1-server", "goodput_mbps") == goodput(view)
    assert math.isnan(up.where(place="near", seed=1).spread(lambda _: math.nan).mean)
    with pytest.raises(PaperError, match=r"no axis 'plaice' in this grid; there are .*place"):
        up.by("plaice")
    with pytest.raises(PaperError, match="no place 'nowhere' among these runs; there are near, far"):
        up.where(place="nowhere")
    with pytest.raises(BundleError, match="no 'speed' of sta1\n  there are airtime_share, "):
        view.total("sta1", "speed")
    with pytest.raises(BundleError, match="no 'sta9' in this run; there are run, sta1-server"):
        view.total("sta9", "ampdus")


@pytest.mark.parametrize(
    ("seeds", "seed"),
    [("set = { duration = '1 s' }", 1), ("set = { seed = 7 }", 7), ("set = { seed = 7 }\nseed = 9", 9)],
)
def test_another_set_of_seeds_goes_on_from_the_seed_of_a_run(tiny: paper.Paper, seeds: str, seed: int) -> None:
    alone = f"[[run]]\nid = 'alone'\ntitle = 'One'\nshort = 'One'\nscenario = 'upload.toml'\n{seeds}\n\n"
    (tiny.folder / "paper.toml").write_text(PAPER.replace("[[grid]]", f"{alone}[[grid]]"))
    span = max(seed, 2)
    assert paper.read("tiny", seed_set=2).run("alone").seed == seed + span
    of_grid = {run.seed for name, run in paper.read("tiny", seed_set=3).runs.items() if name != "alone"}
    assert of_grid == {1 + 2 * span, 2 + 2 * span}


def test_a_grid_without_seeds_has_others_in_every_set(tiny: paper.Paper) -> None:
    (tiny.folder / "paper.toml").write_text(PAPER.replace("seeds = [1, 2]\n", ""))
    seeds = [{run.seed for run in paper.read("tiny", seed_set=number).runs.values()} for number in (1, 2, 3)]
    assert seeds == [{None}, {2}, {3}]


def test_no_two_sets_share_a_seed(tiny: paper.Paper) -> None:
    """Nor do they where a run's seed is what a grid's would be in the next set."""
    alone = "[[run]]\nid = 'alone'\ntitle = 'One'\nshort = 'One'\nscenario = 'upload.toml'\nseed = 4\n\n"
    (tiny.folder / "paper.toml").write_text(PAPER.replace("[[grid]]", f"{alone}[[grid]]"))
    sets = [{run.seed for run in paper.read("tiny", seed_set=number).runs.values()} for number in (1, 2, 3)]
    assert sets == [{1, 2, 4}, {5, 6, 8}, {9, 10, 12}]


@pytest.mark.parametrize(
    ("axis", "words"),
    [
        ('"station.0.snr" = []', "axis 'station.0.snr' has no values"),
        ("place = {}", "axis 'place' has no values"),
        ('place = "near"', "needs a list of values"),
        ('place = { near = "40 dB" }', "named settings"),
        ('"station.0.snr" = ["1 dB", "1 dB"]', "has '1 dB' twice"),
        ("seed = [1]", "seeds are no axis"),
    ],
)
def test_an_axis_that_makes_no_sense_is_refused(axis: str, words: str, tiny: paper.Paper) -> None:
    file = tiny.folder / "paper.toml"
    file.write_text(PAPER.partition("[grid.axis]")[0] + f"[grid.axis]\n{axis}\n")
    with pytest.raises(GridError, match=f"grid 'up'.*{words}"):
        paper.read("tiny")


@pytest.mark.parametrize("seeds", ["[]", "0", "true", "[1, 1]", "[-1]", "1.5", '"1"'])
def test_seeds_that_make_no_sense_are_refused(seeds: str, tiny: paper.Paper) -> None:
    (tiny.folder / "paper.toml").write_text(PAPER.replace("[1, 2]", seeds))
    with pytest.raises(GridError, match="seed"):
        paper.read("tiny")


CLAIM = """
[[claim]]
id = "tiny.{}"
where = "I"
what = "a value"
unit = "Mbit/s"
read = "{}"
{}
"""


def rows_of(drawn: drawn_figure.Drawn) -> list[dict[str, Any]]:
    """All that a figure draws."""
    return [row for data in drawn.spec["datasets"].values() for row in data]


def drawn_with(tiny: paper.Paper, published: str) -> drawn_figure.Drawn:
    """The first figure, with these published values."""
    file = tiny.folder / "figures.toml"
    file.write_text(
        FIGURES.replace('lines = "flow.0.tcp.congestion"', f'lines = "flow.0.tcp.congestion"\n{published}', 1)
    )
    claims = [
        ("value", "text", "kind = 'value'\nvalue = 12000.0\ntol = 0.1"),
        ("range", "axis", "kind = 'range'\nlo = 5\nhi = 9"),
    ]
    (tiny.folder / "claims.toml").write_text(CLAIMS + "".join(CLAIM.format(*claim) for claim in claims))
    views = views_of(tiny, runner.make(tiny, ["up"])).grids
    one, _ = figure_file.read_figures(tiny).figures
    assert isinstance(one, figure.GridFigure)
    return drawn_figure.draw_grid(one, views["up"], tiny)


def test_published_values_are_drawn_where_they_belong(tiny: paper.Paper) -> None:
    drawn = drawn_with(
        tiny,
        "published = [\n{ claim = 'tiny.value', of = 'cubic', at = 'near', scale = 0.001 },\n"
        "{ claim = 'tiny.range', of = 'newreno' } ]",
    )
    rows = [row for row in rows_of(drawn) if "published" in row["k"]]
    points = [(row["x"], row["y"]) for row in rows if row["k"] == "Goodput cubic, published"]
    assert points == [("near", 12.0)]
    level = sorted((row["y"], row["x"]) for row in rows if "5 to 9 Mbit/s (read off the axis)" in row["k"])
    assert level == [(5, "far"), (5, "near"), (9, "far"), (9, "near")]
    colours = {line.title: line.colour for line in drawn.legend}
    assert colours["Goodput cubic, published"] == colours["Goodput cubic"]
    layers = [layer for layer in drawn.spec["layer"] if layer["mark"].get("filled") is False]
    assert len(layers) == 1, "one hollow mark"


def test_a_value_of_no_claim_says_where_it_stands(tiny: paper.Paper) -> None:
    value = "{ value = [7, 9, 8], of = 'cubic', at = 'near', where = 'Table 1' }"
    level = "{ value = [40, 60], where = 'I', said = 'at first', scale = 0.1 }"
    drawn = drawn_with(tiny, f"published = [{value}, {level}]")
    rows = rows_of(drawn)
    assert [row["y"] for row in rows if row["k"] == "Goodput cubic, published"] == [7, 9, 8]
    label = "published: 4 to 6 Mbit/s (at first, I)"
    assert {row["y"] for row in rows if row["k"] == label} == {4, 6}
    assert label in [line.title for line in drawn.legend]
    with pytest.raises(PaperError, match="no 'where' where one is needed"):
        drawn_with(tiny, "published = [{ value = 7 }]")


TABLE = """
[[figure]]
number = "Table 1"
title = "A table"
runs = {{ One = "alone", Many = "up" }}
along = "{along}"
show = [{{ metric = "{metric}", title = "Goodput", unit = "Mbit/s" }}]
published = [{published}]
"""


def drawn_table(tiny: paper.Paper, **parts: str) -> tuple[drawn_figure.Drawn, dict[str, list[float]]]:
    """A published table, and our goodputs by run or grid."""
    (tiny.folder / "paper.toml").write_text(f"{ALONE}[[grid]]{PAPER.partition('[[grid]]')[2]}")
    (tiny.folder / "figures.toml").write_text(TABLE.format(**parts))
    one = paper.read("tiny")
    (shown,) = figure_file.read_figures(one).figures
    assert isinstance(shown, figure.TableFigure)
    assert figure.runs_of(shown) == ["alone", "up"]
    runs = runner.make(one, figure.runs_of(shown))
    views = views_of(one, runs)
    drawn = drawn_figure.draw_any(shown, views, one)
    return drawn, {name: [goodput(views.runs[run]) for run in one.runs_of(name)] for name in ("alone", "up")}


ALONE = """\
title = "A paper of a run and a grid"
citation = "Nobody: Nowhere."

[[run]]
id = "alone"
title = "One"
short = "One"
scenario = "upload.toml"
set = { duration = "1 s" }

"""


def test_a_table_of_runs_has_a_place_for_each(tiny: paper.Paper) -> None:
    drawn, ours = drawn_table(
        tiny,
        along="runs",
        metric="twice",
        published="{ value = [1, 2], of = 'Goodput', at = 'Many', where = 'Table 1' }",
    )
    rows = rows_of(drawn)
    found = {row["x"]: row for row in rows if row["k"] == "Goodput"}
    assert found["One"]["y"] == pytest.approx(2 * ours["alone"][0], rel=1e-4)
    assert found["Many"]["y"] == pytest.approx(2 * fmean(ours["up"]), rel=1e-4)
    assert found["Many"]["low"] == pytest.approx(2 * min(ours["up"]), rel=1e-4)
    published = [row["y"] for row in rows if (row["k"], row["x"]) == ("Goodput, published", "Many")]
    assert published == [1, 2]


def test_a_table_of_flows_has_their_sum(tiny: paper.Paper) -> None:
    drawn, ours = drawn_table(
        tiny,
        along="flows",
        metric="goodput_mbps",
        published="{ value = 3000, of = 'One', at = 'all', where = 'Table 1', scale = 0.001 }",
    )
    rows = {(row["k"], row["x"]): row["y"] for row in rows_of(drawn)}
    for place in ("sta1-server", "all"):
        assert rows["One", place] == pytest.approx(ours["alone"][0], rel=1e-4)
        assert rows["Many", place] == pytest.approx(fmean(ours["up"]), rel=1e-4)
    assert rows["One, published", "all"] == 3


def over_time(tiny: paper.Paper, view: RunView, *axes: str) -> drawn_figure.Drawn:
    """A figure of one run over time."""
    described = ", ".join(f"{{ {axis} }}" for axis in axes)
    text = f'[[figure]]\nnumber = 1\ntitle = "Over time"\nrun = "up-cubic-near-1"\naxes = [{described}]\n'
    (tiny.folder / "figures.toml").write_text(text)
    (shown,) = figure_file.read_figures(tiny).figures
    return drawn_figure.draw_any(shown, Views({"up-cubic-near-1": view}, {}), tiny)


GOODPUT = "metric = 'goodput', of = 'flow', title = 'One', unit = 'Mbit/s'"
SUM = "metric = 'goodput', of = 'flows', title = 'All', unit = 'Mbit/s', from = 0, to = 500"
WINDOW = "metric = 'cwnd', of = 'flow', title = 'cwnd', unit = 'packets', from = 0, to = 500"


def test_series_of_one_unit_share_an_axis_that_says_where_theirs_ended(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up-cubic-near-1"])
    view = RunView(runs["up-cubic-near-1"])
    drawn = over_time(tiny, view, f"{GOODPUT}, theirs = [0, 5]", SUM, WINDOW)
    assert drawn.upward == ["Mbit/s", "cwnd, packets"]
    left, right = (layer for layer in drawn.spec["layer"] if "layer" in layer)
    assert {one["encoding"]["y"]["scale"]["domain"][1] for one in left["layer"]} == {500}
    said = [one["mark"].get("text") for one in left["layer"] if one["mark"]["type"] == "text"]
    assert set(said) == {published_marks.ENDS}
    (line,) = [one for one in left["layer"] if one["mark"]["type"] == "rule"]
    assert drawn.spec["datasets"][line["data"]["name"]] == [{"v": 5}]
    assert len(right["layer"]) == 1, "the end of an axis of our own is not theirs"
    inside = over_time(tiny, view, f"{GOODPUT}, theirs = [0, 5000]")
    (only,) = (layer for layer in inside.spec["layer"] if "layer" in layer)
    assert len(only["layer"]) == 1
    with pytest.raises(PaperError, match="figure 1: series of Mbit/s, packets, ms; there are two axes"):
        over_time(tiny, view, SUM, WINDOW, "metric = 'rtt', of = 'flow', title = 'R', unit = 'ms', from = 0, to = 1")


def test_a_walk_has_what_was_published_of_its_averages() -> None:
    walk = Walk("", [], [], [], [("Sleeping period", "111 ms"), ("Visits in a scan", "26")])

    def averages(of: str) -> dict[str, str]:
        one = figure.Published("", (110.0,), "Fig 8", of, None, None, None, 1.0)
        return figures_page.published_averages(figure.Figures([], None, None, [one]), walk, {})

    assert averages("Sleeping period") == {"Sleeping period": "published: 110 ms (Fig 8)"}
    assert averages("Visits in a scan") == {"Visits in a scan": "published: 110 (Fig 8)"}
    with pytest.raises(PaperError, match="no average 'Nap' in the walk; there are Sleeping period, Visits in a scan"):
        averages("Nap")


def test_nothing_is_published_along_an_axis_without_a_point() -> None:
    mark = published_marks.Mark("", None, (None, None), (5.0, 9.0), "published: 5 to 9")
    assert published_marks.traces([mark], [], {}) == []


@pytest.mark.parametrize(
    ("published", "said"),
    [
        ("{ claim = 'tiny.none' }", "no claim 'tiny.none'"),
        ("{ claim = 'tiny.near' }", "is a statement"),
        ("{ claim = 'tiny.value', of = 'bbr' }", "no line 'bbr' in the figure; there are cubic, newreno"),
    ],
)
def test_what_was_not_published_is_not_drawn(tiny: paper.Paper, published: str, said: str) -> None:
    with pytest.raises(PaperError, match=said):
        drawn_with(tiny, f"published = [{published}]")


def test_ours_is_written_as_precisely_as_theirs() -> None:
    def written(published: float | tuple[float, float], ours: float) -> tuple[str, str]:
        score = scorer.Score("a", published, ours, None, "s", "holds", "predicted", "", 1.0, "", "", "", (0.0, 1.0))
        row = claim_row(score)
        return row.published, row.ours

    assert written(5.114, 5.0031) == ("5.11", "5.00")
    assert written(600.0, 612.34) == ("600", "612")
    assert written(0.44, 0.4448) == ("0.44", "0.44")
    assert written(5.0, 5.11) == ("5.0", "5.1")
    assert written((0.0047, 0.0098), 0.006924) == ("0.0047 to 0.0098", "0.0069")
