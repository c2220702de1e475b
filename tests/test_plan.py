"""The plan on the page of a run whose radios have places."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import airloom
from airloom.analysis.run_view import RunView
from airloom.report import labels, page, plan
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.toml_text import Value

SHORT = {"duration": "6 s"}


def whole(run: airloom.Run) -> RunView:
    """A short run whose plan shows the walk of a minute."""
    run.summary["duration_s"] = 60.0
    return RunView(run)


def test_the_plan_has_walls_radios_and_ways(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "walk.toml", set=SHORT, out=tmp_path / "run")
    picture = str(plan.drawn(whole(run)))
    assert [picture.count(f'class="wall {material}"') for material in ("concrete", "heavy", "light")] == [3, 2, 1]
    assert "10 s, 51 s" in picture
    assert ">router<" in picture
    assert ">laptop<" in picture
    text = page.render(run)
    assert "Where everything is" in text
    assert "A dashed line is where a station walks" in text
    assert run.station("laptop").signal_min_db <= run.station("laptop").signal_median_db
    assert run.series.get("laptop", "signal").max() == run.station("laptop").signal_median_db


def test_a_time_has_room_beside_a_stop() -> None:
    """As the scenario has it, but for one that follows from a speed."""
    assert [plan.clock(time) for time in ("10 s", "1.25 min", "27142857.143 us")] == ["10 s", "1.25 min", "27.1 s"]


def test_walls_look_like_no_way_and_are_named(tmp_path: Path) -> None:
    """A glass wall was dashed in the hue of the first line, as where a station walks."""
    glass: dict[str, Value] = {"wall.1.material": "glass", "wall.2.material": "coated glass"}
    run = airloom.run(ROOT / "examples" / "walk.toml", set=SHORT | glass, out=tmp_path / "run")
    told = plan.described(RunView(run))
    assert "thicker lines: glass, light, heavy, coated glass and concrete." in told
    style = (ROOT / "python" / "airloom" / "report" / "assets" / "style.css").read_text(encoding="utf-8")
    rules = [line for line in style.splitlines() if line.startswith(".plan")]
    walls = [rule for rule in rules if re.search(r"\.(wall|glass|coated-glass|light|wood|heavy|concrete)\b", rule)]
    assert walls
    assert not [rule for rule in walls if "dash" in rule or "--line" in rule or "--hue" in rule]
    widths = [
        next(rule for rule in reversed(walls) if f".{name}" in rule)
        for name in ("glass ", "wall ", "heavy", "coated-glass", "concrete")
    ]
    pixels = [float(re.search(r"stroke-width: ([\d.]+)", rule)[1]) for rule in widths]  # type: ignore[index]
    assert pixels == sorted(pixels)


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


HOUSE = """
title = "A house of two storeys"
duration = "100 ms"
air = { standard = "802.11n", band = "2.4 GHz", width = "20 MHz" }
floor = [{ height = "2.8 m" }]

[[ap]]
name = "router"
channel = 6
adapter = "ath9k"
position = ["0 m", "0 m", "1 m"]

[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "ath9k"
path = [
  { at = "0 s", position = ["4 m", "0 m", "1 m"] },
  { at = "50 ms", position = ["4 m", "1 m", "4 m"] },
]

[[server]]
name = "server"
host = "linux-6.18"
link = { rate = "100 Mbit/s", delay = "2 ms" }

[[flow]]
from = "server"
to = "laptop"

[[monitor]]
name = "desk"
position = ["2 m", "2 m"]

[[interferer]]
name = "oven"
kind = "microwave"
position = ["2 m", "-3 m", "4 m"]
"""


def test_the_plan_has_interferers_monitors_and_storeys(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE)
    view = RunView(airloom.run(tmp_path / "house.toml", out=tmp_path / "run"))
    picture = str(plan.drawn(view))
    assert picture.count('class="interferer"') == picture.count('class="monitor"') == 1
    for words in ("router, storey 1", "laptop, storey 1", "oven, storey 2", "50 ms storey 2"):
        assert f">{words}<" in picture, words
    told = plan.described(view)
    assert "The 2 storeys lie above each other, the lowest is storey 1; the floor is at 2.8 m." in told
    assert "A diamond is an interferer. " in told
    assert "A triangle is a monitor." in told


def test_a_run_without_places_has_no_plan(tmp_path: Path) -> None:
    run = airloom.run(ROOT / "examples" / "download.toml", set=SHORT, out=tmp_path / "run")
    assert plan.drawn(RunView(run)) is None
    assert "Where everything is" not in page.render(run)


def test_a_name_gives_way_to_a_wall() -> None:
    box = ((10.0, 10.0), (30.0, 20.0))
    assert labels.crosses(((0.0, 15.0), (40.0, 15.0)), *box)
    assert labels.crosses(((20.0, 0.0), (20.0, 40.0)), *box)
    assert labels.crosses(((0.0, 0.0), (40.0, 40.0)), *box)
    assert not labels.crosses(((0.0, 25.0), (40.0, 25.0)), *box)
    assert not labels.crosses(((0.0, 0.0), (5.0, 40.0)), *box)
    point = {"name": "router", "position": ["0 m", "0 m"]}
    frame = plan.Frame.around([(-5.0, -5.0), (5.0, 5.0)])
    y = frame.at((0.0, 0.0))[1]
    above = (frame.at((-5.0, 28 / frame.pixels)), frame.at((5.0, 28 / frame.pixels)))
    for lines, foot in (([above], y + 32), ([], y - 22)):
        drawn = plan.point_drawn(frame, point, {}, labels.Labels(lines), told=[], others=0)
        assert f'y="{foot}">router' in drawn


def test_a_name_gives_way_to_a_thick_wall_beside_it() -> None:
    point = {"name": "router", "position": ["0 m", "0 m"]}
    frame = plan.Frame.around([(-5.0, -5.0), (5.0, 5.0)])
    y = frame.at((0.0, 0.0))[1]
    near = labels.Labels([(frame.at((-5.0, 20 / frame.pixels)), frame.at((5.0, 20 / frame.pixels)))])
    assert f'y="{y + 32}">router' in plan.point_drawn(frame, point, {}, near, told=[], others=0)


def test_a_label_takes_the_first_free_place() -> None:
    put = labels.Labels([((0.0, 50.0), (100.0, 50.0))])
    places = [labels.Label(50.0, foot, "middle", ("time",)) for foot in (52.0, 40.0, 20.0)]
    assert [put.place(places).y for _ in range(3)] == [40.0, 20.0, 40.0]


def test_no_word_of_a_walk_lies_on_a_line_or_on_another(tmp_path: Path) -> None:
    """The router's name lay on the wall beside it, and the times of a stop on the way from there."""
    run = airloom.run(ROOT / "examples" / "walk.toml", set=SHORT, out=tmp_path / "run")
    picture = str(plan.drawn(whole(run)))
    found = re.findall(r'class="way".*?points="([^"]+)"', picture)[0].split()
    way = [(float(x), float(y)) for x, y in (one.split(",") for one in found)]
    words = re.findall(r'<text[^>]* x="([^"]+)" y="([^"]+)"( style[^>]*)?>(?:router|laptop|[\d. s,]+)</text>', picture)
    boxes = [((float(x) - 18, float(y) - 8), (float(x) + 18, float(y))) for x, y, style in words if not style]
    assert len(boxes) == 5
    assert not [(box, step) for box in boxes for step in pairwise(way) if labels.crosses(step, *box)]
    assert not [one for n, one in enumerate(boxes) for other in boxes[:n] if labels.overlap(one, other)]


def test_no_name_of_the_flats_lies_on_a_wall(tmp_path: Path) -> None:
    """Those above a router in a corner lay on the wall behind it, and those below on the wall beside it."""
    run = airloom.run(ROOT / "examples" / "apartments.toml", set={"duration": "100 ms"}, out=tmp_path / "run")
    picture = str(plan.drawn(RunView(run)))
    ends = re.findall(r'class="wall [^>]*x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)"', picture)
    walls = [((float(x1), float(y1)), (float(x2), float(y2))) for x1, y1, x2, y2 in ends]
    for router in re.findall(r'<g class="ap".*?</g>', picture):
        names = re.findall(r'<text x="([^"]+)" y="([^"]+)"([^>]*)>([^<]+)', router)
        assert " ".join(name for *_, name in names).startswith("router")
        for x, y, style, name in names:
            left = float(x) - 6 * len(name) * (0.0 if "start" in style else 1.0 if "end" in style else 0.5)
            at = float(re.findall(r'cx="([^"]+)"', router)[0])
            box = ((min(left, at), float(y) - 10), (max(left + 6 * len(name), at), float(y) + 2))
            assert not [wall for wall in walls if labels.crosses(wall, *box)], name


MOVED: dict[str, Value] = {"station.flat1.position": ["12 m", "6 m"]}
CHANNEL: dict[str, Value] = {"ap.router2.channel": 36, "ap.router4.channel": 36}


def test_runs_whose_places_or_channels_differ_have_a_plan_each(tmp_path: Path) -> None:
    file = ROOT / "examples" / "apartments.toml"
    short: dict[str, Value] = {"duration": "100 ms"}
    sets: dict[str, dict[str, Value]] = {"here": {}, "moved": MOVED, "one": CHANNEL, "there": {}}
    runs = {name: airloom.run(file, set=short | own, out=tmp_path / name) for name, own in sets.items()}
    text = page.render(runs["here"], [runs["moved"], runs["one"], runs["there"]])
    section = text[text.index('class="plan"') :].split("</section>")[0]
    assert section.count("<svg") == 3
    told = [re.sub(r"<[^>]+>", " ", one).split() for one in re.findall(r"<h3>(.*?)</h3>", section)]
    assert told == [["here", "there"], ["moved"], ["one"]]
    assert "Places, walls, channels or signals differ from run to run." in section
    assert section.count("flat1 37.9 dB") == 2
    assert "flat1 11.7 dB" in section


def test_runs_whose_places_are_the_same_have_one_plan(tmp_path: Path) -> None:
    file = ROOT / "examples" / "apartments.toml"
    here, there = (airloom.run(file, set={"duration": "100 ms"}, out=tmp_path / name) for name in ("here", "there"))
    text = page.render(here, [there])
    section = text[text.index('class="plan"') :].split("</section>")[0]
    assert section.count("<svg") == 1
    assert "The same in all runs." in section
    assert "The same in all runs." not in page.render(here)
    assert "Of here alone." in text


def test_a_run_without_places_beside_one_with_them_is_named(tmp_path: Path) -> None:
    plain = airloom.run(ROOT / "examples" / "download.toml", set=SHORT, out=tmp_path / "plain")
    walk = airloom.run(ROOT / "examples" / "walk.toml", set=SHORT, out=tmp_path / "walk")
    text = page.render(plain, [walk])
    section = text[text.index('class="plan"') :].split("</section>")[0]
    assert section.count("<svg") == 1
    assert re.search(r"No places are given in [^<]+\.", section)


def test_access_points_that_share_a_channel_are_told_with_their_powers(tmp_path: Path) -> None:
    file = ROOT / "examples" / "apartments.toml"
    run = airloom.run(file, set={"duration": "100 ms"}, out=tmp_path / "flats")
    told = plan.described(RunView(run))
    assert re.search(r"overlap: router1 and router3 do not hear each other \(-1\d\d dBm\), router2 and router4", told)
    one = airloom.run(file, set=CHANNEL | {"duration": "100 ms"}, out=tmp_path / "one")
    assert re.search(r"router1 and router2 hear each other \(-\d\d\.\d dBm\)", plan.described(RunView(one)))
    walk = airloom.run(ROOT / "examples" / "walk.toml", set=SHORT, out=tmp_path / "walk")
    assert "overlap" not in plan.described(RunView(walk))
