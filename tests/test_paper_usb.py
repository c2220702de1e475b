"""The paper about USB: each of its anomalies with its cause and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

import airloom
from airloom.analysis import tcp_trace
from airloom.analysis.run_view import RunView
from airloom.analysis.tcp_trace import Segment, Sender
from airloom.papers import paper
from airloom.papers.measure import module_of
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.scenario.toml_text import Value

PAPER = ROOT / "papers" / "usb"
usb = module_of(PAPER / "measures.py")
HOLD = PAPER / "hold.toml"


class Run(Protocol):
    """Makes a run of a scenario with these values changed, with captures; `__` stands for a dot."""

    def __call__(self, scenario: Path = HOLD, **changed: Value) -> RunView:
        """The run."""
        ...


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The maker of runs, which makes none twice."""
    made: dict[str, RunView] = {}

    def make(scenario: Path = HOLD, **changed: Value) -> RunView:
        key = f"{scenario.stem} {changed}"
        if key not in made:
            folder = tmp_path_factory.mktemp("usb") / "run"
            values = {name.replace("__", "."): value for name, value in changed.items()}
            made[key] = RunView(airloom.run(scenario, set=values, out=folder, capture=True))
        return made[key]

    return make


def test_one_adapter_serves_every_run() -> None:
    """What the paper varied is all that differs: the bus's mode, attempts, spells."""
    varied = ("usb.traversal", "usb.reclamation", "usb.queue", "usb.hold", "short_retry_limit")
    for one in paper.read("usb").runs.values():
        for key, _ in one.overrides:
            assert not key.startswith("station.0.adapter.") or key.removeprefix("station.0.adapter.") in varied


def test_held_acknowledgments_end_in_a_timeout_without_a_loss(run: Run) -> None:
    held, clear = run(), run(station__0__adapter__usb__hold__at=["9999 s"])
    assert usb.timeout(held, clear).value is True
    assert len(usb.spells(held)) == 3
    assert tcp_trace.timeouts(clear.run, clear.flow["name"]) == []


def test_the_first_spurious_timeout_is_missed_with_the_stale_stamp_alone(run: Run) -> None:
    stale, right = usb.spells(run()), usb.spells(run(station__0__host__recovery__stale_retransmit_stamp=False))
    assert [spell.recognised for spell in stale] == [False, True, True]
    assert [spell.recognised for spell in right] == [True, True, True]


def test_data_seems_to_be_sent_again_after_its_ack_below_the_queue_alone(run: Run) -> None:
    held, empty = run(), run(station__0__adapter__usb__queue="100 packets")
    assert usb.late(held, "device, sent") > 3
    assert usb.late(held, "tcp") == 0
    assert usb.late(empty, "device, sent") == 0


def test_duplicates_below_the_recovery_point_start_no_recovery(run: Run) -> None:
    """The duplicates come of the burst: without it there are none."""
    held, right = run(), run(station__0__host__recovery__stale_retransmit_stamp=False)
    assert usb.duplicates(held).value is True
    assert usb.duplicates(right).value is False
    assert held.flow["recoveries"] == right.flow["recoveries"] == 0


@pytest.mark.parametrize(
    ("after", "threshold", "restored"),
    [(18.0, 20.0, True), (13.0, 20.0, True), (18.0, 19.0, False), (9.0, 20.0, False)],
    ids=["all", "some of the window", "a lower threshold", "what a loss leaves"],
)
def test_a_state_is_restored_with_its_threshold_and_more_than_a_loss_leaves(
    after: float, threshold: float, restored: bool
) -> None:
    spell = usb.Spell(2.0, 2.4, 2.23, 18.0, after, (20.0, threshold), "open", 1)
    assert spell.restored is restored


def test_data_frames_are_paired_with_an_ack_but_for_those_that_noise_damages(run: Run) -> None:
    upload = PAPER / "upload.toml"
    clear = run(upload, duration="5 s", station__0__adapter__evm="-40 dB")
    assert usb.paired(clear).value is True
    assert round(usb.PAIRED, 2) == 0.80
    assert usb.always(81, 100)
    assert not usb.always(80, 100), "more than the channel damages"
    assert not usb.always(0, 0)


@pytest.mark.parametrize(
    ("bus", "air", "holds"),
    [
        ([0.0, 0.004, 0.0, 0.02], [0.03, 0.05, 0.06, 0.04], True),
        ([0.0, 0.006, 0.0, 0.02], [0.03, 0.05, 0.06, 0.04], False),
        ([0.0, 0.004, 0.0, 0.03], [0.06, 0.06, 0.06, 0.06], False),
        ([0.0, 0.004, 0.0, 0.02], [0.03, 0.05, 0.06, 0.02], False),
        ([0.0, 0.004, 0.0, 0.02], [0.03, 0.05, 0.07, 0.04], False),
    ],
    ids=["as printed", "no zero", "queued unsteady", "less than the list has", "more than the list has"],
)
def test_deviations_are_those_that_the_list_has(bus: list[float], air: list[float], holds: bool) -> None:
    assert usb.scattered(bus, air) is holds


def test_queued_transfers_change_nothing_breadth_first_and_carry_more_depth_first() -> None:
    assert usb.queueing_tells(1.05, "breadth")
    assert not usb.queueing_tells(1.12, "breadth")
    assert usb.queueing_tells(1.33, "depth")
    assert not usb.queueing_tells(1.2, "depth")


def frame(*attempts: tuple[float, str]) -> list[dict[str, object]]:
    """A frame by the rate and the fate of each attempt."""
    return [{"rate_mbps": rate, "fate": fate} for rate, fate in attempts]


def test_a_frame_is_tried_three_times_at_the_highest_rate() -> None:
    stays = frame((11.0, "noise"), (11.0, "noise"), (11.0, "noise"), (5.5, "received"))
    leaves = frame((11.0, "noise"), (11.0, "noise"), (5.5, "received"))
    through, early, slow = frame((11.0, "received")), frame((11.0, "noise"), (11.0, "received")), frame((1.0, "noise"))
    assert usb.stays_at_top([stays, leaves, through, early, slow]) == [True, False, True]


def test_several_attempts_fail_at_5_5_before_the_lowest_rate() -> None:
    def at(many: int) -> list[dict[str, object]]:
        return frame(*[(11.0, "noise")] * 3, *[(5.5, "noise")] * many, (1.0, "noise"))

    began, through = frame((5.5, "noise"), (1.0, "noise")), frame((11.0, "noise"), (5.5, "received"))
    assert usb.fails_several_times([at(3), at(2), at(4), began, through]) == [True, False, True]


def test_a_frame_fails_at_the_lowest_rate_when_it_came_down_and_was_given_up() -> None:
    fails, succeeds = frame((11.0, "noise"), (1.0, "noise")), frame((5.5, "noise"), (1.0, "received"))
    began, above = frame((1.0, "noise")), frame((11.0, "noise"), (5.5, "noise"))
    assert usb.fails_at_bottom([fails, succeeds, began, above]) == [True, False]


def test_a_silence_is_the_longest_between_the_last_new_ack_and_the_fast_retransmit() -> None:
    sent = [Segment(time, 0, 1, again=False, late=False) for time in (0.0, 1.0, 1.01, 1.2)]
    seen = Sender(sent, [(0.1, 1), (1.02, 2), (1.12, 2), (1.13, 2), (1.14, 2)])
    assert usb.silence(seen, 1.14) == (1.02, 1.12)
    assert usb.in_vain([(1.0, 1.05), (3.0, 4.0)], [(1.02, 1.12), (1.06, 1.2), (3.2, 3.3)]) == [True, False, True]


def test_the_firmware_thrashes_and_a_fixed_rate_does_not(run: Run) -> None:
    far = PAPER / "far.toml"
    limit = {"station__0__adapter__short_retry_limit": 9}
    thrashing, fixed = run(far, **limit), run(far, station__0__rate="1 Mbit/s", **limit)
    assert len(tcp_trace.entered(thrashing.run, thrashing.flow["name"], "recovery")) > 30
    assert tcp_trace.entered(fixed.run, fixed.flow["name"], "recovery") == []
    dropped = [drop["count"] for drop in thrashing.run.summary["drops"] if drop["place"] == "laptop driver"]
    assert len(usb.efforts(usb.tried(thrashing))) == sum(dropped)
    assert usb.deadlock(thrashing).value is True
    assert usb.thrash(fixed).value is False
    assert usb.deadlock(fixed).value is False
