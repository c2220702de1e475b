"""That a send buffer bounds a flow is said where it does, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

import airloom
from airloom.analysis.send_buffers import bounded

if TYPE_CHECKING:
    from airloom.results.summary import Flow, Summary

FAR = """
title = "an upload over 50 ms"
duration = "8 s"
warm_up = "2 s"
air = { standard = "802.11ax", band = "5 GHz", width = "80 MHz" }
ap = [{ name = "ap", adapter = "edca-ax" }]
station = [{ name = "laptop", host = "linux-6.18", adapter = "edca-ax", distance = "3 m" }]
server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "25 ms" } }]
flow = [{ name = "up", from = "laptop", to = "server" }]
"""


@pytest.mark.parametrize(
    ("change", "bounds"),
    [
        ({"station.0.host.send_buffer_max": "512 KiB"}, True),
        # The receiver's window, and a program that has little to send, leave the window unused, too.
        ({"server.0.host.receive_buffer_max": "512 KiB"}, False),
        ({"flow.0.write": {"size": "20 KiB", "every": "10 ms"}}, False),
        ({"server.0.link.delay": "1 ms"}, False),
    ],
)
def test_it_is_said_where_all_that_was_written_is_in_flight(change: dict[str, Any], bounds: bool) -> None:
    run = airloom.run(FAR, set=change)
    said = bounded(run.summary, run.settings)
    assert (said is not None) == bounds, said
    if said:
        assert said.startswith("the send buffer bounds up, not the window: ")
        assert "`send_buffer_max`" in said


def flow(name: str, flight: float) -> Flow:
    """One with a window of 100 packets that has sent all that it was given."""
    made = {
        "name": name,
        "kind": "tcp",
        "from": "a",
        "to": "b",
        "goodput_mbps": 1.0,
        "cwnd_mean": 100.0,
        "in_flight_mean": flight,
        "rtt_mean_ms": 50.0,
        "bytes_held": int(1448 * flight),
    }
    return cast("Flow", made)


def test_many_are_counted() -> None:
    flows = [flow("a", 50.0), flow("b", 99.0), *(flow(f"c{n}", 40.0) for n in range(4))]
    said = bounded(cast("Summary", {"flows": flows, "nodes": []}), {})
    assert said is not None
    assert said.startswith("the send buffer bounds 5 TCP flows, not the window: 50 packets of a were in flight")
