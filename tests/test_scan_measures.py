"""The measures of the scan paper, on numbers whose answer is known."""

from __future__ import annotations

import pytest

from airloom.papers.measure import module_of
from conftest import ROOT

scan = module_of(ROOT / "papers" / "scan" / "measures.py")


@pytest.mark.parametrize(
    ("changes", "dip"),
    [([-0.07, -0.06], True), ([-0.07, -0.01], False), ([-0.07, 0.0], False), ([-0.07, -0.2], False)],
    ids=["300 to 280 Mbit/s", "scatter", "none at all", "too much"],
)
def test_a_data_rate_dips_in_each_scan_and_not_by_much(changes: list[float], dip: bool) -> None:
    assert scan.dips(changes) is dip
