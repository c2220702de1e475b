"""The measures of the paper about TCP that knows its link rate, on series whose answer is known."""

from __future__ import annotations

import pytest

from airloom.papers.measure import module_of
from airloom.results.series import Series
from conftest import ROOT

arf = module_of(ROOT / "papers" / "arf" / "measures.py")


def goodput(*spans: tuple[int, float]) -> Series:
    """A series of so many seconds at each of these rates."""
    values = [rate for seconds, rate in spans for _ in range(seconds)]
    return Series("session", "goodput", "Mbit/s", [float(second) for second in range(len(values))], values)


@pytest.mark.parametrize(
    ("series", "keeps"),
    [
        (goodput((100, 1.0)), True),
        (goodput((20, 1.0), (50, 0.95), (30, 0.5)), True),
        (goodput((20, 1.0), (50, 0.85), (30, 1.0)), False),
        (goodput((30, 1.0), (5, 0.7), (65, 1.0)), False),
    ],
    ids=["level", "shares later", "a little lower on average", "low for five seconds"],
)
def test_a_session_keeps_its_rate_while_the_other_is_slow(series: Series, keeps: bool) -> None:
    assert arf.keeps(arf.Fall.of(series, 20.0, 70.0, 100.0)) is keeps


def test_a_session_is_back_from_its_first_second_at_its_share() -> None:
    fall = arf.Fall.of(goodput((20, 1.0), (53, 0.1), (27, 0.95)), 20.0, 70.0, 100.0)
    assert (fall.back, fall.stays, fall.least) == pytest.approx((3.0, 0.95, 0.1))


@pytest.mark.parametrize(
    ("without", "aware", "holds"),
    [(0.53, 0.76, True), (0.72, 0.95, False), (0.4, 0.74, False), (0.68, 0.76, False)],
    ids=["kept", "not serious", "not kept", "not clearly more"],
)
def test_a_sum_is_kept_with_the_method_alone(without: float, aware: float, holds: bool) -> None:
    assert arf.kept_by(without, aware) is holds


def test_what_is_left_of_a_sum_counts_from_a_few_seconds_after_the_fall() -> None:
    assert arf.left(goodput((5, 9.0), (15, 2.0), (5, 9.0), (75, 1.0)), 20.0) == pytest.approx(0.5)


class Stub:
    """A run of sessions with these throughputs in kbit/s and these rates in Mbit/s."""

    def __init__(self, throughputs: list[float], rates: list[float]) -> None:
        """Of a second, in which 125 bytes are a kbit/s."""
        names = [f"s{at}" for at in range(len(rates))]
        self.run = self
        self.summary = {"duration_s": 1.0}
        self.settings = {
            "station": [{"name": name, "rate": f"{rate} Mbit/s"} for name, rate in zip(names, rates, strict=True)]
        }
        self.flows = [
            {"from": name, "bytes_delivered": 125 * one} for name, one in zip(names, throughputs, strict=True)
        ]


def test_an_index_with_the_method_is_above_what_the_conclusions_say() -> None:
    """0.8997 is within 5 % of what Table 5 prints."""
    below, above = (arf.printed_jain_of_aware(Stub([100.0, 100.0, 100.0, one], [1.0] * 4)) for one in (195.5, 195.0))
    assert (below.value, below.sound) == (pytest.approx(0.8997, abs=1e-4), False)
    assert above.sound


def test_a_gain_is_one_of_the_sessions_that_are_printed() -> None:
    before, after = Stub([100.0] * 5, [11.0] * 5), Stub([*[116.0] * 4, 500.0], [11.0] * 5)
    assert arf.printed_gain(before, after).value == pytest.approx(0.16)
