"""A kernel's TCP and ours on the same simulated air."""

from __future__ import annotations

import os
from functools import cache

import pytest

from kernel import machine as wired
from kernel.measured import OutdatedError, system
from kernel.numbers import Numbers
from tools import lack, need

from . import kept, machine, table
from .cells import CELLS, SEEDS
from .sides import Side, outside
from .simulated import air, run

NEAR = 11
"""In how many of the twelve cells we have to be near the kernel."""
AGAIN = "bloat: near, cubic"
"""What is measured anew each time, with the first seed: what is in the file has to be what a kernel does."""


@cache
def both() -> dict[str, table.Both]:
    return table.both()


def test_our_tcp_does_on_the_air_as_the_kernel_does() -> None:
    near = sum(not one.outside for one in both().values())
    assert near >= NEAR, table.table(both())


def test_the_world_was_in_time_for_what_the_kernel_sent() -> None:
    for one in both().values():
        for timing in one.timings:
            assert timing["verdict"] in {"valid", "valid_below"}, one.cell.name


def test_what_is_outside_is_named() -> None:
    def side(mbps: float, cwnd: float, rtt_ms: float, ping_ms: float | None) -> Side:
        return Side(Numbers(mbps, cwnd, rtt_ms, 0), (), ping_ms)

    kernel = side(30.0, 100.0, 50.0, 60.0)
    assert outside(kernel, side(31.4, 114.0, 43.0, 68.0)) == []
    assert outside(kernel, side(28.4, 116.0, 42.0, 70.0)) == ["goodput", "cwnd", "RTT", "ping"]
    assert outside(kernel, side(30.0, 100.0, 50.0, None)) == []


def test_another_air_needs_the_kernel_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = CELLS[AGAIN]
    assert kept.missing(kept.read(), cell) == []
    # As other results of queues, radios or rate control would have it.
    monkeypatch.setattr(kept, "air", lambda name: "other" if name == cell.name else air(name))
    with pytest.raises(OutdatedError, match=f"lacks {cell.name}: run `make beside-kernel`"):
        kept.read()


@pytest.mark.nightly
def test_a_kernel_gives_these_numbers() -> None:
    """The same system with the same world gives the same, to the last digit; another one has to come as near as we."""
    for tool in (*wired.NEEDS, "cargo"):
        need(tool)
    if os.geteuid() != 0:
        lack("the machine's system is built as root")
    cell, file, seed = CELLS[AGAIN], kept.read(), SEEDS[0]
    world = machine.build()
    found = kept.entry(machine.run(cell, seed))
    before = kept.runs(file, cell)[str(seed)]
    if (file["system"], file["cells"][cell.name]["world"]) == (system(), world):
        assert found == before
    measured = kept.side(cell, found)
    assert outside(kept.side(cell, before), measured) == []
    assert outside(measured, run(cell, seed)) == []
