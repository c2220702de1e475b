"""Diagnosis of captures that ns-3 and Linux made: what was planted is found, and nothing else."""

from __future__ import annotations

import gzip

import pytest

from airloom.diagnosis.told import diagnose
from conftest import ROOT

from .hwsim.worlds import HERE as LINUX
from .hwsim.worlds import WORLDS as BY_LINUX
from .worlds import HERE, WORLDS, World, table

ALL = [*WORLDS, *BY_LINUX]
MOST = {HERE: 1_500_000, LINUX: 500_000}
"""Octets of all captures of a folder together."""


@pytest.mark.parametrize("world", ALL, ids=lambda world: world.name)
def test_what_was_planted_is_found_and_nothing_else(world: World) -> None:
    for files, codes in world.captures().items():
        found = {finding["code"] for finding in diagnose(files)["findings"]}
        assert found == codes, [file.name for file in files]


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
