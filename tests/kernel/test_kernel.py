"""A kernel's TCP and ours over the same bottlenecks."""

from __future__ import annotations

import os
from functools import cache

import pytest

from tools import lack, need

from . import machine, measured, table
from .cells import CELLS
from .numbers import Difference, NoConnectionError, Numbers

NEAR = {"reno": 30, "cubic": 29, "bbr": 23}
"""In how many cells of each control we have to be near the kernel: of 31, 31 and 26."""
AGAIN = ("reno, 10 Mbit/s, 10 ms, 1 BDP", "cubic, 10 Mbit/s, 10 ms, 1 BDP, 8 flows", "bbr, 10 Mbit/s, 10 ms, fq_codel")
"""What is measured anew each time: what is in the file has to be what a kernel does."""


@cache
def differences() -> dict[str, Difference]:
    return table.differences()


@pytest.mark.parametrize("control", NEAR)
def test_our_tcp_does_as_the_kernel_does(control: str) -> None:
    found = table.of(control, differences()).values()
    assert sum(not one.outside for one in found) >= NEAR[control], table.table(differences())


@pytest.mark.parametrize(
    ("ours", "outside"),
    [
        (Numbers(9.5, 52.0, 40.0, 100), []),
        (Numbers(9.3, 46.0, 44.5, 126), ["cwnd", "RTT", "retransmissions"]),
        (Numbers(9.2, 52.0, 40.0, 75), ["throughput"]),
    ],
)
def test_what_is_outside_is_named(ours: Numbers, outside: list[str]) -> None:
    assert Difference(Numbers(9.5, 52.0, 40.0, 100), ours).outside == outside


@pytest.mark.parametrize(("kernel", "ours", "near"), [(0, 2, True), (0, 3, False), (16, 24, True), (16, 25, False)])
def test_a_few_retransmissions_are_judged_as_a_count(kernel: int, ours: int, *, near: bool) -> None:
    before, after = (Numbers(9.5, 52.0, 40.0, count) for count in (kernel, ours))
    assert (not Difference(before, after).outside) == near


def test_a_mean_of_runs_is_judged_as_the_count_of_all() -> None:
    before, after = Numbers(9.5, 52.0, 40.0, 16), Numbers(9.5, 52.0, 40.0, 21)
    assert not Difference(before, after).outside
    assert Difference(before, after, runs=4).outside == ["retransmissions"]


def test_a_cell_without_any_connection_is_named() -> None:
    flow = {"bytes": 0, "cwnd": None, "srtt_ms": None, "retransmissions": 0}
    with pytest.raises(NoConnectionError):
        Numbers.of([flow], 15.0)


@pytest.fixture(scope="module")
def same_system() -> bool:
    """Builds the machine: whether it is the one that was measured, rather than one with a newer kernel or compiler."""
    for tool in machine.NEEDS:
        need(tool)
    if os.geteuid() != 0:
        lack("the machine's system is built as root")
    machine.build()
    return bool(measured.read()["system"] == measured.system())


@pytest.mark.parametrize("name", [AGAIN[0], *(pytest.param(name, marks=pytest.mark.nightly) for name in AGAIN[1:])])
def test_a_kernel_gives_these_numbers(name: str, *, same_system: bool) -> None:
    """The same system gives the same for the first start, to the last digit.

    Another system has to come as near as we have to, but for retransmissions: a few instructions more decide whether a
    queue that overflows loses one segment or two, and so may double them. The other starts are left to
    `make beside-kernel`: what has been printed by then moves the clock, and with it what is drawn at random.
    """
    cell, kept = CELLS[name], measured.read()
    found = machine.first(cell)
    if same_system:
        assert measured.entry(cell, [found])["runs"][0] == kept["cells"][name]["runs"][0]
    before, *_ = measured.runs(kept, cell) or []
    assert set(table.difference([before], found).outside) <= {"retransmissions"}, kept["system"]
