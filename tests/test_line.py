"""A server's link has a queue at each of its ends, which is measured as any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import airloom
from airloom.analysis.idle_settings import sentences
from airloom.analysis.longest_wait import longest_wait
from airloom.analysis.run_view import RunView
from airloom.report import narrative
from airloom.report.comparison import compare
from airloom.report.panels import PANELS
from airloom.report.traces import plots

if TYPE_CHECKING:
    from airloom.results.bundle import Run

HOME = """
title = "A line"
duration = "8 s"
seed = 7
[air]
standard = "802.11ax"
band = "5 GHz"
width = "40 MHz"
[[ap]]
name = "ap"
adapter = "edca-ax"
[[station]]
name = "laptop"
host = "linux-6.18"
adapter = "edca-ax"
distance = "4 m"
"""

BITS = 10e6
FRAME = 1538
"""Bytes of a full packet on a wire, with preamble and gap (IEEE 802.3)."""

UPLOAD = '[[flow]]\nname = "up"\nfrom = "laptop"\nto = "server"\n'


def server(queue: str, name: str = "server", rate: str = "10 Mbit/s") -> str:
    link = f'{{ rate = "{rate}", delay = "8 ms", queue = {queue} }}'
    return f'[[server]]\nname = "{name}"\nhost = "linux-6.18"\nlink = {link}\n'


def call(source: str, sink: str, rate: str, name: str = "call") -> str:
    ends = f'from = "{source}"\nto = "{sink}"\n'
    return f'[[flow]]\nname = "{name}"\nkind = "udp"\n{ends}rate = "{rate}"\npayload = "1472 B"\n'


def made(*parts: str) -> Run:
    return airloom.run("\n".join([HOME, *parts]))


def at(run: Run, node: str, layer: str) -> Any:
    (found,) = (queue for queue in run.node(node).queues if queue["layer"] == layer)
    return found


@pytest.fixture(scope="module")
def upload() -> Run:
    """An upload through a FIFO of 60 packets before 10 Mbit/s."""
    return made(server('{ discipline = "fifo", limit = "60 packets" }'), UPLOAD)


def test_the_wait_is_what_the_round_trip_has_beyond_its_base(upload: Run) -> None:
    """There and back, 8 ms each, and the time of a packet on the line; some tenths of a ms are the air's."""
    queue, base = at(upload, "server", "link_to"), 16 + 1e3 * 8 * FRAME / BITS
    assert queue["drops"] > 0
    assert queue["max_packets"] == 60, "it is full, and never fuller"
    assert base < upload.flow("up").rtt_mean_ms - queue["mean_sojourn_ms"] < base + 3


def test_depth_rate_and_wait_are_littles_law(upload: Run) -> None:
    """Little 1961, of packets that carry data."""
    queue = at(upload, "server", "link_to")
    packets = upload.flow("up").bytes_delivered / 1448 / 8
    assert queue["mean_packets"] == pytest.approx(packets * queue["mean_sojourn_ms"] / 1e3, rel=0.03)


def test_the_series_has_what_the_summary_has(upload: Run) -> None:
    queue, server_ = at(upload, "server", "link_to"), upload.node("server")
    assert server_.series("link_to_queue").mean() == pytest.approx(queue["mean_packets"], rel=0.01)
    assert max(server_.series("link_to_sojourn").known()) <= 60 * 1e3 * 8 * FRAME / BITS
    assert max(server_.series("link_queue").known(), default=0.0) < 1, "acknowledgments do not wait"


@pytest.mark.parametrize("queue", ["fq_codel", "codel", "sfq", "fifo"])
@pytest.mark.parametrize(("source", "sink", "layer"), [("laptop", "server", "link_to"), ("server", "laptop", "link")])
def test_of_any_discipline_an_overload_waits_as_its_delay_says(queue: str, source: str, sink: str, layer: str) -> None:
    """Datagrams at a rate that leaves gaps wait by bursts alone; nothing else is late."""
    run = made(
        server(f'{{ discipline = "{queue}" }}'),
        call(source, sink, "9.3 Mbit/s"),
        call(source, sink, "0.3 Mbit/s", "other"),
    )
    waited = at(run, "server", layer)["mean_sojourn_ms"]
    flows: list[Any] = [run.flow(name) for name in ("call", "other")]
    delay = sum(one.delay_mean_ms * one.delivered for one in flows) / sum(one.delivered for one in flows)
    assert waited is not None
    assert 0 <= delay - waited - 8 - 1e3 * 8 * FRAME / BITS < 0.5


def test_each_link_has_queues_of_its_own() -> None:
    fifo = '{ discipline = "fifo", limit = "60 packets" }'
    far = server(fifo, "far", "1 Gbit/s")
    run = made(server(fifo), far, UPLOAD, UPLOAD.replace("server", "far").replace('"up"', '"other"'))
    assert at(run, "server", "link_to")["mean_sojourn_ms"] > 30
    assert at(run, "far", "link_to")["mean_sojourn_ms"] < 1
    assert [drop["place"] for drop in run.summary["drops"]] == ["ap link"]


def test_what_waits_before_a_link_is_said_and_drawn(upload: Run) -> None:
    told = str(longest_wait(upload.summary))
    queue = at(upload, "server", "link_to")
    assert told.startswith("packets waited longest before the link to server: on average ")
    assert f"({round(queue['mean_packets'])} packets); the longest mean round trip there is " in told
    (panel,) = (panel for panel in PANELS if panel.id == "queue")
    (plot,) = plots(panel, compare([upload]))
    assert "server before the link to it" in [trace.label for trace in plot.traces]
    assert not any("before its link" in trace.label for trace in plot.traces)
    assert "Packets waited longest before the link to server, " in " ".join(narrative.lead(RunView(upload)))


def test_a_queue_before_a_link_in_which_nothing_waits_is_idle() -> None:
    run = made(server('{ discipline = "fq_codel" }', rate="1 Gbit/s"), call("laptop", "server", "1 Mbit/s"))
    varied: dict[str, Any] = {"server.0.link.queue.discipline": ["fifo", "fq_codel"]}
    (told,) = sentences(varied, [run.summary])
    assert told == "no packet ever waited in the queue of server: nothing can depend on it"


def test_a_queue_before_a_link_in_which_packets_wait_is_not(upload: Run) -> None:
    """The limit acted, though at the end that is not the server's own."""
    assert not sentences({"server.0.link.queue.limit": ["60 packets", "90 packets"]}, [upload.summary])
