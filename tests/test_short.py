"""Waves of short runs beside worlds of long ones: what short runs are off is measured, and taken into account."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import binom

import airloom
from airloom.cli.progress import Bar
from airloom.errors import AirloomError
from airloom.fitting import fit as fitting
from airloom.fitting import problem_file
from airloom.fitting.compared import EACH, enough, nearest
from airloom.fitting.emulator import Emulator
from airloom.fitting.measurement import Measurement
from airloom.fitting.pace import Pace
from airloom.fitting.posterior import known
from airloom.fitting.short import Short
from test_fit import MEASURED, PROBLEM, SCENARIO, Formula, curved, of_formula, ran, written

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def biased(x: np.ndarray) -> np.ndarray:
    """What short runs have: less of two numbers, of one of them here more and there less."""
    found: np.ndarray = curved(x) - np.array([2.0 + 0.3 * np.sin(9 * x[1]), 0.5, 0.0])
    return found


def shorter(truth: Sequence[float], draw: int, *, compares: bool) -> fitting.Fit:
    """A fit of short runs to what was measured once at the truth, with full runs or as if short ones were full."""
    noise, error = 0.1, 0.2
    rng = np.random.default_rng(draw)
    measured = curved(np.array(truth)) + noise * rng.normal(size=3) + error * rng.normal(size=3)
    problem = of_formula(measured.tolist(), error, 2)
    if not compares:
        return fitting.fit(problem, Formula(biased, noise))  # type: ignore[arg-type]
    problem = replace(problem, short=Short([], 2, 1))
    return fitting.fit(problem, Formula(curved, noise, short=Formula(biased, noise)))  # type: ignore[arg-type]


@pytest.mark.nightly
@pytest.mark.parametrize("truth", [(0.3, 0.7), (0.6, 0.4)])
def test_a_bias_of_short_runs_is_no_fact(truth: tuple[float, float]) -> None:
    """With some full runs the truth lies in the intervals, which are narrow all the same; without them it does not."""
    found = shorter(truth, 0, compares=True)
    assert found.draws is not None
    for value, one in zip(truth, known(found.draws), strict=True):
        assert one.low - 0.02 < value < one.high + 0.02
        assert one.part < 0.5
    assert 5 <= len(found.compared) <= 15
    short = shorter(truth, 0, compares=False)
    assert short.draws is None or any(
        not one.low - 0.02 < value < one.high + 0.02 for value, one in zip(truth, known(short.draws), strict=True)
    )


@pytest.mark.nightly
def test_intervals_cover_what_they_promise_with_short_waves() -> None:
    """Of twenty truths nine tenths lie within intervals of nine tenths, and not half as many where a bias is a fact."""
    rng = np.random.default_rng(5)
    covered = {True: 0, False: 0}
    for draw in range(20):
        truth = rng.uniform(0.1, 0.9, size=2)
        for compares in covered:
            found = shorter(truth.tolist(), draw, compares=compares)
            if found.draws is not None:
                pairs = zip(truth, known(found.draws), strict=True)
                covered[compares] += sum(one.low <= value <= one.high for value, one in pairs)
    assert binom.cdf(covered[True], 40, 0.9) > 0.01
    assert covered[False] < covered[True] / 2


TRUTH = {"server.0.link.rate": "15 Mbit/s", "server.0.link.delay": "25 ms"}
"""What is unknown below."""

LONG, BRIEF = "4 s", "0.6 s"
"""How long the upload was measured, and how long it is run in waves: in good part a slow start."""


def upload(folder: Path, *, full: bool) -> Path:
    """A problem of an upload that was measured for long, run for as long in the end or never."""
    (folder / "home.toml").write_text(SCENARIO)
    run = airloom.run(folder / "home.toml", set={"duration": LONG, **TRUTH}, seed=99)
    measured = MEASURED.replace("value = 30", f"value = {run.flow('upload').goodput_mbps}")
    measured = measured.replace("value = 40", f"value = {run.flow('upload').rtt_median_ms}")
    unknown = PROBLEM.replace("station.0.snr", "server.0.link.rate").replace(" dB", " Mbit/s")
    sets = f'set = {{ duration = "{LONG if full else BRIEF}" }}\n'
    asked = unknown.replace("points = 10", f"points = 20\nworlds = 10\n{sets}").replace("seeds = 1", "seeds = 2")
    return written(
        folder, asked + (f'[short]\nset = {{ duration = "{BRIEF}" }}\nseeds = 4\n' if full else "") + measured
    )


def holds(said: dict[str, Any]) -> list[bool]:
    """Whether the truth of each unknown lies in its interval; of an empty region it lies nowhere."""
    truth = [float(value.split()[0]) for value in TRUTH.values()]
    pairs = zip(said["parameters"], truth, strict=True)
    return [one["low"] is not None and one["low"] <= value <= one["high"] for one, value in pairs]


def test_a_slow_start_is_no_fact(tmp_path: Path) -> None:
    """Runs of less than a second have less throughput; what is fitted to them alone misses the truth."""
    said = {}
    for name, full in (("full", True), ("brief", False)):
        (tmp_path / name).mkdir()
        said[name] = ran(upload(tmp_path / name, full=full), tmp_path / name / "out")
    assert all(holds(said["full"]))
    assert not all(holds(said["brief"]))
    assert said["brief"]["short"] is None
    off = {one["name"]: one for one in said["full"]["short"]["off"]}
    assert off["goodput"]["mean"] > 2
    made = {name: (tmp_path / "full/out" / f"{name}.jsonl").read_text().count('"seed"') for name in ("runs", "short")}
    assert made["short"] > 4 * 40
    assert made["runs"] == 2 * (said["full"]["short"]["points"] + 10)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[short]", "`short` says what is set in waves alone"),
        ("short = 3", "`short` says what is set in waves alone"),
        ('[short]\nsets = { duration = "1 s" }', "did you mean `set`?"),
        ('[short]\nset = { duration = "1 s" }\nrepeats = 1', "unknown key `repeats`"),
        ('[short]\nset = { duration = "1 s" }\nseeds = 0', "`seeds` needs a whole number"),
        ('[short]\nset = { "station.0.snr" = "20 dB" }', "one of them would not hold"),
        ('[short]\nset = { duration = "1 m" }', "duration"),
    ],
)
def test_mistakes_of_short_runs_are_named(tmp_path: Path, table: str, message: str) -> None:
    """Before anything runs."""
    asked = f"{table}\n{PROBLEM}" if table.startswith("short") else f"{PROBLEM}\n{table}\n"
    with pytest.raises(AirloomError) as raised:
        problem_file.read(written(tmp_path, asked + MEASURED)).check()
    assert message in str(raised.value)


def test_waves_alone_are_short(tmp_path: Path) -> None:
    """What the table sets is set there and nowhere else, over what is set in every run."""
    text = PROBLEM.replace("seeds = 1", 'seeds = 3\nset = { duration = "4 s" }')
    problem = problem_file.read(written(tmp_path, text + '[short]\nset = { duration = "1 s" }\nseeds = 1\n' + MEASURED))
    point = problem.point([0.5, 0.5])
    assert ("duration", "1 s") not in problem.overrides(point, "all")
    assert problem.of_waves.overrides(point, "all").index(("duration", "1 s")) == 1
    assert (problem.seeds, problem.of_waves.seeds) == (3, 1)


def test_a_shift_is_learned_with_its_spread() -> None:
    """Of full runs that are 2 more with a deviation of 0.5; of three nothing is learned."""
    places = np.linspace(0, 1, 30)[:, None]
    one = Measurement("m", "all", "m", "run", None, 5.0, 0.5, 0.0)
    short = Emulator(one, places, 10 * places)
    draw = np.random.default_rng(1)
    at = np.linspace(0.32, 0.43, 200)[:, None]
    full = short.corrected(at, 10 * at + 2 + 0.5 * draw.normal(size=(200, 1)))
    assert full.shift * full.scale == pytest.approx(2, abs=0.1)
    assert np.sqrt(full.noise + full.wandering) * full.scale == pytest.approx(0.5, rel=0.15)
    mean, variance = full.at(np.array([[0.4]]))
    assert mean[0] * full.scale == pytest.approx(1, abs=0.15)
    assert variance[0] + full.besides > short.at(np.array([[0.4]]))[1][0] + short.reading
    assert short.shift == 0
    few = np.full((EACH, 1), np.nan)
    few[:3] = 1.0
    assert not enough(few)
    few[3] = 1.0
    assert enough(few)


def test_few_full_runs_leave_more_unknown() -> None:
    """The same spread of four places says less than that of forty; a seed more takes the noise out of it."""
    places = np.linspace(0, 1, 30)[:, None]
    one = Measurement("m", "all", "m", "run", None, 5.0, 0.5, 0.0)
    short = Emulator(one, places, 10 * places)
    off = np.tile([[-0.3], [0.3], [0.3], [-0.3]], (10, 1))
    at = np.full((40, 1), 0.5)
    four, forty = (short.corrected(at[:count], 5 + off[:count]) for count in (4, 40))
    assert four.wandering > 2 * forty.wandering
    alike = short.corrected(at, 5 + off + np.array([[0.0, 0.0]]))
    assert alike.noise < forty.noise / 100


def test_a_number_that_no_place_has_decides_nothing() -> None:
    """Of what is run in full, where one measurement is off by far everywhere."""
    places = np.linspace(0, 1, 30)[:, None]
    met = Emulator(Measurement("m", "all", "m", "run", None, 3.0, 0.2, 0.0), places, 10 * places)
    never = Emulator(Measurement("n", "all", "n", "run", None, 100.0, 0.2, 0.0), places, 10 * places)
    assert set(nearest([met, never], places)) == set(nearest([met], places)) == {7, 8, 9, 10, 11}


def test_the_rest_is_estimated_by_what_each_kind_took() -> None:
    """Full runs and short ones each by their own; before one of each was made nothing is known."""
    now = [0.0]
    problem = replace(of_formula([1.0], 0.1, 2), short=Short([], 1, 1), seeds=2)
    told: list[tuple[float, int, float | None]] = []
    pace = Pace(problem, (0, 4), lambda *said: told.append(said), lambda: now[0])
    # Both ends of two unknowns and two waves of 40 points, short; five points of each and forty worlds, in full.
    whole = 4 + 80 + 2 * (10 + 40)
    now[0] = 80.0
    pace.short(44)
    assert pace.left_s is None
    now[0] = 100.0
    pace.full(2)
    assert pace.left_s == pytest.approx(40 * 2 + 98 * 10)
    assert told[-1] == (46, whole, pace.left_s)
    assert told[0] == (44, whole, None)


def test_the_bar_shows_time_where_runs_are_not_alike() -> None:
    """What is left of it is the seconds that the rest takes; the runs are counted beside it."""
    shown: list[dict[str, Any]] = []

    class Shown:
        def update(self, _: int, **said: Any) -> None:
            shown.append(said)

    one = Bar("bloat")
    one.shown = Shown(), 0  # type: ignore[assignment]
    one.update(3, 10, 500.0)
    one.update(4, 10)
    assert [said["description"] for said in shown] == ["bloat: 3 of 10", "bloat: 4 of 10"]
    assert shown[0]["total"] - shown[0]["completed"] == pytest.approx(500)
    assert (shown[1]["completed"], shown[1]["total"]) == (4, 10)
