"""The papers' claims, and how results of ours are held against them."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

import airloom
from airloom import _engine
from airloom.errors import PaperError
from airloom.papers import paper, published_marks, scorer
from airloom.papers.claim import Claim, ClaimEntry, claim, read_claims
from airloom.papers.evidence import Evidence, evidence
from airloom.papers.figure import Figure, GridFigure, PointFigure, Quantity, TableFigure, runs_of
from airloom.papers.figure_file import has_figures, read_figures
from airloom.papers.measure import Ours, measures_of
from airloom.report.standalone import slug

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.papers.fitted import ByFit, Fitted, FittedClaim

VALUE: ClaimEntry = {
    "id": "a",
    "where": "I",
    "what": "w",
    "kind": "value",
    "value": 100.0,
    "tol": 0.1,
    "unit": "ms",
    "read": "text",
}
RANGE: ClaimEntry = {
    "id": "b",
    "where": "I",
    "what": "w",
    "kind": "range",
    "lo": 3,
    "hi": 5,
    "unit": "ms",
    "read": "axis",
}
SHAPE: ClaimEntry = {"id": "c", "where": "I", "what": "w", "kind": "shape", "read": "text"}


@pytest.mark.parametrize(
    ("entry", "ours", "holds"),
    [
        (VALUE, 90.0, True),
        (VALUE, 110.0, True),
        (VALUE, 89.9, False),
        (VALUE, 110.1, False),
        (RANGE, 3.0, True),
        (RANGE, 5.01, False),
        (RANGE, (3.0, 5.0), True),
        (RANGE, (2.9, 4.0), False),
        (RANGE, (4.0, 5.1), False),
        ({**RANGE, "lo": 0}, True, False),
        ({**RANGE, "tol": 0.1}, (2.8, 5.4), True),
        ({**RANGE, "tol": 0.1}, (2.6, 5.0), False),
        (SHAPE, True, True),
        (SHAPE, False, False),
    ],
)
def test_a_result_is_held_against_its_claim(
    entry: ClaimEntry, ours: float | tuple[float, float] | bool, holds: bool
) -> None:
    assert claim(entry).holds(ours) is holds


def test_a_right_number_from_an_unsound_run_misses() -> None:
    assert scorer.verdict(claim(VALUE), [Ours(100.0, sound=False)]).verdict == "misses"


def test_a_result_that_is_not_a_number_misses() -> None:
    score = scorer.verdict(claim(VALUE), [Ours(math.nan)])
    assert (score.verdict, score.ours) == ("misses", None)


@pytest.mark.parametrize(("held", "verdict"), [(5, "holds"), (4, "holds"), (3, "misses"), (0, "misses")])
def test_a_claim_holds_in_four_of_five_sets_of_seeds(held: int, verdict: str) -> None:
    values = [100.0 + number for number in range(held)] + [300.0] * (5 - held)
    score = scorer.verdict(claim(VALUE), [Ours(value, "in" if value < 200 else "out") for value in values])
    assert (score.verdict, score.holds_in) == (verdict, held / 5)
    assert score.note == ("in" if verdict == "holds" else "out")
    assert score.spread == (min(values), max(values))
    assert score.ours == pytest.approx(fmean(values))


def test_a_range_is_the_mean_of_each_end_over_the_sets() -> None:
    score = scorer.verdict(claim(RANGE), [Ours((3.0, 4.0)), Ours((3.5, 5.0))])
    assert (score.ours, score.spread, score.holds_in) == ((3.25, 4.5), (3.0, 5.0), 1.0)
    statement = scorer.verdict(claim(SHAPE), [Ours(value=True)] * 4 + [Ours(value=False)])
    assert (statement.ours, statement.spread, statement.verdict) == (True, None, "holds")


def of_fit(kind: ByFit, version: int = _engine.results()) -> Fitted:
    """A fit that says this of the claim."""
    of_claims: dict[str, FittedClaim] = {
        "a": {"kind": kind, "fold": "b", "anywhere": 0.4, "held_out": 0.62, "fitted": 0.9}
    }
    return {"problem": "fit.toml", "results_version": version, "unknown": {}, "evidence": of_claims}


def test_what_was_put_in_or_fitted_is_no_evidence() -> None:
    put_in = claim({**VALUE, "input": "read back"})
    computed = claim({**VALUE, "looked_at": "how long runs are"})
    of = [evidence(claim(VALUE), None), evidence(computed, of_fit("robust")), evidence(put_in, of_fit("robust"))]
    assert of == [Evidence("predicted"), Evidence("fitted", "how long runs are"), Evidence("input", "read back")]
    scores = [scorer.verdict(claim(VALUE), [Ours(ours)], one) for one in of for ours in (100.0, 300.0)]
    counted = scorer.tally(scores)
    assert str(counted) == "3 of 6 claims hold: 1 predicted, 1 fitted, 1 input"
    assert (counted.evidence, counted.missed) == (1, 3)


@pytest.mark.parametrize(
    ("kind", "is_of"), [("robust", "robust"), ("predicted", "predicted"), ("fitted", "fitted"), ("missed", "fitted")]
)
def test_a_fit_says_what_a_claim_is_evidence_of(kind: ByFit, is_of: str) -> None:
    """What holds in few worlds that a fit left, and yet with the values that were chosen, they were chosen for."""
    found = evidence(claim(VALUE), of_fit(kind))
    assert found.kind == is_of
    assert found.because == (
        "it holds in 40 % of the worlds that were thought possible, "
        "in 62 % of those left without it, and in 90 % of those left by all"
    )
    assert evidence(claim({**VALUE, "id": "new"}), of_fit(kind)).kind == "predicted"
    assert evidence(claim(VALUE), of_fit(kind, 1)).because == f"{found.because}, by results version 1"


CLAIMS = {
    "scan": 25,
    "anomaly": 19,
    "bloat": 12,
    "arf": 31,
    "usb": 26,
    "ath11k": 6,
    "pi": 4,
    "roaming": 17,
    "wifi7": 29,
}
"""How many each paper has."""


@pytest.mark.parametrize("name", CLAIMS)
def test_the_claims_of_a_paper_are_all_there(name: str) -> None:
    claims = read_claims(paper.read(name))
    assert len({one.id for one in claims}) == len(claims) == CLAIMS[name]
    for one in claims:
        well_formed(one, name)


def well_formed(one: Claim, name: str) -> None:
    assert one.id.startswith(f"{name}.")
    assert one.what
    assert one.read in ("text", "axis")
    assert (one.accepted() is None) == (one.kind in ("shape", "order"))


@pytest.mark.parametrize("name", CLAIMS)
def test_every_claim_has_a_measure_and_every_measure_runs_that_exist(name: str) -> None:
    one = paper.read(name)
    measures = measures_of(one)
    assert {claim.id for claim in read_claims(one)} == measures.keys()
    for measure in measures.values():
        for need in measure.needs:
            assert all(one.run(run).scenario.is_file() for run in one.runs_of(need))


DRAWN = [name for name in CLAIMS if has_figures(paper.read(name))]


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_of_a_paper_has_runs_and_quantities_that_exist(name: str) -> None:
    one = paper.read(name)
    quantities = measures_of(one).quantities
    figures = read_figures(one).figures
    numbers = [slug(str(figure.number)) for figure in figures]
    assert len(set(numbers)) == len(numbers), "they are parts of elements' ids"
    for figure in figures:
        assert all(one.run(run).scenario.is_file() for name in runs_of(figure) for run in one.runs_of(name))
        drawn: list[Quantity] = []
        match figure:
            case GridFigure():
                drawn = [*figure.show, *([figure.against] if figure.against else [])]
            case TableFigure() if figure.along == "runs":
                drawn = [figure.show]
            case Figure():
                assert len({axis.unit for axis in figure.axes}) <= len(("left", "right"))
        assert all(quantity.of is not None or quantity.metric in quantities for quantity in drawn)


@pytest.mark.parametrize("name", DRAWN)
def test_every_published_value_of_a_figure_can_be_drawn(name: str) -> None:
    """Each is a value or a range, at a place or on a line that the figure has."""
    one = paper.read(name)
    claims = scorer.claims_by_id(one)
    for figure in read_figures(one).figures:
        published = [] if isinstance(figure, PointFigure) else figure.published
        assert all(mark.ends for mark in published_marks.marks(published, claims, {}))
        lines: set[str] = set()
        match figure:
            case Figure():
                lines = {axis.title for axis in figure.axes}
            case TableFigure():
                lines = set(figure.lines)
            case GridFigure():
                lines = {shown.title for shown in figure.show}
                if figure.lines:
                    (grid,) = (axis for axis in one.grids[figure.grid].grid.axes if axis.name == figure.lines)
                    lines = {choice.name for choice in grid.choices}
        assert {value.of for value in published} <= {*lines, ""}, figure.number


def test_a_state_machine_is_held_against_its_claims_without_a_run() -> None:
    scores = {score.id: score.verdict for score in scorer.score([(paper.read("bloat"), {})])}
    assert (scores["bloat.example"], scores["bloat.index"]) == ("holds", "holds")
    assert scores["bloat.goodput"] == "not run"


def test_an_upload_by_the_numbers_holds(bundle: Path, remedied: Path) -> None:
    off, on = airloom.load(bundle), airloom.load(remedied)
    scores = scorer.score([(paper.read("scan"), {"up-tsq-cubic": off, "fix-off": off, "fix-on": on})])
    verdicts = {score.id: score.verdict for score in scores}
    assert [name for name, verdict in verdicts.items() if verdict == "misses"] == []
    assert sum(verdict == "holds" for verdict in verdicts.values()) == 13
    assert verdicts["scan.null.pm1"] == "not run"
    assert verdicts["scan.up.notsq.goodput"] == "not run"


def test_a_remedy_that_does_nothing_is_found_out(bundle: Path) -> None:
    off = airloom.load(bundle)
    scores = {score.id: score for score in scorer.score([(paper.read("scan"), {"fix-off": off, "fix-on": off})])}
    assert scores["scan.fix"].verdict == "misses"


def test_a_name_of_a_run_stands_for_another() -> None:
    assert paper.read("scan").run("fix-off").id == "up-tsq-cubic"


def test_an_unknown_paper_or_run_is_reported_with_those_there_are() -> None:
    with pytest.raises(PaperError, match=r"no paper 'skan'; there are: .*scan"):
        paper.read("skan")
    with pytest.raises(PaperError, match="no run 'up'; there are up-tsq-cubic"):
        paper.read("scan").run("up")
