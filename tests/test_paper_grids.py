"""Grids of runs in a paper: they are made like single runs, and measured and drawn along their axes."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

import quantity
from airloom.analysis.run_view import RunView
from airloom.errors import AirloomError, BundleError, GridError, PaperError
from airloom.papers import figure, figures_page, paper, published_marks, runner, scorer
from airloom.papers.claim_rows import claim_row
from airloom.papers.grid_runs import runs_of_grids
from airloom.papers.measure import Measures, Ours
from airloom.support.formatting import number
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
    for module in (scorer, figures_page, quantity):
        monkeypatch.setattr(module, "measures_of", lambda _: measures)
    return paper.read("tiny")


def test_a_grid_is_every_combination_of_its_values_with_every_seed(tiny: paper.Paper) -> None:
    assert len(tiny.runs) == 8
    assert list(tiny.runs)[:3] == ["up-cubic-near-1", "up-cubic-near-2", "up-cubic-far-1"]
    run = tiny.runs["up-newreno-far-2"]
    assert run.seed == 2
    assert run.overrides == [
        ("duration", "1 s"),
        ("flow.0.tcp.congestion", "newreno"),
        ("station.0.snr", "12 dB"),
    ]


def test_a_grid_is_run_scored_and_drawn(tiny: paper.Paper) -> None:
    reported: list[tuple[float, int]] = []
    runs = runner.make(tiny, ["up"], fresh=True, progress=lambda done, total: reported.append((done, total)))
    assert len(runs) == 8
    assert reported[-1] == (8, 8)
    assert [score.verdict for score in scorer.score([(tiny, runs)])] == ["holds"]
    page = figures_page.render(tiny, runs, scorer.score([(tiny, runs)]))
    assert "Twice newreno" in page
    wanted = figure.read_figures(tiny)
    assert wanted.runs == ["up"]


def test_a_grid_is_not_scored_before_all_of_it_is_there(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up-cubic-near-1"])
    (score,) = scorer.score([(tiny, runs)])
    assert (score.verdict, score.note) == ("not run", "needs up")


def test_a_figure_shows_the_mean_and_the_range_of_its_runs(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up"])
    views = runs_of_grids(tiny, {name: RunView(run) for name, run in runs.items()})
    one, two = figure.read_figures(tiny).figures
    assert isinstance(one, figure.GridFigure)
    assert isinstance(two, figure.GridFigure)
    drawn = figures_page.draw_grid(one, views["up"], tiny)
    assert [line.title for line in drawn.legend] == ["Goodput cubic", "Twice cubic", "Goodput newreno", "Twice newreno"]
    layer = next(part for part in drawn.spec["layer"] if part["name"] == "points_3")
    far = drawn.spec["datasets"][layer["data"]["name"]][1]
    values = [2 * runs[f"up-newreno-far-{seed}"].summary["flows"][0]["goodput_mbps"] for seed in (1, 2)]
    assert far["x"] == "far"
    assert far["y"] == pytest.approx(fmean(values), rel=1e-4)
    assert [far["low"], far["high"]] == pytest.approx([min(values), max(values)], rel=1e-4)
    drawn = figures_page.draw_grid(two, views["up"], tiny)
    assert drawn.over == "Rate, Mbit/s"
    assert all(row["x"] > 1 for row in next(iter(drawn.spec["datasets"].values())))


def test_a_sentence_can_carry_a_quantity_of_a_grid(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up"])

    def of(place: str) -> list[float]:
        return [
            run.summary["flows"][0]["goodput_mbps"]
            for name, run in runs.items()
            if name.startswith(f"up-cubic-{place}")
        ]

    cubic = "flow.0.tcp.congestion=cubic"
    near, far = of("near"), of("far")
    assert quantity.main(["tiny", "up", "twice", cubic, "place=near"]) == number(2 * fmean(near))
    both = quantity.main(["tiny", "up", "sta1-server.goodput_mbps", cubic, "--by", "place", "--digits", "1"])
    assert both == f"{fmean(near):.1f}, {fmean(far):.1f}"
    ends = quantity.main(
        ["tiny", "up", "sta1-server.goodput_mbps", cubic, "place=far", "--range", "--times", "1000", "--digits", "0"]
    )
    assert ends == f"{1e3 * min(far):,.0f} to {1e3 * max(far):,.0f}"
    fall = quantity.main(["tiny", "up", "twice", cubic, "--by", "place", "--change"])
    assert fall == f"{100 * (fmean(far) / fmean(near) - 1):+.0f} %"
    with pytest.raises(AirloomError, match="no quantity 'thrice' among the measures of tiny; there are twice"):
        quantity.main(["tiny", "up", "thrice"])


def test_cells_are_picked_by_the_values_of_their_axes(tiny: paper.Paper) -> None:
    runs = runner.make(tiny, ["up"])
    up = runs_of_grids(tiny, {name: RunView(run) for name, run in runs.items()})["up"]
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
    with pytest.raises(BundleError, match="no 'speed' of sta1; there are airtime_share, "):
        view.total("sta1", "speed")
    with pytest.raises(BundleError, match="no 'sta9' in this run; there are run, sta1-server"):
        view.total("sta9", "ampdus")


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


def drawn_with(tiny: paper.Paper, published: str) -> figures_page.Drawn:
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
    views = runs_of_grids(tiny, {name: RunView(run) for name, run in runner.make(tiny, ["up"]).items()})
    one, _ = figure.read_figures(tiny).figures
    assert isinstance(one, figure.GridFigure)
    return figures_page.draw_grid(one, views["up"], tiny)


def test_published_values_are_drawn_where_they_belong(tiny: paper.Paper) -> None:
    drawn = drawn_with(
        tiny,
        "published = [\n{ claim = 'tiny.value', of = 'cubic', at = 'near', scale = 0.001 },\n"
        "{ claim = 'tiny.range', of = 'newreno' } ]",
    )
    rows = [row for data in drawn.spec["datasets"].values() for row in data if "published" in row["k"]]
    points = [(row["x"], row["y"]) for row in rows if row["k"] == "Goodput cubic, published"]
    assert points == [("near", 12.0)]
    level = sorted((row["y"], row["x"]) for row in rows if "5 to 9 Mbit/s (read off the axis)" in row["k"])
    assert level == [(5, "far"), (5, "near"), (9, "far"), (9, "near")]
    colours = {line.title: line.colour for line in drawn.legend}
    assert colours["Goodput cubic, published"] == colours["Goodput cubic"]
    layers = [layer for layer in drawn.spec["layer"] if layer["mark"].get("filled") is False]
    assert len(layers) == 1, "one hollow mark"


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
        score = scorer.Score("a", published, ours, None, "s", "holds", "result", "", 1.0, "", "", "", (0.0, 1.0))
        row = claim_row(score)
        return row.published, row.ours

    assert written(5.114, 5.0031) == ("5.11", "5.00")
    assert written(600.0, 612.34) == ("600", "612")
    assert written(0.44, 0.4448) == ("0.44", "0.44")
    assert written(5.0, 5.11) == ("5.0", "5.1")
    assert written((0.0047, 0.0098), 0.006924) == ("0.0047 to 0.0098", "0.0069")
