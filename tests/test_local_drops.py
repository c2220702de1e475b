"""Drops at the queue of a sender's own host are counted as what they are, however the sender takes them."""

from __future__ import annotations

import pytest

import airloom
from small_cells import cell, flow, station

LINK = 'link = { rate = "1 Gbit/s", delay = "1 ms" }'
SHORT = 'link = { rate = "20 Mbit/s", delay = "20 ms", queue = { discipline = "fifo", limit = "10 packets" } }'


@pytest.mark.parametrize("congestion", ["cubic", "newreno", "bbr", "bbr3"])
def test_what_the_hosts_queue_dropped_is_what_its_flow_counts(congestion: str) -> None:
    control = f'tcp = {{ congestion = "{congestion}" }}'
    text = cell("A short queue", "3 s", station("sta", "3 m"), flow("server", "sta", control)).replace(LINK, SHORT)
    summary = airloom.run(text, set={"server.0.host.small_queue": "off"}, seed=1).summary
    (drops,) = summary["drops"]
    (down,) = summary["flows"]
    assert drops["place"] == "server link"
    assert down["local_drops"] == drops["count"] > 0
    assert down["retransmissions"] == 0
