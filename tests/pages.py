"""Pages that tests open in a browser; none of them changes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import airloom
from airloom.report import page
from airloom.support.statistics import Spread
from airloom.sweep import page as sweep_page
from airloom.sweep.chart import Named
from airloom.sweep.query import Line, Shown

if TYPE_CHECKING:
    from pathlib import Path

PLACES = ("near", 'far, "away"')


@pytest.fixture(scope="session")
def page_of_one(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run."""
    file = tmp_path_factory.mktemp("reports") / "one.html"
    page.write(airloom.load(bundle), file)
    return file


@pytest.fixture(scope="session")
def page_of_two(bundle: Path, remedied: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two runs side by side."""
    file = tmp_path_factory.mktemp("reports") / "two.html"
    page.write(airloom.load(bundle), file, against=[airloom.load(remedied)])
    return file


@pytest.fixture(scope="session")
def page_of_a_sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep's metric at two places, a line each for `a` and `b`."""
    file = tmp_path_factory.mktemp("reports") / "sweep.html"
    lines = [Line(name, {place: Spread.of([1.0, 2.0]) for place in PLACES}) for name in "ab"]
    sweep_page.write(Named("a sweep", {}), Shown("goodput_mbps", "place", list(PLACES), lines, []), file)
    return file
