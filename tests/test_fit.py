"""`airloom fit`: what a measurement allows is found, what it says nothing about is said, and nothing else is."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import binom, norm

from airloom.batch.executor import Threads
from airloom.errors import AirloomError, GridError, SweepError
from airloom.fitting import fit as fitting
from airloom.fitting import folder as fits
from airloom.fitting import problem_file
from airloom.fitting.emulator import Emulator
from airloom.fitting.measurement import Measurement
from airloom.fitting.outcome import outcome
from airloom.fitting.parameter import Parameter
from airloom.fitting.posterior import known, shares, told_apart
from airloom.fitting.problem import Problem
from airloom.fitting.region import bound_of, region
from airloom.fitting.surprise import surprise
from airloom.fitting.together import Together
from airloom.fitting.words import SURPRISING, of_misfit
from airloom.fitting.worlds import Worlds, worlds
from airloom.support.itself import itself
from small_cells import HOST, cell, flow, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SCENARIO = cell(
    "A laptop",
    "1 s",
    table("station", name="laptop", host=HOST, adapter="ath9k", rate="minstrel", snr="20 dB"),
    flow("laptop", "server", name="upload"),
    delay="5 ms",
)
SCENARIO = SCENARIO.replace("40 MHz", "20 MHz").replace("1 Gbit/s", "100 Mbit/s")

PROBLEM = """
scenario = "home.toml"
seeds = 1
waves = 2
points = 10

[parameter.signal]
sets = "station.0.snr"
from = "5 dB"
to = "35 dB"

[parameter.delay]
sets = "server.0.link.delay"
from = "1 ms"
to = "50 ms"
scale = "log"
"""

CHOICE = """
[parameter.control]
sets = "flow.0.tcp.congestion"
choices = { "loss-based" = "cubic", model = "bbr" }
"""

MEASURED = """
[[measured]]
name = "goodput"
metric = "goodput_mbps"
of = "upload"
value = 30
error = "5 %"
discrepancy = "5 %"

[[measured]]
name = "round trip"
metric = "rtt_median_ms"
of = "upload"
value = 40
error = 2
fold = "second"
"""


@dataclass
class Kept:
    """The waves of a fit that keeps nothing else."""

    waves: dict[tuple[str, int], list[tuple[float, ...]]] = field(default_factory=dict)
    failed: dict[object, str] = field(default_factory=dict)

    def wave(self, hold_out: str, number: int, points: list[tuple[float, ...]]) -> None:
        """Notes a wave."""
        self.waves[hold_out, number] = points


@dataclass
class Formula:
    """Runs that are a formula: what the statistics do is known in closed form, or can be counted."""

    mean: Callable[[np.ndarray], np.ndarray]
    noise: float
    journal: Kept = field(default_factory=Kept)
    short: Formula | None = None

    @property
    def of_waves(self) -> Formula:
        """What makes the runs of waves."""
        return self.short or self

    def make(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> None:
        """There is nothing to be made."""

    def values(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> np.ndarray:
        """What runs have: another draw for each point and seed, and the same whenever it is asked for."""
        found = []
        for point in points:
            mean = self.mean(np.array(point))
            draws = [np.random.default_rng([seed, *np.array(point).view(np.uint64).tolist()]) for seed in seeds]
            found.append(np.stack([mean + self.noise * draw.normal(size=len(mean)) for draw in draws], axis=1))
        return np.stack(found)


def of_formula(values: Sequence[float], error: float, size: int) -> Problem:
    """A problem of unknowns between 0 and 1."""
    unknowns = [Parameter(f"x{at}", (f"k{at}",), 0.0, 1.0) for at in range(size)]
    measured = [Measurement(f"m{at}", "all", "m", "run", None, value, error, 0.0) for at, value in enumerate(values)]
    nowhere = Path("problem.toml")
    return Problem(nowhere, "", nowhere, "", [], unknowns, {"all": []}, measured, 2, 2, 20 * size, "", 40)


def curved(x: np.ndarray) -> np.ndarray:
    """Three numbers that depend on two unknowns, not in straight lines."""
    return np.array([10 * x[0] + 4 * x[1] ** 2, 8 * np.exp(-2 * x[0]) + x[1], 6 * np.sin(3 * x[1])])


def fitted(truth: Sequence[float], draw: int) -> fitting.Fit:
    """A fit to what was measured once at the truth."""
    noise, error = 0.1, 0.2
    rng = np.random.default_rng(draw)
    measured = curved(np.array(truth)) + noise * rng.normal(size=3) + error * rng.normal(size=3)
    return fitting.fit(of_formula(measured.tolist(), error, 2), Formula(curved, noise))  # type: ignore[arg-type]


def test_the_truth_lies_in_the_intervals() -> None:
    """Of both unknowns, which are found to a tenth of what was thought possible, or better."""
    truth = (0.3, 0.7)
    found = fitted(truth, 0)
    assert found.draws is not None
    for value, one in zip(truth, known(found.draws), strict=True):
        assert one.low - 0.02 < value < one.high + 0.02
        assert one.part < 0.15


@pytest.mark.sample(1)
@pytest.mark.parametrize("draw", range(3))
def test_the_likeliest_world_has_what_was_measured(draw: int) -> None:
    """A weight says by how much its emulators were wrong, and is largest in a tail."""
    found = fitted((0.3, 0.7), draw)
    runs = Formula(curved, 0.1)
    made = worlds(found, runs)  # type: ignore[arg-type]
    assert made is not None
    measured = np.array([one.value for one in found.problem.measurements])
    off = [np.abs(curved(np.array(point)) - measured).max() for point in made.points]
    assert off[made.points.index(made.likeliest(lambda _: True))] <= np.quantile(off, 0.25)


@pytest.mark.nightly
def test_intervals_cover_what_they_promise() -> None:
    """Of forty truths nine tenths lie within intervals of nine tenths: as many as chance allows, and no more."""
    rng = np.random.default_rng(1)
    covered = 0
    for draw in range(40):
        truth = rng.uniform(size=2)
        found = fitted(truth.tolist(), draw)
        assert found.draws is not None
        covered += sum(one.low <= value <= one.high for value, one in zip(truth, known(found.draws), strict=True))
    assert binom.cdf(covered, 80, 0.9) > 0.01
    assert binom.sf(covered - 1, 80, 0.9) > 0.01


@pytest.mark.nightly
def test_what_excludes_each_other_is_named() -> None:
    """Two of three numbers cannot be had together; the third has no part in it."""
    problem = of_formula([9.0, 8.0, 0.5], 0.2, 2)

    def opposed(x: np.ndarray) -> np.ndarray:
        return np.array([10 * x[0], 10 * (1 - x[0]), x[1]])

    found = fitting.fit(problem, Formula(opposed, 0.05))  # type: ignore[arg-type]
    assert found.region.empty
    assert found.draws is None
    assert [chosen for chosen, _ in found.excluding] == [(0, 1)]


@pytest.mark.parametrize(("off", "surprising"), [(1.0, False), (2.3, True)])
def test_numbers_that_are_all_off_surprise(off: float, *, surprising: bool) -> None:
    """Eight numbers, none of which excludes a world: as far off as readings are, or all of them further."""
    values = [5.0 + 0.2 * off * (-1) ** at for at in range(8)]
    problem = of_formula(values, 0.2, 1)
    found = fitting.fit(problem, Formula(lambda x: np.repeat(10 * x[0], 8), 0.02))  # type: ignore[arg-type]
    assert found.draws is not None
    assert found.surprise is not None
    assert (found.surprise < SURPRISING) is surprising


@pytest.mark.parametrize(
    ("surprise", "missed", "said"),
    [
        (0.4, 0, []),
        (0.4, 1, ["m0 lies outside of 90 % of what these worlds have, as one of ten may."]),
        (0.4, 2, ["m0 and m1 lie outside of 90 % of what these worlds have, 2 of 10, where one of ten may."]),
        (0.004, 0, ["All measurements together are further from these worlds than chance has it: "]),
    ],
)
def test_what_is_off_is_said(surprise: float, missed: int, said: list[str]) -> None:
    """More than one of ten outside of their intervals are not as one of ten may be."""
    fitted = [{"name": f"m{at}", "holds": at >= missed} for at in range(10)]
    found = list(of_misfit(surprise, fitted))
    assert len(found) == len(said)
    assert all(one.startswith(start) for one, start in zip(found, said, strict=True))


def test_an_unknown_without_effect_is_not_known() -> None:
    """What no number depends on has the interval that it had before."""
    found = fitting.fit(of_formula([5.0], 0.2, 2), Formula(lambda x: np.array([10 * x[0]]), 0.05))  # type: ignore[arg-type]
    assert found.draws is not None
    first, second = known(found.draws)
    assert not first.unidentified
    assert second.unidentified


@pytest.mark.sample(1)
@pytest.mark.parametrize("truth", range(3))
def test_a_choice_is_found_beside_a_range(truth: int) -> None:
    """Choices have no order: the middle one of three is as far from the first as the last is."""
    of_choice = (2.0, 9.0, 4.0)
    problem = of_formula([of_choice[truth] + 5.0, 3.0], 0.2, 2)
    chosen = Parameter("kind", ("kind",), 0.0, 2.0, choices={"a": "1", "b": "2", "c": "3"})
    problem = replace(problem, parameters=[problem.parameters[0], chosen])

    def mean(x: np.ndarray) -> np.ndarray:
        return np.array([of_choice[int(x[1])] + 10 * x[0], 6 * x[0]])

    runs: Any = Formula(mean, 0.1)
    said = outcome(found := fitting.fit(problem, runs), worlds(found, runs))["parameters"]
    assert said[0]["low"] < 0.5 < said[0]["high"]
    shares = {one["value"]: one["share"] for one in said[1]["choices"]}
    assert shares["abc"[truth]] > 0.95
    assert sum(shares.values()) == pytest.approx(1)
    assert said[1]["likeliest"] == "abc"[truth]


def test_a_choice_that_says_nothing_is_not_known() -> None:
    problem = of_formula([5.0], 0.2, 2)
    chosen = Parameter("kind", ("kind",), 0.0, 1.0, choices={"a": "1", "b": "2"})
    problem = replace(problem, parameters=[problem.parameters[0], chosen])
    runs: Any = Formula(lambda x: np.array([10 * x[0]]), 0.1)
    said = outcome(found := fitting.fit(problem, runs), worlds(found, runs))
    assert said["unidentified"] == ["kind"]
    assert all(0.3 < one["share"] < 0.7 for one in said["parameters"][1]["choices"])


def test_one_of_three_that_is_ruled_out_is_known() -> None:
    """Whatever the order in which they were written: the other two are as likely as each other."""
    likely = shares(np.array([0.1] * 51 + [0.9] * 49), 3)
    assert likely == [0.51, 0.0, 0.49]
    assert told_apart(likely)
    assert not told_apart([0.4, 0.3, 0.3])


def test_the_likeliest_world_lies_within_the_intervals() -> None:
    made = Worlds([(1.0,), (5.0,), (9.0,)], np.full(3, 1 / 3), np.array([3.0, 1.0, 2.0]), [])
    assert made.likeliest(lambda point: point[0] > 2) == (9.0,)
    assert made.likeliest(lambda _: False) == (1.0,)


@pytest.mark.nightly
def test_spans_that_are_met_hide_no_numbers_that_are_off() -> None:
    """Two numbers are off by nearly three deviations: as surprising beside ten spans as alone."""
    off = [Measurement(f"m{at}", "all", "m", "run", None, 0.5 + 2.9, 1.0, 0.0) for at in range(2)]
    spans = [Measurement(f"s{at}", "all", "m", "run", None, 0.5, 0.1, 0.0, half=1.0) for at in range(10)]
    places = np.linspace(0.0, 1.0, 20)[:, None]
    values = np.repeat(np.full((20, 1), 0.5), 2, axis=1) + np.random.default_rng(1).normal(scale=0.01, size=(20, 2))
    learned = [Emulator(one, places, values) for one in (*off, *spans)]
    assert surprise(Together(learned[:2], ["all"] * 2), places) < 0.01
    assert surprise(Together(learned, ["all"] * len(learned)), places) < 0.05


def test_a_small_region_is_found_and_measured() -> None:
    """A ball of a radius of a twentieth in four dimensions: its volume is known in closed form."""
    radius, centre = 0.05, np.array([0.2, 0.7, 0.5, 0.4])
    shares = []
    for seed in range(4):
        found = region(lambda x: np.linalg.norm(x - centre, axis=1) / radius, 4, 1.0, seed)
        assert not found.empty
        distances = np.linalg.norm(found.places - centre, axis=1)
        assert np.all(distances <= radius)
        # Evenly spread in it: a point of such a ball is four fifths of the radius from its centre, in the mean.
        assert distances.mean() == pytest.approx(0.8 * radius, rel=0.06)
        shares.append(found.share)
    assert np.mean(shares) == pytest.approx(np.pi**2 / 2 * radius**4, rel=0.25)


def learned(value: float, tolerance: float, values: np.ndarray) -> Emulator:
    """An emulator of values at even places of one unknown."""
    one = Measurement("m", "all", "m", "run", None, value, tolerance, 0.0)
    return Emulator(one, np.linspace(0, 1, len(values))[:, None], values)


def test_distances_are_as_they_are_where_they_are_near() -> None:
    """Up to four standard deviations; beyond, a tenfold distance is little more, and none is lost."""
    one = learned(10.0, 0.5, np.linspace(0, 20, 20)[:, None])
    assert one.distance(np.array([10.0, 10.5, 8.0])).tolist() == [0.0, 0.25, -1.0]
    far, farther = one.distance(np.array([30.0, 210.0]))
    assert far == pytest.approx(1 + np.log(10))
    assert farther == pytest.approx(1 + np.log(100))


def test_within_a_span_no_value_is_off() -> None:
    """And what was measured is as likely as the part of a run's distribution that lies within it."""
    one = Measurement("m", "all", "m", "run", None, 10.0, 0.0, 0.5, half=3.0)
    span = Emulator(one, np.linspace(0, 1, 20)[:, None], np.linspace(0, 20, 20)[:, None])
    distances = span.distance(np.array([7.0, 13.0, 12.0, 14.0]))
    assert span.off(distances) * span.scale == pytest.approx([0, 0, 0, 1.0])
    means, variance = np.array([0.0, 0.5, -2.0]), np.array([0.04, 0.09, 0.25])
    expected = norm.cdf(span.half, means, variance**0.5) - norm.cdf(-span.half, means, variance**0.5)
    assert np.exp(span.log_density(means, variance)) == pytest.approx(expected)


@pytest.mark.nightly
def test_noise_is_what_runs_of_one_point_differ_by() -> None:
    """Near what was measured: neither a step that no smooth process follows, nor what is far off, is the seeds'."""
    x = np.linspace(0, 1, 200)
    noise = np.random.default_rng(1).normal(size=(200, 2)) * np.where(x < 0.7, 2.0, 20.0)[:, None]
    one = learned(10.0, 0.5, (20 * x + 100 * (x > 0.7))[:, None] + noise)
    assert one.scale == pytest.approx(4 * np.hypot(2.0, 0.5), rel=0.15)
    assert one.besides == pytest.approx(1 / 16)


def test_together_as_sure_as_one_alone() -> None:
    """Three standard deviations for one measurement, more for each of several (Sidak)."""
    assert bound_of(1) == pytest.approx(3.0)
    assert bound_of(10) == pytest.approx(3.642, abs=0.001)


def shell(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """What a command says."""
    return subprocess.run(itself(*map(str, words)), capture_output=True, text=True, check=False)


def ran(file: Path, folder: Path, hold_out: str = "") -> dict[str, Any]:
    """The same within this process."""
    problem = problem_file.read(file, hold_out=hold_out)
    problem.check()
    return fits.run(problem, folder, Threads(), lambda *_: None, lambda *_: None)


def written(folder: Path, text: str) -> Path:
    """A problem file beside its scenario."""
    (folder / "home.toml").write_text(SCENARIO)
    (folder / "problem.toml").write_text(text)
    return folder / "problem.toml"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A fit of a laptop's upload: its folder, and what it says."""
    folder = tmp_path_factory.mktemp("fit")
    file = written(folder, PROBLEM + MEASURED)
    shown = shell("fit", file, "-o", folder / "out", "--hold-out", "second", "--json")
    assert shown.returncode == 0, shown.stderr
    return folder / "out", json.loads(shown.stdout)


def test_a_fit_leaves_what_it_promises(found: tuple[Path, dict[str, Any]]) -> None:
    """The numbers, the draws, the page, and worlds that run by themselves."""
    folder, said = found
    assert said["schema"] == "airloom-fit/1"
    assert json.loads((folder / "fit.json").read_text()) == said
    names = {"parameters", "region", "posterior", "unidentified", "excluding", "predictions"}
    assert names <= said.keys()
    assert [one["held_out"] for one in said["predictions"]] == [False, True]
    assert (folder / "posterior.parquet").exists()
    assert "How likely each value is" in (folder / "report.html").read_text()
    worlds = sorted((folder / "worlds").iterdir())
    weights = [float(world.read_text().split("Weight ")[1].split(". ")[0]) for world in worlds]
    assert sum(weights) == pytest.approx(1.0, abs=0.05)
    assert "fine" in shell("check", worlds[0]).stdout


@pytest.mark.nightly
def test_a_choice_is_a_share_wherever_it_is_shown(tmp_path: Path) -> None:
    """On the terminal, on the page, in the numbers and in the draws; its worlds run."""
    file = written(tmp_path, PROBLEM.replace("points = 10", "points = 15") + CHOICE + MEASURED)
    shown = shell("fit", file, "-o", tmp_path / "out")
    assert shown.returncode == 0, shown.stderr
    (row,) = (line for line in shown.stdout.splitlines() if line.startswith("control"))
    assert "loss-based, model" in row
    said = json.loads((tmp_path / "out" / "fit.json").read_text())
    (of,) = (one for one in said["parameters"] if one["name"] == "control")
    assert [one["value"] for one in of["choices"]] == ["loss-based", "model"]
    assert f"{max(of['choices'], key=lambda one: one['share'])['value']} " in row
    drawn = pq.read_table(tmp_path / "out" / "posterior.parquet")["control"].to_pylist()
    assert set(drawn) <= {"loss-based", "model"}
    assert "loss-based, model" in (tmp_path / "out" / "report.html").read_text()
    worlds = list((tmp_path / "out" / "worlds").iterdir())
    congestion = {"loss-based": "cubic", "model": "bbr"}[of["likeliest"]]
    assert any(f'congestion = "{congestion}"' in world.read_text() for world in worlds)


def test_a_choice_that_no_scenario_knows_is_refused(tmp_path: Path) -> None:
    problem = problem_file.read(
        written(tmp_path, PROBLEM.replace("points = 10", "points = 15") + CHOICE.replace("bbr", "vegas") + MEASURED)
    )
    with pytest.raises(GridError, match="congestion = vegas"):
        problem.check()


def test_the_same_command_goes_on(found: tuple[Path, dict[str, Any]]) -> None:
    """A journal of which the end is missing is made whole, and the answer is the same."""
    folder, said = found
    journal = folder / "runs.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-5]) + lines[-5][:20])
    assert ran(folder.parent / "problem.toml", folder, "second") == {k: v for k, v in said.items() if k != "schema"}


def test_another_problem_is_refused(found: tuple[Path, dict[str, Any]]) -> None:
    """A folder holds one fit."""
    folder, _ = found
    with pytest.raises(SweepError, match="holds the fit of another problem"):
        ran(folder.parent / "problem.toml", folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PROBLEM, "nothing was measured"),
        (PROBLEM.split("[parameter.signal]", maxsplit=1)[0] + MEASURED, "nothing is unknown"),
        (PROBLEM.replace("points = 10", "points = 3") + MEASURED, "3 points for 2 unknowns: too few"),
        (PROBLEM.replace('"5 dB"', '"35 dB"') + MEASURED, "`signal` goes from 35 to 35: the lesser comes first"),
        (PROBLEM + MEASURED.replace("error = 2\n", ""), "round trip has neither error nor discrepancy"),
        (PROBLEM + MEASURED.replace("error = 2", 'eror = "2"'), "did you mean `error`?"),
        (PROBLEM + MEASURED.replace("value = 30", "value = nan"), "goodput needs its value, a number"),
        (PROBLEM + MEASURED.replace("value = 30", "value = [30, 20]"), "goodput needs its value, a number or a span"),
        (PROBLEM + MEASURED.replace("error = 2", "error = inf"), "error and discrepancy of round trip are numbers"),
        (PROBLEM + MEASURED.replace('"5 %"', '"1.2.3 %"', 1), "error and discrepancy of goodput are numbers"),
        (PROBLEM.replace('scale = "log"', "whole = 1") + MEASURED, "`whole` of `delay` is true or false"),
        (PROBLEM + "[experiment.a]\n" + MEASURED.replace("[[measured]]", '[[measured]]\nexperiment = "b"'), "b"),
        (
            PROBLEM + CHOICE.replace(', model = "bbr"', "") + MEASURED,
            "`choices` of `control` needs from 2 to 12 different",
        ),
        (
            PROBLEM + CHOICE.replace('"bbr"', '"cubic"') + MEASURED,
            "`choices` of `control` needs from 2 to 12 different",
        ),
        (
            PROBLEM + CHOICE.replace('{ "loss-based" = "cubic", model = "bbr" }', "2") + MEASURED,
            "`choices` of `control` needs from 2 to 12",
        ),
        (PROBLEM + CHOICE + "whole = true" + MEASURED, "unknown key `whole`"),
        (PROBLEM.replace("waves = 2", 'waves = 2\nhold_out = "third"') + MEASURED, "no measurement has fold = 'third'"),
    ],
)
def test_mistakes_are_named_before_anything_runs(tmp_path: Path, text: str, message: str) -> None:
    """One line each, with its place."""
    with pytest.raises(AirloomError) as raised:
        problem_file.read(written(tmp_path, text))
    assert message in str(raised.value)


def test_ranges_outside_of_a_key_are_refused(tmp_path: Path) -> None:
    """The engine says what the key may be, with the place in the problem file."""
    problem = problem_file.read(
        written(tmp_path, PROBLEM.replace('"1 ms"', '"0.001 ms"').replace("50 ms", "5e9 ms") + MEASURED)
    )
    with pytest.raises(GridError) as raised:
        problem.check()
    assert "server.0.link.delay = 5000000000 ms" in str(raised.value)
    assert "problem.toml:13" in str(raised.value)


@pytest.mark.parametrize(
    ("problem", "measured", "message"),
    [
        ("server.0.link.rate", MEASURED, "delay has no effect"),
        ("server.0.link.delay", MEASURED.replace("rtt_median_ms", "rtt_middle"), "no run has rtt_middle"),
        ("server.0.link.delay", MEASURED.replace('"upload"', '"uplod"'), "`uplod` has no goodput_mbps"),
    ],
)
def test_what_first_runs_show_is_refused(tmp_path: Path, problem: str, measured: str, message: str) -> None:
    """An unknown that changes nothing, a number that no run has."""
    text = PROBLEM.replace("server.0.link.delay", problem)
    if problem.endswith("rate"):
        text = text.replace('"1 ms"', '"900 Mbit/s"').replace('"50 ms"', '"1000 Mbit/s"')
        measured = (
            measured.split('[[measured]]\nname = "round', maxsplit=1)[0]
            .replace("goodput_mbps", "mpdu_retries")
            .replace("upload", "ap")
        )
    with pytest.raises(AirloomError) as raised:
        ran(written(tmp_path, text + measured), tmp_path / "out")
    assert message in str(raised.value)


def test_rows_of_a_table_are_experiments(tmp_path: Path) -> None:
    """A CSV file of throughput by signal: each row sets its signal, an empty cell was not measured."""
    (tmp_path / "by-signal.csv").write_text("signal,mbps,ms\n10,12.5,\n30,80,9\n")
    table = """
[[table]]
file = "by-signal.csv"
set.signal = { key = "station.0.snr", unit = "dB" }
measured.mbps = { metric = "goodput_mbps", of = "upload", error = "5 %" }
measured.ms = { metric = "rtt_median_ms", of = "upload", error = 1 }
"""
    text = PROBLEM.replace('sets = "station.0.snr"', 'sets = "station.0.retry_limit"').replace(" dB", "")
    problem = problem_file.read(written(tmp_path, text + table))
    assert dict(problem.experiments) == {
        "signal 10": [("station.0.snr", "10 dB")],
        "signal 30": [("station.0.snr", "30 dB")],
    }
    assert [(one.name, one.experiment, one.value) for one in problem.measurements] == [
        ("mbps at signal 10", "signal 10", 12.5),
        ("mbps at signal 30", "signal 30", 80.0),
        ("ms at signal 30", "signal 30", 9.0),
    ]


def test_values_have_their_units_and_are_short() -> None:
    """What is written into a scenario is what a person can read."""
    one = Parameter("delay", ("a.delay", "b.delay"), 1.0, 50.0, "ms", logarithmic=True)
    assert one.at(0.0) == 1.0
    assert one.at(1.0) == 50.0
    assert one.at(0.5) == 7.071
    assert replace(one, low=1000.0, high=1001.0, logarithmic=False).at(0.25) == 1000.25
    assert one.place(one.at(0.25)) == pytest.approx(0.25, abs=1e-4)
    assert one.overrides(2.5) == [("a.delay", "2.5 ms"), ("b.delay", "2.5 ms")]
    assert replace(one, low=1e-9, high=1.0).written(2e-7) == "0.0000002 ms"
    assert one.written(12345678.0) == "12345678 ms"


def test_other_files_are_told_from_problems(tmp_path: Path) -> None:
    """Each command says what a file is that is not its own, and what serves; `check` checks a problem."""
    file = written(tmp_path, PROBLEM + MEASURED)
    assert "fine, 2 unknowns, 2 measurements" in shell("check", file).stdout
    for command in ("run", "sweep"):
        assert "a fit's problem\n  `airloom fit" in shell(command, file).stderr
    with pytest.raises(GridError, match="a scenario, not a fit's problem"):
        problem_file.read(tmp_path / "home.toml")


@pytest.mark.parametrize(
    "besides",
    [
        'set = { "server.server.link.delay" = "3 ms" }',
        'set = { "server.0.link" = { rate = "1 Gbit/s", delay = "3 ms" } }',
        '[experiment.a]\nset = { "server.0.link.delay" = "3 ms" }',
        '[parameter.again]\nsets = "server.0.link.delay"\nfrom = "1 ms"\nto = "2 ms"',
    ],
)
def test_what_an_unknown_sets_nothing_else_sets(tmp_path: Path, besides: str) -> None:
    """One of them would not hold, and what was measured would be held against another network than is written."""
    head, rest = PROBLEM.split("seeds = 1")
    rest = rest.replace("points = 10", "points = 15")
    text = f"{head}{besides}\nseeds = 1{rest}" if besides.startswith("set") else f"{head}seeds = 1{rest}{besides}\n"
    with pytest.raises(GridError, match="one of them would not hold"):
        problem_file.read(written(tmp_path, text + MEASURED)).check()


def test_a_world_without_the_number_is_far_off() -> None:
    """Where two of ten places have none, what is left is where the number fits, and not where there is none."""

    def lacking(x: np.ndarray) -> np.ndarray:
        return np.array([x[0], 10 * x[1] if x[1] < 0.8 else np.nan])

    found = fitting.fit(of_formula([0.5, 4.0], 0.2, 2), Formula(lacking, 0.01))  # type: ignore[arg-type]
    assert found.draws is not None
    assert known(found.draws)[1].high < 0.5


def test_what_is_refused_at_first_leaves_no_folder(tmp_path: Path) -> None:
    """What is put right is another problem, and its folder would be in the way."""
    with pytest.raises(GridError, match="no run has goodput") as raised:
        ran(written(tmp_path, PROBLEM + MEASURED.replace("goodput_mbps", "goodput_mbp")), tmp_path / "out")
    assert "did you mean `goodput_mbps`?" in str(raised.value)
    assert not (tmp_path / "out").exists()


TABLE = """
[[table]]
file = "by-signal.csv"
set.signal = { key = "station.0.snr", unit = "dB" }
measured.mbps = { metric = "goodput_mbps", of = "upload", error = "5 %" }
"""


@pytest.mark.parametrize(
    ("cells", "table", "message"),
    [
        ("signal,mbps\n10,nan\n", TABLE, "by-signal.csv:2: mbps is 'nan', not a number"),
        ('signal,mbps\n\n10,"1,5"\n', TABLE, "by-signal.csv:3: mbps is '1,5', not a number"),
        ("signal,mbps,mbps\n10,1,2\n", TABLE, "has more than one column `mbps`"),
        ("signal;mbps\n10;1\n", TABLE, "has no column `signal`"),
        ("", TABLE, "has no column `signal`"),
        ("signal,mbps\n10,1\n", TABLE.replace("key =", "kye ="), "`set` needs a key of the scenario"),
        ("signal,mbps\n10,1\n", TABLE.replace("file =", "files ="), "did you mean `file`?"),
        (
            "signal,mbps\n10,1\n",
            TABLE.replace('{ metric = "goodput_mbps", of = "upload", error = "5 %" }', '"x"'),
            "a table",
        ),
        ("signal,mbps\n10,1\n", TABLE + TABLE, "two experiments are called 'signal 10'"),
    ],
)
def test_mistakes_of_tables_have_their_place(tmp_path: Path, cells: str, table: str, message: str) -> None:
    """None is passed over."""
    (tmp_path / "by-signal.csv").write_text(cells)
    text = PROBLEM.replace('sets = "station.0.snr"', 'sets = "station.0.retry_limit"').replace(" dB", "")
    with pytest.raises(AirloomError) as raised:
        problem_file.read(written(tmp_path, text + table))
    assert message in str(raised.value)


def test_a_number_that_most_worlds_lack_is_refused() -> None:
    """With its name: a flow that delivers nothing has no round trips."""

    def lacking(x: np.ndarray) -> np.ndarray:
        return np.array([x[0], np.nan if x[1] > 0.1 else x[1]])

    with pytest.raises(SweepError, match="m1: 4 of 40 points have a value"):
        fitting.fit(of_formula([0.5, 0.5], 0.1, 2), Formula(lacking, 0.01))  # type: ignore[arg-type]
