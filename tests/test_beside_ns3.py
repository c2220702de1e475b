"""What `make bench` compares is described alike by its script, its program for ns-3 and its scenarios."""

from __future__ import annotations

import tomllib

import pytest

import beside
import page
from airloom import _engine
from beside import SCENARIOS, Scenario
from instructions import HERE

CELLS = beside.CELLS.read_text(encoding="utf-8")


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
