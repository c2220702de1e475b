"""Bundles that tests look at; none of them changes one."""

from __future__ import annotations

from pathlib import Path

import pytest

import synthetic
from airloom.report import vega_spec
from browsing import browser
from pages import page_of_a_sweep, page_of_one, page_of_two

__all__ = ["browser", "page_of_a_sweep", "page_of_one", "page_of_two"]

vega_spec.CHECKED = True  # what a test draws is a chart by Vega-Lite's own schema

ROOT = Path(__file__).resolve().parents[1]
LONGEST = ("test_pages.py", "test_kernel.py", "test_installed.py", "test_site.py", "test_strange_bundles.py")
"""What takes longest begins first, so that workers that take file after file end together."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves to the night what is beyond a sample; puts the longest files first, the others in their order."""
    for most, cases in sampled(items):
        kept = {round(place * (len(cases) - 1) / max(most - 1, 1)) for place in range(most)}
        for place, case in enumerate(cases):
            if place not in kept:
                case.add_marker(pytest.mark.nightly)
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def sampled(items: list[pytest.Item]) -> list[tuple[int, list[pytest.Item]]]:
    """The tests of whose cases `make test` runs a sample: how many it runs, and all cases."""
    tests: dict[str, tuple[int, list[pytest.Item]]] = {}
    for item in items:
        if marker := item.get_closest_marker("sample"):
            _, cases = tests.setdefault(item.nodeid.partition("[")[0], (marker.args[0], []))
            cases.append(item)
    return list(tests.values())


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upload that three scans disturb."""
    return synthetic.write(tmp_path_factory.mktemp("bundles") / "off")


@pytest.fixture(scope="session")
def remedied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same upload, with the remedy: no scan at all."""
    return synthetic.write(tmp_path_factory.mktemp("bundles") / "on", remedy=True)
