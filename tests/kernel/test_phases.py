"""The phases of a kernel's BBR and of ours, round by round."""

from __future__ import annotations

import os
from functools import cache
from itertools import pairwise

import pytest

from tools import lack, need

from . import machine, phases
from .phases import CELLS, Course

AGAIN = next(iter(CELLS))
"""What is measured anew each time."""
OFF = 0.05
"""By how much of itself each figure may be off: a short packet of the handshake takes as long as any other over there,
and not here, and what follows goes by its round trip."""
ACK_MS = 2.0
"""Or by this much: a phase ends with an ACK, and a few lie in between."""
CYCLE = ("up", "down", "cruise")


def near(ms: float) -> object:
    """What a time has to be."""
    return pytest.approx(ms, rel=OFF, abs=ACK_MS)


@cache
def ours(name: str) -> Course:
    return phases.simulate(CELLS[name])


def kernels(name: str) -> Course:
    return Course.read(phases.read()["cells"][name])


@pytest.mark.parametrize("name", CELLS)
def test_start_up_is_the_kernels_round_by_round(name: str) -> None:
    theirs, mine = kernels(name).rounds, ours(name).rounds
    assert len(mine) == len(theirs)
    for kernel, own in zip(theirs, mine, strict=True):
        assert own.time * 1e3 == near(kernel.time * 1e3)
        assert own.mbps == pytest.approx(kernel.mbps, rel=OFF)
        assert own.window == pytest.approx(kernel.window, rel=OFF, abs=1)


@pytest.mark.parametrize("name", CELLS)
def test_phases_follow_each_other_as_in_the_kernel(name: str) -> None:
    for course in (kernels(name), ours(name)):
        names = [phase.name for phase in course.phases]
        assert names[:2] == ["start-up", "drain"]
        assert names.count("probe-rtt") == 2
        for before, after in pairwise(names[2:]):
            if "probe-rtt" not in (before, after):
                assert CYCLE.index(after) == (CYCLE.index(before) + 1) % len(CYCLE)
        after_measuring = {after for before, after in pairwise(names) if before == "probe-rtt"}
        assert "down" not in after_measuring, "the cycle begins with any phase but that"


@pytest.mark.parametrize("name", CELLS)
def test_phases_last_as_long_as_the_kernels(name: str) -> None:
    assert ours(name).figures == {figure: near(value) for figure, value in kernels(name).figures.items()}


@pytest.mark.nightly
def test_a_kernel_goes_through_these_phases() -> None:
    """The same system does so to the last digit; another one has to come as near as ours."""
    for tool in machine.NEEDS:
        need(tool)
    if os.geteuid() != 0:
        lack("the machine's system is built as root")
    system, kept = phases.build(), phases.read()
    found = phases.measure(CELLS[AGAIN])
    if system == kept["system"]:
        assert phases.entry(CELLS[AGAIN], found) == kept["cells"][AGAIN]
    assert found.figures == {figure: near(value) for figure, value in kernels(AGAIN).figures.items()}
