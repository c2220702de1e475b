"""Networks that may hear each other have here what they have in ns-3, where ns-3 models the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import airloom
import sharing
from airloom.support.statistics import mean

if TYPE_CHECKING:
    from pathlib import Path

THEIRS: dict[str, list[float]] = json.loads(sharing.FILE.read_text(encoding="utf-8"))
OTHERWISE = {"upper-udp"}
"""Of which docs/rates.md says why ns-3 does not model the same; with what is changed there it does."""
SEEDS = 10
"""More than ns-3 has, since runs here take less time: what two networks alike have differs by chance."""
OF_TCP = 20
"""The same of TCP, whose networks take turns for longer."""
ALONE = 2
"""The same of networks that do not share a channel."""
STARVED = 2.0
"""Mbit/s: a network that hears two others, which do not hear each other, has less."""


def ours(name: str, folder: Path) -> list[float]:
    """What each network of a cell has here in Mbit/s, the mean over the seeds."""
    file = folder / "cell.toml"
    cell = sharing.CELLS[name]
    file.write_text(cell.scenario())
    shares = len(set(cell.channels)) < len(cell.channels) or cell.widths
    seeds = (OF_TCP if cell.tcp else SEEDS) if shares else ALONE
    runs = [[flow.goodput_mbps for flow in airloom.run(file, seed=seed).flows] for seed in range(1, seeds + 1)]
    return [mean(list(of)) for of in zip(*runs, strict=True)]


def test_what_was_measured_is_what_there_is_to_compare() -> None:
    assert THEIRS.keys() == sharing.CELLS.keys()
    assert all(f'{{"{name}", ' in sharing.SOURCE.read_text() for name in sharing.CELLS)


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", [name for name in sharing.CELLS if name not in OTHERWISE])
def test_networks_share_the_air_as_in_ns3(name: str, tmp_path: Path) -> None:
    has, theirs = ours(name, tmp_path), THEIRS[name]
    assert sum(has) == pytest.approx(sum(theirs), rel=0.05)
    if sharing.CELLS[name].alike():
        # Chance alone tells one from the other.
        theirs = [mean(theirs)] * len(theirs)
    for mine, other in zip(has, theirs, strict=True):
        if other < STARVED:
            assert mine < STARVED
        else:
            assert mine == pytest.approx(other, rel=0.05)
