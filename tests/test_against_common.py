"""What captures of both sides of a comparison have in common: stations, hosts, and ways between them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from airloom import _engine
from airloom.diagnosis.against.changes import Side, changes
from airloom.diagnosis.against.columns import Columns, divided, empty, heard
from airloom.diagnosis.against.common import CommonParts, strangers
from airloom.diagnosis.against.load import counted
from airloom.diagnosis.against.measures import MEASURES
from airloom.diagnosis.against.stations import networks, same_stations
from airloom.diagnosis.against.told import against
from airloom.diagnosis.against.ways import odd_streams, odd_ways, same_ways
from airloom.diagnosis.against.who import Known, Names, address, names
from airloom.diagnosis.against.words import apart, lead
from airloom.diagnosis.reading import OverTime
from changed_worlds import BASE
from test_against import LOAD, flat, named, time_with, verdicts, with_stations

if TYPE_CHECKING:
    from pathlib import Path

    from airloom.diagnosis.against.changes import Change
    from airloom.diagnosis.against.common import Alone
    from airloom.diagnosis.against.told import SideSeen
    from airloom.diagnosis.shapes import AirLayers, Diagnosis, Layers


HOME = """
[[ap]]
name = "next"
adapter = "ath9k"
queue = {{ discipline = "mac80211" }}
"""

GUEST = """
[[station]]
name = "{name}"
host = "linux-6.18"
adapter = "ath9k"
distance = "20 m"
rate = "minstrel"
{ap}
[[flow]]
name = "guest"
from = "{name}"
to = "server"
"""


def taken(text: str, seed: int, out: Path) -> Path:
    """The folder of a run of this world."""
    _engine.run(text, "world.toml", [("duration", "9 s")], seed, out, capture=(0, 0, 2**63 - 1))
    return out


@pytest.mark.nightly
def test_what_one_side_has_alone_is_said_and_not_compared(tmp_path: Path) -> None:
    """A guest far away, or a neighbour, is no weaker signal of a laptop that stays where it is.

    The addresses of the laptop and of the server are others beside them.
    """
    base = BASE.format(duration="9 s")
    before = taken(base, 1, tmp_path / "before")
    guest = taken(base + GUEST.format(name="guest", ap=""), 5, tmp_path / "guest")
    two = base.replace("[[station]]", HOME.format() + "[[station]]").replace(
        'name = "laptop"', 'name = "laptop"\nap = "ap"'
    )
    two = two.replace('name = "ap"\n', 'name = "ap"\nchannel = 36\n').replace(
        'name = "next"\n', 'name = "next"\nchannel = 36\n'
    )
    beside = taken(two + GUEST.format(name="tv", ap='ap = "next"'), 3, tmp_path / "beside")
    for after, cause in ((guest, "other stations"), (beside, "other networks")):
        told = against([before], [after])
        said = verdicts(told["changes"])
        assert (said["signal"], said["goodput"], said[cause]) == ("same", "worse", "worse")
        assert named(told["changes"]) == [cause]
        # What it costs may explain all that is worse, or a part of it.
        costs = "only after(, and may cost less than is told)?: contention [(]W201[)][.] Only after, and not compared: "
        assert re.search(costs, lead(told))
        assert {one["what"] for one in told["after"]["alone"]} == {"TCP"} | ({"station"} if after == guest else set())
        assert verdicts(against([after], [before])["changes"])["goodput"] == "better"


def test_stations_count_for_as_much_on_both_sides() -> None:
    """A slow one that sends more makes no link slower."""

    def side(*shares: float) -> Side:
        air = flat(50)
        links = [replace(air, rate=[level + place % 3 / 10 for place in range(400)]) for level in (200.0, 20.0)]
        mixed = [200 * shares[0] + 20 * shares[1]] * 400
        parts = {mac: replace(of, weight=0.5) for mac, of in zip("ab", links, strict=True)}
        return Side([replace(air, rate=list(mixed), stations=parts)], [LOAD])

    assert verdicts(changes(side(0.8, 0.2), side(0.2, 0.8)))["rate"] == "same"


def test_ways_between_hosts_count_for_as_much_on_both_sides() -> None:
    """More from a server far away makes no round trip longer."""

    def side(*octets: float) -> Side:
        of = flat(50)
        ways = {
            (server, "laptop"): replace(of, rtt=[trip + place % 3 / 10 for place in range(400)], weight=0.5)
            for server, trip in (("near", 10.0), ("far", 90.0))
        }
        return Side([replace(of, rtt=[10 * octets[0] + 90 * octets[1]] * 400, ways=ways)], [LOAD])

    assert verdicts(changes(side(0.8, 0.2), side(0.2, 0.8)))["round trip (median)"] == "same"


def test_hosts_are_the_same_by_their_addresses_or_the_files_captured_at_them() -> None:
    def time(laptop: str, server: str, *stations: str) -> Diagnosis:
        captures = [{"file": f"{name}.pcapng", "stations": list(stations)} for name in ("laptop", "server")]
        captures[1]["stations"] = [*stations, "other"]
        flows = [
            {"capture": place, "seen_from": end, "from": f"{server}:80", "to": f"{laptop}:9", "bytes": 9}
            for place, end in enumerate(("receiver", "sender"))
        ]
        return cast("Diagnosis", {"captures": captures, "connections": flows})

    one, other = names([time("10.0.0.1", "10.0.0.2", "a"), time("10.0.0.2", "10.0.0.3", "b")])
    assert one.way(("10.0.0.2:80", "10.0.0.1:9")) == other.way(("10.0.0.3:80", "10.0.0.2:9")) == ("server", "laptop")
    assert (one.station("a"), other.station("b"), one.station("c")) == ("laptop", "laptop", "c")
    assert [address(end) for end in ("10.0.0.1:80", "[fe80::1]:80", "fe80::1", "10.0.0.1")] == [
        "10.0.0.1",
        "fe80::1",
        "fe80::1",
        "10.0.0.1",
    ]


def test_what_some_captures_of_both_sides_have_is_not_called_one_sides() -> None:
    nothing = changes(Side([flat(50)], [LOAD]), Side([flat(50)], [LOAD]))
    some: list[Alone] = [{"what": "station", "who": mac, "air_share": 5.0} for mac in "abcd"]
    sides: list[SideSeen] = [{"times": [time_with()], "alone": some[:1]}, {"times": [time_with()], "alone": some}]
    sides[0]["channel_mhz"], sides[1]["channel_mhz"] = 2437, 5180
    said = lead({"before": sides[0], "after": sides[1], "changes": nothing})
    assert "Only after, and not compared: station b (5 % of the air), station c (5 % of the air) and station d" in said
    assert "Not in all captures, and not compared: station a (5 % of the air)." in said
    assert "The network was on 2,437 MHz before, and on 5,180 MHz after." in said


def heard_at(shares: dict[str, tuple[str, float]], *ours: str) -> Known:
    """Stations, each with its access point and its part of the air; of some a host's capture has packets."""
    found = {
        "captures": [{"stations": list(ours)}],
        "stations": [{"mac": mac, "bssid": ap} for mac, (ap, _) in shares.items()],
    }
    air = {"stations": [{"mac": mac, "share": [share]} for mac, (_, share) in shares.items()]}
    return Known(OverTime(cast("Diagnosis", found), cast("Layers", {"air": air})), Names())


def test_the_network_that_is_compared_is_the_same_on_both_sides() -> None:
    quiet, busy = {"a": ("home", 60.0)}, {"a": ("home", 20.0), "tv": ("next", 40.0)}
    assert networks([heard_at(quiet), heard_at(busy)]) == ("home", "home"), "a neighbour is busier after"
    roamed = {"a": ("attic", 50.0), "b": ("home", 5.0)}
    assert networks([heard_at(quiet | {"b": ("home", 5.0)}), heard_at(roamed)]) == ("home", "attic")
    assert networks([heard_at(busy), heard_at(busy)]) == ("next", "next"), "nothing tells which is whose"
    assert networks([heard_at(busy, "a"), heard_at(busy, "a")]) == ("home", "home")
    assert networks([heard_at(quiet), heard_at({"new": ("home", 9.0), "tv": ("next", 70.0)})]) == ("home", "home")
    assert networks([heard_at(quiet), heard_at({"tv": ("next", 70.0)})]) is None
    (one, other) = same_stations([heard_at(quiet)], [heard_at({"new": ("home", 9.0)})], ("home", "home"))
    assert (one, other) == ({"a": ("a or new", 1.0)}, {"new": ("a or new", 1.0)})
    assert same_stations([heard_at(quiet)], [heard_at(busy)], ("home", "home")) == [{"a": ("a", 1.0)}] * 2


def test_what_arrives_is_divided_among_stations_by_their_frames() -> None:
    of = flat(50)
    parts = {"a": replace(of, carried=[30.0, 0.0, 10.0]), "b": replace(of, carried=[10.0, 20.0, None])}
    found = divided(parts, [80.0, 20.0, 5.0], 3)
    assert (found["a"].carried, found["b"].carried) == ([60.0, None, 5.0], [20.0, 20.0, None])


def test_air_time_counts_all_that_the_same_station_carries() -> None:
    """A stream of UDP beside the download is left out, and its air is not."""
    ways = {("server", "laptop"): 1.0}
    assert CommonParts(ways=ways, left_out={"UDP": frozenset([("server", "laptop")])}).is_part
    assert not CommonParts(ways=ways, left_out={"TCP": frozenset([("server", "guest")])}).is_part
    assert not CommonParts(ways=ways).is_part
    shared = Side([replace(flat(50), carried=[100.0] * 400)], [LOAD])
    air = {one["measure"]: one for one in changes(Side([flat(100)], [LOAD]), shared)}["air time"]
    assert air["verdict"] == "same"


def carrying(**octets: int) -> Known:
    """A time in which hosts send one another so many octets of TCP."""
    flows = [{"tells_most": True, "from": way[0], "to": way[1], "bytes": many} for way, many in octets.items()]
    return Known(OverTime(cast("Diagnosis", {"connections": flows, "streams": []}), cast("Layers", {})), Names())


def test_a_flow_that_is_starved_is_compared() -> None:
    """It is there on both sides: without it, its loss would read as a gain of the other one."""
    even, starved = carrying(AB=50, AC=50), carrying(AB=96, AC=4)
    for of in ([even, starved], [starved, even], [even, even, carrying(AB=99, AC=1)]):
        assert odd_ways(of) == frozenset()
        assert set(same_ways(of, frozenset())) == {("A", "B"), ("A", "C")}
    assert odd_ways([even, carrying(AB=96)]) == {("A", "C")}, "not there"
    assert odd_ways([carrying(AB=99, AC=1), carrying(DB=1, AC=99)]) == frozenset(), "from the same host"
    assert odd_ways([carrying(AB=50, CD=50), carrying(AE=97, CD=3)]) == frozenset(), "others, and one that is starved"


def test_tcp_beside_a_call_that_had_none_before_is_of_one_side_alone() -> None:
    assert odd_ways([carrying()], [carrying(AB=90, CB=10)]) == {("A", "B"), ("C", "B")}
    assert odd_ways([carrying(), carrying(AB=9)], [carrying(AB=90)]) == frozenset(), "a side has some"


def test_a_stream_that_is_starved_is_not_called_one_sides() -> None:
    def time(packets: int) -> Known:
        stream = {"tells_most": True, "packets": packets, "bytes": 172 * packets, "lasted_s": 12.0}
        found = {"connections": [], "streams": [stream | {"from": "A:5004", "to": "B:5004"}]}
        return Known(OverTime(cast("Diagnosis", found), cast("Layers", {})), Names())

    assert odd_streams([time(600), time(20)]) == frozenset()
    none = Known(OverTime(cast("Diagnosis", {"connections": [], "streams": []}), cast("Layers", {})), Names())
    assert odd_streams([time(600), none]) == {("A", "B")}


def test_a_flow_that_is_starved_is_counted() -> None:
    ways = {("A", "B"): 0.73, ("A", "C"): 0.27}
    of = [counted(time.told.found, Names(), ways) for time in (carrying(AB=50, AC=50), carrying(AB=96, AC=4))]
    assert list(map(len, of)) == [2, 2]
    assert len(counted(carrying(AB=96, AC=4).told.found, Names(), {})) == 1, "one that is small everywhere"


def test_files_are_the_same_hosts_by_all_of_their_names_but_the_ending() -> None:
    """Names that are addresses or dates have dots."""

    def time(**files: str) -> Diagnosis:
        captures = [{"file": file, "stations": [mac]} for mac, file in files.items()]
        flows = [
            {"capture": place, "seen_from": "sender", "from": f"host-{mac}:9", "to": "server:80", "bytes": 9}
            for place, mac in enumerate(files)
        ]
        return cast("Diagnosis", {"captures": captures, "connections": flows})

    one, _ = names([time(a="x/192.168.1.5.pcap", b="x/192.168.1.7.PCAP.gz"), time(c="192.168.1.7.pcapng")])
    assert (one.stations, one.hosts) == ({"b": "192.168.1.7"}, {"host-b": "192.168.1.7"})
    one, other = names([time(a="2026.11.28.pcap"), time(b="2026.11.29.pcap")])
    assert not any((one.stations, other.stations, one.hosts, other.hosts))
    one, other = names([time(a="x/wlan0.pcap", b="y/wlan0.pcap"), time(a="wlan0.pcap")])
    assert not any((one.stations, other.stations, one.hosts, other.hosts)), "two hosts have it"


def test_a_way_without_round_trips_on_one_side_is_left_out_of_both_means() -> None:
    """Else those that are left would be compared with all."""

    def side(**trips: float | None) -> Side:
        of = flat(50)
        ways = {
            (server, "laptop"): replace(of, rtt=[trip and trip + place % 3 / 10 for place in range(400)], weight=0.5)
            for server, trip in trips.items()
        }
        return Side([replace(of, rtt=[50.0] * 400, ways=ways)], [LOAD])

    def trips(before: Side, after: Side) -> Change:
        return next(one for one in changes(before, after) if one["measure"] == "round trip (median)")

    for sides in ((side(near=10, far=90), side(near=10, far=None)), (side(near=10, far=None), side(near=10, far=90))):
        found = trips(*sides)
        assert found["verdict"] == "same"
        assert (found["before"], found["after"]) == pytest.approx((10.1, 10.1))
    found = trips(side(near=10, far=None), side(near=None, far=90))
    assert (found["verdict"], found["because"]) == ("cannot tell", "the captures do not show it")


def test_a_station_is_not_called_alone_beside_one_that_does_not_show() -> None:
    (loud,), (weak,) = with_stations((-50, -50)).columns, with_stations((-70, -50)).columns
    hidden = replace(weak, stations={**weak.stations, "b": replace(weak.stations["b"], signal=[None] * 400)})
    signal = changes(Side([loud], [LOAD]), Side([hidden], [LOAD]))[0]
    assert (signal["verdict"], signal["stations"]) == ("worse", [])


def test_a_station_that_is_elsewhere_in_one_capture_is_compared() -> None:
    """The last capture of a side says no more of where it is than the first."""
    at, tv = [{"laptop": (ap, 50.0)} for ap in ("home", "attic")], {"tv": ("home", 9.0)}
    for before in ((0, 0, 1), (1, 0, 0), (0, 1, 0)):
        sides = [heard_at(at[place] | tv, "laptop") for place in before], [heard_at(at[0] | tv, "laptop")] * 3
        aps = networks([*sides[0], *sides[1]])
        assert aps == (*(("home", "attic")[place] for place in before), "home", "home", "home")
        assert same_stations(*sides, aps) == [{"laptop": ("laptop", 1.0)}] * 6


def test_all_stations_are_strangers_where_none_is_common() -> None:
    time = heard_at({"a": ("home", 50.0)})
    time.told.found.update(cast("Diagnosis", {"connections": [], "streams": []}))
    assert strangers(time, CommonParts(network="home", stations={})) == {"a"}
    assert strangers(time, CommonParts(network="home")) == frozenset(), "where none are known, all count"


def test_tcp_before_and_udp_after_between_the_same_hosts_are_each_one_sides() -> None:
    sides: list[SideSeen] = [
        {"times": [], "alone": [{"what": what, "who": "x to y", "mbps": 9.0}]} for what in ("TCP", "UDP")
    ]
    assert apart({"before": sides[0], "after": sides[1], "changes": []}) == [
        "Only before, and not compared: TCP from x to y (9 Mbit/s).",
        "Only after, and not compared: UDP from x to y (9 Mbit/s).",
    ]


def test_a_station_without_data_in_one_capture_is_one_of_several_all_the_same() -> None:
    """Else the other one's rate would be compared with the mean of both."""

    def rates(*known: float | None) -> Columns:
        def link(rate: float | None) -> object:
            return rate and {"rate": [rate], "retries": [1.0], "size": [9.0], "mpdus": [9.0]}

        macs = ("a", "b")
        found = {
            "links": [{"from": mac, "to": "ap", "octets": 9, "mpdus": 9} for mac in macs],
            "stations": [{"mac": mac, "bssid": "ap", "dozes": []} for mac in macs],
        }
        stations = [
            {"mac": mac, "foreign": False, "share": [9.0], "signal": [-50.0], "up": link(rate), "down": None}
            for mac, rate in zip(macs, known, strict=True)
        ]
        air = {"network": "ap", "stations": stations, "foreign_share": [0.0], "small_share": [0.0]}
        what = CommonParts(network="ap", stations={mac: (mac, 0.5) for mac in macs})
        of = heard(cast("Diagnosis", found), cast("AirLayers", air), 0.05, 1, what)
        return replace(empty(0.05, 1), **of)

    both, one = rates(200.0, 20.0), rates(200.0, None)
    rate = next(measure for measure in MEASURES if measure.name == "rate")
    silent = rate.silent([both, one])
    assert silent == {"b"}
    assert rate.value(both, silent) == rate.value(one, silent) == 200.0
