"""What `make bench` compares is described alike by its script, its program for ns-3, its scenarios and the page."""

from __future__ import annotations

import re
import tomllib

import pytest

import beside
import page
from airloom import _engine
from beside import SCENARIOS, Scenario
from instructions import HERE

CELLS = beside.CELLS.read_text(encoding="utf-8")


def rows(name: str) -> list[list[str]]:
    """The rows of one of the page's tables, without its head."""
    text = page.PAGE.read_text(encoding="utf-8")
    found = re.search(rf"<!-- bench: {name} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert found
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()[2:]]


def test_the_page_has_a_row_of_costs_for_each_scenario() -> None:
    assert [row[0] for row in rows("costs")] == [scenario.title for scenario in SCENARIOS]


def test_the_page_has_the_goodput_of_each_group() -> None:
    expected = [[scenario.title, group] for scenario in SCENARIOS for group in scenario.groups]
    assert [row[:2] for row in rows("goodput")] == expected


def test_the_page_says_why_answers_differ() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    for scenario in SCENARIOS:
        assert not scenario.change or f"`--change={scenario.change}`" in text


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_loads_and_has_its_groups(scenario: Scenario) -> None:
    file = HERE / scenario.file
    overrides = [(key, value) for key, _, value in (entry.partition("=") for entry in scenario.overrides)]
    resolved = tomllib.loads(_engine.check(file.read_text(encoding="utf-8"), file.name, overrides, 1))
    names = [station["name"].rstrip("0123456789") for station in resolved["station"]]
    assert sorted(set(names)) == sorted(scenario.groups)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_ns3_has_the_scenario_and_its_change(scenario: Scenario) -> None:
    assert f'{{"{scenario.name}", ' in CELLS
    assert not scenario.change or f'change == "{scenario.change}"' in CELLS


def test_a_station_alone_saturates_as_its_airtimes_add_up() -> None:
    # Data of 57 symbols, SIFS, ACK of 2 at 24 Mbit/s, DIFS, and seven and a half slots of backoff.
    exchange = (20 + 57 * 4) + 16 + (20 + 2 * 4) + 34 + 7.5 * 9
    for extended in (False, True):
        assert beside.saturation(1, extended=extended) == pytest.approx(1472 * 8 / exchange, rel=1e-6)


def test_more_stations_and_longer_waits_carry_less() -> None:
    assert beside.saturation(50, extended=True) < beside.saturation(50, extended=False)
    assert beside.saturation(50, extended=False) < beside.saturation(10, extended=False)


def test_an_interval_is_that_of_student() -> None:
    # The mean of five is 3, their deviation 1.58, and so 2.776 x 1.58 / sqrt(5) = 1.96.
    assert beside.spread([1.0, 2.0, 3.0, 4.0, 5.0]) == "3.00 ± 1.96"
    assert beside.spread([100.0, 102.0, 104.0, 106.0, 108.0]) == "104 ± 4"


def test_only_what_stands_between_its_markers_is_written_anew() -> None:
    text = "before\n<!-- bench: costs -->\nold\n<!-- end -->\nafter\n"
    assert page.put(text, "costs", "new") == "before\n<!-- bench: costs -->\nnew\n<!-- end -->\nafter\n"
    with pytest.raises(SystemExit, match="0 places"):
        page.put(text, "goodput", "new")
