"""Where packets waited longest is said and drawn: the answer to where a delay comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import airloom
from airloom.analysis.longest_wait import longest_wait
from airloom.analysis.run_view import RunView
from airloom.report import narrative
from airloom.report.comparison import compare
from airloom.report.panels import PANELS
from airloom.report.traces import plots
from conftest import ROOT
from in_process import airloom as command

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from airloom.results.summary import Summary
    from airloom.scenario.toml_text import Value

UPLOAD = {"name": "up", "from": "sta", "to": "server", "kind": "tcp", "rtt_mean_ms": 900.0}
CALL = {"name": "call", "from": "phone", "to": "server", "kind": "udp", "delay_mean_ms": 2000.0}


def queue(layer: str, packets: float, ms: float) -> dict[str, Any]:
    return {"layer": layer, "drops": 0, "mean_packets": packets, "max_packets": packets, "mean_sojourn_ms": ms}


FULL = [queue("discipline", 600, 450), queue("driver", 512, 370)]
EMPTY = [queue("discipline", 0.5, 1.5), queue("driver", 0.8, 3)]


def run(*flows: Mapping[str, Any], **queues: list[dict[str, Any]]) -> Summary:
    kinds = {"ap": "ap", "server": "server"}
    nodes = [{"name": name, "kind": kinds.get(name, "station"), "queues": of} for name, of in queues.items()]
    return cast("Summary", {"nodes": nodes, "flows": list(flows)})


def test_the_node_is_named_with_what_waits_above_its_driver_and_in_it() -> None:
    """Acknowledgments in the access point's queue are what an upload waits for."""
    told = str(longest_wait(run(UPLOAD, ap=FULL, sta=EMPTY, server=[{"layer": "link", "drops": 0}])))
    assert told == (
        "packets waited longest at ap: on average 434 ms above its driver (600 packets) and 370 ms in its driver "
        "(512 packets); the longest mean round trip there is 900 ms, of up"
    )


def test_a_flow_that_sends_nothing_hides_no_delay() -> None:
    """A flow of which nothing arrives is named; one that never begins has no delay either, and does not wait."""
    late = {key: value for key, value in UPLOAD.items() if key != "rtt_mean_ms"} | {"name": "late"}
    told = str(longest_wait(run(UPLOAD, late, ap=FULL, sta=EMPTY)))
    assert told.endswith("the longest mean round trip there is 900 ms, of up")
    lost = {"name": "lost", "from": "server", "to": "sta", "kind": "udp", "sent": 9}
    assert "nothing of lost arrived" in str(longest_wait(run(UPLOAD, lost, ap=FULL, sta=EMPTY)))


def test_a_wait_is_that_of_all_packets() -> None:
    """Nine packets on average, and 112 ms of each that waited: most went straight on to the driver."""
    few = [queue("discipline", 9, 112), queue("driver", 29, 2.55)]
    told = str(longest_wait(run(UPLOAD | {"rtt_mean_ms": 7.4}, ap=EMPTY, sta=few)) or "")
    assert "on average 0.79 ms above its driver (9 packets) and 2.55 ms in its driver" in told
    assert longest_wait(run(UPLOAD, ap=EMPTY, sta=few)) is None


def test_only_flows_that_pass_the_node_are_beside_it() -> None:
    """Datagrams of a telephone do not wait for the access point's radio; those to it do."""
    assert longest_wait(run(CALL, ap=FULL, phone=EMPTY)) is None
    to_it = CALL | {"from": "server", "to": "phone"}
    told = str(longest_wait(run(UPLOAD, to_it, ap=FULL, sta=EMPTY, phone=EMPTY)) or "")
    assert told.endswith("the longest mean one-way delay there is 2,000 ms, of call")
    assert "of up" in (str(longest_wait(run(UPLOAD, CALL, ap=FULL, sta=EMPTY, phone=EMPTY)) or ""))


def test_a_run_without_waits_says_nothing() -> None:
    assert longest_wait(run(UPLOAD, ap=EMPTY, sta=EMPTY)) is None
    assert longest_wait(run(ap=FULL, sta=EMPTY)) is None
    assert longest_wait(run()) is None


LINE = [queue("link", 0, 0.01), queue("link_to", 111, 67.9)]
PING = {"name": "ping", "from": "phone", "to": "server", "kind": "ping", "rtt_mean_ms": 69.5}


def test_each_end_of_a_link_is_a_place() -> None:
    """What waits there does so behind the air's queues or before them, and for a link's own flows alone."""
    near = UPLOAD | {"rtt_mean_ms": 120.0}
    told = longest_wait(run(near, ap=EMPTY, sta=EMPTY, server=LINE))
    assert str(told) == (
        "packets waited longest before the link to server: on average 67.9 ms (111 packets); the longest mean round "
        "trip there is 120 ms, of up"
    )
    assert told is not None
    assert told.briefly == "packets waited longest before the link to server, 67.9 ms"
    assert "before the link of server: on average 67.9 ms" in str(
        longest_wait(run(near, server=[queue("link", 111, 67.9)]))
    )
    assert "at ap" in str(longest_wait(run(UPLOAD, ap=FULL, sta=EMPTY, server=LINE)))
    assert "link to server" in str(longest_wait(run(UPLOAD, ap=FULL, server=LINE))), "nothing of the flow is at the ap"
    down = CALL | {"from": "server", "to": "phone"}
    assert longest_wait(run(down, ap=EMPTY, phone=EMPTY, server=LINE)) is None, "it goes the other way"


def test_few_packets_wait_too() -> None:
    """A ping of a station that dozes waits for a beacon, a call of few packets before a slow link."""
    dozes = [queue("discipline", 0.13, 49.1), queue("driver", 0.0006, 0.21)]
    assert str(longest_wait(run(PING, ap=dozes, phone=EMPTY, server=LINE[:1]))) == (
        "packets waited longest at ap: on average 45.5 ms above its driver (less than one packet); the longest mean "
        "round trip there is 69.5 ms, of ping"
    )
    parked = [queue("discipline", 0, 0), queue("driver", 0.13, 49.1)]
    assert "49.1 ms in its driver (less than one packet)" in str(longest_wait(run(PING, ap=parked, phone=EMPTY)))
    slow = longest_wait(run(CALL, phone=EMPTY, server=[queue("link_to", 0.6, 50.1)]))
    assert "before the link to server: on average 50.1 ms (less than one packet)" in str(slow)


def test_a_wait_stands_though_another_flow_takes_longer() -> None:
    far = UPLOAD | {"name": "far", "rtt_mean_ms": 9000.0}
    near = UPLOAD | {"rtt_mean_ms": 120.0}
    assert "67.9 ms" in str(longest_wait(run(far, near, server=LINE)))


SETTINGS = {
    "station": [{"name": "phone", "power_save": {"timeout": "100 ms", "listen_interval": 3, "uapsd": False}}],
    "server": [{"name": "server", "link": {"rate": "20 Mbit/s", "delay": "10 ms"}}],
}


def test_a_wait_that_explains_little_of_a_delay_is_not_held_against_it() -> None:
    """A link's 1.23 ms stood beside 155 ms of a ping to a station that dozes, as if they were what made it late."""
    short = {"ap": EMPTY, "server": [queue("link", 2, 1.93)]}
    ping = PING | {"from": "server", "to": "phone", "rtt_mean_ms": 155.0}
    told = longest_wait(run(ping, **short), SETTINGS)
    assert str(told) == (
        "packets waited longest in a queue before the link of server: on average 1.93 ms (2 packets); the longest mean "
        "round trip there is 155 ms, of ping, and most of that beyond 20 ms on wires is elsewhere: phone dozes (its "
        "access point keeps packets until a beacon)"
    )
    assert told is not None
    assert told.briefly == (
        "packets waited longest in a queue before the link of server, 1.93 ms; the longest mean round trip there is "
        "155 ms, of ping, and most of that beyond 20 ms on wires is elsewhere: phone dozes (its access point keeps "
        "packets until a beacon)"
    )
    assert str(longest_wait(run(ping, **short))).endswith("155 ms, of ping, and most of that is elsewhere")
    wires = ping | {"rtt_mean_ms": 22.0}
    assert "elsewhere" not in str(longest_wait(run(wires, **short), SETTINGS)), "wires take the rest"


def test_a_station_that_is_away_is_named_where_most_of_a_delay_is() -> None:
    """Packets that wait for their next hop's address, or for a station on another channel, are in no queue."""
    away = cast("Summary", {**run(CALL, phone=[queue("discipline", 2, 40)]), "roams": [], "scans": []})
    scanned = cast("Summary", {**away, "scans": [{"station": "phone"}]})
    roam = {"station": "phone", "from": "ap", "to": "other"}
    roamed = cast("Summary", {**scanned, "roams": [roam]})
    assert str(longest_wait(away)).endswith(", and most of that is elsewhere")
    assert str(longest_wait(scanned)).endswith(", and most of that is elsewhere: phone scans")
    assert str(longest_wait(roamed)).endswith(", and most of that is elsewhere: phone roams and scans")


def test_a_run_knows_where_most_of_a_delay_is(tmp_path: Path) -> None:
    made = command("run", ROOT / "examples" / "vehicle.toml", "--set", "duration=20 s", "-o", tmp_path / "out")
    said = " ".join(made.stdout.split())
    assert "packets waited longest in a queue at vehicle: " in said, made.stderr
    assert "beyond 1 ms on wires is elsewhere: vehicle roams and scans" in said
    head = " ".join(narrative.lead(RunView(airloom.load(tmp_path / "out"))))
    assert "is elsewhere: vehicle roams and scans." in head


def test_what_acknowledgments_wait_in_is_said_and_drawn(tmp_path: Path) -> None:
    """In an upload the access point sends acknowledgments alone."""
    scenario = ROOT / "examples" / "office-calls.toml"
    upload = {"flow.0.from": "laptop", "flow.0.to": "server", "flow.1.from": "phone", "flow.1.to": "server"}
    few = {"duration": "6 s", "ap.0.queue.discipline": "fifo", "station.laptop.host.queue.discipline": "fifo"} | upload
    settings = [part for key, value in few.items() for part in ("--set", f"{key}={value}")]
    made = command("run", scenario, *settings, "-o", tmp_path / "out")
    assert "packets waited longest at ap: on average " in made.stdout, made.stderr
    loaded = airloom.load(tmp_path / "out")
    (panel,) = (panel for panel in PANELS if panel.id == "queue")
    drawn = plots(panel, compare([loaded]))
    assert [plot.facet for plot in drawn] == ["ap", "download", "call"]
    assert max(max(trace.series.known()) for trace in drawn[0].traces) > 400
    assert any("Packets waited longest at ap" in text for text in narrative.lead(RunView(loaded)))


def test_a_queue_that_small_queues_keep_short_says_so(tmp_path: Path) -> None:
    """A slow line behind a server's own interface has no queue to speak of; one farther on has."""
    line: dict[str, Value] = {"duration": "4 s", "server.0.link": {"rate": "10 Mbit/s", "delay": "20 ms"}}
    for small, kept in (("4 MiB", True), ("off", False)):
        settings: dict[str, Value] = {**line, "server.0.host.small_queue": small}
        run = airloom.run(ROOT / "examples" / "download.toml", set=settings, out=tmp_path / small)
        said = str(longest_wait(run.summary, run.settings))
        assert said.startswith("packets waited longest before the link of server")
        assert ("TCP small queues keep it short" in said) is kept, said
