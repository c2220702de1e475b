"""What is offered in place of a metric that there is not."""

from __future__ import annotations

import pytest

from airloom.results.metric_names import MOST, did_you_mean, meant

THERE = ["goodput_mbps", "rtt_mean_ms", "srtt_mean_ms", "delay_p95_ms", "lost", "retransmissions", "driver_drops"]


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("throughput", ["goodput_mbps"]),
        ("RTT", ["rtt_mean_ms"]),
        ("latency", ["rtt_mean_ms", "delay_p95_ms"]),
        ("rtt-mean", ["rtt_mean_ms"]),
        ("loss", ["lost", "retransmissions", "driver_drops"]),
        ("goodput_mpbs", ["goodput_mbps"]),
        ("nonsense", []),
        ("", []),
        ("s", []),
    ],
)
def test_a_word_stands_for_the_names_that_have_it_or_that_it_means(name: str, names: list[str]) -> None:
    assert meant(name, THERE) == names


def test_what_is_offered_is_not_longer_than_a_few_lines() -> None:
    assert did_you_mean("throughput", THERE) == "did you mean `goodput_mbps`?"
    assert did_you_mean("latency", THERE) == "did you mean `rtt_mean_ms` or `delay_p95_ms`?"
    assert did_you_mean("nonsense", THERE) == ""
    many = did_you_mean("frames", [f"frames_{number}" for number in range(MOST + 5)])
    assert many.endswith(f"`frames_{MOST - 1}` or one of 5 more?")
