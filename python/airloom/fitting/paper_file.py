"""Reads a problem file that names a paper, whose claims are what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airloom.fitting import claims
from airloom.fitting.entries import MOST_SEEDS, number, sizes, spread, unknown, unknowns
from airloom.fitting.folds import check_fold
from airloom.fitting.paper_problem import PaperProblem
from airloom.fitting.short import OF_PAPERS as OF_SHORT
from airloom.fitting.short import short
from airloom.papers.claim import read_claims
from airloom.papers.paper import read_folder
from airloom.scenario import source
from airloom.sweep.plan import settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from airloom.scenario.complaints import Complaints
    from airloom.scenario.grid import Overrides

OF_PAPERS = (
    "title",
    "paper",
    "set",
    "seeds",
    "repeats",
    "waves",
    "points",
    "worlds",
    "short",
    "discrepancy",
    "hold_out",
    "parameter",
)
"""The keys of such a file."""

OF_CLAIMS = "5 %"
"""The discrepancy of a paper's claims where the file names none."""


def read_paper(
    file: Path, text: str, content: Mapping[str, Any], hold_out: str, complaints: Complaints
) -> PaperProblem:
    """The problem of a file that names a paper, whose claims are what was measured."""
    unknown(content, OF_PAPERS, complaints)
    folder = file.parent / str(content["paper"])
    described = folder / "paper.toml"
    if not described.is_file():
        complaints.add(
            "paper", f"no paper in {folder}: it has no paper.toml", 'paper = "." where this file is beside it'
        )
    fixed = settings(content.get("set", {}), complaints)
    parameters = unknowns(content, complaints)
    share = spread(content.get("discrepancy", OF_CLAIMS), 1.0)
    if share is None:
        complaints.add("discrepancy", "`discrepancy` is a share of what was published", 'discrepancy = "5 %"')
    repeats = number(content, "repeats", MOST_SEEDS, MOST_SEEDS, complaints)
    seeds, waves, points, worlds = sizes(content, parameters, complaints)
    in_waves = short(content, OF_SHORT, seeds, repeats, complaints)
    complaints.check()
    measurements = claims.measurements(read_claims(read_folder(folder.resolve())), share or 0.0)
    if not measurements:
        complaints.add("paper", "no claim of it has a number that a run could fail: there is nothing to be fitted")
    held = hold_out or str(content.get("hold_out", ""))
    check_fold(held, measurements, complaints)
    complaints.check()
    base = source.read(described)[0]
    whole: dict[str, Overrides] = {claims.WHOLE: []}
    given = (file, text, described, base, fixed, parameters, whole, measurements)
    return PaperProblem(*given, seeds, waves, points, held, worlds, folder.resolve(), repeats, short=in_waves)
