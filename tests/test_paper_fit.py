"""A paper by `airloom fit`: its claims are measurements, and each is held out once and predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from airloom.batch.executor import Threads
from airloom.errors import AirloomError, PaperError
from airloom.fitting import claims, evidence, fit, fitted_file, outcome, problem_file
from airloom.fitting.journal import Journal
from airloom.fitting.paper_problem import PaperProblem
from airloom.fitting.paper_runs import PaperRuns
from airloom.fitting.problem import Problem
from airloom.fitting.worlds import worlds
from airloom.papers.claim import claim as claim_of
from airloom.papers.claim import read_claims
from airloom.papers.fitted import read_fitted
from airloom.papers.measure import Ours
from airloom.papers.paper import read, read_folder
from small_cells import HOST, cell, flow, table
from test_fit import Formula, of_formula

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from airloom.papers.claim import ClaimEntry

LAPTOP = table("station", name="laptop", host=HOST, adapter="ath9k", rate="minstrel", snr="20 dB")
SCENARIO = cell("A laptop", "0.3 s", LAPTOP, flow("laptop", "server", name="upload"), delay="5 ms")

PAPER = """
title = "Uploads"
citation = "none"

[[grid]]
id = "uploads"
title = "Uploads"
scenario = "near.toml"
seeds = 3

[grid.axis.control]
cubic = {}
newreno = { "flow.0.tcp.congestion" = "newreno" }

[[run]]
id = "other"
title = "Another laptop"
short = "other"
scenario = "other.toml"
capture = { snap_length = 96 }
"""

CLAIMS = """
[[claim]]
id = "own.goodput"
where = "II, Fig 1"
what = "Throughput of both"
kind = "range"
lo = 60
hi = 100
unit = "Mbit/s"
read = "axis"

[[claim]]
id = "own.other"
where = "II, Fig 2"
what = "Throughput of the other"
kind = "value"
value = 50.0
tol = 0.1
unit = "Mbit/s"
read = "text"

[[claim]]
id = "own.order"
where = "III"
what = "NewReno is not ten times as fast"
kind = "order"
read = "text"

[[claim]]
id = "own.broken"
where = "III"
what = "What cannot be computed"
kind = "value"
value = 1.0
tol = 0.1
unit = "ms"
read = "text"
"""

MEASURES = """
from airloom.analysis import tcp_trace
from airloom.papers.measure import Measures, Ours

MEASURES = Measures()


def goodput(view):
    return view.total("upload", "goodput_mbps")


@MEASURES.claim("own.goodput", "uploads")
def of_both(uploads):
    found = [part.mean(goodput) for part in uploads.by("control").values()]
    return Ours((min(found), max(found)), f"{len(uploads)} runs")


@MEASURES.claim("own.other", "other")
def of_other(other):
    assert tcp_trace.sender(other.run, "upload", "tcp").segments
    return Ours(goodput(other))


@MEASURES.claim("own.order", "uploads")
def of_order(uploads):
    return Ours(uploads.where(control="newreno").mean(goodput) < 10 * uploads.where(control="cubic").mean(goodput))


@MEASURES.claim("own.broken", "uploads")
def of_nothing(uploads):
    return Ours(1 / 0)
"""

PROBLEM = """
paper = "."
seeds = 1
repeats = 1
points = 10

[parameter.signal]
sets = "station.0.snr"
from = "5 dB"
to = "35 dB"

[parameter.delay]
sets = "server.0.link.delay"
in = "other.toml"
from = "1 ms"
to = "50 ms"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A small paper with a problem beside it."""
    folder = tmp_path / "own"
    folder.mkdir()
    for name, text in {"near": SCENARIO, "other": SCENARIO, "paper": PAPER, "claims": CLAIMS, "fit": PROBLEM}.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "measures.py").write_text(MEASURES)
    return folder / "fit.toml"


def asked(file: Path) -> PaperProblem:
    """The problem of a file."""
    problem = problem_file.read(file)
    assert isinstance(problem, PaperProblem)
    problem.check()
    return problem


def test_unknowns_are_set_where_they_belong(own: Path) -> None:
    """In all scenarios, or in those that are named; of a grid as many seeds are run as are asked for."""
    runs = asked(own).at((21.5, 7.0), 1).runs
    assert len(runs) == 3
    signal, delay = ("station.0.snr", "21.5 dB"), ("server.0.link.delay", "7 ms")
    assert all(signal in run.overrides for run in runs.values())
    assert {run.scenario.name for run in runs.values() if delay in run.overrides} == {"other.toml"}


IN_EACH = '{ "near.toml" = "axis.control.cubic.station.0.snr", "other.toml" = "station.0.snr" }'


def test_an_unknown_has_a_key_in_each_scenario(own: Path) -> None:
    """Of an axis it is set over what the choice sets, and in no other choice."""
    file = own.parent / "paper.toml"
    file.write_text(PAPER.replace("cubic = {}", 'cubic = { "station.0.snr" = "20 dB" }'))
    own.write_text(PROBLEM.replace('"station.0.snr"', IN_EACH))
    problem = asked(own)
    runs = problem.at((21.5, 7.0), 1).runs
    signal = ("station.0.snr", "21.5 dB")
    assert {name for name, run in runs.items() if signal in run.overrides} == {"uploads-cubic-1", "other"}
    assert runs["uploads-cubic-1"].overrides[-1] == signal
    assert '"station.0.snr" = "21.5 dB"  # in other.toml' in problem.world((21.5, 7.0), claims.WHOLE, "")
    own.write_text(PROBLEM.replace('"station.0.snr"', IN_EACH.replace(".cubic.", ".reno.")))
    with pytest.raises(AirloomError, match="which no grid has"):
        asked(own)


def test_runs_beyond_the_paper_may_set_what_is_unknown(own: Path) -> None:
    """No measure needs them, so that a fit does not make them."""
    beyond = PAPER.split("[[run]]")[1].replace('"other"', '"beyond"', 1)
    sets = 'set = { "station.0.snr" = "20 dB" }'
    (own.parent / "paper.toml").write_text(f"{PAPER}[[run]]{beyond}{sets}\n")
    assert "beyond" not in asked(own).at((21.5, 7.0), 1).runs


@pytest.mark.parametrize(("file", "refused"), [("near.toml", False), ("other.toml", True)])
def test_two_unknowns_may_set_one_key_in_different_files(own: Path, file: str, refused: bool) -> None:
    """In one file one of them would not hold."""
    delay = f'{{ "{file}" = "server.0.link.delay" }}'
    own.write_text(PROBLEM.replace('"station.0.snr"', delay).replace(" dB", " ms"))
    if not refused:
        assert asked(own)
        return
    with pytest.raises(AirloomError, match="one of them would not hold"):
        asked(own)


def test_runs_of_a_paper_are_numbers_of_its_claims(own: Path) -> None:
    """A measure that cannot be computed in a world has no number there, and its claim does not hold."""
    problem = asked(own)
    journal = Journal(own.parent / "runs.jsonl")
    runs = PaperRuns(problem, journal, Threads(), own.parent, lambda *_: None)
    point = (25.0, 7.0)
    runs.make([point], [1])
    journal.close()
    found = journal.values[point, claims.WHOLE, 1]
    assert {one.name for one in problem.measurements} == {
        *("own.goodput, lowest", "own.goodput, highest", "own.other", "own.broken"),
    }
    assert found["own.order holds"] == 1.0
    assert found["own.other"]
    assert "own.broken" not in found
    low, high = found["own.goodput, lowest"], found["own.goodput, highest"]
    assert low is not None
    assert high is not None
    assert found["own.goodput holds"] == float(60 <= low <= high <= 100)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('paper = "."', 'paper = "nowhere"', "has no paper.toml"),
        ("repeats = 1", "repeat = 1", "did you mean `repeats`?"),
        ("other.toml", "far.toml", "no scenario 'far.toml' in the paper"),
        ('"50 ms"', '"50 m"', "two numbers of one unit"),
        ("station.0.snr", "station.0.snrr", "snrr"),
    ],
)
def test_mistakes_are_named_before_anything_runs(own: Path, old: str, new: str, message: str) -> None:
    """With their place in the problem."""
    own.write_text(PROBLEM.replace(old, new))
    with pytest.raises(AirloomError, match=r"fit\.toml") as raised:
        asked(own)
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["scan", "anomaly", "bloat", "usb", "arf"])
def test_problems_of_papers_are_sound(name: str) -> None:
    """Each can run at both ends of all that is unknown, and says of each unknown why it may lie there."""
    problem = asked(read(name).folder / "fit.toml")
    assert len(problem.parameters) <= 8
    assert all(one.source for one in problem.parameters)


@pytest.mark.parametrize("name", ["scan", "anomaly", "bloat", "usb", "arf"])
def test_each_section_is_split_in_halves(name: str) -> None:
    """No half has more than one claim more of a section, and what a claim is called decides alone."""
    found = [one for one in read_claims(read(name)) if not one.follows]
    fold = claims.folds(found)
    assert claims.folds(found[::-1]) == fold
    for section in {claims.section(one) for one in found}:
        of_section = [fold[one.id] for one in found if claims.section(one) == section]
        assert abs(of_section.count("a") - of_section.count("b")) <= 1


STATEMENT: ClaimEntry = {"where": "I", "what": "w", "kind": "shape", "read": "text"}


def test_what_follows_from_a_claim_lies_in_its_half() -> None:
    of_table = [claim_of({**STATEMENT, "id": f"own.{at}"}) for at in range(8)]
    following = [claim_of({**STATEMENT, "id": f"own.sum.{at}", "follows": [f"own.{at}"]}) for at in range(8)]
    fold = claims.folds([*following, *of_table])
    assert all(fold[one.id] == fold[one.follows[0]] for one in following)
    assert sorted(fold.values()) == ["a"] * 8 + ["b"] * 8


def test_what_follows_from_two_ties_them() -> None:
    of_table = [claim_of({**STATEMENT, "id": f"own.{at}"}) for at in range(8)]
    gains = [
        claim_of({**STATEMENT, "id": f"own.gain.{at}", "follows": [f"own.{at}", f"own.{at + 4}"]}) for at in range(4)
    ]
    fold = claims.folds([*gains, *of_table])
    assert all(len({fold[f"own.{at}"], fold[f"own.{at + 4}"], fold[f"own.gain.{at}"]}) == 1 for at in range(4))
    assert sorted(fold.values()) == ["a"] * 6 + ["b"] * 6


@pytest.mark.parametrize("follows", ["own.nothing", "own.second"])
def test_what_follows_from_no_claim_is_refused(own: Path, follows: str) -> None:
    entry = 'kind = "shape"\nwhere = "I"\nwhat = "w"\nread = "text"\n'
    said = f'\n[[claim]]\nid = "own.second"\nfollows = "{follows}"\n{entry}'
    (own.parent / "claims.toml").write_text((own.parent / "claims.toml").read_text() + said)
    with pytest.raises(PaperError, match=r"own\.second follows"):
        read_claims(read_folder(own.parent))


def test_a_statement_has_no_number() -> None:
    """A value has one, a range both of its ends, each within the span that holds."""
    found = read_claims(read("bloat"))
    made = {one.name: one for one in claims.measurements(found, 0.05)}
    for one in found:
        names = [name for name in made if name.startswith(one.id) and name.removeprefix(one.id)[:1] in ("", ",")]
        assert len(names) == (0 if one.accepted() is None or one.input else 1 if one.kind == "value" else 2)
    one = next(claim for claim in found if claim.kind == "range" and not claim.input)
    assert isinstance(one.published, tuple)
    lowest = made[f"{one.id}, lowest"]
    assert (lowest.value - lowest.half, lowest.value + lowest.half) == pytest.approx(one.published)
    values = claims.values([one], {one.id: Ours((1.0, 2.0))})
    assert values[f"{one.id}, highest"] == 2.0


@pytest.mark.parametrize(("ours", "number"), [((40.0, 55.0), 40.0), ((49.0, 70.0), 70.0), (52.0, 52.0)])
def test_a_range_meets_a_value_with_both_its_ends(own: Path, ours: float | tuple[float, float], number: float) -> None:
    """The number is the end that is farther off: a fit to the nearer one would meet what does not hold."""
    other = next(one for one in read_claims(read(str(own.parent))) if one.id == "own.other")
    assert claims.values([other], {other.id: Ours(ours)})[other.id] == number


@dataclass(frozen=True)
class SetsAside(Problem):
    """A problem that sets aside what no world meets."""

    @property
    def sets_aside(self) -> bool:
        """It does."""
        return True


@pytest.mark.nightly
def test_what_no_world_meets_is_set_aside() -> None:
    """The rest is fitted as if it had not been there, and what excludes what is named all the same."""
    formula = of_formula([9.0, 25.0, 0.5], 0.2, 2)
    problem = SetsAside(**{name: getattr(formula, name) for name in Problem.__dataclass_fields__})
    found = fit.fit(problem, Formula(lambda x: np.array([10 * x[0], 10 * x[1], x[1]]), 0.05))  # type: ignore[arg-type]
    assert found.aside == [1]
    assert found.fitted == [0, 2]
    assert [chosen for chosen, _ in found.excluding] == [(1,)]
    assert found.draws is not None
    assert np.median(found.draws[:, 0]) == pytest.approx(0.9, abs=0.05)


@dataclass(frozen=True)
class Stub:
    """Runs of a paper that are a formula of its first unknown, between 0 and 1."""

    problem: PaperProblem
    journal: Journal
    short: None = None

    @property
    def of_waves(self) -> Stub:
        """What makes the runs of waves: they are no shorter."""
        return self

    def make(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> None:
        """Notes what each point has."""
        for point in points:
            for seed in seeds:
                if (point, claims.WHOLE, seed) not in self.journal.values:
                    place = self.problem.parameters[0].place(point[0])
                    found = {
                        "own.goodput": Ours((100 * place, 100 * place)),
                        "own.other": Ours(70 * place),
                        "own.order": Ours(place < 0.9),
                    }
                    self.journal.finish((point, claims.WHOLE, seed), claims.values(self.problem.claims, found))

    def values(self, points: Sequence[tuple[float, ...]], seeds: Sequence[int]) -> np.ndarray:
        """What they have."""
        return PaperRuns.values(self, points, seeds)  # type: ignore[arg-type]


def test_each_claim_is_held_out_once(own: Path) -> None:
    """What is narrow predicts what is wide, and not the other way round; what no world can compute is set aside."""
    problem = asked(own)
    journal = Journal(own.parent / "runs.jsonl")
    runs = Stub(problem, journal)
    found = fit.fit(problem, runs)  # type: ignore[arg-type]
    assert "own.broken" in {problem.measurements[at].name for at in found.aside}
    made = worlds(found, runs)  # type: ignore[arg-type]
    said, least = evidence.evidence(problem, runs, made)  # type: ignore[arg-type]
    journal.close()
    fitted_file.write(problem, {**outcome.outcome(found, made), "evidence": said, "evidence_worlds": least})
    left = read_fitted(read_folder(problem.folder))
    assert left is not None
    assert {name: one["kind"] for name, one in left["evidence"].items()} == {
        one["claim"]: one["kind_of_evidence"] for one in said
    }
    signal = left["unknown"]["signal"]
    low, likeliest, high = (float(signal[name].removesuffix(" dB")) for name in ("low", "likeliest", "high"))
    assert 5 < low < likeliest < high < 35
    kinds = {one["claim"]: one["kind_of_evidence"] for one in said}
    assert {one["fold"] for one in said} == {"a", "b"}
    assert kinds["own.goodput"] in ("robust", "predicted")
    assert kinds["own.other"] == "fitted"
    # No fit knows a statement, and by that to the wide range alone it holds in some of the worlds.
    (order,) = (one for one in said if one["claim"] == "own.order")
    assert order["kind_of_evidence"] == "predicted"
    assert order["held_out"] == order["fitted"] < 0.95
    assert kinds["own.broken"] == "missed"
    anywhere = {one["claim"]: one["anywhere"] for one in said}
    assert anywhere["own.goodput"] == pytest.approx(0.4, abs=0.11)


def test_where_no_world_is_left_no_value_is(own: Path) -> None:
    """And no claim is evidence."""
    problem = asked(own)
    evidence_of_none = [{"claim": "own.other", "kind_of_evidence": "missed", "fold": "a", "anywhere": 0.0}]
    evidence_of_none[0] |= {"held_out": 0.0, "fitted": 0.0}
    of_none = {"results_version": 3, "region": {"empty": True}, "evidence_worlds": None, "evidence": evidence_of_none}
    fitted_file.write(problem, of_none)
    left = read_fitted(read_folder(problem.folder))
    assert left is not None
    assert (left["results_version"], left["unknown"], left["evidence"]["own.other"]["kind"]) == (3, {}, "missed")


def test_a_handful_of_worlds_is_no_evidence(own: Path) -> None:
    """One that has nearly all of the weight makes every share 0 or 1."""
    with pytest.raises(AirloomError, match=r"2.2 of 40 worlds have all of the weight"):
        fitted_file.write(asked(own), {"evidence_worlds": 2.2})
    assert not (own.parent / "fitted.toml").exists()


def test_only_a_fit_to_all_claims_is_left_beside_them(own: Path) -> None:
    """Half of them say nothing of evidence."""
    with pytest.raises(AirloomError, match="needs a fit to all claims"):
        fitted_file.of_paper(problem_file.read(own, hold_out="a"))


def test_what_no_fit_writes_is_refused(own: Path) -> None:
    """Somebody has edited it."""
    (own.parent / "fitted.toml").write_text('problem = "fit.toml"\nresults_version = 3\n')
    with pytest.raises(AirloomError, match=r"fitted.toml: .*`unknown`"):
        read_fitted(read_folder(own.parent))


def test_a_paper_of_statements_alone_is_refused(own: Path) -> None:
    """There is nothing that could be fitted."""
    (own.parent / "claims.toml").write_text("[[claim]]" + CLAIMS.split("[[claim]]")[3])
    with pytest.raises(AirloomError, match="no claim of it has a number"):
        asked(own)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("seed", "the seed is no unknown"),
        ("server.0.link.delay", "one of them would not hold"),
        ("flow.0.tcp.congestion", "over which paper.toml sets something in near.toml"),
    ],
)
def test_what_an_unknown_sets_nothing_else_sets(own: Path, key: str, message: str) -> None:
    """One of them would not hold."""
    own.write_text(PROBLEM.replace("station.0.snr", key))
    with pytest.raises(AirloomError) as raised:
        asked(own)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("held_out", "fitted", "kind"),
    [
        (1.0, 1.0, "robust"),
        (0.6, 1.0, "predicted"),
        (1.0, 0.6, "predicted"),
        (0.4, 0.9, "fitted"),
        (0.4, 0.2, "missed"),
        (0.83, 0.31, "missed"),
        (0.5, 0.5, "predicted"),
    ],
)
def test_evidence_is_by_experiment(held_out: float, fitted: float, kind: str) -> None:
    """What held when it was held out was predicted; what held only when it was not, was fitted.

    What most worlds that meet all the others miss is no prediction, though those of one half had it.
    """
    assert evidence.kind(held_out, fitted) == kind
