"""Diagnosis of captures that ns-3 and Linux made: what was planted is found, and nothing else."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from airloom.diagnosis.reading import diagnose
from conftest import ROOT

from .hwsim.worlds import HERE as LINUX
from .hwsim.worlds import WORLDS as BY_LINUX
from .worlds import HERE, WORLDS, World, carried, table

if TYPE_CHECKING:
    from airloom.diagnosis.shapes import Finding

ALL = [*WORLDS, *BY_LINUX]
MOST = {HERE: 2_600_000, LINUX: 500_000}
"""Octets of all captures of a folder together."""


@pytest.mark.parametrize("world", ALL, ids=lambda world: world.name)
def test_what_was_planted_is_found_and_nothing_else(world: World) -> None:
    for files, codes in world.captures().items():
        told = diagnose(files)
        assert {finding["code"] for finding in told["findings"]} == codes, [file.name for file in files]
        end = max(capture["span_s"][1] for capture in told["captures"] if capture["span_s"])
        spans = [span for finding in told["findings"] for span in finding["spans"]]
        assert all(0 <= begins <= ends <= end for begins, ends in spans)


@pytest.mark.parametrize(
    "world", [world for world in WORLDS if world.planted.startswith("nothing")], ids=lambda world: world.name
)
def test_of_a_sound_world_no_rule_says_that_something_is_amiss(world: World) -> None:
    """What waits a round trip for its server waits for nothing in the air, though nothing is heard then."""
    suspicions = [one for files in world.captures() for one in diagnose(files)["abstained"] if one["suspects"]]
    assert not suspicions


NEAR = 0.25
"""The greatest relative error of a cost."""

BY_CHANCE = 0.03
"""The part by which a true cost may exceed the most that is said: in two seconds stations share the air by chance."""

UNPRICED = {"overhead"}
"""Worlds of datagrams, which do not tell how many more there were: the first finding costs a part of the air."""


def first_finding(world: World) -> Finding:
    """What comes first in all captures of a world."""
    return diagnose(max(world.captures(), key=len))["findings"][0]


def true_cost(world: World, finding: Finding) -> float:
    """What the world without the cause has more, in the unit of a finding's cost."""
    ill, well = carried()[world.name], carried()[world.without]
    if finding["cost"]["unit"] == "ms":
        return ill.rtt_ms - well.rtt_ms
    if finding["code"] == "W202":
        others = len(ill.mbps) - 1
        return sum(well.mbps[:others]) - sum(ill.mbps[:others])
    # The stations have the first addresses, of the radio and of the Internet Protocol, and the flows their order.
    named = re.search(r"(?:00:){5}(\w\w)|10\.0\.0\.(\d+):", finding["subject"])
    place = int(named[1], 16) - 1 if named and named[1] else int(named[2]) - 1 if named else 0
    return (
        well.mbps[min(place, len(well.mbps) - 1) if len(ill.mbps) > 1 else 0] - ill.mbps[min(place, len(ill.mbps) - 1)]
    )


AGAINST = [world for world in WORLDS if world.without]


@pytest.mark.parametrize("world", AGAINST, ids=lambda world: world.name)
def test_the_cause_comes_first_and_costs_what_the_world_without_it_has_more(world: World) -> None:
    first = first_finding(world)
    assert first["code"] in world.first
    cost = first["cost"]
    assert (cost["unit"] not in ("Mbit/s", "ms") or cost["unknown"] is not None) == (world.name in UNPRICED)
    if world.name not in UNPRICED:
        truth = true_cost(world, first)
        assert cost["value"] == pytest.approx(truth, rel=NEAR)
        assert not cost["at_most"] or truth <= (1 + BY_CHANCE) * cost["value"]


@pytest.mark.parametrize("world", ALL, ids=lambda world: world.name)
def test_all_records_can_be_read(world: World) -> None:
    files = max(world.captures(), key=len)
    for capture in diagnose(files)["captures"]:
        assert (capture["stopped"], capture["unread"]) == (None, 0)


@pytest.mark.parametrize("worlds", [WORLDS, BY_LINUX], ids=["ns-3", "Linux"])
def test_the_page_has_the_table(worlds: tuple[World, ...]) -> None:
    assert table(worlds) in (ROOT / "docs" / "diagnose.md").read_text(encoding="utf-8")


def test_captures_are_few_small_and_those_of_the_worlds() -> None:
    kept = sorted(HERE.glob("**/*.pcap.gz"))
    assert kept == sorted({file for world in ALL for files in world.captures() for file in files})
    for folder, most in MOST.items():
        assert sum(file.stat().st_size for file in folder.glob("*.pcap.gz")) < most
    assert all(gzip.decompress(file.read_bytes())[:4] == bytes.fromhex("d4c3b2a1") for file in kept)


@pytest.mark.parametrize("world", [world for world in BY_LINUX if world.name != "dozes"], ids=lambda world: world.name)
def test_rates_that_no_radio_tells_are_not_guessed(world: World) -> None:
    abstained = {one["code"] for one in diagnose([world.capture("air")])["abstained"]}
    assert {"W104", "W105", "W201", "W202", "W203"} <= abstained
