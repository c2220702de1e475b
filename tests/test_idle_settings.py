"""What never acted is said, and only that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pytest

import airloom
from airloom.analysis.idle_settings import between, sentences, setting, unused
from airloom.analysis.same_numbers import rounded
from airloom.errors import ScenarioWarning
from airloom.results.differing import differing
from airloom.scenario.differences import differences
from airloom.sweep.idle_lines import called
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from airloom.results.summary import Summary

IDLE = {"layer": "discipline", "drops": 0, "mean_packets": 0.0, "max_packets": 0.0, "mean_sojourn_ms": None}
PASSED = IDLE | {"max_packets": 1.0, "mean_sojourn_ms": 0.0}
BUSY = IDLE | {"max_packets": 40.0, "mean_sojourn_ms": 3.5}
FULL = BUSY | {"drops": 3}
WIRE = {"layer": "link", "drops": 0}


def run(requests: tuple[tuple[str, str], ...] = (), **queues: dict[str, Any]) -> Summary:
    """A run of an access point, stations and a server with these queues."""
    kinds = {"ap": "ap", "server": "server"}
    nodes = [
        {"name": name, "kind": kinds.get(name, "station"), "ampdus": 5, "queues": [queue]}
        | ({"group": name.rstrip("0123456789")} if name[-1].isdigit() else {})
        for name, queue in queues.items()
    ]
    skipped = [{"station": station, "time_s": 1.0, "verdict": verdict} for station, verdict in requests]
    return cast("Summary", {"nodes": nodes, "scan_requests": skipped})


def told_of(keys: Iterable[str], runs: Sequence[Summary], unchanged: Collection[str] = ()) -> list[str]:
    """What is said where these keys have two disciplines that push their packets to the driver."""
    return sentences({key: ["fifo", "fq_codel"] for key in keys}, runs, unchanged)


def test_a_discipline_that_held_nothing_decides_nothing() -> None:
    """The first experiment of many: FIFO against FQ-CoDel above a driver that takes every packet at once."""
    told = ["no packet ever waited in the queue of sta: nothing can depend on it"]
    both = [run(ap=BUSY, sta=IDLE), run(ap=BUSY, sta=PASSED)]
    for key in ("station.sta.host.queue.discipline", "station.0.host.queue", "station.sta.host.queue.limit"):
        assert told_of([key], both) == told
    assert told_of(["station.sta.host.queue.discipline", "station.sta.host.queue.limit"], both) == told


def test_what_held_a_packet_in_one_run_may_matter() -> None:
    """One run in which it acted is enough, and so is a drop; what was not measured is not accused."""
    for acted in (BUSY, FULL, IDLE | {"drops": 1}, IDLE | {"marks": 1}, WIRE):
        assert told_of(["station.sta.host.queue"], [run(sta=IDLE), run(sta=acted)]) == []
    assert told_of(["station.sta.snr", "duration", "ap.ap.adapter"], [run(ap=IDLE, sta=IDLE)]) == []


def test_what_feeds_a_driver_may_matter_where_nothing_waits() -> None:
    """A driver fills its PPDU from mac80211's queues; what others push to it goes one by one (87 and 99 Mbit/s)."""
    key, both = "station.sta.host.queue.discipline", [run(sta=IDLE), run(sta=PASSED)]
    for values in (["fifo", "mac80211"], ["-", "fifo"]):
        (said,) = sentences({key: values, "station.sta.host.queue.limit": ["1", "2"]}, both)
        assert said.startswith("no packet ever waited in the queue of sta: only how PPDUs are filled can depend on it")
    for values, unchanged in ((["fifo", "mac80211"], {key}), (["mac80211", "mac80211"], ()), (["fifo", "codel"], ())):
        (said,) = sentences({key: values}, both, unchanged)
        assert said.endswith("nothing can depend on it")


def test_what_waits_with_mac80211_alone_is_told() -> None:
    """Its packets wait where others' went into the driver at once (98 and 214 Mbit/s): no queue was any longer."""
    key = "station.sta.host.queue.discipline"
    values, both = {key: ["fifo", "mac80211"]}, [run(sta=IDLE), run(sta=BUSY)]
    (said,) = sentences(values, both, (), values)
    assert said.startswith(
        "no packet ever waited in the queue of sta without `mac80211`: "
        "only how PPDUs are filled and the order of packets can depend on it, since a driver takes packets"
    )
    (said,) = sentences(values, [run(sta=IDLE), run(sta=FULL)], (), values)
    assert "the order of packets and what `mac80211` drops or marks can depend on it" in said
    assert sentences(values, [run(sta=BUSY), run(sta=BUSY)], (), values) == []
    assert sentences(values, [run(sta=BUSY), run(sta=IDLE)], (), values) == []
    assert sentences(values, both) == [], "of which run has which nothing is known"
    three = {key: ["fifo", "mac80211", "codel"]}
    assert sentences(three, [*both, run(sta=BUSY)], (), three) == []


def test_compare_and_sweep_tell_what_waits_with_mac80211_alone() -> None:
    """As docs/queues.md says of both."""
    key, scenario = "station.laptop.host.queue.discipline", ROOT / "examples" / "office-calls.toml"
    upload = {"flow.download.from": "laptop", "flow.download.to": "server"}
    short: dict[str, str | int] = {"duration": "1 s", "warm_up": "0.2 s", "station.laptop.count": 3, **upload}
    said = "no packet ever waited in the queue above the driver of laptop"
    swept = airloom.sweep(scenario, {key: ["fifo", "mac80211"]}, set=short)
    idle = swept.show("goodput_mbps").idle
    assert any(said in text and "without `mac80211`" in text for text in idle), idle
    with pytest.warns(ScenarioWarning, match="no Linux since"):
        runs = [airloom.run(scenario, set=short | {key: one}) for one in ("fifo", "mac80211")]
    told = between(["a", "b"], differing(runs), [one.summary for one in runs])
    assert [text for text in told if said in text] == [text for text in idle if said in text], told


def test_a_queue_that_differs_as_well_and_held_packets_is_named() -> None:
    """One value of an axis set both: that none waited at the laptops read as if the axis hardly mattered."""
    keys = ["station.sta.host.queue", "ap.ap.queue"]
    values, also = {key: ["fifo", "mac80211"] for key in keys}, "; the queue of ap, which differs as well, did hold"
    both = [run(sta=IDLE, ap=FULL), run(sta=BUSY, ap=BUSY)]
    (said,) = sentences(values, both, (), values, [keys])
    assert "only how PPDUs are filled and the order of packets" in said
    assert said.endswith(f"{also} packets")
    (said,) = sentences(values, both[:1] * 2, (), values, [keys])
    assert also in said
    apart = sentences(values, both[:1] * 2, (), values, [[key] for key in keys])
    assert not any(also in text for text in apart), "two axes: a sentence for each"
    for ap in (IDLE, WIRE):
        told = sentences(values, [run(sta=IDLE, ap=ap)] * 2, (), values, [keys])
        assert not any("as well" in text for text in told), "no packet waited there, or none that is known of"
    full = [one | {"flows": [place], "drops": [], "scans": []} for place, one in enumerate(both)]
    (said,) = between(["a", "b"], values, cast("Any", full))
    assert also in said


def test_a_sweep_names_the_queue_that_an_axis_sets_too() -> None:
    """Datagrams fill the access point's queue; the laptop sends nothing."""
    text = (ROOT / "examples" / "download.toml").read_text()
    scenario = text.replace('tcp = { congestion = "cubic" }', 'kind = "udp"\nrate = "500 Mbit/s"\npayload = "1000 B"')
    keys, limits = ("ap.0.queue", "station.0.host.queue"), {"short": "5 packets", "long": "1000 packets"}
    both = {name: {key: {"discipline": "fifo", "limit": limit} for key in keys} for name, limit in limits.items()}
    (said,) = airloom.sweep(scenario, {"buffer": both}, set={"duration": "1 s"}).show("goodput_mbps").idle
    assert said.startswith("no packet ever waited in the queue above the driver of laptop: nothing can depend on it")
    assert said.endswith("; the queue of ap, which differs as well, did hold packets")


def test_runs_with_the_same_numbers_are_named() -> None:
    """Whether packets waited or not: a discipline that none of them noticed."""
    busy, other = (run(ap=queue) | {"flows": [], "drops": [], "scans": []} for queue in (BUSY, FULL))
    apart = {"ap.ap.queue.discipline": ["fq_codel", "fifo", "fifo"], "duration": ["1 s", "1 s", "2 s"]}
    assert between(["a", "b"], {"ap.ap.queue.discipline": ["fq_codel", "fifo"]}, [busy, busy]) == [
        "`ap.ap.queue.discipline` changed nothing: the runs have the same numbers"
    ]
    assert between(["a", "b"], apart, [busy, busy]) == ["what differs changed nothing: the runs have the same numbers"]
    assert between(["a", "b", "c"], apart, [busy, other, busy]) == [
        "what differs between a and c changed nothing: they have the same numbers"
    ]


def test_part_of_a_group_is_not_the_group() -> None:
    """That fifteen of twenty telephones were never held up is chance, and is not said."""
    busy = {f"sta{number}": BUSY for number in range(15, 20)}
    some = run((), phone=IDLE, **{f"sta{number}": IDLE for number in range(15)}, **busy)
    assert unused(some) == "no packet ever waited in the queue of phone"


def test_a_group_is_idle_if_all_of_it_is() -> None:
    """A name with a count stands for its members, and a number for all of its kind."""
    key = "station.sta.host.queue.discipline"
    assert told_of([key], [run(sta1=IDLE, sta2=IDLE)]) == [
        "no packet ever waited in the queue of sta1 and sta2: nothing can depend on it"
    ]
    many = run((), phone=IDLE, **{f"sta{number}": IDLE for number in range(15)})
    assert unused(many) == "no packet ever waited in the queue of phone and sta (15)"
    assert told_of([key], [run(sta1=IDLE, sta2=BUSY)]) == []
    assert told_of(["station.0.host.queue"], [run(sta1=IDLE, sta2=BUSY)]) == []
    assert told_of([key], [run(stage1=IDLE)]) == []
    assert told_of(["station.sta (2): host.queue"], [run(sta1=IDLE, sta2=IDLE, phone=BUSY)]) == [
        "no packet ever waited in the queue of sta1 and sta2: nothing can depend on it"
    ]


def test_what_tells_scenarios_apart_names_its_owner() -> None:
    """A station beside a group: the number of its table is not its number among the stations."""

    def scenario(of_group: str, of_phone: str) -> dict[str, Any]:
        queues = {"sta": of_group, "phone": of_phone}
        stations: list[dict[str, Any]] = [
            {"name": name, "host": {"queue": {"discipline": queue}}} for name, queue in queues.items()
        ]
        stations[0]["count"] = 3
        return {"station": stations}

    runs = [run(sta1=IDLE, sta2=IDLE, sta3=IDLE, phone=BUSY)] * 2
    assert sentences(differences([scenario("fifo", "fifo"), scenario("fifo", "codel")]), runs) == []
    assert sentences(differences([scenario("fifo", "fifo"), scenario("codel", "fifo")]), runs) == [
        "no packet ever waited in the queue of sta1, sta2 and sta3: nothing can depend on it"
    ]


def test_a_part_that_is_not_everywhere_is_named_alone() -> None:
    """The defaults of an added station are no differences; a change of another stands beside it."""

    def scenario(snr: str, *names: str) -> dict[str, Any]:
        return {"station": [{"name": name, "snr": snr if name == "near" else "20 dB"} for name in names]}

    few, many = scenario("30 dB", "near", "far"), scenario("40 dB", "new", "near", "far", "last")
    assert differences([few, many]) == {
        "station": ["-", "new, last"],
        "station.near.snr": ["30 dB", "40 dB"],
    }
    assert differences([many, few, few])["station"] == ["new, last", "-", "-"]
    assert differences([scenario("30 dB", "near"), scenario("30 dB", "far")]) == {
        "station.0.name": ["near", "far"],
        "station.0.snr": ["30 dB", "20 dB"],
    }


def test_groups_with_other_names_are_named_alone() -> None:
    """All defaults of both were told against dashes: 686 lines where two queues differ."""

    def scenario(queue: str, *names: str, count: int = 5, **more: str) -> dict[str, Any]:
        stations = [{"name": name, "count": count, "snr": "20 dB"} for name in names]
        others = [{"name": name, "snr": snr} for name, snr in more.items()]
        flows = [{"from": name, "to": "server", "kind": "tcp"} for name in names]
        ap = {"name": "ap", "queue": {"discipline": queue}}
        return {"ap": [ap], "station": stations + others, "flow": flows}

    one, other = scenario("mac80211", "laptop", "phone"), scenario("fifo", "sta", "phone", "voice")
    assert differences([one, other]) == {
        "station": ["laptop (5)", "sta (5), voice (5)"],
        "flow": ["laptop-server", "sta-server, voice-server"],
        "ap.ap.queue.discipline": ["mac80211", "fifo"],
    }
    assert differences([scenario("fifo", "laptop", "phone"), scenario("fifo", "sta", "voice")]) == {
        "station": ["laptop (5), phone (5)", "sta (5), voice (5)"],
        "flow": ["laptop-server, phone-server", "sta-server, voice-server"],
    }
    beside = [scenario("fifo", "sta", near="9 dB"), scenario("fifo", "sta", far="8 dB")]
    assert differences(beside) == {"station.1.name": ["near", "far"], "station.1.snr": ["9 dB", "8 dB"]}
    assert differences([scenario("fifo", "sta"), scenario("fifo", "sta", count=6)]) == {"station.sta.count": ["5", "6"]}
    single = scenario("fifo", near="9 dB", far="8 dB")
    assert differences([single, scenario("fifo", mid="7 dB")]) == {"station": ["near, far", "mid"]}


def test_a_limit_acts_by_drops_and_a_mark_by_marks() -> None:
    """Below another discipline a limit's drops may be anything."""
    limit, ecn = "ap.ap.queue.limit", "ap.ap.queue.ecn"
    assert told_of([limit], [run(ap=BUSY)]) == ["the queue of ap never dropped a packet: its `limit` never acted"]
    assert told_of([limit, "ap.ap.queue.discipline"], [run(ap=BUSY)]) == []
    assert told_of([ecn], [run(ap=BUSY)]) == [
        "the queue of ap never marked a packet, nor dropped one: its `ecn` never acted"
    ]
    assert told_of([limit, ecn], [run(ap=BUSY), run(ap=FULL)]) == []


def test_tcp_keeps_the_queue_of_its_own_link_short() -> None:
    """A slow line of a download that nobody can fill; an upload's acknowledgments are no reason."""
    said = "the queue of server never dropped a packet: its `limit` never acted"
    why = "; TCP keeps the queue of its own link short, unless `small_queue` is off"
    for flow, told in (
        ({"kind": "tcp", "to": "sta"}, said + why),
        ({"kind": "tcp", "to": "server"}, said),
        ({"kind": "udp", "to": "sta"}, said),
    ):
        one = run(server=BUSY | {"layer": "link"}) | {"flows": [flow]}
        assert told_of(["server.server.link.queue.limit"], [cast("Summary", one)]) == [told]


def test_a_remedy_acts_by_skipping_scans() -> None:
    """Another place skipped some."""
    key = "station.sta.scan.remedy.longest-postponement"
    none = [run(sta=BUSY, other=BUSY, requests=(("sta", "started"), ("other", "skipped")))]
    assert told_of([key], none) == ["the remedy of sta never acted: no scan was skipped"]
    assert told_of([key], [*none, run(sta=BUSY, requests=(("sta", "skipped"),))]) == []


def test_an_axis_that_changes_no_number_is_named() -> None:
    """The server sends acknowledgments alone: its congestion control has nothing to control, the upload's has."""
    controls = ["cubic", "bbr"]
    axes = {"server.0.host.congestion": controls, "flow.0.tcp.congestion": controls}
    shown = airloom.sweep(ROOT / "examples" / "upload-scans.toml", axes, set={"duration": "3 s"}).show("goodput_mbps")
    said = "`server.0.host.congestion` changed nothing: runs that differ in it alone have the same numbers"
    assert shown.idle == (said,)
    assert said in str(shown)


def test_a_name_at_the_head_of_a_sentence_keeps_its_case() -> None:
    """A picture and a page had "Fifo and codel have the same numbers"."""
    swept = airloom.sweep(
        ROOT / "examples" / "download.toml",
        {
            "ap.0.queue": {one: {"ap.0.queue": {"discipline": one}} for one in ("fifo", "codel")},
            "duration": ["1 s", "50 ms"],
        },
    )
    by = ("goodput_mbps", "ap.0.queue")
    (told,) = swept.show(*by, lines="duration").idle
    assert told.startswith("fifo and codel have the same numbers with `duration` 50 ms")
    drawn = json.dumps(swept.chart(*by, lines="duration").to_dict())
    assert "Fifo" not in drawn
    assert '"fifo and codel' in drawn


def test_values_of_an_axis_with_the_same_numbers_are_named() -> None:
    """A short download never has 1000 packets in the access point's queue, but more than five."""
    limits = ["5 packets", "1000 packets", "2000 packets"]
    axes = {"ap.0.queue.limit": limits}
    shown = airloom.sweep(ROOT / "examples" / "download.toml", axes, seeds=2, set={"duration": "1 s"})
    said = "`ap.0.queue.limit`: runs with 1000 packets and 2000 packets have the same numbers"
    assert said in shown.show("goodput_mbps").idle


def test_what_has_the_same_numbers_is_told_of_what_is_shown() -> None:
    """A tenth of a second never has five packets in the queue: then there is no difference between the limits."""
    limits, times = ["5 packets", "1000 packets", "2000 packets"], ["50 ms", "1 s"]
    swept = airloom.sweep(ROOT / "examples" / "download.toml", {"ap.0.queue.limit": limits, "duration": times})
    assert swept.show("ampdus").idle == (
        "`ap.0.queue.limit`: runs with 1000 packets and 2000 packets have the same numbers",
    )
    (said, *_) = swept.show("ampdus", where={"duration": "50 ms"}).idle
    assert said == "`ap.0.queue.limit` changed nothing: runs that differ in it alone have the same numbers"
    assert swept.show("ampdus", where={"ap.0.queue.limit": "5 packets"}).idle == ()


def test_lines_along_which_nothing_changes_are_named() -> None:
    """A tenth of a second of the lines, not the axis: and also where lines and rows change places."""
    limits, times = ["5 packets", "1000 packets"], ["50 ms", "1 s"]
    swept = airloom.sweep(ROOT / "examples" / "download.toml", {"ap.0.queue.limit": limits, "duration": times})
    said = "`ap.0.queue.limit` 5 packets and 1000 packets have the same numbers with `duration` 50 ms"
    for by, line in (("ap.0.queue.limit", "duration"), ("duration", "ap.0.queue.limit")):
        (told,) = swept.show("ampdus", by, lines=line).idle
        assert told.startswith(said)
        assert swept.show("ampdus", by, panels=line, where={"duration": "1 s"}).idle == ()
    assert swept.show("ampdus").idle == (), "the duration is not shown"


def test_a_value_that_says_nothing_by_itself_has_its_axis() -> None:
    assert [called("axis", value) for value in ("8", "20 dB", "yes", "bbr")] == [
        "`axis` 8",
        "`axis` 20 dB",
        "`axis` yes",
        "bbr",
    ]


def test_a_line_says_that_no_packet_waited_along_it() -> None:
    """Datagrams that the air has room for never wait at the access point, others do; the laptop sends nothing."""
    text = (ROOT / "examples" / "download.toml").read_text()
    scenario = text.replace('tcp = { congestion = "cubic" }', 'kind = "udp"\nrate = "1 Mbit/s"\npayload = "1000 B"')
    rates = ["1 Mbit/s", "500 Mbit/s"]
    both = ["ap.0.queue", "station.0.host.queue"]
    said = "fifo and codel have the same numbers with `flow.0.rate` 1 Mbit/s: no packet ever waited in the queue above"
    for keys, either in ((both[:1], ""), (both, " either")):
        queues = {one: {key: {"discipline": one} for key in keys} for one in ("fifo", "codel")}
        swept = airloom.sweep(scenario, {"queue": queues, "flow.0.rate": rates}, set={"duration": "2 s"})
        *_, told = swept.show("goodput_mbps", "queue", lines="flow.0.rate").idle
        assert told == f"{said} the driver of ap{either}"


def test_an_axis_that_changes_the_order_of_a_sum_changed_nothing() -> None:
    """How often is recorded moves means in their fifteenth digit."""
    axes = {"record.every": ["10 ms", "100 ms", "1 s"]}
    swept = airloom.sweep(ROOT / "examples" / "download.toml", axes, set={"duration": "2 s"})
    means = {swept.summary(cell)["flows"][0]["rtt_mean_ms"] for cell in range(3)}
    assert len(means) > 1
    said = "`record.every` changed nothing: runs that differ in it alone have the same numbers"
    assert swept.show("goodput_mbps").idle == (said,)
    assert rounded(2.978157146873627) == rounded(2.978157146873622) != rounded(2.97815715)
    assert [rounded(value) for value in (0.0, -1.5, float("inf"))] == [0.0, -1.5, float("inf")]
    assert rounded(1 - 1e-12) == 1.0


def test_one_run_names_its_idle_queues() -> None:
    """Those above radios that sent something."""
    assert unused(run(ap=BUSY, sta=PASSED, server=WIRE)) == "no packet ever waited in the queue of sta"
    assert unused(run(ap=IDLE, a=IDLE, b=IDLE, c=IDLE)) == "no packet ever waited in the queue of 4 nodes"
    assert unused(run(ap=BUSY, sta=FULL)) is None


def test_packets_that_waited_in_the_driver_are_told() -> None:
    """Above a driver with room for all a queue stays empty, whatever the packets waited for below."""
    driver = {"layer": "driver", "drops": 0, "max_packets": 119.0, "mean_packets": 29.2}
    full = run(home=IDLE)
    full["nodes"][0]["queues"].append(cast("Any", driver))
    never = "no packet ever waited in the queue above the driver of home"
    assert unused(full) == f"{never}; the driver held up to 119 packets"
    assert told_of(["station.home.host.queue"], [full]) == [
        f"{never}: nothing can depend on it; the driver held up to 119 packets"
    ]


def test_the_fullest_of_several_drivers_is_named() -> None:
    """Where several nodes have nothing above their drivers, one of them may hold 512 packets in it."""
    some = run(ap=IDLE, sta1=IDLE, sta2=IDLE)
    for node, most in zip(some["nodes"], (512.0, 3.0, 4.0), strict=True):
        node["queues"].append(cast("Any", {"layer": "driver", "drops": 0, "max_packets": most}))
    never = "no packet ever waited in the queue above the driver of ap, sta1 and sta2"
    assert unused(some) == f"{never}; the driver of ap, the fullest, held up to 512 packets"
    few = run(ap=IDLE, sta=IDLE)
    for node in few["nodes"]:
        node["queues"].append(cast("Any", {"layer": "driver", "drops": 0, "max_packets": 1.0}))
    assert unused(few) == "no packet ever waited in the queue above the driver of ap and sta"


def test_keys_of_other_things_are_left_alone() -> None:
    """A key is a queue's or a remedy's, or nothing."""
    assert setting("station.sta.host.small_queue") is None
    assert setting("flow.0.tcp.congestion") is None
    assert setting("ap.0.queue_length") is None
    assert setting("server.s.link.queue") is not None
