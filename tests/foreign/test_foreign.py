"""Diagnosis of captures that ns-3 made: what was planted is found, and nothing else."""

from __future__ import annotations

import gzip

import pytest

from airloom.diagnosis.told import diagnose
from conftest import ROOT

from .worlds import HERE, WORLDS, World, table

MOST = 1_500_000
"""Octets of all captures together."""


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_what_was_planted_is_found_and_nothing_else(world: World) -> None:
    for files, codes in world.captures().items():
        found = {finding["code"] for finding in diagnose(files)["findings"]}
        assert found == codes, [file.name for file in files]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_all_records_can_be_read(world: World) -> None:
    files = max(world.captures(), key=len)
    for capture in diagnose(files)["captures"]:
        assert (capture["stopped"], capture["unread"]) == (None, 0)


def test_the_page_has_the_table() -> None:
    assert table() in (ROOT / "docs" / "diagnose.md").read_text(encoding="utf-8")


def test_captures_are_few_small_and_those_of_the_worlds() -> None:
    kept = sorted(HERE.glob("*.pcap.gz"))
    assert kept == sorted({file for world in WORLDS for files in world.captures() for file in files})
    assert sum(file.stat().st_size for file in kept) < MOST
    assert all(gzip.decompress(file.read_bytes())[:4] == bytes.fromhex("d4c3b2a1") for file in kept)
