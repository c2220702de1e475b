"""The plan on the page of a run whose radios have places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import airloom
from airloom.analysis.run_view import RunView
from airloom.report import page, plan
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SHORT = {"duration": "6 s"}


def test_the_plan_has_walls_radios_and_ways(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "walk.toml", set=SHORT, out=tmp_path / "run")
    picture = str(plan.drawn(RunView(run)))
    assert [picture.count(f'class="wall {material}"') for material in ("concrete", "heavy", "light")] == [3, 2, 1]
    assert "10 s, 51 s" in picture
    assert ">router<" in picture
    assert ">laptop<" in picture
    text = page.render(run)
    assert "Where everything is" in text
    assert "A dashed line is where a station walks" in text
    assert run.station("laptop").signal_min_db <= run.station("laptop").signal_median_db
    assert run.series.get("laptop", "signal").max() == run.station("laptop").signal_median_db


def test_everything_lies_within_the_picture(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "apartments.toml", set={"duration": "100 ms"}, out=tmp_path / "run")
    picture = str(plan.drawn(RunView(run)))
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', picture)
    assert size
    width, height = (float(one) for one in size.groups())
    for x, y in re.findall(r'c?x1?="([-\d.]+)" c?y1?="([-\d.]+)"', picture):
        assert 0 <= float(x) <= width
        assert 0 <= float(y) <= height
    assert picture.count('class="ap"') == picture.count('class="station"') == 4


def test_a_run_without_places_has_no_plan(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "download.toml", set=SHORT, out=tmp_path / "run")
    assert plan.drawn(RunView(run)) is None
    assert "Where everything is" not in page.render(run)


def test_a_name_gives_way_to_a_wall() -> None:
    box = ((10.0, 10.0), (30.0, 20.0))
    assert plan.crosses(((0.0, 15.0), (40.0, 15.0)), *box)
    assert plan.crosses(((20.0, 0.0), (20.0, 40.0)), *box)
    assert plan.crosses(((0.0, 0.0), (40.0, 40.0)), *box)
    assert not plan.crosses(((0.0, 25.0), (40.0, 25.0)), *box)
    assert not plan.crosses(((0.0, 0.0), (5.0, 40.0)), *box)
    point = {"name": "router", "position": ["0 m", "0 m"]}
    frame = plan.Frame.around([(-5.0, -5.0), (5.0, 5.0)])
    y = frame.at((0.0, 0.0))[1]
    above = ((-5.0, 28 / frame.pixels), (5.0, 28 / frame.pixels), "light")
    assert f'y="{y + 32}">router' in plan.point_drawn(frame, point, {}, [above], numbered=False, others=0)
    assert f'y="{y - 22}">router' in plan.point_drawn(frame, point, {}, [], numbered=False, others=0)
